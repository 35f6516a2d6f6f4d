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

const pg = (more: Partial<Backend>): Backend => ({
  type: "pg",
  config: {},
  env: {},
  secretValues: [],
  stateName: "shop",
  legacyNames: [],
  ...more,
});
const inSecret = (PG_CONN_STR: string): Backend => pg({ env: { PG_CONN_STR } });
const written = (conn_str: string): Backend => pg({ config: { conn_str } });

for (const [what, before, after, hasMoved] of [
  ["the same database", inSecret("postgres://a:b@h:5432/d"), inSecret("postgres://a:b@h:5432/d"), false],
  ["another password", inSecret("postgres://a:b@h:5432/d"), inSecret("postgresql://a:c@h:5432/d"), false],
  ["another database", inSecret("postgres://a:b@h/d"), inSecret("postgres://a:b@h/e"), true],
  ["another server", inSecret("postgres://a:b@h/d"), inSecret("postgres://a:b@i/d"), true],
  ["another server of a socket", inSecret("postgres:///d?host=/a"), inSecret("postgres:///d?host=/b"), true],
  ["another password in words", inSecret("host=h password=a"), inSecret("password='b c' host=h"), false],
  ["another server in words", written("host=h dbname=d"), written("host=i dbname=d"), true],
  ["another user in words", written("host=h dbname=d user=a"), written("user=b dbname=d host=h"), false],
] as const) {
  it(`a state in PostgreSQL ${hasMoved ? "has moved" : "stays"} with ${what} (S000-161)`, async () => {
    const recorded = statePlaceOf(before);
    assert.equal((await chooseState(after, recorded, states())).moved !== undefined, hasMoved);
    assert.doesNotMatch(JSON.stringify(recorded), /a:b|password/u);
  });
}

it("a state in PostgreSQL stays where nothing about its database is on record", async () => {
  const backend = inSecret("postgres://a:b@h/d");
  const recorded = { ...statePlaceOf(backend), place: {} };
  assert.equal((await chooseState(backend, recorded, states())).moved, undefined);
});

it("a state in a cluster that a secret names has moved with its host, which is not on record", async () => {
  const at = (host: string): Backend => kubernetes({ config: { namespace: "n" }, env: { KUBE_HOST: host } });
  const recorded = statePlaceOf(at("https://one.example"));
  assert.notEqual((await chooseState(at("https://two.example"), recorded, states())).moved, undefined);
  assert.equal((await chooseState(at("https://one.example"), recorded, states())).moved, undefined);
  assert.doesNotMatch(JSON.stringify(recorded), /example/u);
});
