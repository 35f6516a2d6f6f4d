import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { FakeTarget, module, symbolic, thing } from "./testing/fake-world.ts";
import { preview, summary } from "./testing/preview.ts";

it("looks into as many modules as fit, however many loops of loops of modules come to", async () => {
  const looped = (count: number): JsonObject => ({ copy: { name: "loop", count } });
  const innermost = symbolic({ x: thing("[format('x{0}', copyIndex())]", {}, looped(5_000)) });
  const middle = symbolic({
    m: module("[format('{0}-{1}', deployment().name, copyIndex())]", innermost, {}, looped(5_000)),
  });
  const template = symbolic({ m: module("[format('m{0}', copyIndex())]", middle, {}, looped(5_000)) });

  const changes = await preview(new FakeTarget(), template, {}, { resultFormat: "ResourceIdOnly" });

  const kinds = new Set(summary(changes).map((line) => line.replace(/\d.*$/, "")));
  assert.deepEqual(kinds, new Set(["Create x", "Unsupported m"]));
});
