import assert from "node:assert/strict";
import { it } from "node:test";
import type { Backend } from "@rad/terraform";
import { chooseState, statePlaceOf } from "./state-place.ts";

const kubernetes = (more: Partial<Backend> = {}): Backend => ({
  type: "kubernetes",
  config: { namespace: "radius-system", config_path: "/k", secret_suffix: "new", labels: { a: "b" } },
  env: {},
  secretValues: [],
  stateName: "new",
  legacyNames: ["former", "oldest"],
  ...more,
});
const s3: Backend = {
  type: "s3",
  config: { bucket: "b", key: "k" },
  env: {},
  secretValues: [],
  stateName: "k",
  legacyNames: [],
};
const states = (...names: string[]) => ({ exists: async (_backend: Backend, name: string) => names.includes(name) });

it("a state under a former name is found and kept (S000-160)", async () => {
  assert.equal((await chooseState(kubernetes(), undefined, states("former"))).backend.stateName, "former");
  assert.equal(
    (await chooseState(kubernetes(), undefined, states("oldest"))).backend.config["secret_suffix"],
    "oldest",
  );
  assert.equal((await chooseState(kubernetes(), undefined, states("new", "former"))).backend.stateName, "new");
  assert.equal((await chooseState(kubernetes(), undefined, states())).backend.stateName, "new");
});

it("the name on record is used again, also under settings that would give another one", async () => {
  const former = statePlaceOf(kubernetes({ stateName: "former" }));
  const { backend, moved } = await chooseState(kubernetes(), former, states());
  assert.equal(backend.stateName, "former");
  assert.equal(moved, undefined);
});

it("a state in another backend, namespace or bucket has moved (S000-161)", async () => {
  const recorded = statePlaceOf(kubernetes());
  const namespace = kubernetes({ config: { namespace: "other", config_path: "/k" } });
  assert.equal((await chooseState(namespace, recorded, states())).moved, "kubernetes radius-system /k new");
  assert.match((await chooseState(s3, recorded, states())).moved ?? "", /^kubernetes /);
  const other = { ...s3, config: { ...s3.config, bucket: "c" } };
  assert.equal((await chooseState(other, statePlaceOf(s3), states())).moved, "s3 b k");
  assert.equal((await chooseState(s3, statePlaceOf(s3), states())).moved, undefined);
});
