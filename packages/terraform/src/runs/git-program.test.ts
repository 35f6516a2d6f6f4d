import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { requireGit } from "./git-program.ts";
import type { RunError } from "./run-error.ts";

async function gitThatSays(text: string): Promise<AsyncDisposable & { readonly PATH: string }> {
  const folder = await mkdtemp(join(tmpdir(), "git-program-"));
  await writeFile(join(folder, "git"), `#!/bin/sh\necho '${text}'\n`);
  await chmod(join(folder, "git"), 0o755);
  return { PATH: folder, [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true }) };
}

it("a machine without git is told to install it", async () => {
  await assert.rejects(requireGit({ PATH: "/nowhere" }), (error: RunError) => {
    assert.equal(error.command, "get");
    return /git is not installed where recipes run.*Install git 2\.31/u.test(error.message);
  });
});

for (const version of ["1.8.3.1", "2.9.5", "2.30.2"]) {
  it(`git ${version} is too old for credentials in the environment, and says so`, async () => {
    await using git = await gitThatSays(`git version ${version}`);

    await assert.rejects(requireGit({ PATH: git.PATH }), new RegExp(`git ${version} is too old`, "u"));
  });
}

for (const version of ["2.31.0", "2.39.5 (Apple Git-154)", "2.100.0.windows.1", "3.0.0"]) {
  it(`git ${version} will do`, async () => {
    await using git = await gitThatSays(`git version ${version}`);

    await requireGit({ PATH: git.PATH });
  });
}
