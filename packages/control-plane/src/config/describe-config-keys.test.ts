import assert from "node:assert/strict";
import { it } from "node:test";
import { describeConfigKeys } from "./describe-config-keys.ts";

it("every key is described, with its type and default", () => {
  const keys = describeConfigKeys();

  assert.equal(new Set(keys.map((row) => row.key)).size, keys.length);
  assert.deepEqual(
    keys.filter((row) => row.doc === ""),
    [],
  );
  assert.deepEqual(
    keys.find((row) => row.key === "operations.leaseSeconds"),
    {
      key: "operations.leaseSeconds",
      type: "whole number, 2 to 3600",
      default: "15",
      doc: "A worker that does not renew its lease for this long loses its operation.",
    },
  );
  assert(keys.some((row) => row.key === "authorization.assignments[].scope"));
});
