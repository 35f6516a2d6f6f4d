import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { applicationId, inGroup } from "../../testing/ids.ts";
import { renderCase } from "../../testing/render-case.ts";
import type { GoldenDependency } from "../../testing/golden-type.ts";
import { applicationsVersion } from "../version.ts";
import { durationMs } from "./duration.ts";
import { gatewayGoldens } from "./golden-cases.ts";

const routes = [{ path: "/", destination: "http://web:3000" }];
const store = inGroup("Applications.Core/secretStores/cert");
const container = inGroup("Applications.Core/containers/web");
const gateway = (more: JsonObject): JsonObject => ({ application: applicationId, routes, ...more });
const withTimeouts = (timeoutPolicy: JsonObject): JsonObject => gateway({ routes: [{ ...routes[0], timeoutPolicy }] });

/** Checked at PUT, too. */
const refusedAtPut: readonly (readonly [properties: JsonObject, message: RegExp, target: string])[] = [
  [gateway({ routes: [] }), /^must have at least one route when declaring a Gateway resource$/, "$.properties.routes"],
  [
    gateway({ hostname: {} }),
    /^must provide either prefix or fullyQualifiedHostname if hostname is specified$/,
    "$.properties.hostname",
  ],
  [
    gateway({ tls: { sslPassthrough: true, certificateFrom: store } }),
    /^Only one of \$\.properties\.tls\.certificateFrom and \$\.properties\.tls\.sslPassthrough can be specified at a time\.$/,
    "$.properties.tls",
  ],
  [
    gateway({ tls: { sslPassthrough: true }, routes: [...routes, ...routes] }),
    /^cannot support multiple routes with sslPassthrough set to true$/,
    "$.properties.routes",
  ],
  [
    gateway({ tls: { sslPassthrough: true } }),
    /^cannot support `path` or `replacePrefix` in routes with sslPassthrough set to true$/,
    "$.properties.routes[0]",
  ],
  [gateway({ tls: { minimumProtocolVersion: "1.3" } }), /certificateFrom/, "$.properties.tls.minimumProtocolVersion"],
  [
    withTimeouts({ request: "10s", backendRequest: "11s" }),
    /^request timeout must be greater than or equal to backend request timeout$/,
    "$.properties.routes[0].timeoutPolicy",
  ],
  [withTimeouts({ backendRequest: "16s" }), /greater than or equal/, "$.properties.routes[0].timeoutPolicy"],
  [withTimeouts({ request: "soon" }), /^invalid request timeout/, "$.properties.routes[0].timeoutPolicy.request"],
  [
    withTimeouts({ backendRequest: "1 s" }),
    /^invalid backend request timeout/,
    "$.properties.routes[0].timeoutPolicy.backendRequest",
  ],
];
for (const [properties, message, target] of refusedAtPut) {
  it(`refuses a gateway: ${message.source}`, async () => {
    assert.throws(() => renderCase(gatewayGoldens, properties), { code: "BadRequest", message, target });
    const { handler } = gatewayGoldens.type;
    const request = { apiVersion: applicationsVersion, properties } as never;
    await assert.rejects(async () => await handler?.validate?.(request), { code: "BadRequest", target });
  });
}

const dependent = (properties: JsonObject, id = store): GoldenDependency[] => [{ id, properties }];
const secretStore = (keys: readonly string[], type = "certificate"): JsonObject => ({
  type,
  data: Object.fromEntries(keys.map((key) => [key, {}])),
});
const refusedInContext: readonly (readonly [JsonObject, readonly GoldenDependency[], RegExp])[] = [
  [{ tls: { certificateFrom: store } }, [], /^secretStore resource \S*cert not found$/],
  [{ tls: { certificateFrom: container } }, dependent({}, container), /must reference a secretStore resource$/],
  [{ tls: { certificateFrom: store } }, dependent(secretStore([], "generic")), /with type certificate$/],
  [{ tls: { certificateFrom: store } }, dependent(secretStore(["tls.key"])), /with tls\.crt$/],
  [{ tls: { certificateFrom: store } }, dependent(secretStore(["tls.crt"])), /with tls\.key$/],
  [{ routes: [{ destination: container }] }, dependent({ container: {} }, container), /has no port/],
  [
    { routes: [{ destination: container }] },
    dependent({ container: { ports: { a: { containerPort: 1 }, b: { containerPort: 2 } } } }, container),
    /several ports.*http:\/\/web:1/,
  ],
  [{ routes: [{ destination: "web:3000" }] }, [], /neither a URL .* nor the id of a container/],
  [{ routes: [{ destination: "http://web:70000" }] }, [], /not between 1 and 65535/],
  [{ routes: [{ destination: "http://web_1" }] }, [], /cannot name a Kubernetes object/],
  [{ routes: [{ path: "/" }] }, [], /no destination/],
];
for (const [more, dependencies, message] of refusedInContext) {
  it(`cannot render a gateway: ${message.source}`, () => {
    assert.throws(() => renderCase(gatewayGoldens, gateway(more), { dependencies }), { code: "BadRequest", message });
  });
}

it("cannot render a gateway without an application", () => {
  assert.throws(() => renderCase(gatewayGoldens, { routes }, { application: null }), {
    message: /^application ID is not set for the resource "\S+"$/,
  });
});

it("reads durations as Go writes them", () => {
  assert.deepEqual(["1m30s", "1.5h", "100ms", "2us", "2µs", "5ns", "", "1", "s", "-1s"].map(durationMs), [
    90_000,
    5_400_000,
    100,
    0.002,
    0.002,
    0.000_005,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
