import assert from "node:assert/strict";
import { test } from "node:test";
import { preferredWait } from "./preferred-wait.ts";

const cases: readonly (readonly [header: string | undefined, seconds: number | undefined])[] = [
  [undefined, undefined],
  ["", undefined],
  ["wait=5", 5],
  ["Wait = 5", 5],
  ['wait="5"', 5],
  ["wait=5; foo=bar", 5],
  ["respond-async, wait=7, handling=lenient", 7],
  ["wait=0", 0],
  ["wait=99999999999999999999", 30],
  ["wait=-1", undefined],
  ["wait=1.5", undefined],
  ["wait=soon", undefined],
  ["wait", undefined],
  ["await=5", undefined],
];
for (const [header, seconds] of cases) {
  test(`"Prefer: ${header}" asks for ${seconds ?? "no"} seconds`, () => {
    assert.equal(preferredWait(header), seconds);
  });
}
