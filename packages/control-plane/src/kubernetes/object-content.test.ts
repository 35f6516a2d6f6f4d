import assert from "node:assert/strict";
import { test } from "node:test";
import { hidden } from "./object-content.ts";

const canary = "canary-5d1c";

test("a secret is hidden where the API server has merged the list that it is in", () => {
  const env = (value: string) => [{ name: "TOKEN", value }];
  const body = { spec: { containers: [{ name: "web", env: env(canary) }] } };
  const applied = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "shop" },
    spec: {
      containers: [
        { name: "injected", env: env("plain") },
        { name: "web", env: env(canary) },
      ],
    },
  };

  const shown = JSON.stringify(hidden(applied, { body, secrets: ["/spec/containers/0/env/0/value"] }));

  assert.ok(!shown.includes(canary), shown);
});

test("kubectl's copy of a Secret is not shown", () => {
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: "tokens",
      annotations: {
        "example.com/owner": "team",
        "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({ stringData: { token: canary } }),
      },
    },
    data: { token: btoa(canary) },
  };

  assert.deepEqual(hidden(secret, { body: {}, secrets: [] }), {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "tokens", annotations: { "example.com/owner": "team" } },
    data: { token: null },
  });
});
