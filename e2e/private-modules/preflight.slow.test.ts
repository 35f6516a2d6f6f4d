// Preflight and mirror list of an environment whose modules are private, with real Terraform and real git.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { request } from "../support/api.ts";
import { moduleOf, openPrivateRig, putEnvironment, putStore } from "./private-rig.ts";
import type { PrivateRig } from "./private-rig.ts";

interface Check {
  readonly name: string;
  readonly status: string;
  readonly message: string;
}

let rig: PrivateRig;
let environmentId: string;
before(async () => {
  rig = await openPrivateRig({ hosts: ["git.example", "other.example"] });
  const { git, server } = rig;
  await git.repository("/acme/one.git", moduleOf("one"));
  await git.repository("/acme/two.git", moduleOf("two"));
  git.allow({ user: "ann", token: "canary-good", repositories: /^\/acme\/one/u });
  git.allow({ user: "eve", token: "canary-own", repositories: /^\/acme\/two/u });
  const good = await putStore(server, "good", { pat: "canary-good", username: "ann" });
  environmentId = await putEnvironment(rig, "checked", {
    pat: { "git.example": good, "other.example": good },
    templatePath: {
      default: "https://git.example/acme/one.git",
      own: "git::https://eve:canary-own@git.example/acme/two.git",
    },
  });
});
after(async () => await rig[Symbol.asyncDispose]());

async function checks(): Promise<ReadonlyMap<string, Check>> {
  const { status, body } = await request(rig.server, "POST", "/installer/terraform/validate", { environmentId });
  const text = JSON.stringify(body);
  assert.equal(status, 200, text);
  assert.doesNotMatch(text, /canary-/u);
  return new Map((body as unknown as { checks: Check[] }).checks.map((check) => [check.name, check]));
}

it("a preflight reads the token of each Git host, and gets each private module with its own credentials", async () => {
  const found = await checks();

  assert.deepEqual(
    [...found.values()].filter(({ status }) => status !== "passed"),
    [],
  );
  for (const name of ["git token git.example", "git token other.example"]) {
    assert.match(found.get(name)?.message ?? "", /secretStores\/good/u);
  }
  assert.ok(found.has("recipe Applications.Core/extenders/default"));
  assert.ok(found.has("recipe Applications.Core/extenders/own"));
});

it("a token that the host refuses fails the line of its recipe alone, in words", async () => {
  const { server } = rig;
  await putStore(server, "good", { pat: "canary-expired", username: "ann" });
  const failed = [...(await checks()).values()].filter(({ status }) => status !== "passed");
  await putStore(server, "good", { username: "ann", pat: "canary-good" });

  assert.deepEqual(
    failed.map(({ name, status }) => [name, status]),
    [["recipe Applications.Core/extenders/default", "failed"]],
  );
  assert.match(failed[0]?.message ?? "", /git\.example refused the token of the secret '\S+\/good' \(HTTP 401\)/u);
});

it("a secret without a token fails its own lines, and recipes wait for it", async () => {
  const { server } = rig;
  await putStore(server, "good", { username: "ann", other: "x" });
  const found = await checks();
  await putStore(server, "good", { username: "ann", pat: "canary-good" });

  assert.equal(found.get("git token git.example")?.status, "failed");
  assert.match(found.get("git token git.example")?.message ?? "", /'pat' secret key was not found in secret store/u);
  assert.equal(found.get("recipe Applications.Core/extenders/default")?.status, "skipped");
});

it("the mirror list has private modules with their commits, and no credentials", async () => {
  const { status, body } = await request(rig.server, "POST", `/recipes/mirror-list${environmentId}`);

  const text = JSON.stringify(body);
  assert.equal(status, 200, text);
  assert.doesNotMatch(text, /canary-/u);
  const { modules, errors } = body as { modules: JsonObject[]; errors: JsonObject[] };
  assert.deepEqual(errors, []);
  assert.deepEqual(
    modules.map(({ source, commit }) => [source, typeof commit]),
    [
      ["git::https://git.example/acme/one.git", "string"],
      ["git::https://git.example/acme/two.git", "string"],
    ],
  );
});
