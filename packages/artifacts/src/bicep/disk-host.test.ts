import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Compilation } from "@rad/bicep";
import type { FileRead } from "@rad/bicep";
import { createDiskHost } from "./disk-host.ts";
import { tarOf } from "../testing/tar-of.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "rad-disk-host-"));
  for (const name of ["root", "root/sub", "outside", "cache"]) {
    await mkdir(join(folder, name));
  }
  await writeFile(join(folder, "root/a.bicep"), "var a = 1\n");
  await writeFile(join(folder, "outside/secret.txt"), "secret");
  await writeFile(join(folder, "root/large"), "x".repeat(100));
  await symlink(join(folder, "outside"), join(folder, "root/link"));
  await symlink("../outside/secret.txt", join(folder, "root/secret.txt"));
  await symlink("../outside/nobody.txt", join(folder, "root/dangling.txt"));
  await symlink("a.bicep", join(folder, "root/inner.bicep"));
  await symlink("root", join(folder, "alias"));
  await writeFile(join(folder, "root/types.tgz"), gzipSync(tarOf({ "./index.json": "{}", "a/types.json": "[]" })));
  await writeFile(join(folder, "root/no-archive.tgz"), "text");
});
after(() => rm(folder, { recursive: true, force: true }));

function read(path: string, root = "root"): string {
  const host = createDiskHost({ roots: [join(folder, root)], cacheFolder: join(folder, "cache"), env: {} });
  return textOf(host.readFile(join(folder, path)));
}

function textOf(result: FileRead): string {
  return "bytes" in result ? new TextDecoder().decode(result.bytes) : result.problem;
}

test("a confined host reads what is inside of its root, through links too", () => {
  assert.equal(read("root/a.bicep"), "var a = 1\n");
  assert.equal(read("root/inner.bicep"), "var a = 1\n");
  assert.equal(read("root/nobody"), "missing");
  assert.equal(read("root/sub"), "directory");
  assert.equal(read("alias/a.bicep", "alias"), "var a = 1\n");
  assert.equal(read("root/a.bicep", "alias"), "var a = 1\n");
});

test("a confined host reads nothing outside, and does not tell what is there", () => {
  assert.equal(read("outside/secret.txt"), "outside");
  assert.equal(read("outside/nobody.txt"), "outside");
  assert.equal(read("root/../outside/secret.txt"), "outside");
  assert.equal(read("root/secret.txt"), "outside");
  assert.equal(read("root/link/secret.txt"), "outside");
  assert.equal(read("root/link/nobody.txt"), "outside");
  assert.equal(read("root/dangling.txt"), "outside");
  assert.equal(read("roots"), "outside");
});

test("a folder outside is not listed", () => {
  const host = createDiskHost({ roots: [join(folder, "root")], cacheFolder: join(folder, "cache"), env: {} });

  assert.deepEqual(host.listDirectory(join(folder, "root/link")), { problem: "outside" });
  assert.deepEqual(host.listDirectory(join(folder, "outside")), { problem: "outside" });
  assert.deepEqual(host.listDirectory(join(folder, "root/a.bicep")), { problem: "file" });
  assert.deepEqual(host.listDirectory(join(folder, "root/nobody")), { problem: "missing" });
  assert.deepEqual(host.listDirectory(join(folder, "root/sub")), { files: [] });
});

test("a compilation below a root cannot reach out by path or by link", async () => {
  const source =
    "output a string = loadTextContent('../outside/secret.txt')\noutput b string = loadTextContent('secret.txt')\n";
  await writeFile(join(folder, "root/escape.bicep"), source);
  const host = createDiskHost({ roots: [join(folder, "root")], cacheFolder: join(folder, "cache"), env: {} });
  const path = join(folder, "root/escape.bicep");

  const compilation = new Compilation({ host });

  assert.deepEqual(
    compilation.fileDiagnostics(path).diagnostics.map(({ code }) => code),
    ["BCP091", "BCP091"],
  );
});

test("without roots every file can be read, links and all", () => {
  const host = createDiskHost({ cacheFolder: join(folder, "cache"), env: { A: "b" } });

  assert.equal(textOf(host.readFile(join(folder, "root/secret.txt"))), "secret");
  assert.equal(host.environmentVariable("A"), "b");
  assert.equal(host.environmentVariable("B"), undefined);
});

test("files have a largest size, and pipes and devices are not waited for", () => {
  const host = createDiskHost({ cacheFolder: join(folder, "cache"), env: {}, maxFileBytes: 99 });
  const pipe = join(folder, "pipe");
  execFileSync("/usr/bin/env", ["mkfifo", pipe]);

  assert.equal(textOf(host.readFile(join(folder, "root/large"))), "tooLarge");
  assert.equal(textOf(host.readFile(pipe)), "denied");
  assert.equal(textOf(host.readFile("/dev/zero")), "denied");
  assert.equal(textOf(host.readFile(`/${"a".repeat(5000)}`)), "missing");
  assert.equal(textOf(host.readFile("/a\0b")), "denied");
});

test("archives are unpacked in memory, up to a size", () => {
  const open = (maxPackageBytes: number) => createDiskHost({ cacheFolder: folder, env: {}, maxPackageBytes });
  const unpacked = open(1_000_000).readPackage(join(folder, "root/types.tgz"));

  assert.deepEqual("entries" in unpacked && Array.from(unpacked.entries.keys()), ["index.json", "a/types.json"]);
  assert.deepEqual(open(1000).readPackage(join(folder, "root/types.tgz")), { problem: "tooLarge" });
  const broken = open(1_000_000).readPackage(join(folder, "root/no-archive.tgz"));
  assert.equal("entries" in broken && broken.entries.size, 0);
});

test("artifacts are found in the cache and may be read although they lie outside of the roots", async () => {
  const place = join(folder, "cache/br/example.org/a/v1$");
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "main.json"), "{}");
  const host = createDiskHost({ roots: [join(folder, "root")], cacheFolder: join(folder, "cache"), env: {} });
  const reference = {
    kind: "registry",
    text: "br:example.org/a:v1",
    registry: "example.org",
    repository: "a",
    tag: "v1",
    digest: undefined,
  } as const;
  const path = join(place, "main.json");

  assert.equal(textOf(host.readFile(path)), "outside");
  assert.equal(host.artifact(reference, "module", undefined), path);
  assert.equal(textOf(host.readFile(path)), "{}");
  assert.equal(host.artifact(reference, "extension", undefined), undefined);
  assert.equal(host.artifact({ ...reference, tag: "v2" }, "module", undefined), undefined);
  assert.equal(host.artifact(reference, "module", join(folder, "outside")), undefined);
});
