// Credentials touch nothing that runs share: each has its own, however many there are.
import assert from "node:assert/strict";
import { it } from "node:test";
import { deploy, moduleOf, openPrivateRig, putEnvironment, putStore } from "./private-rig.ts";

const runs = 20;

it("20 runs at once with different tokens for one host each use their own", async () => {
  await using rig = await openPrivateRig({ hosts: ["git.example"] });
  const { git, server } = rig;
  const environments = await Promise.all(
    Array.from({ length: runs }, async (_, index) => {
      await git.repository(`/team${index}/m.git`, moduleOf(`module ${index}`));
      git.allow({ user: `user-${index}`, token: `token-${index}`, repositories: new RegExp(`^/team${index}/`, "u") });
      const store = await putStore(server, `team${index}`, { pat: `token-${index}`, username: `user-${index}` });
      return await putEnvironment(rig, `team${index}`, {
        pat: { "git.example": store },
        templatePath: `git::https://git.example/team${index}/m.git`,
      });
    }),
  );
  const messages = await Promise.all(
    environments.map((environment, index) => deploy(server, `team${index}`, environment)),
  );

  assert.deepEqual(
    messages,
    Array.from({ length: runs }, (_, index) => `"module ${index}"`),
  );
  const withToken = git.requests.filter(({ user }) => user !== undefined);
  assert.ok(withToken.length >= runs);
  for (const { path, user, password } of withToken) {
    const team = /^\/team(\d+)\//u.exec(path)?.[1];
    assert.deepEqual([user, password], [`user-${team}`, `token-${team}`], path);
  }
});
