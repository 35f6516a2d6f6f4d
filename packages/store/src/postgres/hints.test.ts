import assert from "node:assert/strict";
import { it } from "node:test";
import type { Database } from "./database.ts";
import { Hints } from "./hints.ts";

it("keeps what was written while the others were being told", () => {
  using hints = new Hints({} as Database, "here");
  hints.add(["test.any/early", "test.any/again"]);

  const told = hints.with([]);
  hints.add(["test.any/again"]);
  hints.forget(told);

  assert.deepEqual(hints.with([]).events, [{ kind: "document", type: "test.any/again" }]);
});
