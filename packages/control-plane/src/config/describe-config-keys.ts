import type { Fields } from "./field.ts";
import { serverConfig } from "./server-config.ts";

/** One row of the reference page. */
export interface ConfigKey {
  /** Dotted path; `[]` marks the entries of a list. */
  readonly key: string;
  readonly type: string;
  /** As it would be written; empty when the key has none. */
  readonly default: string;
  readonly doc: string;
}

/** Every key of the configuration file, in the order of the table, sections before their members. */
export function describeConfigKeys(): readonly ConfigKey[] {
  return describe(serverConfig.members ?? {}, "");
}

function describe(fields: Fields, prefix: string): ConfigKey[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const key = `${prefix}${name}`;
    const row = { key, type: field.type, default: field.default, doc: field.doc };
    const below = field.type.startsWith("list of") ? `${key}[].` : `${key}.`;
    return [row, ...(field.members === undefined ? [] : describe(field.members, below))];
  });
}
