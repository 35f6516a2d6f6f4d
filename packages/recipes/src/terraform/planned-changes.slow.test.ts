import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { longestTurn } from "@rad/core/testing";
import { plannedChanges } from "./planned-changes.ts";

/** Some 200 ms, see `longestTurn`. */
const mostUnits = 25;

it("others get their turn while a large plan is read", async () => {
  const values = (team: string): JsonObject => ({
    tags: Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`t${index}`, team])),
  });
  const [before, after] = [values("red"), values("red")];
  const change = { actions: ["update"], before, after, after_unknown: {}, after_sensitive: {} };
  const resources = Array.from({ length: 1_000 }, (_, index) => ({ address: `x.a[${index}]`, type: "x", change }));

  const { result, units } = await longestTurn(() => plannedChanges({ resource_changes: resources }));

  assert.equal(result.length, resources.length);
  assert.ok(units < mostUnits, `${units} units in one turn`);
});
