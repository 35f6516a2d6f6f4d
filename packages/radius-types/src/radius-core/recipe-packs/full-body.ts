import type { JsonObject } from "@rad/core";

export const fullBodies: readonly JsonObject[] = [
  {
    recipes: {
      "Radius.Data/redisCaches": {
        kind: "bicep",
        source: "registry.example/redis:1",
        parameters: { size: 1 },
        plainHttp: true,
        outputs: { host: "hostName", secrets: { url: "redisUrl" } },
      },
    },
  },
];
