import type { JsonObject } from "@rad/core";
import { recipeBackedBody } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    ...recipeBackedBody,
    username: "ann",
    password: "hush",
    database: "shop",
    version: "8.0",
  },
];
