import assert from "node:assert/strict";
import { before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { testCluster } from "@rad/kubernetes/testing";
import type { TestCluster } from "@rad/kubernetes/testing";
import fc from "fast-check";
import { mergeCases, podSpec } from "./cases.ts";
import { podSpecFields } from "./merge-fields.ts";
import { strategicMerge } from "./strategic-merge.ts";

// Every patch is sent to an API server as a dry run. What we make of it is sent as a whole, as a dry run, too: so both
// results have the server's defaults.
const seed = Number(process.env["RAD_FUZZ_SEED"] ?? Date.now() % 2 ** 31);

let cluster: TestCluster;
let path: string;
/** The pod specification with the server's defaults. */
let live: JsonObject;

before(async () => {
  cluster = await testCluster();
  const deployments = `/apis/apps/v1/namespaces/${await cluster.namespace("merge")}/deployments`;
  const created = await cluster.request<Deployment>("POST", deployments, deployment(podSpec));
  live = created.spec.template.spec;
  path = `${deployments}/web?dryRun=All`;
});

for (const { name, patch, expected } of mergeCases) {
  it(`${expected === undefined ? "refuses" : "merges"} ${name} as the API server does`, async () => {
    if (expected === undefined) {
      await assert.rejects(patched(patch), { name: "RefusedRequest" });
      assert.throws(() => strategicMerge(live, patch, podSpecFields), { name: "PatchError" });
    } else {
      assert.deepEqual(await merged(patch), await patched(patch));
    }
  });
}

const name = fc.constantFrom("A", "B", "C", "D", "E");
const setting = fc.record({ name, value: fc.constantFrom("x", "y") });
const deletion = fc.record({ name, $patch: fc.constant("delete") });

function container(names: readonly string[], variable: fc.Arbitrary<{ readonly name: string }>) {
  return fc.record({
    name: fc.constantFrom(...names),
    image: fc.constant("new:1"),
    env: fc.uniqueArray(variable, { selector: (one) => one.name, maxLength: 5 }),
    stdin: fc.constantFrom(true, null),
  });
}

const volume = fc.record({
  name: fc.constantFrom("cache", "data", "tmp"),
  emptyDir: fc.constant({ sizeLimit: "1Mi" }),
});
const patch = fc.record(
  {
    containers: fc.uniqueArray(
      // Deleting from a list that is not there is the one thing that we do differently: see directives.ts.
      fc.oneof(container(["web"], fc.oneof(setting, deletion)), container(["proxy", "log"], setting)),
      { selector: (one) => one.name, maxLength: 3 },
    ),
    volumes: fc.uniqueArray(volume, { selector: (one) => one.name, maxLength: 3 }),
    nodeSelector: fc.dictionary(fc.constantFrom("disk", "zone", "gpu"), fc.constantFrom("a", null)),
    hostAliases: fc.array(fc.record({ ip: fc.constant("10.0.0.2"), hostnames: fc.constant(["c"]) }), { maxLength: 1 }),
  },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<JsonObject>;

it(`merges random patches as the API server does (RAD_FUZZ_SEED=${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(patch, async (one) => {
      assert.deepEqual(await merged(one), await patched(one));
    }),
    { seed, numRuns: 100 },
  );
});

interface Deployment {
  readonly spec: { readonly template: { readonly spec: JsonObject } };
}

function deployment(spec: JsonObject): JsonObject {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec };
  return { metadata: { name: "web" }, spec: { replicas: 0, selector: { matchLabels: labels }, template } };
}

async function patched(one: JsonObject): Promise<JsonObject> {
  const body = { spec: { template: { spec: one } } };
  const contentType = "application/strategic-merge-patch+json";
  return (await cluster.request<Deployment>("PATCH", path, body, { contentType })).spec.template.spec;
}

async function merged(one: JsonObject): Promise<JsonObject> {
  const body = deployment(strategicMerge(live, one, podSpecFields));
  return (await cluster.request<Deployment>("PUT", path, body)).spec.template.spec;
}
