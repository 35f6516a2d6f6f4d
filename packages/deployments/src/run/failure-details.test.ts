import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, type ErrorDetail } from "@rad/core";
import { bounded, deploymentFailed, resourceFailure, statusName } from "./failure-details.ts";

it("bounds the size of an error, however much has failed", () => {
  const failures = Array.from({ length: 5_000 }, (_, n): ErrorDetail => ({
    code: "BadRequest",
    message: "x".repeat(20_000),
    target: `/thing/${n}`,
  }));

  const error = deploymentFailed("/id", failures, []);

  assert.ok(JSON.stringify(error.toDetail()).length < 300_000);
  assert.match(error.details.at(-1)?.message ?? "", /^\d+ more are left out\.$/);
});

it("keeps the head of an error whose details are too much", () => {
  const details = Array.from({ length: 500 }, () => ({ code: "Inner", message: "y".repeat(5_000) }));

  const [kept] = bounded([{ code: "Outer", message: "m", target: "/t", details }]);

  assert.deepEqual(kept, { code: "Outer", message: "m", target: "/t" });
});

it("lists failures before what went well, and few of those", () => {
  const successes = Array.from({ length: 50 }, (_, n) => `/fine/${n}`);

  const { details } = deploymentFailed("/id", [{ code: "Conflict", message: "no" }], successes);

  assert.deepEqual([details[0]?.code, details[1]?.code, details.length], ["Conflict", "OK", 11]);
});

it("wraps a provider's error once", () => {
  const once = resourceFailure("/t", { code: "Internal", message: "broke" }, []);

  assert.deepEqual(resourceFailure("/t", once, []), once);
});

it("tells an HTTP status by name", () => {
  assert.equal(statusName(new ApiError("Conflict", "")), "Conflict");
  assert.equal(statusName(new ApiError("NotFound", "")), "NotFound");
  assert.equal(statusName(new TypeError()), "InternalServerError");
});
