import assert from "node:assert/strict";
import { test } from "node:test";
import { unfoldError } from "./unfold-error.ts";

test("an error in a message becomes a detail, however deep it is folded", () => {
  const innermost = { code: "ImagePullFailed", message: "no such image" };
  const middle = { code: "DeploymentFailed", message: JSON.stringify(innermost) };
  const outer = {
    code: "RecipeDeploymentFailed",
    message: JSON.stringify({ error: middle }),
    details: [{ code: "A" }],
  };

  assert.deepEqual(unfoldError(outer), {
    code: "RecipeDeploymentFailed",
    message: "no such image",
    details: [{ code: "DeploymentFailed", message: "no such image", details: [innermost] }, { code: "A" }],
  });
});

test("errors in the messages of details are unfolded in their place", () => {
  const inner = { code: "B", message: "b", target: "t" };

  assert.deepEqual(unfoldError({ code: "A", message: "a", details: [{ code: "C", message: JSON.stringify(inner) }] }), {
    code: "A",
    message: "a",
    details: [{ code: "C", message: "b", details: [inner] }],
  });
});

test("other messages stay as they are, also those that look like JSON", () => {
  for (const message of ["plain", "{ not JSON", '{"code": 7, "message": "x"}', '{"a": 1}', '["x"]', "{}"]) {
    const error = { code: "A", message };

    assert.deepEqual(unfoldError(error), error);
  }
});
