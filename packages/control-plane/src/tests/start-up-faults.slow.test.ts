// A server that cannot start says why in one line with a code, and leaves everything as it found it.
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, it } from "node:test";
import type { ConfigOverrides } from "../config/index.ts";
import { local, startTestServer, systemVersion } from "../testing/test-server.ts";
import { refusalOfChildServer, startChildServer } from "./support/child-server.ts";

const group = `${local}/resourcegroups/kept?${systemVersion}`;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "radius-faults-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** Runs a server once, so that there is something to lose. */
async function fill(): Promise<void> {
  await using server = await startTestServer({ directory });
  await server.call("PUT", group, { body: { location: "global" } });
}

async function assertIntact(): Promise<void> {
  await using server = await startTestServer({ directory });
  assert.equal((await server.call("GET", group)).status, 200);
}

async function assertRefused(code: string, message: RegExp, overrides: ConfigOverrides = {}): Promise<void> {
  await assert.rejects(startTestServer({ directory, overrides }), (error: Error) => {
    assert.equal("code" in error ? error.code : undefined, code, error.message);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  });
}

/** Name, mode and contents of every file. */
async function snapshot(): Promise<readonly string[]> {
  const files: string[] = [];
  for (const name of (await readdir(directory)).sort()) {
    const path = join(directory, name);
    files.push(`${name} ${(await stat(path)).mode.toString(8)} ${hash("sha256", await readFile(path), "hex")}`);
  }
  return files;
}

async function takePort(): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, server };
}

it("a port that is taken stops the start, and the database is free again", async () => {
  await fill();
  const { port, server } = await takePort();
  try {
    await assertRefused("EADDRINUSE", new RegExp(`${port}`), { server: { port } });
    await assertRefused("EADDRINUSE", new RegExp(`${port}`), {
      metricsProvider: { enabled: true, prometheus: { port } },
    });
    await assertIntact();
  } finally {
    server.close();
  }
});

it("a second server on one folder is refused, in this process and in another, and disturbs nothing", async () => {
  await using first = await startTestServer({ directory });
  // Their contents stay unread: closing a file in this process would give its locks free.
  const files = await readdir(directory);

  await assertRefused("CannotOpen", new RegExp(`pid ${process.pid}.*${directory}`));
  const refusal = await refusalOfChildServer({ overrides: childConfig() });

  assert.equal(refusal.code, "CannotOpen");
  assert.match(refusal.message, new RegExp(`^[^\\n]*pid ${process.pid}[^\\n]*$`));
  assert.deepEqual(await readdir(directory), files);
  assert.equal((await first.call("PUT", group, { body: { location: "global" } })).status, 200);
});

it("a folder is free after kill -9, with all that was acknowledged", async () => {
  await using first = await startChildServer({ overrides: childConfig() });
  await assertRefused("CannotOpen", /pid \d+/);
  assert.equal((await first.call("PUT", group, { body: { location: "global" } })).status, 200);

  await first.end("SIGKILL");

  await assertIntact();
});

it("a folder that cannot hold a database is named", async () => {
  await writeFile(join(directory, "file"), "precious");
  const inside = (path: string): ConfigOverrides => ({ databaseProvider: { sqlite: { directory: path } } });

  await assertRefused("CannotOpen", /file/, inside(join(directory, "file")));
  await assertRefused("CannotOpen", /below/, inside(join(directory, "file", "below")));
  await assertRefused("NotWritable", /\/proc\/radius/, inside("/proc/radius"));

  assert.deepEqual(await readdir(directory), ["file"]);
  assert.equal(await readFile(join(directory, "file"), "utf8"), "precious");
});

it("a missing, wrong, damaged or public key stops the start and changes no file", async () => {
  await fill();
  const file = join(directory, "key");
  const key = await readFile(file, "utf8");
  const [id = ""] = key.split(" ");
  const other = Buffer.alloc(32, 7).toString("base64");

  for (const [wrong, message] of [
    [`${id} ${other}\n`, /key/],
    [`elsewhere ${other}\n`, /key 'elsewhere'|'elsewhere'/],
    ["", /empty/],
    [`${id} AAAA\n`, /Line 1/],
  ] as const) {
    await writeFile(file, wrong);
    const before = await snapshot();
    await assertRefused("CannotOpen", message);
    assert.deepEqual(await snapshot(), before);
  }
  await writeFile(file, key);
  await chmod(file, 0o644);
  await assertRefused("CannotOpen", /chmod 600/);
  await chmod(file, 0o600);
  await rm(file);
  await assertRefused("CannotOpen", /missing/);
  await assertRefused("CannotOpen", /elsewhere.*missing/, { encryption: { keyFile: join(directory, "elsewhere") } });
  assert.ok(!(await readdir(directory)).includes("key"), "no new key hides that the old one is lost");

  await writeFile(file, key, { mode: 0o600 });
  await assertIntact();
});

it("a database of a newer version is refused and left alone", async () => {
  await fill();
  const path = join(directory, "radius.db");
  setSchemaVersion(path, "version + 1");
  const before = await snapshot();

  await assertRefused("CannotOpen", /newer/);

  assert.deepEqual(await snapshot(), before);
  setSchemaVersion(path, "version - 1");
  await assertIntact();
});

it("a damaged token file is named, and the folder is free again", async () => {
  await fill();
  const hashFile = join(directory, "token.sha256");
  const text = await readFile(hashFile, "utf8");
  await writeFile(hashFile, "nonsense");

  await assertRefused("InvalidLocalToken", /token\.sha256 is damaged/);

  await writeFile(hashFile, text);
  await assertIntact();
});

it("manifests that cannot be read stop the start, and the folder is free again", async () => {
  await fill();
  const manifestDirectory = join(directory, "manifests");

  await assertRefused("InvalidManifest", /manifests/, { initialization: { manifestDirectory } });

  await assertIntact();
});

function setSchemaVersion(path: string, expression: string): void {
  const database = new DatabaseSync(path);
  database.exec(`UPDATE schema_version SET version = ${expression}`);
  database.close();
}

function childConfig(): ConfigOverrides {
  return { server: { port: 0 }, databaseProvider: { sqlite: { directory } }, logging: { level: "error" } };
}
