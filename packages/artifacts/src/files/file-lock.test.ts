import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isLocked, lockFile } from "./file-lock.ts";

const root = await mkdtemp(join(tmpdir(), "rad-file-lock-"));
after(() => rm(root, { recursive: true }));

test("one holds the lock at a time, and the next gets it when it is let go", async () => {
  const path = join(root, "deep", "one.lock");
  let holders = 0;
  let most = 0;

  await Promise.all(
    Array.from({ length: 5 }, async () => {
      using _ = await lockFile(path);
      holders += 1;
      most = Math.max(most, holders);
      await new Promise((resolve) => setTimeout(resolve, 5));
      holders -= 1;
    }),
  );

  assert.equal(most, 1);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("somebody else's lock is waited for as long as allowed, and ends with its process, however that ends", async () => {
  const path = join(root, "other.lock");
  const script = `
    const { lockFile } = await import(${JSON.stringify(join(import.meta.dirname, "file-lock.ts"))});
    await lockFile(${JSON.stringify(path)});
    process.stdout.write("held");
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  await once(child.stdout, "data");
  const given = new Error("given up");

  await assert.rejects(lockFile(path, { waitMs: 50 }), { name: "ArtifactError", code: "Locked" });
  await assert.rejects(lockFile(path, { signal: AbortSignal.abort(given) }), given);
  child.kill("SIGKILL");
  using lock = await lockFile(path);
  assert.ok(lock);
});

test("whether a lock is held can be asked without taking it or creating its file", async () => {
  const path = join(root, "asked.lock");

  const before = await isLocked(path);
  await assert.rejects(stat(path), { code: "ENOENT" });
  {
    using _ = await lockFile(path);
    assert.equal(await isLocked(path), true);
    await assert.rejects(lockFile(path, { waitMs: 0 }), { code: "Locked" }, "asking let go of it");
  }

  assert.deepEqual([before, await isLocked(path)], [false, false]);
});

test("a lock is still held against other processes after somebody in this one asked for it too", async () => {
  const path = join(root, "shared.lock");
  const script = `
    const { lockFile } = await import(${JSON.stringify(join(import.meta.dirname, "file-lock.ts"))});
    const outcome = lockFile(${JSON.stringify(path)}, { waitMs: 0 }).then(() => "taken", (error) => error.code);
    process.stdout.write(await outcome);
  `;
  using _ = await lockFile(path);
  await assert.rejects(lockFile(path, { waitMs: 0 }), { code: "Locked" });

  const child = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  const [said] = await once(child.stdout, "data");

  assert.equal(String(said), "Locked");
});

test("a folder that goes away while its lock is waited for is told", async () => {
  const folder = join(root, "short-lived");
  using _ = await lockFile(join(folder, "lock"));
  const waiting = lockFile(join(folder, "lock"));
  const told = assert.rejects(waiting, { name: "ArtifactError", code: "LockFailed" });

  await rm(folder, { recursive: true });
  await told;
});

test("a link is no lock file, and what it leads to stays as it is", async () => {
  const target = join(root, "somebody-elses");
  await writeFile(target, "");
  await chmod(target, 0o644);
  await symlink(target, join(root, "link"));
  await symlink(join(root, "nowhere"), join(root, "dangling"));

  await assert.rejects(lockFile(join(root, "link")), { code: "LockFailed" });
  await assert.rejects(lockFile(join(root, "dangling")), { code: "LockFailed" });
  assert.equal((await stat(target)).mode & 0o777, 0o644);
  await assert.rejects(stat(join(root, "nowhere")), { code: "ENOENT" });
});

test("what cannot be a lock file is told", async () => {
  await writeFile(join(root, "text"), "no database ".repeat(100));

  await assert.rejects(lockFile(join(root, "text")), { code: "LockFailed" });
  await assert.rejects(lockFile(join(root, "text", "lock")), { code: "LockFailed" });
});
