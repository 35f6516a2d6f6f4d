import type { JsonObject } from "@rad/core";
import { recipeBackedBody } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    ...recipeBackedBody,
    build: {
      source: "git::https://git.example/web",
      dockerfile: "Dockerfile",
      platforms: ["linux/amd64"],
      args: { A: "b" },
    },
    tag: "1",
  },
];
