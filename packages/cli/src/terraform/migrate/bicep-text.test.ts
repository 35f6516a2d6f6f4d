import assert from "node:assert/strict";
import { test } from "node:test";
import { bicepText } from "./bicep-text.ts";

test("what others have named reaches neither the terminal nor the next line", () => {
  const name = "a\u001b]0;title\u0007\u009b2J\nresource x\rb\u2028c";
  const text = bicepText(
    [`NOT MOVED: ${name}`],
    [{ resource: { symbol: "s", type: "T/t@1", name: "n", properties: { env: { [name]: name } } } }],
  );
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  assert.match(text, /^\/\/ NOT MOVED: a.* resource x b c\n/);
});
