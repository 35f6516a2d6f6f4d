import type { JsonObject } from "@rad/core";
import { inGroup, recipeBackedBody } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    ...recipeBackedBody,
    kind: "HTTP",
    hostnames: ["shop.example"],
    rules: [
      {
        matches: [
          {
            httpHeaders: [{ name: "a", value: "b" }],
            httpMethod: "GET",
            httpPath: "/",
            httpQueryParams: [{ name: "c", value: "d" }],
          },
        ],
        destinationContainer: {
          resourceId: inGroup("Radius.Compute/containers/web"),
          containerName: "web",
          containerPort: 3000,
        },
      },
    ],
  },
];
