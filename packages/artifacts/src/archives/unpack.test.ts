import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { ArtifactError } from "../artifact-error.ts";
import { entry, tarOf } from "../testing/tar-of.ts";
import { zipOf } from "../testing/zip-of.ts";
import { unpackArchive } from "./unpack.ts";

const limits = { maxEntries: 10, maxEntryBytes: 100_000, maxTotalBytes: 200_000, maxRatio: 1000 };
const root = await mkdtemp(join(tmpdir(), "rad-unpack-"));
after(() => rm(root, { recursive: true }));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(root, "case-"));
});

async function unpack(archive: Buffer, more: Partial<typeof limits> = {}): Promise<readonly string[]> {
  const path = join(folder, "archive");
  await writeFile(path, archive);
  return await unpackArchive(path, join(folder, "out"), { ...limits, ...more });
}

for (const [kind, archive] of [
  [
    "zip",
    zipOf([
      ["terraform", "x".repeat(90_000)],
      ["docs/", ""],
      ["docs/a.txt", "a"],
      ["LICENSE.txt", ""],
    ]),
  ],
  ["tar", gzipSync(tarOf({ terraform: "x".repeat(90_000), "docs/a.txt": "a", "./LICENSE.txt": "" }))],
] as const) {
  test(`a ${kind} archive is unpacked with its folders, for the owner alone`, async () => {
    assert.deepEqual(await unpack(archive), ["terraform", "docs/a.txt", "LICENSE.txt"]);

    const out = join(folder, "out");
    assert.equal(await readFile(join(out, "terraform"), "utf8"), "x".repeat(90_000));
    assert.equal(await readFile(join(out, "docs/a.txt"), "utf8"), "a");
    assert.equal((await stat(join(out, "terraform"))).mode & 0o777, 0o600);
    assert.equal((await stat(join(out, "docs"))).mode & 0o777, 0o700);
  });
}

const encrypted = { flags: 0x801 };
const refusals: readonly (readonly [what: string, code: string, archive: Buffer, name?: string])[] = [
  ...["../up", "a/../../up", "/etc/x", "a\\..\\b", "C:/x", "a//b", "a/./b", "nul\0", "..", "../up/", "/abs/"].map(
    (name) =>
      [
        `the name ${JSON.stringify(name)}`,
        "EntryRefused",
        zipOf([
          ["fine", "1"],
          [name, "x"],
        ]),
        name,
      ] as const,
  ),
  [
    "a symbolic link",
    "EntryRefused",
    zipOf([
      ["fine", "1"],
      ["link", "/etc/passwd", { mode: 0o120777 }],
    ]),
    "link",
  ],
  [
    "a device",
    "EntryRefused",
    zipOf([
      ["fine", "1"],
      ["null", "", { mode: 0o020666 }],
    ]),
    "null",
  ],
  [
    "a pipe",
    "EntryRefused",
    zipOf([
      ["fine", "1"],
      ["pipe", "", { mode: 0o010666 }],
    ]),
    "pipe",
  ],
  [
    "a name twice",
    "EntryRefused",
    zipOf([
      ["a", "1"],
      ["a", "2"],
    ]),
    "a",
  ],
  [
    "a name in two letter cases",
    "EntryRefused",
    zipOf([
      ["a", "1"],
      ["A", "2"],
    ]),
    "A",
  ],
  [
    "a file below a file",
    "EntryRefused",
    zipOf([
      ["a", "1"],
      ["a/b", "2"],
    ]),
    "a/b",
  ],
  ["an encrypted file", "EntryRefused", zipOf([["a", "1", encrypted]]), "a"],
  ["an unknown method", "EntryRefused", zipOf([["a", "1", { method: 99 }]]), "a"],
  ["a file that is longer than it says", "ArchiveInvalid", zipOf([["a", "12345", { size: 3 }]]), "a"],
  ["a file that is shorter than it says", "ArchiveInvalid", zipOf([["a", "12345", { size: 9 }]]), "a"],
  ["another checksum", "ArchiveInvalid", zipOf([["a", "12345", { crc: 1 }]]), "a"],
  ["too many files", "ArchiveTooLarge", zipOf(Array.from({ length: 11 }, (_, index) => [`f${index}`, ""] as const))],
  ["too large a file", "ArchiveTooLarge", zipOf([["a", "x".repeat(100_001)]]), "a"],
  [
    "too much in all",
    "ArchiveTooLarge",
    zipOf(["a", "b", "c"].map((name) => [name, "x".repeat(90_000)] as const)),
    "c",
  ],
  ["no archive in it", "ArchiveInvalid", Buffer.from("PK but nothing else")],
  ["other bytes in it", "ArchiveInvalid", Buffer.from("text")],
  ["nothing in it", "ArchiveInvalid", Buffer.alloc(0)],
  ["its end cut off", "ArchiveInvalid", zipOf([["a", "12345"]]).subarray(0, -1)],
  [
    "its beginning cut off",
    "ArchiveInvalid",
    Buffer.concat([Buffer.from("PK"), zipOf([["a", "x".repeat(99)]]).subarray(40)]),
  ],
  [
    "a tar link",
    "EntryRefused",
    gzipSync(Buffer.concat([...entry("a", Buffer.from("1"), "0"), ...entry("b", Buffer.alloc(0), "2")])),
  ],
  ["a tar way out", "EntryRefused", gzipSync(tarOf({ a: "1", "../b": "2" })), "../b"],
];

for (const [what, code, archive, name] of refusals) {
  test(`a file with ${what} is refused, and nothing of it stays`, async () => {
    await assert.rejects(unpack(archive), (error) => {
      assert.ok(error instanceof ArtifactError, String(error));
      assert.equal(error.code, code, error.message);
      assert.ok(name === undefined || error.message.includes(JSON.stringify(name)), error.message);
      return true;
    });
    assert.deepEqual(await readdir(folder), ["archive"]);
  });
}

test("a bomb is refused by how much it grows", async () => {
  const bomb = zipOf([["zeros", Buffer.alloc(3 << 20)]]);
  const generous = { maxEntryBytes: 1e9, maxTotalBytes: 1e9 };

  await assert.rejects(unpack(bomb, { ...generous, maxRatio: 10 }), { code: "ArchiveTooLarge" });
  assert.deepEqual(await unpack(bomb, { ...generous, maxRatio: 2000 }), ["zeros"]);
});

test("a folder that is there already, or a link in its place, is left alone", async () => {
  const archive = zipOf([["a", "1"]]);
  await mkdir(join(folder, "elsewhere"));
  await symlink("elsewhere", join(folder, "out"));

  await assert.rejects(unpack(archive), { code: "EEXIST" });
  assert.deepEqual(await readdir(join(folder, "elsewhere")), []);
});

test("an archive with bytes changed anywhere is read or refused, and never written elsewhere", async () => {
  const archive = zipOf([
    ["a/b.txt", "some text"],
    ["c", "more of it"],
  ]);
  await fc.assert(
    fc.asyncProperty(fc.nat(archive.length - 1), fc.nat(255), async (at, value) => {
      const changed = Buffer.from(archive);
      changed[at] = value;
      await unpack(changed).catch((error: unknown) => assert.ok(error instanceof ArtifactError, String(error)));
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name !== "out"),
        ["archive"],
      );
      await rm(join(folder, "out"), { recursive: true, force: true });
    }),
    { numRuns: 200 },
  );
});
