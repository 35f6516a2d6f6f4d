import { printType } from "../types/index.ts";
import type { FunctionOverload } from "../types/index.ts";

/** The signature as help and messages show it: `(name: string, [format: string], ... : any): string`. */
export function printSignature(overload: FunctionOverload): string {
  const parts = overload.parameters.map(({ name, type, optional }) => {
    const text = `${name}: ${printType(type)}`;
    return optional ? `[${text}]` : text;
  });
  if (overload.variadic !== undefined) {
    parts.push(`... : ${printType(overload.variadic.type)}`);
  }
  return `(${parts.join(", ")}): ${printType(overload.returns)}`;
}
