import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { ensureLocalToken, renewLocalToken } from "./local-token.ts";

const root = await mkdtemp(join(tmpdir(), "rad-token-"));
after(() => rm(root, { recursive: true }));

it("the first start makes a token that only its owner can read", async () => {
  const directory = join(root, "first", "start");

  const made = await ensureLocalToken(directory);

  const token = (await readFile(made.tokenFile, "utf8")).trim();
  assert.match(token, /^rad_[\w-]{43}$/);
  assert.deepEqual(made, { sha256: hash("sha256", token, "hex"), created: true, tokenFile: join(directory, "token") });
  assert.equal((await stat(made.tokenFile)).mode & 0o777, 0o600);
  assert.equal((await stat(join(directory, "token.sha256"))).mode & 0o777, 0o600);
  assert.equal((await stat(directory)).mode & 0o777, 0o700);
  assert.deepEqual((await readdir(directory)).sort(), ["token", "token.sha256"]);
});

it("later starts keep the token, and need its hash only", async () => {
  const directory = join(root, "later");
  const made = await ensureLocalToken(directory);

  const again = await ensureLocalToken(directory);
  await rm(made.tokenFile);
  const withoutToken = await ensureLocalToken(directory);

  assert.deepEqual(again, { ...made, created: false });
  assert.deepEqual(withoutToken, { ...made, created: false });
});

it("a crash between the two files is repaired with the same token", async () => {
  const directory = join(root, "crash");
  const made = await ensureLocalToken(directory);
  await rm(join(directory, "token.sha256"));

  const repaired = await ensureLocalToken(directory);

  assert.deepEqual(repaired, { ...made, created: false });
});

it("a token is renewed in its place, and only where there was one", async () => {
  const directory = join(root, "renewed");
  await assert.rejects(renewLocalToken(directory), { code: "InvalidLocalToken", message: /no token yet/ });
  const made = await ensureLocalToken(directory);
  await rm(made.tokenFile);

  await renewLocalToken(directory);

  const again = await ensureLocalToken(directory);
  assert.notEqual(again.sha256, made.sha256);
  assert.equal(again.sha256, hash("sha256", (await readFile(made.tokenFile, "utf8")).trim(), "hex"));
  assert.equal((await stat(made.tokenFile)).mode & 0o777, 0o600);
  assert.deepEqual((await readdir(directory)).sort(), ["token", "token.sha256"]);
});

it("starts at the same time agree on one token", async () => {
  const directory = join(root, "together");

  const made = await Promise.all(Array.from({ length: 8 }, () => ensureLocalToken(directory)));

  assert.equal(new Set(made.map((token) => token.sha256)).size, 1);
  assert.equal(made.filter((token) => token.created).length, 1);
});

it("a damaged file stops the start and is left alone", async () => {
  const directory = join(root, "damaged");
  const { tokenFile } = await ensureLocalToken(directory);

  await writeFile(join(directory, "token.sha256"), "");
  await assert.rejects(ensureLocalToken(directory), { code: "InvalidLocalToken", message: /token\.sha256 is damaged/ });
  await rm(join(directory, "token.sha256"));
  await writeFile(tokenFile, "password");
  await assert.rejects(ensureLocalToken(directory), { code: "InvalidLocalToken" });
  assert.equal(await readFile(tokenFile, "utf8"), "password");
});

it("a token that others could have read or written is not used, and left alone", async () => {
  const directory = join(root, "open");
  await mkdir(directory, { mode: 0o700 });
  const token = `rad_${"A".repeat(43)}\n`;
  await writeFile(join(directory, "token"), token);
  await chmod(join(directory, "token"), 0o644);

  await assert.rejects(ensureLocalToken(directory), {
    code: "InvalidLocalToken",
    message: /run: chmod 600 '.*token'$/,
  });
  assert.deepEqual(await readdir(directory), ["token"]);
  assert.equal(await readFile(join(directory, "token"), "utf8"), token);
});
