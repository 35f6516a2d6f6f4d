import assert from "node:assert/strict";
import { chmod, chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { findToken, removeToken, saveToken, tokenFile } from "./tokens.ts";

async function temporaryFolder(): Promise<AsyncDisposable & { config: string }> {
  const folder = await mkdtemp(join(tmpdir(), "rad-tokens-"));
  return { config: join(folder, "config.yaml"), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

test("a token is kept in a file that only its owner can read", async () => {
  await using folder = await temporaryFolder();

  await saveToken(folder.config, "dev", "rad_secret");

  const file = tokenFile(folder.config, "dev");
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(dirname(file))).mode & 0o777, 0o700);
  assert.equal(await findToken({}, file), "rad_secret");
});

test("RADIUS_TOKEN comes before the file", async () => {
  await using folder = await temporaryFolder();
  await saveToken(folder.config, "dev", "from-file");

  assert.equal(await findToken({ RADIUS_TOKEN: "from-env" }, tokenFile(folder.config, "dev")), "from-env");
});

test("no file is no token", async () => {
  await using folder = await temporaryFolder();
  await saveToken(folder.config, "dev", "x");
  await removeToken(folder.config, "dev");

  assert.equal(await findToken({}, tokenFile(folder.config, "dev")), undefined);
});

for (const mode of [0o640, 0o604, 0o660]) {
  test(`a token file with mode ${mode.toString(8)} is refused`, async () => {
    await using folder = await temporaryFolder();
    await saveToken(folder.config, "dev", "rad_secret");
    const file = tokenFile(folder.config, "dev");
    await chmod(file, mode);

    await assert.rejects(findToken({}, file), (error: Error & { code: string }) => {
      assert.equal(error.code, "InsecureTokenFile");
      assert.ok(!error.message.includes("rad_secret"));
      return true;
    });
  });
}

test("a token file of another user is refused", async () => {
  await using folder = await temporaryFolder();
  await saveToken(folder.config, "dev", "rad_secret");
  const own = tokenFile(folder.config, "dev");
  const isRoot = process.getuid?.() === 0;
  const file = isRoot ? own : "/etc/shadow"; // only root can give files away
  if (isRoot) {
    await chown(own, 12_345, 12_345);
  }

  await assert.rejects(findToken({}, file), (error: Error & { code: string }) => {
    assert.equal(error.code, isRoot ? "InsecureTokenFile" : "TokenUnreadable");
    assert.match(error.message, /another user/);
    assert.ok(!error.message.includes("rad_secret"));
    return true;
  });
});

for (const content of ["", "two words", "line\nbreak", "ümlaut"]) {
  test(`${JSON.stringify(content)} is not a token`, async () => {
    await using folder = await temporaryFolder();
    await saveToken(folder.config, "dev", "x");
    const file = tokenFile(folder.config, "dev");
    await writeFile(file, content);

    await assert.rejects(findToken({}, file), { code: "InvalidToken" });
  });
}

test("a workspace's name cannot lead out of the folder", async () => {
  const file = tokenFile("/home/me/.rad/config.yaml", "../../../etc/passwd");

  assert.equal(dirname(file), "/home/me/.rad/tokens");
});
