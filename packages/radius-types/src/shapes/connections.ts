import type { JsonObject } from "@rad/core";
import { flag, map, object, text } from "./schema-parts.ts";

/** The resources that a resource of a `Radius.*` type uses, by the name its code knows them by. */
export function connections(): JsonObject {
  return map(
    "The resources that this one uses, by a name of the author's choice.",
    object(
      "A connection.",
      {
        source: text("The resource id of the resource to connect to."),
        disableDefaultEnvVars: flag("Whether to leave out the environment variables that describe the connection."),
      },
      ["source"],
    ),
  );
}
