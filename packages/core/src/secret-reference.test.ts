import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonValue } from "./json.ts";
import { asSecretReference } from "./secret-reference.ts";

const secretId = "/planes/radius/local/providers/Radius.Security/secrets/db";

it("a reference is exactly secretId and key, with the id of a secret", () => {
  const store = "/planes/radius/local/resourceGroups/g/providers/applications.core/SECRETSTORES/s";
  assert.deepEqual(asSecretReference({ secretId, key: "password" }), { secretId, key: "password" });
  assert.deepEqual(asSecretReference({ key: "pat", secretId: store }), { secretId: store, key: "pat" });
});

it("everything else is data", () => {
  const data: (JsonValue | undefined)[] = [
    { secretId, key: "password", more: 1 },
    { secretId },
    { secretId, key: "" },
    { secretId, key: 1 },
    { secretId: "db", key: "password" },
    { secretId: "/planes/radius/local/providers/Radius.Security/secrets", key: "password" },
    { secretId: "/planes/radius/local/providers/Radius.Core/terraformSettings/db", key: "password" },
    [secretId, "password"],
    secretId,
    null,
    undefined,
  ];
  assert.deepEqual(
    data.filter((value) => asSecretReference(value) !== undefined),
    [],
  );
});
