import assert from "node:assert/strict";
import { test } from "node:test";
import { printBicep } from "./print-bicep.ts";

test("values are written the way a Bicep file has them", () => {
  assert.equal(printBicep("it's\n${x} \\ $5 \u001b"), "'it\\'s\\n\\${x} \\\\ $5 \\u{1b}'");
  assert.equal(printBicep([]), "[]");
  assert.equal(
    printBicep({ a: [1, null], "b c": { d: true }, e: {} }),
    "{\n  a: [\n    1\n    null\n  ]\n  'b c': {\n    d: true\n  }\n  e: {}\n}",
  );
});
