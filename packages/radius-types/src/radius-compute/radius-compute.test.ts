import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { applicationId, environmentId, inGroup } from "../testing/ids.ts";
import type { GoldenType } from "../testing/golden-type.ts";
import { renderCase } from "../testing/render-case.ts";
import { securityGoldens } from "../radius-security/golden-cases.ts";
import { computeGoldens } from "./golden-cases.ts";

const [containers, , routes] = computeGoldens as unknown as [GoldenType, GoldenType, GoldenType];
const [secrets] = securityGoldens as unknown as [GoldenType];
const scope = { environment: environmentId, application: applicationId };
const web = { image: "web:1" };
const probe = { exec: { command: ["true"] } };
const metrics = (...list: JsonObject[]): JsonObject => ({ containers: { web }, autoScaling: { metrics: list } });
const destinationContainer = {
  resourceId: inGroup("Radius.Compute/containers/web"),
  containerName: "web",
  containerPort: 80,
};

const refused: readonly (readonly [GoldenType, JsonObject, RegExp])[] = [
  [containers, { containers: { web: { ...web, initContainer: true } } }, /must not be an init container/],
  [containers, { containers: { "not valid": web } }, /cannot name a Kubernetes object/],
  [containers, { containers: { web: { ...web, readinessProbe: {} } } }, /exactly one of 'exec'/],
  [
    containers,
    { containers: { web: { ...web, livenessProbe: { ...probe, tcpSocket: { port: 1 } } } } },
    /exactly one of 'exec'/,
  ],
  [
    containers,
    { containers: { web: { ...web, readinessProbe: { ...probe, terminationGracePeriodSeconds: 1 } } } },
    /Only a liveness probe/,
  ],
  [
    containers,
    {
      containers: {
        web: { ...web, readinessProbe: { httpGet: { path: "/", port: 1, httpHeaders: [{ value: "v" }] } } },
      },
    },
    /header of a probe needs a name/,
  ],
  [containers, { containers: { web: { ...web, volumeMounts: [{ volumeName: "v", mountPath: "/v" }] } } }, /'v'/],
  [containers, { containers: { web }, volumes: { v: {} } }, /exactly one of 'persistentVolume'/],
  [containers, { containers: { web }, volumes: { v: { persistentVolume: {} } } }, /resourceId/],
  [containers, metrics({ kind: "cpu", target: {} }), /exactly one target/],
  [containers, metrics({ kind: "cpu", target: { value: 1 } }), /average over the replicas/],
  [containers, metrics({ kind: "custom", target: { value: 1 } }), /customMetric/],
  [containers, metrics({ kind: "custom", customMetric: "m", target: { averageUtilization: 1 } }), /no utilization/],
  [
    containers,
    { containers: { web }, platformOptions: { kubernetes: { containers: [{ image: "x" }] } } },
    /Invalid PodSpec/,
  ],
  [routes, { rules: [] }, /at least one rule/],
  [routes, { kind: "TCP", hostnames: ["a"], rules: [{ matches: [], destinationContainer }] }, /no host names/],
  [routes, { kind: "UDP", rules: [{ matches: [{ httpPath: "/" }], destinationContainer }] }, /'httpPath'/],
  [
    routes,
    { rules: [{ matches: [], destinationContainer: { ...destinationContainer, resourceId: "web" } }] },
    /'web' is not the id/,
  ],
  [
    secrets,
    { kind: "basicAuthentication", data: { username: { value: "u" } } },
    /^\$\.properties\.data must contain 'password' key for basicAuthentication type\.$/,
  ],
];
for (const [golden, properties, message] of refused) {
  it(`${golden.type.name} refuses: ${message.source}`, () => {
    assert.throws(() => renderCase(golden, { ...scope, ...properties }), { code: "BadRequest", message });
  });
}

it("a secret that is said to be base64 and is not is refused without showing it", () => {
  const properties = { ...scope, data: { key: { value: null, encoding: "base64" } } };
  const sealed = { "/properties/data/key/value": "canary!" };
  assert.throws(
    () => renderCase(secrets, properties, { secrets: sealed }),
    (error: Error) => /data\.key.*not valid base64/.test(error.message) && !error.message.includes("canary"),
  );
});
