import assert from "node:assert/strict";
import { it } from "node:test";
import { isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { goldenContext, goldenResource } from "../../../testing/golden-type.ts";
import type { GoldenCase, GoldenDependency } from "../../../testing/golden-type.ts";
import { applicationId, inGroup } from "../../../testing/ids.ts";
import type { Rendering } from "../../../rendering/renderer.ts";
import { containerGoldens } from "../golden-cases.ts";
import { containerRenderer } from "./render-container.ts";

type Attempt = Omit<GoldenCase, "name" | "properties"> & {
  readonly properties?: JsonObject;
  readonly container?: JsonObject;
};

function render({ container = {}, properties = {}, ...rest }: Attempt): Rendering {
  const golden: GoldenCase = {
    ...rest,
    name: "",
    properties: { application: applicationId, container: { image: "web:1", ...container }, ...properties },
  };
  return containerRenderer.render(goldenResource(containerGoldens, golden), goldenContext(golden));
}

const cache = inGroup("Applications.Datastores/redisCaches/cache");
const store = inGroup("Applications.Core/secretStores/s");
const vault: GoldenDependency = {
  id: inGroup("Applications.Core/volumes/v"),
  properties: { kind: "azure.com.keyvault", resource: "/subscriptions/s/providers/Microsoft.KeyVault/vaults/v" },
};
const vaultVolume = { volumes: { v: { kind: "persistent", source: vault.id, mountPath: "/v" } } };
const kubernetes = { kind: "kubernetes", namespace: "prod" };
const issuer = { identity: { kind: "azure.com.workload", oidcIssuer: "https://i.example" } };

const refusals: readonly (Attempt & { readonly what: string; readonly message: string | RegExp })[] = [
  {
    what: "a name that is no label",
    resourceName: "web_1",
    message: /^The container name 'web_1' cannot name a Kubernetes object/,
  },
  {
    what: "no application",
    application: null,
    message: /^application ID is not set for the resource "\/planes\/.*\/web"$/,
  },
  {
    what: "a container port 0",
    container: { ports: { web: { containerPort: 0 } } },
    message: "invalid ports definition: must define a ContainerPort, but ContainerPort is: 0.",
  },
  {
    what: "a port that is too large",
    container: { ports: { web: { containerPort: 80, port: 65_536 } } },
    message: "invalid ports definition: 'web' has the number 65536; use one from 1 to 65535.",
  },
  {
    what: "a negative port",
    container: { ports: { web: { containerPort: -1 } } },
    message: /has the number -1/,
  },
  {
    what: "a port name with a capital",
    container: { ports: { Web: { containerPort: 80 } } },
    message: /the name 'Web'/,
  },
  {
    what: "two ports that are reached alike",
    container: { ports: { a: { containerPort: 80 }, b: { containerPort: 81, port: 80 } } },
    message: "invalid ports definition: 'a' and 'b' are both reached at 80/TCP.",
  },
  {
    what: "a URL without a port",
    properties: { connections: { a: { source: "http://user:s3cret@host" } } },
    message: /^failed to parse source URL: (?!.*s3cret)/,
  },
  {
    what: "a host and port without a scheme",
    properties: { connections: { a: { source: "host:3000" } } },
    message: /^failed to parse source URL: /,
  },
  {
    what: "neither a URL nor an id",
    properties: { connections: { a: { source: "cache" } } },
    message: "invalid source: cache. Must be either a URL or a valid resourceID",
  },
  {
    what: "the id of a group",
    properties: { connections: { a: { source: "/planes/radius/local/resourceGroups/g" } } },
    message: /^invalid source: /,
  },
  {
    what: "a connection to what is not there",
    properties: { connections: { a: { source: cache } } },
    message: `resource "${cache}" does not exist`,
  },
  {
    what: "a connection whose values no Secret can hold",
    properties: { connections: { "my cache": { source: cache } } },
    dependencies: [{ id: cache, values: { host: "h" } }],
    message: /^The connection 'my cache' would set the environment variable 'CONNECTION_MY CACHE_HOST'/,
  },
  {
    what: "Azure roles on something else",
    properties: { connections: { a: { source: cache, iam: { kind: "azure", roles: ["Reader"] } } } },
    dependencies: [{ id: cache }],
    message: /which is not an Azure resource/,
  },
  {
    what: "Azure roles on a resource of AWS",
    properties: {
      connections: {
        a: {
          source: "/planes/aws/aws/accounts/1/regions/r/providers/AWS.S3/Bucket/b",
          iam: { kind: "azure", roles: ["Reader"] },
        },
      },
    },
    message: /which is not an Azure resource/,
  },
  {
    what: "a variable without a value",
    container: { env: { A: {} } },
    message: "failed to convert environment variable: A, both value and valueFrom cannot be nil",
  },
  {
    what: "a secret store of another namespace",
    container: { env: { A: { valueFrom: { secretRef: { source: store, key: "k" } } } } },
    dependencies: [{ id: store, properties: { resource: "other/s" } }],
    message: /keeps its values in the Secret 'other\/s'/,
  },
  {
    what: "a secret of something that has none",
    container: { env: { A: { valueFrom: { secretRef: { source: cache, key: "k" } } } } },
    dependencies: [{ id: cache }],
    message: /behind which there is no Kubernetes Secret/,
  },
  {
    what: "an unknown probe",
    container: { readinessProbe: { kind: "grpc" } },
    message: "health probe kind unsupported: grpc",
  },
  {
    what: "a volume without a path",
    container: { volumes: { v: { kind: "ephemeral", managedStore: "disk" } } },
    message: /^The volume 'v' has no 'mountPath'/,
  },
  {
    what: "a volume name with a capital",
    container: { volumes: { V: { kind: "ephemeral", managedStore: "disk", mountPath: "/v" } } },
    message: /^The volume name 'V'/,
  },
  {
    what: "a volume of another kind",
    container: vaultVolume,
    dependencies: [{ ...vault, properties: { kind: "nfs" } }],
    message: "Unsupported volume kind: nfs for volume: v. Supported kinds are: [azure.com.keyvault]",
  },
  {
    what: "a volume that is something else",
    container: { volumes: { v: { kind: "persistent", source: cache, mountPath: "/v" } } },
    dependencies: [{ id: cache, properties: { kind: "azure.com.keyvault" } }],
    message: /^Unsupported volume kind: Applications.Datastores\/redisCaches for volume: v/,
  },
  {
    what: "an identity in an environment without Azure",
    container: vaultVolume,
    dependencies: [vault],
    environment: { compute: { ...kubernetes, ...issuer } },
    message: "environment providers are not specified",
  },
  {
    what: "an identity in an environment whose scope has no group",
    container: vaultVolume,
    dependencies: [vault],
    environment: { compute: { ...kubernetes, ...issuer }, providers: { azure: { scope: "/subscriptions/s" } } },
    message: "invalid environment Azure Provider scope: /subscriptions/s",
  },
  {
    what: "an identity in an environment whose provider has no group",
    container: vaultVolume,
    dependencies: [vault],
    environment: { compute: { ...kubernetes, ...issuer }, providers: { azure: { subscriptionId: "s" } } },
    message: "invalid environment Azure Provider scope: /subscriptions/s/resourceGroups/",
  },
  {
    what: "an identity without an issuer",
    container: vaultVolume,
    dependencies: [vault],
    environment: { compute: kubernetes, providers: { azure: { scope: "/subscriptions/s/resourceGroups/g" } } },
    message: "OIDC Issuer URL is not specified",
  },
  {
    what: "fewer replicas than none",
    properties: { extensions: [{ kind: "manualScaling", replicas: -1 }] },
    message: /asks for -1 replicas/,
  },
  {
    what: "pods that are not restarted",
    properties: { restartPolicy: "Never" },
    message: /^restartPolicy 'Never' is not possible/,
  },
  ...[
    "/properties/container/args/0",
    "/properties/container/env/A/valueFrom/secretRef/key",
    "/properties/extensions/0/annotations/a",
    "/properties/runtimes/kubernetes/pod",
    "/properties/container",
  ].map((pointer) => ({
    what: `a secret in ${pointer}`,
    secrets: { [pointer]: "s3cret" },
    message: /^\$\.properties\..* holds a secret, which everybody (?!.*s3cret)/,
  })),
  {
    what: "a secret in a base manifest with more than Secrets",
    secrets: { "/properties/runtimes/kubernetes/base": "" },
    properties: { runtimes: { kubernetes: { base: "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}" } } },
    message: /^\$\.properties\.runtimes\.kubernetes\.base holds a secret/,
  },
  {
    what: "a secret in a variable that no Secret can have as a key",
    secrets: { "/properties/container/env/a b/value": "s3cret" },
    container: { env: { "a b": { value: "s3cret" } } },
    message: /^The environment variable 'a b' holds a secret(?!.*s3cret)/,
  },
  {
    what: "a base Secret with the name of the container's own",
    properties: {
      runtimes: { kubernetes: { base: "{apiVersion: v1, kind: Secret, metadata: {name: web}}" } },
      connections: { a: { source: cache } },
    },
    dependencies: [{ id: cache, values: { host: "h" } }],
    message: /^The base manifest has a Secret 'web'/,
  },
];

for (const { what, message, ...attempt } of refusals) {
  it(`refuses ${what}`, () => {
    assert.throws(() => render(attempt), { name: "ApiError", code: "BadRequest", message });
  });
}

it("asks for every resource once, and for none that it does not read", () => {
  const properties = {
    container: {
      image: "web:1",
      env: {
        A: { valueFrom: { secretRef: { source: store.toUpperCase().replace("/PLANES", "/planes"), key: "k" } } },
        B: { valueFrom: { secretRef: { source: "plain", key: "k" } } },
        C: { value: store },
      },
      volumes: { v: { kind: "persistent", source: vault.id }, e: { kind: "ephemeral", managedStore: "disk" } },
    },
    connections: {
      a: { source: cache },
      b: { source: store },
      c: { source: "http://a:1" },
      d: { source: "/subscriptions/s/resourceGroups/g/providers/X.Y/z/n" },
      e: { source: "" },
    },
  };

  const ids = containerRenderer.dependencies(properties).map((id) => id.toLowerCase());

  assert.deepEqual(new Set(ids), new Set([cache, store, vault.id].map((id) => id.toLowerCase())));
  assert.equal(ids.length, 3);
});

it("puts sealed values into Secrets alone", () => {
  const base = "{apiVersion: v1, kind: Secret, metadata: {name: keys}, stringData: {a: c4nary}}";
  const { parts } = render({
    container: { env: { A: { value: "c4nary" } } },
    properties: { connections: { a: { source: "http://c4nary:80" } }, runtimes: { kubernetes: { base } } },
    secrets: {
      "/properties/container/env/A/value": "c4nary",
      "/properties/connections/a/source": "http://c4nary:80",
      "/properties/runtimes/kubernetes/base": base,
    },
  });
  const encoded = btoa("c4nary");
  const holders = parts.filter((part) => JSON.stringify(part).includes(encoded));

  assert.deepEqual(
    parts.filter((part) => JSON.stringify(part).includes("c4nary")),
    [],
  );
  assert.deepEqual(
    holders.map((part) => part.platform === "kubernetes" && part.object.kind),
    ["Secret", "Secret"],
  );
});

it("starts pods anew when a value of a connection changes, and has no hash without values", () => {
  const hash = (host: string | undefined): JsonValue | undefined => {
    const properties = { connections: { a: { source: cache } } };
    const values = host === undefined ? {} : { host };
    const parts = render({ properties, dependencies: [{ id: cache, values: values as JsonObject }] }).parts;
    const deployment = parts.find(({ localId }) => localId === "Deployment");
    assert.ok(deployment?.platform === "kubernetes" && isJsonObject(deployment.object["spec"]));
    const template = objectMember(deployment.object["spec"], "template");
    return objectMember(objectMember(template, "metadata"), "annotations")["radapp.io/secret-hash"];
  };

  assert.match(String(hash("a")), /^[0-9a-f]{40}$/);
  assert.notEqual(hash("a"), hash("b"));
  assert.equal(hash("a"), hash("a"));
  assert.equal(hash(undefined), undefined);
});

it("renders a Service only with ports and a Secret only with values, so that both go with the last of them", () => {
  const ids = (attempt: Attempt): string[] => render(attempt).parts.map(({ localId }) => localId);
  const connected = {
    properties: { connections: { a: { source: cache } } },
    dependencies: [{ id: cache, values: { host: "h" } }],
  };
  const plain = ["ServiceAccount", "KubernetesRole", "KubernetesRoleBinding", "Deployment"];

  assert.deepEqual(ids({}), plain);
  assert.deepEqual(ids({ container: { ports: { web: { containerPort: 80 } } } }), [...plain, "Service"]);
  assert.deepEqual(ids(connected), [...plain.slice(0, 3), "Secret", "Deployment"]);
});
