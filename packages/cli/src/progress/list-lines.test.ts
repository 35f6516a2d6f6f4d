import assert from "node:assert/strict";
import { test } from "node:test";
import type { OperationStep } from "@rad/client";
import pc from "picocolors";
import { listLines } from "./list-lines.ts";
import type { ItemState, ProgressItem } from "./progress-item.ts";

const colors = pc.createColors(false);

function item(name: string, state: ItemState, depth = 0): ProgressItem {
  return { key: name, id: name, name, type: "A.B/c", depth, state, change: undefined, steps: [] };
}

test("each line has a status, a name and a type below each other", () => {
  const items = [item("cache", "Completed"), item("a-name-that-is-quite-long", "Running"), item("x", "Failed", 1)];

  assert.deepEqual(listLines(items, { rows: 10, tick: 1, colors }), [
    "Completed            cache                     A.B/c",
    "..                   a-name-that-is-quite-long A.B/c",
    "Failed                 x                       A.B/c",
  ]);
});

function step(name: string, more: Partial<OperationStep> = {}): OperationStep {
  const nothing = { startTime: undefined, endTime: undefined, message: undefined, detail: undefined, share: undefined };
  return { name, state: "Running", ...nothing, steps: [], ...more };
}

const recipe = step("recipe", {
  steps: [
    step("download", { state: "Succeeded" }),
    step("terraform apply", { share: 0.999, detail: "creating\u001b[2J bucket", steps: [step("bucket")] }),
  ],
});

test("running steps stand below their resource as a tree, with percent and detail", () => {
  const items = [{ ...item("cache", "Running", 1), steps: [recipe] }, item("x", "Running")];

  assert.deepEqual(listLines(items, { rows: 10, tick: 0, colors }), [
    ".                      cache         A.B/c",
    "                         recipe",
    "                           terraform apply 99%  creating bucket",
    "                             bucket",
    ".                    x               A.B/c",
  ]);
});

test("steps make room before resources do", () => {
  const items = [{ ...item("cache", "Running"), steps: [recipe] }, item("x", "Running")];

  const lines = listLines(items, { rows: 3, tick: 0, colors });

  assert.deepEqual(
    lines.map((line) => line.slice(21).trim()),
    ["cache           A.B/c", "recipe", "x               A.B/c"],
  );
});

test("where there is no room, what is done is only counted", () => {
  const items = [
    ...Array.from({ length: 5 }, (_, index) => item(`done${index}`, "Completed")),
    ...Array.from({ length: 3 }, (_, index) => item(`open${index}`, "Running")),
    item("bad", "Failed"),
  ];

  const lines = listLines(items, { rows: 4, tick: 0, colors });

  assert.equal(lines.length, 4);
  assert.equal(lines[0], "5 completed, 1 more in progress");
  assert.match(lines[1] ?? "", /^\. +open0/);
});

test("names from a server cannot move the cursor", () => {
  const [line] = listLines([item("evil\u001b[2Jname\n", "Completed")], { rows: 5, tick: 0, colors });

  assert.equal(line, "Completed            evilname        A.B/c");
});
