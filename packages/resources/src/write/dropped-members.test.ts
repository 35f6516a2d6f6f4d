import assert from "node:assert/strict";
import { test } from "node:test";
import { droppedMembers } from "./dropped-members.ts";

test("a body whose members are all stored has no warning", () => {
  assert.deepEqual(droppedMembers([]), []);
});

test("one sentence names every dropped member", () => {
  assert.deepEqual(droppedMembers(["properties.containr", "properties.a[0].b"]), [
    "The resource type has no such members, they were not stored: properties.containr, properties.a[0].b",
  ]);
});

test("the sentence names 20 paths and holds 1 kB at most", () => {
  const [many = ""] = droppedMembers(Array.from({ length: 500 }, (_, index) => `p.${index}`));
  const [long = ""] = droppedMembers(Array.from({ length: 30 }, () => "x".repeat(200)));
  const [huge = ""] = droppedMembers(["x".repeat(5000)]);

  assert.match(many, /p\.19 and 480 more$/);
  assert.ok(long.length <= 1024);
  assert.match(long, / and 26 more$/);
  assert.match(huge, /not stored: .{0,40}1 more$/);
});
