import type { JsonObject } from "@rad/core";
import { environmentId } from "../../testing/ids.ts";
import { allExtensions } from "../../testing/extensions.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    environment: environmentId,
    extensions: allExtensions,
  },
];
