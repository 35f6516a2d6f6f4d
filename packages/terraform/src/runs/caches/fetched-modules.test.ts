import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { areCurrent, fetchedModules } from "./fetched-modules.ts";

/** Notes how many of it run at once. */
const countingGit = `#!/bin/sh
mkdir "$COUNTED/$$"
ls "$COUNTED" | wc -l >> "$COUNTED.log"
sleep 0.05
rmdir "$COUNTED/$$"
echo 0123456789012345678901234567890123456789
`;

it("a module that uses many repositories starts a few processes at once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rad-repositories-"));
  try {
    const counted = join(folder, "counted");
    await mkdir(counted);
    await writeFile(join(folder, "git"), countingGit, { mode: 0o755 });
    const entries = Array.from({ length: 24 }, (_, n) => ({ Key: `m${n}`, Source: `git::https://h/m.git?ref=v${n}` }));
    await writeFile(join(folder, "modules.json"), JSON.stringify({ Modules: entries }));
    const env = { PATH: `${folder}:/usr/bin:/bin`, COUNTED: counted };
    const use = { work: folder, env, signal: new AbortController().signal };

    const found = await fetchedModules(folder, use);

    assert.equal(found?.repositories.length, 24);
    assert.ok(found !== undefined && (await areCurrent(found, use)));
    const atOnce = (await readFile(`${counted}.log`, "utf8")).trim().split("\n").map(Number);
    assert.equal(atOnce.length, 72);
    assert.ok(Math.max(...atOnce) <= 8, `${Math.max(...atOnce)} at once`);
  } finally {
    await rm(folder, { recursive: true });
  }
});

for (const [what, more, files] of [
  ["an archive", [{ Key: "inner", Source: "https://h/m.zip" }], []],
  ["a repository with submodules", [], [".gitmodules"]],
] as const) {
  it(`a module that uses ${what} is not kept, as nobody can tell whether it is still the same`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "rad-repositories-"));
    try {
      const env = { PATH: `${folder}:/usr/bin:/bin`, COUNTED: join(folder, "counted") };
      await mkdir(env.COUNTED);
      await mkdir(join(folder, "top"));
      await writeFile(join(folder, "git"), countingGit, { mode: 0o755 });
      const known = [
        { Key: "", Source: "" },
        { Key: "top", Source: "git::https://h/m.git" },
        { Key: "top.a", Source: "./a" },
      ];
      const use = { work: folder, env, signal: new AbortController().signal };
      await writeFile(join(folder, "modules.json"), JSON.stringify({ Modules: known }));
      const withoutIt = await fetchedModules(folder, use);
      await writeFile(join(folder, "modules.json"), JSON.stringify({ Modules: [...known, ...more] }));
      await Promise.all(files.map((file) => writeFile(join(folder, "top", file), "")));

      const found = await fetchedModules(folder, use);

      assert.equal(withoutIt?.repositories.length, 1);
      assert.equal(found, undefined);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
