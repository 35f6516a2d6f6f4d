import type { JsonObject } from "@rad/core";
import { map, type object, type strictObject, text } from "../shapes/schema-parts.ts";

/** `authentication` of Terraform, with the tokens for modules from private Git repositories. */
export function gitAuthentication(kind: typeof object | typeof strictObject): JsonObject {
  return kind("Credentials for module sources.", {
    git: kind("For Git over HTTPS.", {
      pat: map(
        "Personal access tokens by host, such as `github.com` or `git.example.com:8443`.",
        kind("A token.", {
          secret: text(
            "The id of an `Applications.Core/secretStores` or a `Radius.Security/secrets` with the key `pat` and, where the host asks for one, `username`.",
          ),
        }),
      ),
    }),
  });
}
