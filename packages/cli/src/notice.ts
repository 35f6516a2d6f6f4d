/** Something to know about a compilation that has no place in a file: where types came from, what was not checked. */
export interface Notice {
  readonly level: "info" | "warning";
  readonly code: string;
  readonly message: string;
}
