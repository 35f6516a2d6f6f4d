import assert from "node:assert/strict";
import { it } from "node:test";
import { limitsOf } from "./testing/limits-of.ts";
import type { LimitRow } from "./testing/limits-of.ts";

const files = {
  "m.bicep": "@secure()\noutput password string = newGuid\noutput plain string = 'x'\nparam newGuid string = 'y'\n",
};
const modules =
  "module one 'm.bicep' = {}\nmodule many 'm.bicep' = [for i in range(0, 2): {}]\n@secure()\noutput o string = ";

const rows: readonly LimitRow[] = [
  ["a module's secret is read from the module", `${modules}'\${one.outputs.password}\${many[0].outputs.password}'\n`],
  ["not from a variable", `var copy = one\n${modules}copy.outputs.password\n`, "BCP426 password"],
  [
    "not from the variable of a lambda",
    `${modules}join(map(many, item => item.outputs.password), ',')\n`,
    "BCP426 password",
  ],
  ["other outputs are read from there too", `var copy = one\n${modules}copy.outputs.plain\n`],
];

for (const [sentence, source, ...found] of rows) {
  it(sentence, () => {
    assert.deepEqual(limitsOf(source, files), found);
  });
}
