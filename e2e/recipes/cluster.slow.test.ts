// Recipes with the real provider `kubernetes` on a real API server: what they create is what their ids name, in the
// backends and environments that a control plane with a cluster has.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import { type TestCluster, testCluster } from "@rad/kubernetes/testing";
import { startProviderRegistry } from "@rad/terraform/testing";
import type { ProviderRegistry } from "@rad/terraform/testing";
import { realProvider, testProvider } from "@rad/terraform/testing/providers";
import { realTerraform } from "@rad/terraform/testing/real-binaries";
import { createRadHome } from "../kubernetes/rad-home.ts";
import type { RadHome } from "../kubernetes/rad-home.ts";
import { group } from "../support/api.ts";
import { databases } from "../support/database.ts";
import type { TestDatabase } from "../support/database.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { auditedDeletes, exists, states, uidOf, withLaterFormat } from "./cluster-look.ts";
import { clusterModule, clusterModuleIds } from "./cluster-module.ts";
import {
  bucketId,
  createPlatform,
  deleteBucket,
  deployBucket,
  failureOf,
  mirrorToken,
  openRecipeRig,
  outputResourcesOf,
  putLegacyPlatform,
  putSecret,
  registerBuckets,
  registryToken,
} from "./recipe-rig.ts";
import type { RecipeRig } from "./recipe-rig.ts";

let rig: RecipeRig;
let publicRegistry: ProviderRegistry;
let cluster: TestCluster;
let namespace: string;
let database: TestDatabase;
let server: ServerProcess;
let home: RadHome;
let source: string;
before(async () => {
  rig = await openRecipeRig();
  publicRegistry = await startProviderRegistry({ ca: rig.ca });
  const provider = await realProvider("kubernetes");
  rig.mirror.publish(provider);
  await publicRegistry.publish(provider);
  ({ source } = rig.registry.publish("acme/cluster/kubernetes", "1.0.0", clusterModule));
  await rig.releases.publishReal(await realTerraform());
  cluster = await testCluster();
  namespace = await cluster.namespace("recipes");
  database = await databases.sqlite();
  server = await database.startServer({
    ...rig.config(database.folder),
    kubernetes: { kubeConfig: cluster.kubeConfig },
  });
  const tokenFile = path.join(database.folder, "rad-token");
  await writeFile(tokenFile, server.token, { mode: 0o600 });
  home = await createRadHome({ server: { url: server.url, tokenFile }, group: "test" });
  await home.rad("terraform", "install", "--wait");
  await registerBuckets(server);
});
after(async () => {
  await home[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await publicRegistry[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

it("rad has installed Terraform, deploys a recipe through settings, and shows the ids of the objects that are there", async () => {
  const secretId = await putSecret(server, "cluster", { mirror: mirrorToken, registry: registryToken });
  await home.write("app.bicep", await readFile(path.join(import.meta.dirname, "cluster.bicep"), "utf8"));
  const parameters = {
    mirrorUrl: rig.mirror.url,
    mirrorHost: rig.mirror.host,
    registryHost: rig.registry.host,
    secretId,
    caFile: rig.caFile,
    moduleSource: source,
    namespace,
  };
  await home.rad(
    "deploy",
    "app.bicep",
    ...Object.entries(parameters).flatMap(([name, value]) => ["-p", `${name}=${value}`]),
  );

  const type = "Applications.Core/extenders";
  const { stdout: shown } = await home.rad("resource", "show", type, "cache", "-o", "json");
  const { stdout: graph } = await home.rad("app", "graph", "shop", "-o", "json");

  const ids = outputResourcesOf((JSON.parse(shown) as { properties: JsonObject }).properties);
  assert.deepEqual(ids, clusterModuleIds("cache", namespace));
  const { resources } = JSON.parse(graph) as { resources: { name: string; outputResources: { id: string }[] }[] };
  const node = resources.find(({ name }) => name === "cache");
  assert.deepEqual(node?.outputResources.map(({ id }) => id).toSorted(), ids.toSorted());
  for (const id of clusterModuleIds("cache", namespace)) {
    assert.ok(await exists(cluster, id), `${id} is not there`);
  }
  const [own] = await states(cluster, /^tfstate-default-/u, "cache");
  assert.ok(own !== undefined, "without a backend the state is in the cluster");

  await home.rad("resource", "delete", type, "cache", "--yes");

  for (const id of clusterModuleIds("cache", namespace)) {
    assert.ok(!(await exists(cluster, id)), `${id} is still there`);
  }
  assert.deepEqual(await states(cluster, /^tfstate-default-/u, "cache"), []);
  const deletes = await until("the audit log has the end of everything", async () => {
    const found = (await auditedDeletes(cluster)).filter(({ name }) => name.startsWith("cache"));
    return found.length >= clusterModuleIds("cache", namespace).length && found;
  });
  // Terraform alone deletes objects; the ids that the resource shows are information.
  assert.deepEqual(
    [...new Set(deletes.map(({ userAgent }) => /^(?:HashiCorp|Go-http-client)/u.test(userAgent)))],
    [true],
  );
});

it("two resources with the settings of the sample have a state each, in environments that share them", async () => {
  const backend = { type: "kubernetes", config: { secretSuffix: "prod-terraform-state", namespace: "radius-system" } };
  const environment = await createPlatform(rig, server, {
    name: "shared",
    backend,
    source: `${source}:1.0.0`,
    parameters: { namespace },
  });
  const settings = `${group}/providers/Radius.Core/terraformSettings/shared`;
  const other = await putLegacyPlatform(server, {
    name: "other",
    namespace: `${namespace}-other`,
    settings,
    source,
    version: "1.0.0",
    parameters: { namespace },
  });

  const [first, second] = await Promise.all([
    deployBucket(server, "first", { environment }),
    deployBucket(server, "second", { environment: other }),
  ]);

  assert.deepEqual(outputResourcesOf(first), clusterModuleIds("first", namespace));
  assert.deepEqual(outputResourcesOf(second), clusterModuleIds("second", namespace));
  const [ofFirst, ofSecond] = [
    await states(cluster, /-prod-terraform-state-/u, "first"),
    await states(cluster, /-prod-terraform-state-/u, "second"),
  ];
  assert.deepEqual([ofFirst.length, ofSecond.length], [1, 1]);
  assert.notEqual(ofFirst[0], ofSecond[0]);
  await deleteBucket(server, "first");
  assert.ok(await exists(cluster, clusterModuleIds("second", namespace)[0] ?? ""));
  assert.deepEqual(await states(cluster, /-prod-terraform-state-/u, "second"), ofSecond);
  await deleteBucket(server, "second");
  assert.deepEqual(await states(cluster, /-prod-terraform-state-/u, "second"), []);
});

it("a resource keeps its state when it moves from recipeConfig to settings, and stops where its state is not", async () => {
  const platform = { name: "moved", namespace: `${namespace}-moved`, parameters: { namespace } };
  const archive = rig.registry.publishArchive("cluster", clusterModule);
  const environment = await putLegacyPlatform(server, {
    ...platform,
    source: archive,
    recipeConfig: { env: { SSL_CERT_FILE: rig.caFile, HTTPS_PROXY: publicRegistry.proxyUrl } },
  });
  const before = await deployBucket(server, "moved", { environment });
  const [uid, state] = [await uidOf(cluster, namespace, "moved"), await states(cluster, /^tfstate-/u, "moved")];
  const settingsWith = async (place: string): Promise<string> => {
    const config = { secretSuffix: "corp", namespace: place };
    await createPlatform(rig, server, { name: "moved", backend: { type: "kubernetes", config } });
    return `${group}/providers/Radius.Core/terraformSettings/moved`;
  };

  const settings = await settingsWith("radius-system");
  await putLegacyPlatform(server, { ...platform, source, version: "1.0.0", settings });
  const moved = await deployBucket(server, "moved", { environment });
  const log = await logOf("moved");

  assert.ok(publicRegistry.reachedHosts.length > 0, "recipeConfig installs providers from their registry");
  assert.deepEqual(outputResourcesOf(before), clusterModuleIds("moved", namespace));
  assert.deepEqual(outputResourcesOf(moved), outputResourcesOf(before));
  assert.match(log, /Apply complete! Resources: 0 added, 0 changed, 0 destroyed/u);
  assert.deepEqual(
    [await uidOf(cluster, namespace, "moved"), await states(cluster, /^tfstate-/u, "moved")],
    [uid, state],
  );

  await settingsWith(namespace);
  const refused = await failureOf(() => deployBucket(server, "moved", { environment, team: "blue" }));
  assert.equal(refused.code, "RecipeConfigurationFailure");
  assert.match(refused.message, /another backend .*terraform state/su);
  assert.equal(await uidOf(cluster, namespace, "moved"), uid, "nothing is created twice");

  // A state of a later Terraform: its own complaint is shown.
  await settingsWith("radius-system");
  const restore = await withLaterFormat(cluster, state[0] ?? "");
  const complaint = await failureOf(() => deployBucket(server, "moved", { environment, team: "blue" }));
  assert.match(complaint.message, /format version 5|newer version of Terraform/u);
  await restore();
  await deleteBucket(server, "moved");
  assert.deepEqual(await states(cluster, /^tfstate-/u, "moved"), []);
});

it("ids of manifests name custom resources, and what the API server called them", async () => {
  await cluster.install("dapr");
  const objectType = [
    "object",
    {
      apiVersion: "string",
      kind: "string",
      metadata: ["object", { name: "string", generateName: "string", namespace: "string" }],
    },
  ];
  // Releases of the provider with this type cannot be had: its part is played by one whose cloud is the API server.
  rig.mirror.publish(
    await testProvider({
      address: "hashicorp/kubernetes",
      version: "2.38.0",
      cloud: rig.cloud,
      provider: { attributes: { config_path: {}, config_context: {} } },
      resources: {
        kubernetes_manifest: {
          attributes: { manifest: { type: objectType, required: true }, object: { type: objectType, computed: "" } },
        },
      },
    }),
  );
  const manifest = (name: string, kind: string, metadata: string) => `
resource "kubernetes_manifest" "${name}" {
  manifest = { apiVersion = "dapr.io/v1alpha1", kind = "${kind}", metadata = { ${metadata} } }
}`;
  rig.registry.publish("acme/manifests/kubernetes", "1.0.0", {
    "main.tf": `
terraform {
  required_providers {
    kubernetes = { source = "hashicorp/kubernetes", version = "2.38.0" }
  }
}
${manifest("named", "Component", `name = "test-dapr-pubsub", generateName = null, namespace = "${namespace}"`)}
${manifest("generated", "Component", `name = null, generateName = "made-", namespace = "${namespace}"`)}
${manifest("nowhere", "Component", `name = "in-default-${namespace}", generateName = null, namespace = null`)}
`,
  });
  using _create = rig.cloud.fault(/^create kubernetes_manifest/u, {
    kind: "call",
    when: "after",
    call: async ({ attributes }) => {
      const { apiVersion, kind, metadata } = attributes["manifest"] as Manifest;
      const given = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
      const place = `/apis/dapr.io/v1alpha1/namespaces/${metadata.namespace ?? "default"}/components`;
      const made = await cluster.request<Manifest>("POST", place, {
        apiVersion,
        kind,
        metadata: given,
        spec: { type: "state.redis", version: "v1", metadata: [] },
      });
      const { name, generateName = null, namespace: own } = made.metadata;
      return { ...attributes, object: { apiVersion, kind, metadata: { name, generateName, namespace: own } } };
    },
  });
  using _delete = rig.cloud.fault(/^delete kubernetes_manifest/u, {
    kind: "call",
    when: "after",
    call: () => undefined,
  });
  const environment = await createPlatform(rig, server, {
    name: "manifests",
    source: `${rig.registry.host}/acme/manifests/kubernetes:1.0.0`,
  });

  const ids = outputResourcesOf(await deployBucket(server, "manifests", { environment }));

  const scope = `/planes/kubernetes/local/namespaces`;
  assert.equal(ids.length, 3);
  assert.ok(ids.includes(`${scope}/${namespace}/providers/dapr.io/Component/test-dapr-pubsub`), ids.join());
  assert.ok(ids.includes(`${scope}/default/providers/dapr.io/Component/in-default-${namespace}`), ids.join());
  assert.ok(
    ids.some((id) => /\/providers\/dapr\.io\/Component\/made-\w+$/u.test(id)),
    ids.join(),
  );
  for (const id of ids) {
    assert.ok(await exists(cluster, id), `${id} is not there`);
  }
  await deleteBucket(server, "manifests");
});

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string | null;
    readonly generateName?: string | null;
    readonly namespace: string | null;
  };
}

async function logOf(name: string): Promise<string> {
  const response = await fetch(`${server.url}/recipes/logs${bucketId(name)}`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  return ((await response.json()) as { text: string }).text;
}
