import { ApiError } from "@rad/core";
import type { Route } from "@rad/modules";
import type { StateBackend } from "@rad/terraform";

/** Where the control plane keeps states of recipes, for Terraform alone: the token of a run opens its own state. */
export const statePath = "/terraform/state";

/** Larger states are refused. */
const maxBytes = 128 * 1024 * 1024;

export function stateRoutes(backend: StateBackend): readonly Route[] {
  return [
    {
      method: ["GET", "POST", "DELETE", "LOCK", "UNLOCK"],
      path: `${statePath}/*`,
      permission: undefined, // the backend knows its runs
      body: "bytes",
      maxBytes,
      handle: async (request) => {
        const [name, ...more] = request.rest;
        if (name === undefined || more.length > 0) {
          throw new ApiError("NotFound", "There is no such Terraform state.");
        }
        return await backend.handle({
          method: request.method,
          name,
          authorization: request.authorization,
          lockId: request.parameter("ID"),
          contentMd5: request.headers["content-md5"],
          body: () => request.bytes.whole(),
        });
      },
    },
  ];
}
