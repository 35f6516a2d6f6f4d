import assert from "node:assert/strict";
import { test } from "node:test";
import { droppedWarning } from "./dropped-warning.ts";

test("nothing dropped needs no warning", () => {
  assert.deepEqual(droppedWarning([]), {});
});

test("the warning names each path in a quoted string", () => {
  const { Warning } = droppedWarning(["properties.containr", `properties['a"b\\\\c é\n']`]);

  assert.match(Warning ?? "", /^299 - "[^"]*properties\.containr, properties\['a\\"b/);
  assert.match(Warning ?? "", /^[\x20-\x7e]*$/);
});

test("the warning names 20 paths and holds 1 kB at most", () => {
  const many = droppedWarning(Array.from({ length: 500 }, (_, index) => `p.${index}`))["Warning"] ?? "";
  const long = droppedWarning(Array.from({ length: 30 }, () => "x".repeat(200)))["Warning"] ?? "";

  assert.match(many, /p\.19 and 480 more"$/);
  assert.ok(long.length <= 1024);
  assert.match(long, / and 26 more"$/);
});
