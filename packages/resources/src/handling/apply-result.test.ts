import assert from "node:assert/strict";
import { it } from "node:test";
import { atOnce } from "@rad/core";
import { compileSchema } from "@rad/resource-types";
import { applyResult, applyStatus, sealAlso } from "./apply-result.ts";

const schema = compileSchema({
  type: "object",
  additionalProperties: false,
  properties: {
    size: { type: "integer" },
    password: { type: "string", "x-radius-sensitive": true },
    env: { type: "object", additionalProperties: { type: "string" } },
  },
});
const type = "Test.Apply/things";

it("seals what the schema marks, and keeps the sealed value of a member that is shown as null", () => {
  const first = atOnce(applyResult({ schema, type, sealed: {} }, { properties: { size: 1, password: "secret" } }));
  const second = atOnce(applyResult({ schema, type, sealed: first.secrets }, { properties: first.visible }));

  assert.deepEqual(first, { visible: { size: 1, password: null }, secrets: { "/properties/password": "secret" } });
  assert.deepEqual(second, first);
});

it("keeps sealed what no mark says, such as a value that a template made of a secret", () => {
  const sealed = { "/properties/env/KEY": "secret" };

  const kept = atOnce(applyResult({ schema, type, sealed }, { properties: { env: { KEY: null, PLAIN: "p" } } }));

  assert.deepEqual(kept, { visible: { env: { KEY: null, PLAIN: "p" } }, secrets: sealed });
});

it("forgets the sealed value of a member that is gone or has another value", () => {
  const sealed = { "/properties/password": "old", "/properties/env/KEY": "old" };

  const { visible, secrets } = atOnce(
    applyResult({ schema, type, sealed }, { properties: { password: "new", env: {} } }),
  );

  assert.deepEqual(
    { visible, secrets },
    {
      visible: { password: null, env: {} },
      secrets: { "/properties/password": "new" },
    },
  );
});

it("seals further values where the handler says so", () => {
  const { visible, secrets } = atOnce(
    applyResult(
      { schema, type, sealed: {} },
      { properties: { env: { KEY: "secret" } }, secrets: { "/properties/env/KEY": "secret" } },
    ),
  );

  assert.deepEqual(visible, { env: { KEY: null } });
  assert.deepEqual(secrets, { "/properties/env/KEY": "secret" });
});

it("refuses results that do not fit the schema or are too large, without showing a value", () => {
  const apply = (properties: Record<string, string>) =>
    atOnce(applyResult({ schema, type, sealed: {} }, { properties }));

  assert.throws(
    () => apply({ extra: "canary" }),
    (error: Error) => /extra/.test(error.message) && !/canary/.test(error.message),
  );
  assert.throws(() => apply({ size: "canary" }), { code: "Internal", message: /size/ });
  assert.throws(() => apply({ password: "x".repeat(5_000_000) }), { code: "Internal", message: /characters/ });
});

it("makes the place that a further value is sealed at", () => {
  const { visible } = atOnce(sealAlso({ visible: { status: {} }, secrets: {} }, { "/properties/status/a/b": 1 }, {}));

  assert.deepEqual(visible, { status: { a: { b: null } } });
});

it("seals within the items of arrays, and refuses to lose a secret for which there is no place", () => {
  const save = (pointer: string) =>
    atOnce(
      applyStatus(
        { schema, type, sealed: {} },
        {},
        { status: { users: [{ name: "a" }] }, secrets: { [pointer]: "canary" } },
      ),
    );

  const { visible, secrets } = save("/users/0/password");

  assert.deepEqual(visible, { status: { users: [{ name: "a", password: null }] } });
  assert.deepEqual(secrets, { "/properties/status/users/0/password": "canary" });
  for (const pointer of ["/users/1/password", "", "password"]) {
    assert.throws(
      () => save(pointer),
      (error: Error) => /has no place/.test(error.message) && !error.message.includes("canary"),
    );
  }
});

it("refuses a status that is too large", () => {
  const status = { log: "x".repeat(5_000_000) };

  assert.throws(
    () => atOnce(applyStatus({ schema, type, sealed: {} }, {}, { status, secrets: {} })),
    /at most \d+ can be stored/,
  );
});
