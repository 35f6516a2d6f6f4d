import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import type { ValidateRequest } from "@rad/resources";
import { environmentSources, sealPathCredentials } from "./path-credentials.ts";

const pointer = "/properties/recipes/A.B~1c/default/templatePath";

async function sent(templatePath: string, kept = "git::https://user:canary@git.example/a.git") {
  const properties: JsonObject = { recipes: { "A.B/c": { default: { templateKind: "terraform", templatePath } } } };
  const request = {
    properties,
    current: { id: "/id" },
    resources: { secrets: async () => ({ [pointer]: kept }) },
  } as unknown as ValidateRequest;
  return await sealPathCredentials(request, { sources: environmentSources, betterPlace: "settings" });
}

it("hidden credentials go back to where they were, on the same host", async () => {
  const { secrets } = await sent("git::https://***@git.example/b.git?ref=v1");
  assert.deepEqual(secrets, { [pointer]: "git::https://user:canary@git.example/b.git?ref=v1" });
  await assert.rejects(sent("git::https://***@evil.example/b.git"), { code: "BadRequest" });
});

it("keys in the query are sealed, and go back to where they were", async () => {
  const first = await sent("git::ssh://git@h/a.git?ref=v1&sshkey=canary");
  const kept = await sent(
    "https://***@git.example/b.zip?ref=v1&sig=***",
    "https://user:canary@git.example/a.zip?sig=canary-two",
  );

  assert.deepEqual(first.secrets, { [pointer]: "git::ssh://git@h/a.git?ref=v1&sshkey=canary" });
  assert.match(JSON.stringify(first.properties), /"git::ssh:\/\/git@h\/a\.git\?ref=v1&sshkey=\*\*\*"/);
  assert.match(first.warnings.join(), /carries credentials/);
  assert.deepEqual(kept.secrets, { [pointer]: "https://user:canary@git.example/b.zip?ref=v1&sig=canary-two" });
  await assert.rejects(sent("https://git.example/b.zip?sig=***", "https://git.example/a.zip"), { code: "BadRequest" });
});

it("nobody gets them into a part of the address that is shown", async () => {
  for (const path of [
    "https://git.example/m.zip?x=https://***@",
    "git::https://git.example/a.git//x://***@/y",
    "https://git.example/m.zip#https://***@git.example",
  ]) {
    const { secrets, properties } = await sent(path);
    assert.deepEqual(secrets, {});
    assert.match(JSON.stringify(properties), /\*\*\*@/);
  }
});
