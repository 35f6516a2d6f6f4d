import assert from "node:assert/strict";
import { it } from "node:test";
import { secretLookup } from "./secret-lookup.ts";
import { tokenVariable, tokenVariables } from "./token-variables.ts";

const names = [
  ["app.terraform.io", "TF_TOKEN_app_terraform_io"],
  ["my-reg.co", "TF_TOKEN_my__reg_co"],
  ["App.Terraform.IO", "TF_TOKEN_app_terraform_io"],
  ["localhost:18443", "TF_TOKEN_localhost:18443"],
  ["registry.example:443", "TF_TOKEN_registry_example"],
  ["bücher.example", "TF_TOKEN_xn____bcher__kva_example"],
] as const;
for (const [host, variable] of names) {
  it(`the token of ${host} travels as ${variable}`, () => {
    assert.equal(tokenVariable(host), variable);
  });
}

it("a host that is none is refused, without its text", () => {
  assert.throws(
    () => tokenVariable("https://canary"),
    (error: Error) => !error.message.includes("canary"),
  );
});

it("tokens of several hosts are read under any key, and under upstream's spelling", () => {
  const secretId = "/planes/radius/local/providers/Radius.Security/secrets/tokens";
  const secrets = secretLookup([[secretId, { corp: "one", token: "two" }]]);

  const variables = tokenVariables(
    {
      credentials: {
        "a.example": { token: { secretId: secretId.toUpperCase(), key: "corp" } },
        b: { secret: secretId },
      },
    },
    secrets,
  );

  assert.deepEqual(variables, { TF_TOKEN_a_example: "one", TF_TOKEN_b: "two" });
});

it("a secret or a key that was not loaded is named", () => {
  const secrets = secretLookup([["/planes/radius/local/providers/Radius.Security/secrets/tokens", { a: "1" }]]);
  for (const reference of [
    { secretId: "/planes/radius/local/providers/Radius.Security/secrets/other", key: "a" },
    { secretId: "/planes/radius/local/providers/Radius.Security/secrets/tokens", key: "toString" },
  ]) {
    assert.throws(() => secrets(reference), { code: "LoadSecretsFailed" });
  }
});
