import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import type { PlannedAttribute, PlannedChange } from "@rad/resources";
import { plannedChanges, printedChanges } from "./planned-changes.ts";

const planOf = (change: JsonObject): JsonObject => ({
  variables: { radius_secret_1: { value: "canary-variable" } },
  resource_changes: [{ address: "module.default.x.a", type: "x", change }],
});

const attribute = (name: string, more: Partial<PlannedAttribute> = {}): PlannedAttribute => ({
  name,
  changed: true,
  sensitive: false,
  unknown: false,
  ...more,
});

const table: readonly [string, JsonObject, PlannedChange["action"], readonly PlannedAttribute[]][] = [
  [
    "a creation names what is set and what is computed, and leaves out what is null",
    {
      actions: ["create"],
      before: null,
      after: { bucket: "b", tags: null, secret: "canary" },
      after_unknown: { id: true },
      before_sensitive: false,
      after_sensitive: { secret: true },
    },
    "create",
    [attribute("bucket"), attribute("id", { unknown: true }), attribute("secret", { sensitive: true })],
  ],
  [
    "an update names what differs, and sensitive attributes either way",
    {
      actions: ["update"],
      before: { bucket: "b", tags: { a: "1" }, secret: "canary", other: "canary2" },
      after: { bucket: "b", tags: { a: "2" }, secret: "canary", other: "canary3" },
      after_unknown: {},
      before_sensitive: { secret: true, other: true },
      after_sensitive: { secret: true, other: true },
    },
    "update",
    [
      attribute("other", { sensitive: true }),
      attribute("secret", { sensitive: true, changed: false }),
      attribute("tags"),
    ],
  ],
  [
    "what is sensitive deep within an attribute makes all of it sensitive",
    {
      actions: ["update"],
      before: { settings: [{ key: "canary" }] },
      after: { settings: [{ key: "canary2" }] },
      after_unknown: { settings: [{}] },
      before_sensitive: { settings: [{ key: true }] },
      after_sensitive: { settings: [{ key: true }] },
    },
    "update",
    [attribute("settings", { sensitive: true })],
  ],
  [
    "a deletion names nothing",
    { actions: ["delete"], before: { bucket: "b", secret: "canary" }, after: null, before_sensitive: { secret: true } },
    "delete",
    [],
  ],
  ["a replacement is one, in either order", { actions: ["delete", "create"], before: {}, after: {} }, "replace", []],
  ["a replacement with a successor first", { actions: ["create", "delete"], before: {}, after: {} }, "replace", []],
  ["what stays is told, too", { actions: ["no-op"], before: { a: 1 }, after: { a: 1 } }, "no-op", []],
];

for (const [name, change, action, attributes] of table) {
  it(name, async () => {
    const [planned] = await plannedChanges(planOf(change));

    assert.deepEqual(planned, { address: "module.default.x.a", type: "x", action, attributes });
    assert.ok(!JSON.stringify(planned).includes("canary"));
  });
}

it("without a plan there is what Terraform printed", () => {
  const changes = printedChanges([
    { kind: "planned", address: "x.a", type: "x", action: "replace" },
    { kind: "summary", operation: "plan", add: 1, change: 0, remove: 1 },
  ]);

  assert.deepEqual(changes, [{ address: "x.a", type: "x", action: "replace" }]);
});
