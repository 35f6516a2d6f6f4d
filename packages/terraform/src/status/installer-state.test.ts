import assert from "node:assert/strict";
import { it } from "node:test";
import { type InstallerState, isAllowed } from "./installer-state.ts";

const states: readonly InstallerState[] = [
  "not-installed",
  "installing",
  "ready",
  "pending-deletion",
  "uninstalling",
  "failed",
];

it("allows the transitions that are written down, and no others", () => {
  const allowed = states.flatMap((from) =>
    states.filter((to) => from !== to && isAllowed(from, to)).map((to) => `${from} > ${to}`),
  );

  assert.deepEqual(allowed, [
    "not-installed > installing",
    "installing > ready",
    "installing > failed",
    "ready > installing",
    "ready > pending-deletion",
    "ready > failed",
    "pending-deletion > ready",
    "pending-deletion > uninstalling",
    "pending-deletion > failed",
    "uninstalling > not-installed",
    "uninstalling > ready",
    "uninstalling > failed",
    "failed > installing",
    "failed > ready",
  ]);
});

it("lets every state stay what it is", () => {
  assert.ok(states.every((state) => isAllowed(state, state)));
});
