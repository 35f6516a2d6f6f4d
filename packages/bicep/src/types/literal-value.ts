/**
 * A value known at compile time. Integers are `bigint`, because the language's are 64 bits wide; a `number` is a
 * fraction, which the language has no type for. Objects are maps: member names come from users.
 */
export type LiteralValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly LiteralValue[]
  | ReadonlyMap<string, LiteralValue>;
