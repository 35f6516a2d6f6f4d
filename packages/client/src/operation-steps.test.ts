import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonValue } from "@rad/core";
import fc from "fast-check";
import { parseSteps } from "./operation-steps.ts";

const nothingElse = {
  startTime: undefined,
  endTime: undefined,
  message: undefined,
  detail: undefined,
  share: undefined,
  steps: [],
};

test("steps are read with everything that they tell, and with the steps in them", () => {
  const step = {
    name: "apply",
    state: "Running",
    startTime: "2026-01-01T00:00:00Z",
    endTime: "2026-01-01T00:00:01Z",
    message: "why",
    detail: "creating bucket",
    share: 0.5,
  };

  const steps = parseSteps([{ ...step, steps: [{ name: "inner", state: "Succeeded" }] }]);

  assert.deepEqual(steps, [{ ...step, steps: [{ ...nothingElse, name: "inner", state: "Succeeded" }] }]);
});

test("what does not look like a step, or like a member of one, is left out", () => {
  const odd: JsonValue[] = [
    null,
    "text",
    { name: 1, state: "Running" },
    { name: "stateless" },
    { name: "a", state: "Running", share: 2, detail: 1, startTime: {}, steps: "none" },
    { name: "b", state: "Running", share: "0.5" },
  ];

  assert.deepEqual(parseSteps(odd), [
    { ...nothingElse, name: "a", state: "Running" },
    { ...nothingElse, name: "b", state: "Running" },
  ]);
});

test("steps of any shape and depth give steps, never an exception", () => {
  let deep: JsonValue = [];
  for (let level = 0; level < 5_000; level += 1) {
    deep = [{ name: "n", state: "Running", steps: deep }];
  }

  parseSteps(deep);
  fc.assert(fc.property(fc.jsonValue(), (value) => Array.isArray(parseSteps(value as JsonValue))));
});
