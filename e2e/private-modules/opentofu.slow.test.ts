// OpenTofu fetches modules by itself, too: with git, and with the credentials that only its own environment names.
import assert from "node:assert/strict";
import { it } from "node:test";
import { realOpenTofu } from "@rad/terraform/testing/real-binaries";
import {
  credentialsSent,
  deploy,
  failureOf,
  moduleOf,
  openPrivateRig,
  putEnvironment,
  putStore,
  remove,
} from "./private-rig.ts";

it("OpenTofu gets private modules and those that they nest, until the token is revoked", async () => {
  await using rig = await openPrivateRig({ hosts: ["git.example"], binary: await realOpenTofu() });
  const { git, server } = rig;
  await git.repository("/inner.git", moduleOf("inner"));
  const nested = 'module "inner" {\n  source = "git::https://git.example/inner.git"\n  context = var.context\n}\n';
  await git.repository("/outer.git", moduleOf("outer", nested));
  const allowed = git.allow({ token: "token of the team" });
  const store = await putStore(server, "git", { pat: "token of the team" });
  const environment = await putEnvironment(rig, "tofu", {
    pat: { "git.example": store },
    templatePath: "git::https://git.example/outer.git",
  });

  const message = await deploy(server, "first", environment);

  assert.equal(message, '"outer"');
  assert.deepEqual(credentialsSent(git.requests), ["https://git.example x-access-token:token of the team"]);
  allowed[Symbol.dispose]();
  const { code, message: reason } = await failureOf(deploy(server, "second", environment));
  assert.equal(code, "RecipeDownloadFailed");
  assert.match(reason, /git\.example/u);
  assert.ok(!reason.includes("token of the team"));
  using _again = git.allow({ token: "token of the team" });
  await remove(server, "first");
});
