import { formatPath } from "@rad/core";
import type { PathSegment } from "@rad/core";

/** A schema that cannot be used. The message is one line that starts with the `$.` path of the offending keyword. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
  readonly code = "InvalidSchema";
  readonly path: readonly PathSegment[];
  /** The message without its path, for callers that show the place in another way. */
  readonly reason: string;

  constructor(path: readonly PathSegment[], reason: string) {
    super(`${formatPath(path)}: ${reason}`);
    this.path = path;
    this.reason = reason;
  }
}
