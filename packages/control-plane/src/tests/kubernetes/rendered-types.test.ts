// Types that are rendered, from a PUT to the manifests.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JsonObject, objectMember } from "@rad/core";
import { type KubernetesObject, type ObjectTarget, openObjectTarget } from "@rad/kubernetes";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

const group = `${local}/resourcegroups/types`;
const signal = AbortSignal.timeout(600_000);
const idOf = (type: string, name: string): string => `${group}/providers/${type}/${name}`;
const application = idOf("Applications.Core/applications", "shop");
const environment = idOf("Applications.Core/environments", "prod");
const radiusEnvironment = idOf("Radius.Core/environments", "apps");
const radiusApplication = idOf("Radius.Core/applications", "blog");

let server: TestServer;
let manifests: string;
let target: ObjectTarget;
before(async () => {
  manifests = await mkdtemp(join(tmpdir(), "radius-manifests-"));
  target = await openObjectTarget({ kind: "folder", path: manifests });
  server = await startTestServer({ overrides: { kubernetes: { manifests, publicEndpoint: "demo.example:8080" } } });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  const recipe = { kind: "bicep", source: "ghcr.io/radius-project/kube-recipes/routes:latest" };
  const parameters = { gatewayName: "edge", gatewayNamespace: "edge-system" };
  const resources: readonly (readonly [id: string, properties: JsonObject])[] = [
    [environment, { compute: { kind: "kubernetes", namespace: "prod" } }],
    [application, { environment }],
    [
      idOf("Radius.Core/recipePacks", "pack"),
      {
        recipes: {
          "Radius.Compute/routes": { ...recipe, parameters },
          "Radius.Compute/persistentVolumes": { kind: "bicep", source: "example.com/volumes" },
        },
      },
    ],
    [radiusEnvironment, { recipePacks: ["pack"], providers: { kubernetes: { namespace: "apps" } } }],
    [radiusApplication, { environment: radiusEnvironment }],
  ];
  for (const [id, properties] of resources) {
    const reply = await put(id, properties);
    assert.equal(reply.status, 200, reply.text);
  }
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(manifests, { recursive: true, force: true });
});

const withVersion = (path: string): string =>
  `${path}?api-version=${path.includes("/Radius.") ? "2025-08-01-preview" : "2023-10-01-preview"}`;
function put(id: string, properties: JsonObject): Promise<Reply> {
  return server.call("PUT", withVersion(id), { body: { location: "global", properties } });
}
/** The properties of a resource that is deployed, or the error of its operation. */
async function deploy(type: string, name: string, properties: JsonObject): Promise<JsonObject> {
  const accepted = await put(idOf(type, name), properties);
  const { status, error } = await server.settle(accepted);
  if (status !== "Succeeded") {
    return objectMember({ error: error ?? null }, "error");
  }
  return objectMember((await server.call("GET", withVersion(idOf(type, name)))).body, "properties");
}
const read = (kind: string, namespace: string, name: string, groupName = ""): Promise<KubernetesObject | undefined> =>
  target.read({ group: groupName, kind, namespace, name }, { signal });
const listSecrets = async (type: string, name: string): Promise<JsonObject> =>
  (await server.call("POST", withVersion(`${idOf(type, name)}/listSecrets`), { body: {} })).body;

it("a gateway has HTTPProxies with the certificate of a secret store, and says its URL", async () => {
  const pem = { value: "aHVzaA==" };
  await put(idOf("Applications.Core/secretStores", "cert"), {
    application,
    type: "certificate",
    data: { "tls.crt": pem, "tls.key": pem },
  });

  const { url } = await deploy("Applications.Core/gateways", "entry", {
    application,
    routes: [{ path: "/", destination: "http://web:3000" }],
    tls: { certificateFrom: idOf("Applications.Core/secretStores", "cert") },
  });

  assert.equal(url, "https://demo.example:8080");
  const root = await read("HTTPProxy", "prod-shop", "entry", "projectcontour.io");
  assert.deepEqual(objectMember(root ?? {}, "spec")["virtualhost"], {
    fqdn: "demo.example",
    tls: { secretName: "prod-shop/cert", minimumProtocolVersion: "1.2" },
  });
  assert.notEqual(await read("HTTPProxy", "prod-shop", "web", "projectcontour.io"), undefined);
});

it("a Dapr component is written once, and its name belongs to it", async () => {
  const manual = {
    environment,
    application,
    resourceProvisioning: "manual",
    type: "state.redis",
    version: "v1",
    metadata: { host: { value: "h" } },
  };

  const first = await deploy("Applications.Dapr/stateStores", "Orders", manual);
  const second = await deploy("Applications.Dapr/pubSubBrokers", "orders", manual);

  assert.equal(first["componentName"], "orders");
  assert.equal(second["code"], "Conflict");
  assert.match(String(second["message"]), /'"orders"' is already in use by another resource/);
  assert.notEqual(await read("Component", "prod-shop", "orders", "dapr.io"), undefined);
});

it("values of a manual cache are computed, and a recipe that nobody registered is an error", async () => {
  const type = "Applications.Datastores/redisCaches";
  const manual = { environment, resourceProvisioning: "manual", host: "redis.example", port: 6380 };

  const cache = await deploy(type, "cache", { ...manual, secrets: { password: "canary-p" } });
  const failed = await deploy(type, "unknown", { environment });

  assert.equal(cache["tls"], true);
  assert.doesNotMatch(JSON.stringify(cache), /canary/);
  assert.deepEqual(await listSecrets(type, "cache"), {
    connectionString: "redis.example:6380,abortConnect=False,ssl=True,password=canary-p",
    password: "canary-p",
    url: "rediss://:canary-p@redis.example:6380/0?",
  });
  assert.equal(failed["code"], "RecipeNotFoundFailure");
  assert.equal((await server.call("GET", withVersion(idOf(type, "unknown")))).status, 200);
});

it("containers, routes and secrets of the newer types are rendered into the namespace of the environment", async () => {
  const scope = { environment: radiusEnvironment, application: radiusApplication };

  await deploy("Radius.Security/secrets", "tokens", { ...scope, data: { key: { value: "canary-key" } } });
  const web = await deploy("Radius.Compute/containers", "web", {
    ...scope,
    containers: { web: { image: "web:1", ports: { http: { containerPort: 3000 } } } },
    connections: { tokens: { source: idOf("Radius.Security/secrets", "tokens") } },
  });
  const route = await deploy("Radius.Compute/routes", "entry", {
    ...scope,
    rules: [
      {
        matches: [],
        destinationContainer: {
          resourceId: idOf("Radius.Compute/containers", "web"),
          containerName: "web",
          containerPort: 3000,
        },
      },
    ],
  });

  assert.deepEqual(web["hosts"], { web: "web-web.apps" });
  const deployment = JSON.stringify(await read("Deployment", "apps", "web", "apps"));
  assert.match(deployment, /"prefix":"CONNECTION_TOKENS_","secretRef":\{"name":"tokens"\}/);
  assert.doesNotMatch(deployment + JSON.stringify(await read("Secret", "apps", "tokens")), /canary/);
  assert.deepEqual(route["listener"], { port: 80, protocol: "HTTP" });
  const { outputResources } = objectMember(route, "status");
  assert.match(JSON.stringify(outputResources), /HTTPRoute\/routes-[a-z0-9]{13}/);
});

it("a type for which the recipe pack has a recipe of its own is not rendered", async () => {
  const failed = await deploy("Radius.Compute/persistentVolumes", "data", {
    environment: radiusEnvironment,
    application: radiusApplication,
    sizeInGib: 1,
  });

  assert.equal(failed["code"], "DriverNotFoundFailure");
  assert.match(String(failed["message"]), /bicep.*example\.com\/volumes/);
  assert.equal(await read("PersistentVolumeClaim", "apps", "data"), undefined);
});
