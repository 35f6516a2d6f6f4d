import assert from "node:assert/strict";
import { it } from "node:test";
import { ResourceId, systemClock } from "@rad/core";
import { readProvider, summarize, TypeModules, TypeRegistry } from "@rad/resources";
import { openTemporaryStore } from "@rad/store/testing";
import { registerManifest } from "./register-manifest.ts";

const planeScope = "/planes/radius/local";
const count = 3_000;

it("lets others have their turn while a provider of very many types is read", async () => {
  await using store = await openTemporaryStore();
  const types = Array.from({ length: count }, (_, index) => ({
    name: `type${index}`,
    capabilities: [],
    defaultApiVersion: undefined,
    description: undefined,
    icon: undefined,
    apiVersions: [{ name: "2025-01-01", schema: {} }],
  }));
  const manifest = { namespace: "Test.Many", location: { name: "global", address: undefined }, types };
  await registerManifest(manifest, { store, clock: systemClock, planeScope, location: "global" });
  using registry = new TypeRegistry({ store, system: new Map(), modules: new TypeModules([]), location: "global" });
  const id = ResourceId.parse(`${planeScope}/resourcegroups/g/providers/Test.Many/type${count - 1}/one`);

  const read = await turnsDuring(() => readProvider(store, planeScope, "Test.Many"));
  const view = read.result;
  assert.ok(view !== undefined);
  const resolved = await turnsDuring(() => registry.resolve(id, "2025-01-01"));
  const summarized = await turnsDuring(() => summarize(view, false));

  assert.equal(view.types.length, count);
  assert.ok(view.types.every(({ apiVersions }) => apiVersions.has("2025-01-01")));
  assert.equal(resolved.result.version("2025-01-01").name, "2025-01-01");
  assert.equal(Object.keys(summarized.result["resourceTypes"] ?? {}).length, count);
  for (const { turns } of [read, resolved, summarized]) {
    assert.ok(turns > 0);
  }
});

async function turnsDuring<Result>(work: () => Promise<Result>): Promise<{ result: Result; turns: number }> {
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  try {
    const result = await work();
    return { result, turns };
  } finally {
    clearImmediate(timer);
  }
}
