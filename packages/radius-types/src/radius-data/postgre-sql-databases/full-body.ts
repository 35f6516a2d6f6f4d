import type { JsonObject } from "@rad/core";
import { recipeBackedBody } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    ...recipeBackedBody,
    size: "M",
    username: "ann",
    password: "hush",
    database: "shop",
    initSql: "SELECT 1",
  },
];
