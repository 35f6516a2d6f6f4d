/** The system's own code (`ENOENT`, `EACCES`, …) of a failed call; `undefined` for other errors. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
