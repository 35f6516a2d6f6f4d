import type { JsonObject } from "@rad/core";
import { recipeBackedBody } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    ...recipeBackedBody,
    queue: "orders",
    username: "ann",
    password: "hush",
    secrets: {},
  },
];
