import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { sourceCommit } from "./source-commit.ts";

const commit = "0123456789abcdef0123456789abcdef01234567";

for (const [what, files, expected] of [
  ["a branch", { ".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": `${commit}\n` }, commit],
  [
    "a packed branch",
    { ".git/HEAD": "ref: refs/heads/main\n", ".git/packed-refs": `# pack-refs\n${commit} refs/heads/main\n` },
    commit,
  ],
  ["no branch", { ".git/HEAD": `${commit}\n` }, commit],
  [
    "a worktree",
    {
      "packages/.git": "gitdir: ../clone/.git/worktrees/w\n",
      "clone/.git/worktrees/w/HEAD": "ref: refs/heads/w\n",
      "clone/.git/worktrees/w/commondir": "../..\n",
      "clone/.git/refs/heads/w": `${commit}\n`,
    },
    commit,
  ],
  ["a repository without a commit", { ".git/HEAD": "ref: refs/heads/main\n" }, undefined],
  ["a file that is not git's", { ".git/HEAD": "<html>\n" }, undefined],
] as const) {
  test(`${what} has the commit ${expected}`, async () => {
    const root = await mkdtemp(join(tmpdir(), "rad-commit-"));
    try {
      await mkdir(join(root, "packages", "cli"), { recursive: true });
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(root, name)), { recursive: true });
        await writeFile(join(root, name), text);
      }

      assert.equal(sourceCommit(join(root, "packages", "cli")), expected);
    } finally {
      await rm(root, { recursive: true });
    }
  });
}
