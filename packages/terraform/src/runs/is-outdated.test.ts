import assert from "node:assert/strict";
import { it } from "node:test";
import { isOutdated } from "./is-outdated.ts";
import { RunError } from "./run-error.ts";

const messages: readonly (readonly [message: string, outdated: boolean])[] = [
  ["Failed to write state: cannot import state with serial 3 over newer state with serial 4", true],
  ['Failed to write state: cannot import state with lineage "a" over unrelated state with lineage "b"', true],
  ["cannot overwrite existing state with serial 3 with a different state that has the same serial", true],
  ["Failed to write state: pq: could not serialize access due to concurrent update", false],
  ['Failed to persist state: Post "https://states.example/serial/7": dial tcp: connection refused', false],
  ["Error loading the state: lineage.example does not answer", false],
];
for (const [message, outdated] of messages) {
  it(`${message} ${outdated ? "drops" : "keeps"} the state that could not be saved`, () => {
    assert.equal(isOutdated(new RunError("CommandFailed", message, { command: "state push" })), outdated);
  });
}
