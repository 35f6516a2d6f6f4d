import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResourceBody } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { namespacesOf } from "./namespaces.ts";

const resource = (status: JsonObject | undefined): ResourceBody => ({
  id: "/planes/radius/local/resourceGroups/g/providers/X.Y/z/n",
  name: "n",
  type: "X.Y/z",
  properties: status === undefined ? {} : { status },
});
const outputs = (...ids: readonly string[]): ResourceBody => resource({ outputResources: ids.map((id) => ({ id })) });
const running = resource({ compute: { kind: "kubernetes", namespace: "dev-shop" } });

for (const [what, application, resources, expected] of [
  [
    "objects of the resources decide, each namespace once",
    running,
    [
      outputs(
        "/planes/kubernetes/local/namespaces/a/providers/apps/Deployment/web",
        "/planes/kubernetes/local/namespaces/a/providers/core/Service/web",
      ),
      outputs("/planes/kubernetes/local/namespaces/b/providers/apps/Deployment/api"),
    ],
    ["a", "b"],
  ],
  ["without objects the application's own namespace counts", running, [outputs("/subscriptions/s/x")], ["dev-shop"]],
  ["another kind of compute has no namespace", resource({ compute: { kind: "aci", namespace: "x" } }), [], []],
  ["nothing in a cluster", resource(undefined), [resource(undefined), outputs()], []],
  [
    "objects of the cluster itself have none",
    resource({}),
    [outputs("/planes/kubernetes/local/providers/core/Namespace/x")],
    [],
  ],
] as const) {
  test(what, () => {
    assert.deepEqual(namespacesOf(application, resources), expected);
  });
}
