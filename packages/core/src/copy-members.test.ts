import assert from "node:assert/strict";
import { it } from "node:test";
import { copyMembers } from "./copy-members.ts";
import { atOnce, inSlices } from "./sliced.ts";

it("copies members in their order, without those that are named", () => {
  const from = JSON.parse('{"b":1,"__proto__":{"c":2},"a":[3],"status":4}');

  const copy = atOnce(copyMembers(from, ["status"]));

  assert.equal(JSON.stringify(copy), '{"b":1,"__proto__":{"c":2},"a":[3]}');
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
});

it("pauses while it copies many members, and not for a few", async () => {
  const few = { a: 1, b: 2 };
  const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, index]));

  assert.deepEqual(inSlices(copyMembers(few)), few);
  const copying = inSlices(copyMembers(many));
  assert.ok(copying instanceof Promise);
  assert.equal(Object.keys(await copying).length, 200_000);
});
