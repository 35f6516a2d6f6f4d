import type { Value } from "@rad/templates";

/** A value known at compile time: the same values that the template language computes with. */
export type LiteralValue = Value;
