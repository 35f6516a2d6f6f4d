import assert from "node:assert/strict";
import { it } from "node:test";
import { hideSecretNames } from "./secret-names.ts";

const cases: readonly (readonly [string, string])[] = [
  ["$.properties.env.SECRET.value", "$.properties.env.[redacted]"],
  ["$.properties.env['SECRET/'].value", "$.properties.env.[redacted]"],
  ["$.properties.list[1].SECRET", "$.properties.list[1].[redacted]"],
  ["$.properties['a.b'][0]", "$.properties['a.b'].[redacted]"],
  ["$.properties.env", "$.properties.env"],
  ["$.properties.environment.x", "$.properties.environment.x"],
  ["$.properties.list[10].x", "$.properties.list[10].x"],
];
for (const [path, shown] of cases) {
  it(`${path} is shown as ${shown}`, () => {
    const hide = hideSecretNames(["/properties/env", "/properties/list/1", "/properties/a.b"]);

    assert.equal(hide(path), shown);
    assert.equal(hideSecretNames([])(path), path);
  });
}
