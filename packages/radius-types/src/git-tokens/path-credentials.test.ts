import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import type { ValidateRequest } from "@rad/resources";
import { environmentSources, sealPathCredentials } from "./path-credentials.ts";

const pointer = "/properties/recipes/A.B~1c/default/templatePath";
const sealed = { [pointer]: "git::https://user:canary@git.example/a.git" };

async function sent(templatePath: string) {
  const properties: JsonObject = { recipes: { "A.B/c": { default: { templateKind: "terraform", templatePath } } } };
  const request = {
    properties,
    current: { id: "/id" },
    resources: { secrets: async () => sealed },
  } as unknown as ValidateRequest;
  return await sealPathCredentials(request, { sources: environmentSources, betterPlace: "settings" });
}

it("hidden credentials go back to where they were, on the same host", async () => {
  const { secrets } = await sent("git::https://***@git.example/b.git?ref=v1");
  assert.deepEqual(secrets, { [pointer]: "git::https://user:canary@git.example/b.git?ref=v1" });
  await assert.rejects(sent("git::https://***@evil.example/b.git"), { code: "BadRequest" });
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
