import assert from "node:assert/strict";
import { it } from "node:test";
import { findings } from "./testing/findings.ts";

const maxima: readonly (readonly [rule: string, maximum: number, declaration: (index: number) => string])[] = [
  ["max-params", 256, (index) => `param p${index} string`],
  ["max-variables", 512, (index) => `var p${index} = 1`],
  ["max-outputs", 64, (index) => `output p${index} int = 1`],
  ["max-resources", 800, (index) => `resource p${index} 'A.B/c@2020-01-01' = {\n  name: '${index}'\n}`],
  ["max-asserts", 32, (index) => `assert p${index} = true`],
];

for (const [rule, maximum, declaration] of maxima) {
  it(`${rule}: ${maximum} are fine, one more is not`, () => {
    const lines = Array.from({ length: maximum + 1 }, (_, index) => declaration(index));

    const full = findings(rule, lines.slice(1).join("\n"));
    const over = findings(rule, lines.join("\n"));

    assert.deepEqual([full, over], [[], ["p0"]]);
  });
}
