import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { Lambda } from "../values/value.ts";
import { callFunction } from "./pure-functions.ts";

it("a function is called by its name in any letter case, with values at hand", () => {
  assert.equal(callFunction("TOLOWER", ["AbC"]), "abc");
  assert.equal(callFunction("if", [true, 1n, 2n]), 1n);
});

it("a function takes a lambda that the caller made", () => {
  const twice = new Lambda(1, ([item]) => callFunction("mul", [item ?? null, 2n]));

  assert.deepEqual(callFunction("map", [[1n, 2n], twice]), [2n, 4n]);
});

it("an unknown function is an error with its code", () => {
  assert.throws(() => callFunction("nowhere", []), { code: "UnknownFunction" });
});

it("identifiers are stable, well formed and differ when an argument does", () => {
  const texts = fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(texts, (args) => {
      const [unique, guid] = [callFunction("uniqueString", args), callFunction("guid", args)];

      assert.match(String(unique), /^[a-z2-7]{13}$/);
      assert.match(String(guid), /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(callFunction("uniqueString", [args.join("-")]), unique);
      assert.equal(callFunction("guid", [args.join("-")]), guid);
      assert.notEqual(callFunction("guid", [...args, "more"]), guid);
      assert.notEqual(callFunction("uniqueString", [...args, "more"]), unique);
    }),
  );
});
