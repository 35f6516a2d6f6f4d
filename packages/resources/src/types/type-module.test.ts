import assert from "node:assert/strict";
import { it } from "node:test";
import { TypeModules } from "./type-module.ts";
import { basePolicy, userDefinedPolicy } from "./type-policy.ts";

it("finds types in any case, and the policy of the type, its namespace or user-defined types", () => {
  const own = { ...basePolicy, queue: "own" };
  const modules = new TypeModules([{ name: "A.B/c", policy: own }, { name: "A.B/d" }], [["A.B", basePolicy]]);

  assert.equal(modules.get("a.b/C")?.name, "A.B/c");
  assert.equal(modules.policyFor("a.b/C"), own);
  assert.equal(modules.policyFor("A.B/d"), basePolicy);
  assert.equal(modules.policyFor("A.B/unheardOf"), userDefinedPolicy);
  assert.equal(modules.policyFor("X.Y/z"), userDefinedPolicy);
});

it("lets a later module put code behind a type, without building its schemas", () => {
  const versions = {
    get "2025-01-01"(): never {
      throw new Error("not asked for");
    },
  };
  const handler = {};
  const modules = new TypeModules([
    { name: "A.B/c", versions },
    { name: "a.b/c", handler },
  ]);

  assert.equal(modules.get("A.B/c")?.handler, handler);
  assert.equal(modules.get("A.B/c")?.versions, versions);
  assert.equal(modules.get("A.B/c")?.name, "A.B/c");
});

it("refuses two descriptions of one type", () => {
  const described = { name: "A.B/c", versions: { "2025-01-01": {} } };

  assert.throws(() => new TypeModules([described, described]), { message: /'A\.B\/c' is described twice/ });
});
