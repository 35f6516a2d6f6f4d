import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { containerPorts, mergePorts } from "./ports.ts";

const ours = { name: "web", port: 80, containerPort: 3000, protocol: "TCP" };
const rendered = { name: "web", port: 80, targetPort: 3000, protocol: "TCP" };
const other = { name: "other", port: 9000, targetPort: 9000 };

const replaced: readonly (readonly [what: string, base: JsonObject])[] = [
  ["name, whatever its case", { name: "WEB", port: 1, targetPort: 1 }],
  ["number", { name: "a", port: 80, targetPort: 1 }],
  ["target", { name: "a", port: 1, targetPort: 3000 }],
];
for (const [what, base] of replaced) {
  it(`puts a port of the container into the place of one with the same ${what}`, () => {
    assert.deepEqual(mergePorts([base, other], [ours]), [rendered, other]);
  });
}

it("appends a port that the base manifest has not, also if a target is a name", () => {
  const named = { name: "a", port: 1, targetPort: "3000" };

  assert.deepEqual(mergePorts([named, other], [ours]), [named, other, rendered]);
});

it("replaces all that one port stands for, and none that the container brought itself", () => {
  const base = [{ name: "a", port: 1, targetPort: 3000 }, other, { name: "b", port: 80, targetPort: 1 }];
  const admin = { name: "admin", port: 81, containerPort: 3000, protocol: "TCP" };

  assert.deepEqual(mergePorts(base, [ours, admin]), [
    rendered,
    other,
    { name: "admin", port: 81, targetPort: 3000, protocol: "TCP" },
  ]);
});

it("has each number of a container once for every protocol", () => {
  const udp = { ...ours, protocol: "UDP" };

  assert.deepEqual(containerPorts([{ containerPort: 3000, name: "base" }], [ours, udp, ours]), [
    { containerPort: 3000, name: "base" },
    { containerPort: 3000, protocol: "UDP" },
  ]);
});
