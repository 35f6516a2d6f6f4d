import type { Value } from "../values/value.ts";
import { floatText } from "./number-format.ts";

/** A scalar as it reads inside another text; null is empty. `undefined` for arrays and objects. */
export function scalarText(value: Value): string | undefined {
  switch (typeof value) {
    case "string":
      return value;
    case "bigint":
      return value.toString();
    case "number":
      return floatText(value);
    case "boolean":
      return value ? "True" : "False";
    default:
      return value === null ? "" : undefined;
  }
}
