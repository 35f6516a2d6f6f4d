import assert from "node:assert/strict";
import { it } from "node:test";
import { readTerraformLine } from "./terraform-line.ts";

const resource = { addr: 'module.default.aws_s3_bucket.this["a"]', resource_type: "aws_s3_bucket" };
const about = { address: resource.addr, type: "aws_s3_bucket" };

const lines: readonly (readonly [string, object, object | undefined])[] = [
  [
    "a planned change",
    { type: "planned_change", change: { resource, action: "create" } },
    { kind: "planned", ...about, action: "create" },
  ],
  [
    "the beginning of a creation",
    { type: "apply_start", hook: { resource, action: "create" } },
    { kind: "resource", ...about, action: "create", state: "started", elapsedSeconds: 0 },
  ],
  [
    "progress",
    { type: "apply_progress", hook: { resource, action: "create", elapsed_seconds: 10 } },
    { kind: "resource", ...about, action: "create", state: "progress", elapsedSeconds: 10 },
  ],
  [
    "the end of a creation",
    { type: "apply_complete", hook: { resource, action: "create", id_key: "id", id_value: "b-1", elapsed_seconds: 3 } },
    { kind: "resource", ...about, action: "create", state: "completed", elapsedSeconds: 3, id: "b-1" },
  ],
  [
    "an error",
    {
      type: "diagnostic",
      diagnostic: {
        severity: "error",
        summary: "Invalid name",
        detail: "It is too long.",
        address: resource.addr,
        range: { filename: "main.tf", start: { line: 7 } },
      },
    },
    {
      kind: "diagnostic",
      diagnostic: {
        severity: "error",
        summary: "Invalid name",
        detail: "It is too long.",
        address: resource.addr,
        place: "main.tf:7",
      },
    },
  ],
  [
    "a summary",
    { type: "change_summary", changes: { add: 1, change: 2, remove: 3, operation: "apply" } },
    { kind: "summary", operation: "apply", add: 1, change: 2, remove: 3 },
  ],
  [
    "outputs, of which only the number is told",
    { type: "outputs", outputs: { result: { value: "secret" } } },
    undefined,
  ],
];

for (const [what, line, event] of lines) {
  it(`reads ${what}`, () => {
    const read = readTerraformLine(JSON.stringify({ "@level": "info", "@message": "text", ...line }));

    assert.deepEqual(read, {
      level: "info",
      text: "text",
      isBeforeLock: false,
      ...(event === undefined ? {} : { event }),
    });
  });
}

it("knows what Terraform prints before it has the lock", () => {
  for (const type of ["version", "state_lock_acquire"]) {
    assert.equal(readTerraformLine(JSON.stringify({ "@message": "text", type }))?.isBeforeLock, true);
  }
});

for (const line of ["", "Error: text", "{", "[]", "null", '{"a":1}', '{"@message":5}']) {
  it(`takes ${JSON.stringify(line)} for text`, () => {
    assert.equal(readTerraformLine(line), undefined);
  });
}
