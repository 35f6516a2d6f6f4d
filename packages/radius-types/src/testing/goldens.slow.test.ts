import assert from "node:assert/strict";
import { before, it } from "node:test";
import type { KubernetesObject } from "@rad/kubernetes";
import { nameOf } from "@rad/kubernetes";
import { testCluster } from "@rad/kubernetes/testing";
import type { TestCluster } from "@rad/kubernetes/testing";
import { goldenContext, goldenResource } from "./golden-type.ts";
import type { GoldenCase, GoldenType } from "./golden-type.ts";
import { goldenTypes } from "./golden-types.ts";

/** Who brings which custom kinds. */
const products = {
  "projectcontour.io": "contour",
  "dapr.io": "dapr",
  "secrets-store.csi.x-k8s.io": "secrets-store",
  "gateway.networking.k8s.io": "gateway-api",
} as const;

let cluster: TestCluster;
const namespaces = new Map<string, Promise<string>>();
const paths = new Map<string, Promise<ReadonlyMap<string, Served>>>();

before(async () => {
  cluster = await testCluster();
  const groups = new Set(
    goldenTypes.flatMap((golden) =>
      golden.cases.flatMap((one) => objectsOf(golden, one).map((object) => nameOf(object).group)),
    ),
  );
  const needed = Object.entries(products).filter(([group]) => groups.has(group));
  await Promise.all(needed.map(async ([, product]) => await cluster.install(product)));
});

for (const golden of goldenTypes) {
  for (const one of golden.cases) {
    const objects = objectsOf(golden, one);
    if (objects.length > 0) {
      it(`the API server takes what is rendered for ${golden.type.name}: ${one.name}`, async () => {
        for (const object of objects) {
          await apply(object);
        }
      });
    }
  }
}

it("the API server refuses an object with an unknown member", async () => {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "prod" }, unheardOf: {} };

  await assert.rejects(apply(object), /unheardOf/);
});

function objectsOf(golden: GoldenType, one: GoldenCase): KubernetesObject[] {
  const { parts } = golden.renderer.render(goldenResource(golden, one), goldenContext(one));
  return parts.flatMap((part) => (part.platform === "kubernetes" ? [part.object] : []));
}

/** Server-side apply as a dry run with strict field validation. */
async function apply(object: KubernetesObject): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const served = (await kindsOf(root)).get(kind);
  assert.ok(served !== undefined, `${apiVersion} has no ${kind}`);
  assert.equal(served.namespaced, metadata.namespace !== undefined, `the namespace of ${kind} ${metadata.name}`);
  const namespace = metadata.namespace === undefined ? undefined : await namespaceFor(metadata.namespace);
  const scope = namespace === undefined ? root : `${root}/namespaces/${namespace}`;
  await cluster.request(
    "PATCH",
    `${scope}/${served.name}/${metadata.name}?dryRun=All&fieldValidation=Strict&fieldManager=radius-rp`,
    namespace === undefined ? object : { ...object, metadata: { ...metadata, namespace } },
    { contentType: "application/apply-patch+yaml" },
  );
}

/** Goldens that name the same namespace share one of this run. */
async function namespaceFor(name: string): Promise<string> {
  const found = namespaces.get(name) ?? cluster.namespace(name);
  namespaces.set(name, found);
  return await found;
}

interface Served {
  /** The plural: `deployments`. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

async function kindsOf(root: string): Promise<ReadonlyMap<string, Served>> {
  const found = paths.get(root) ?? discover(root);
  paths.set(root, found);
  return await found;
}

async function discover(root: string): Promise<ReadonlyMap<string, Served>> {
  const { resources } = await cluster.request<{ resources: Served[] }>("GET", root);
  return new Map(resources.filter(({ name }) => !name.includes("/")).map((served) => [served.kind, served]));
}
