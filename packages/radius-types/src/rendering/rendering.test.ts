import assert from "node:assert/strict";
import { it } from "node:test";
import { ResourceId } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import fc from "fast-check";
import { environmentContext, namespaceOfApplication, objectNamespace } from "./contexts.ts";
import { environmentText } from "./environment-text.ts";
import { hashedLocalId } from "./local-id.ts";
import { inheritedMetadata, mergedMetadata, withMetadataOf } from "./metadata.ts";
import { isLabel, isSubdomain, labelName, subdomainName } from "./names.ts";
import { secretHash } from "./secret-hash.ts";
import { applicationId, environmentId, inGroup } from "../testing/ids.ts";

it("names objects in lower case, and refuses what is no RFC 1123 name without cutting it", () => {
  assert.equal(labelName("Web-1", "The container name"), "web-1");
  assert.equal(subdomainName("State.Store", "The component name"), "state.store");
  for (const bad of ["", "-a", "a-", "a_b", "a.b", "ä", "a".repeat(64), "a\n"]) {
    assert.equal(isLabel(bad), false, bad);
    assert.throws(() => labelName(bad, "The container name"), { code: "BadRequest" });
  }
  for (const bad of ["", ".", "a.", "a..b", "-a.b", "a".repeat(254)]) {
    assert.equal(isSubdomain(bad), false, bad);
    assert.throws(() => subdomainName(bad, "The component name"), { code: "BadRequest" });
  }
  assert.equal(isLabel("a".repeat(63)), true);
  assert.equal(isSubdomain(`${"a.".repeat(126)}a`), true);
});

it("hashes what tells parts apart into their local ids", () => {
  assert.equal(hashedLocalId("ConfigMap", "my-config"), "ConfigMap-S8cXlA==");
  const vault = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv";
  assert.equal(hashedLocalId("RoleAssignment", vault, "Key Vault Secrets User"), "RoleAssignment-ULkauQ==");
});

it("hashes a Secret's values, whatever their order, and differently when one changes", () => {
  const hash = "3c2234ffb00023fc3ae0080c7a2006567717e758";

  assert.equal(secretHash({ CONNECTION_A_HOST: "h", CONNECTION_A_PORT: "6379" }), hash);
  assert.equal(secretHash({ CONNECTION_A_PORT: "6379", CONNECTION_A_HOST: "h" }), hash);
  assert.notEqual(secretHash({ CONNECTION_A_HOST: "h", CONNECTION_A_PORT: "6380" }), hash);
});

const texts: readonly (readonly [JsonValue, string])[] = [
  ["as is", "as is"],
  ["", ""],
  [6379, "6379"],
  [3.14, "3.14"],
  [-0.5, "-0.5"],
  [1e21, "1000000000000000000000"],
  [1.5e22, "15000000000000000000000"],
  [-1e21, "-1000000000000000000000"],
  [1e-7, "0.0000001"],
  [-1.25e-9, "-0.00000000125"],
  [[1, 2.5, 1e21], "1,2.5,1000000000000000000000"],
  [[], "[]"],
  [true, "true"],
  [null, "null"],
  [["a", "b"], '["a","b"]'],
  [[1, "b"], '[1,"b"]'],
  [{ a: 1 }, '{"a":1}'],
];
for (const [value, expected] of texts) {
  it(`writes ${JSON.stringify(value)} as ${expected} into an environment variable`, () => {
    assert.equal(environmentText(value), expected);
  });
}

it("writes every number without an exponent so that it reads back the same", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const written = environmentText(value);
      assert.match(written, /^-?\d+(\.\d+)?$/);
      assert.equal(Number(written) + 0, value + 0);
    }),
  );
});

it("merges metadata from the environment to the container and drops reserved keys at every level", () => {
  const level = (name: string): JsonObject => ({
    extensions: [
      { kind: "manualScaling", replicas: 1 },
      {
        kind: "kubernetesMetadata",
        labels: { all: name, [name]: "x", "radapp.io/resource": name, "app.kubernetes.io/name": name },
        annotations: { note: name, "radapp.io/secret-hash": name },
      },
      { kind: "kubernetesMetadata", labels: { second: name } },
    ],
  });
  const inherited = inheritedMetadata({
    environment: { id: ResourceId.parse(environmentId), namespace: "n", properties: level("environment") },
    application: { id: ResourceId.parse(applicationId), properties: level("application") },
    namespace: "n",
    dependencies: new Map(),
    publicEndpoint: undefined,
  });
  const merged = withMetadataOf(inherited, level("container"));

  assert.deepEqual(inherited.labels, {
    all: "application",
    environment: "x",
    application: "x",
    "app.kubernetes.io/name": "application",
  });
  assert.deepEqual(
    mergedMetadata({ labels: { "radapp.io/resource": "web", "app.kubernetes.io/name": "web" } }, merged),
    {
      labels: {
        "radapp.io/resource": "web",
        "app.kubernetes.io/name": "container",
        all: "container",
        environment: "x",
        application: "x",
        container: "x",
      },
      annotations: { note: "container" },
    },
  );
  assert.deepEqual(mergedMetadata({}, { labels: {}, annotations: {} }), {});
});

it("finds the namespace of environments and applications of both families", () => {
  const environment = environmentContext(ResourceId.parse(environmentId), {
    compute: { kind: "kubernetes", namespace: "prod" },
  });
  const radiusEnvironment = environmentContext(ResourceId.parse(inGroup("Radius.Core/environments/env")), {
    providers: { kubernetes: { namespace: "prod" } },
  });
  const application = (properties: JsonObject, type = "Applications.Core") => ({
    id: ResourceId.parse(inGroup(`${type}/applications/Shop`)),
    properties,
  });
  const override = { extensions: [{ kind: "kubernetesNamespace", namespace: "own" }] };

  assert.equal(environment.namespace, "prod");
  assert.equal(radiusEnvironment.namespace, "prod");
  assert.equal(environmentContext(radiusEnvironment.id, {}).namespace, "default");
  assert.equal(objectNamespace(environment, undefined), "prod");
  assert.equal(objectNamespace(environment, application({})), "prod-shop");
  assert.equal(objectNamespace(environment, application(override)), "own");
  assert.equal(namespaceOfApplication(environment, application(override)), "own");
  assert.equal(objectNamespace(environment, application({ status: { compute: { namespace: "kept" } } })), "kept");
  assert.equal(objectNamespace(radiusEnvironment, application({}, "Radius.Core")), "prod");
});

it("refuses environments that do not run in Kubernetes", () => {
  assert.throws(() => environmentContext(ResourceId.parse(environmentId), { compute: { kind: "aci" } }), {
    code: "BadRequest",
    message: /compute kind 'aci'/,
  });
});
