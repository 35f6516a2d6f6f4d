import assert from "node:assert/strict";
import { test } from "node:test";
import { describeError } from "./report-error.ts";

function apiError(code: string): Error {
  return Object.assign(new Error("no"), { name: "ClientError", code, wire: { code, message: "no" } });
}

test("an error of the control plane is shown as sent, with what to try next", () => {
  const text = describeError(apiError("BadRequest"), "t");

  assert.match(text, /"message": "no"/);
  assert.match(text, /`rad resource-type list`/);
});

test("a code without advice, also one named like a member of every object, gets none", () => {
  for (const code of ["NotFound", "constructor"]) {
    assert.equal(describeError(apiError(code), "t").split("\n\n").length, 3, code);
  }
});
