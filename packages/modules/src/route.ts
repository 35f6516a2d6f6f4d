import type { ResourceRequest } from "@rad/resources";
import type { Answer } from "./answer.ts";

/**
 * A URL of its own, outside the id grammar, such as the installer's or the audit export. It passes the same identity
 * check, limits and audit as everything else; without a permission it is open to anybody who can connect.
 */
export interface PlainRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The exact path below the base path, lower case. */
  readonly path: string;
  readonly permission: string | undefined;
  handle(request: PlainRequest): Promise<Answer> | Answer;
}

/** A call of such a URL. */
export interface PlainRequest extends Omit<ResourceRequest, "id"> {
  readonly method: string;
  /** Below the base path. */
  readonly path: string;
  /** A parameter of the query; the first when it is there more than once. */
  parameter(name: string): string | undefined;
  /** Scheme, host and base path that the caller used: what absolute links start with. */
  readonly linkBase: string;
}
