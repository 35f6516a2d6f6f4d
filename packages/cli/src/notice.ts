import { printableLine } from "./output/printable.ts";

/** Something to know about a compilation that has no place in a file: where types came from, what was not checked. */
export interface Notice {
  readonly level: "info" | "warning";
  readonly code: string;
  readonly message: string;
}

/** One line; a message may quote a server. */
export function noticeLine({ level, code, message }: Notice): string {
  return `${level === "info" ? "Info" : "Warning"} ${code}: ${printableLine(message)}`;
}
