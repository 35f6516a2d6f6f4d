import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";

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

export type PlainRequest = Omit<ApiRequest, "id"> & { readonly path: string };
