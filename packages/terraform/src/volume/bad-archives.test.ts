import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { tarOf, zipOf } from "@rad/artifacts/testing";
import { machinePlatform } from "../platform.ts";
import { startMirror } from "../tests/mirror.ts";
import type { Mirror } from "../tests/mirror.ts";
import { releaseZip, standIn } from "../tests/stand-in.ts";
import { install, snapshot, testFolder, testVolume } from "../tests/volume-kit.ts";
import type { TestFolder } from "../tests/volume-kit.ts";
import type { BinaryVolume } from "./binary-volume.ts";

const script = standIn("1.6.4");
const good = ["terraform", script] as const;
const zip = releaseZip("1.6.4");
const otherArch = machinePlatform().arch === "arm64" ? 62 : 183;

/** An ELF header of 64 bytes, and nothing that it would start. */
function elf(machine: number): Buffer {
  const header = Buffer.alloc(64);
  header.write("\u007fELF\u0002\u0001\u0001", "latin1");
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(machine, 18);
  return header;
}

/** Where the directory at the end begins. */
function directoryStart(archive: Buffer): number {
  return archive.readUInt32LE(archive.length - 6);
}

function changed(archive: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(archive);
  change(copy);
  return copy;
}

const badArchives: readonly (readonly [what: string, content: Buffer | string, code: string, message: RegExp])[] = [
  // no archive
  ["an empty file", "", "ArchiveRefused", /it is empty/],
  ["a web page", "<!doctype html><title>Sign in</title>", "ArchiveRefused", /web page.*Check the URL/],
  ["an error in JSON", '{"errors":[{"status":404}]}', "ArchiveRefused", /JSON/],
  ["a gzipped tar archive", gzipSync(tarOf({ terraform: script })), "ArchiveRefused", /gzip/],
  ["noise", Buffer.alloc(1000, 0xa7), "ArchiveRefused", /neither a zip archive nor a program/],
  // damaged
  ["an archive without its end", zip.subarray(0, -30), "ArchiveRefused", /not a whole one/],
  ["an archive cut in its directory", zip.subarray(0, directoryStart(zip) + 20), "ArchiveRefused", /not a whole one/],
  [
    "an archive whose directory lies beyond its end",
    changed(zip, (copy) => copy.writeUInt32LE(0x7fffffff, copy.length - 6)),
    "ArchiveRefused",
    /not a whole one/,
  ],
  [
    "an archive with changed bytes",
    changed(zipOf([good]), (copy) => copy.fill(0xff, 45, 70)),
    "ArchiveRefused",
    /not what its header says/,
  ],
  [
    "an entry with another checksum",
    zipOf([["terraform", script, { crc: 1 }]]),
    "ArchiveRefused",
    /not what its header/,
  ],
  [
    "an entry that is longer than it says",
    zipOf([["terraform", script, { size: 10 }]]),
    "ArchiveRefused",
    /header says/,
  ],
  ["an entry that is shorter than it says", zipOf([["terraform", script, { size: 999 }]]), "ArchiveRefused", /header/],
  // hostile
  ["a name with ..", zipOf([good, ["../evil", "x"]]), "ArchiveRefused", /"\.\.\/evil" has a name/],
  ["an absolute name", zipOf([good, ["/tmp/evil", "x"]]), "ArchiveRefused", /"\/tmp\/evil" has a name/],
  ["a name with a drive", zipOf([["C:\\evil", "x"], good]), "ArchiveRefused", /has a name/],
  ["a name with a zero byte", zipOf([["terraform\u0000.txt", "x"]]), "ArchiveRefused", /has a name/],
  ["a name that is not UTF-8", changed(zipOf([["terrafor\u007f", "x"]]), noUtf8), "ArchiveRefused", /not UTF-8/],
  ["a link", zipOf([["terraform", "/bin/sh", { mode: 0o120777 }]]), "ArchiveRefused", /is a link/],
  ["a device", zipOf([good, ["null", "", { mode: 0o020666 }]]), "ArchiveRefused", /is a link, a device/],
  ["two entries of one name", zipOf([good, good]), "ArchiveRefused", /another entry has already/],
  ["two entries that differ in case", zipOf([good, ["TERRAFORM", "x"]]), "ArchiveRefused", /another entry has already/],
  ["a file that is also a folder", zipOf([["terraform/x", "x"], good]), "ArchiveRefused", /another entry has already/],
  ["an encrypted entry", zipOf([["terraform", script, { flags: 0x801 }]]), "ArchiveRefused", /is encrypted/],
  ["an unknown compression", zipOf([["terraform", script, { method: 95 }]]), "ArchiveRefused", /cannot be read/],
  ["a zip bomb", zipOf([["terraform", Buffer.alloc(8 << 20)]]), "ArchiveRefused", /exceeds the limit/],
  [
    "a bomb that lies",
    zipOf([["terraform", Buffer.alloc(8 << 20), { size: 9 }]]),
    "ArchiveRefused",
    /header says|limit/,
  ],
  ["too many entries", zipOf(Array.from({ length: 101 }, (_, n) => [`f${n}`, ""])), "ArchiveRefused", /100 entries/],
  // without the binary
  ["no entry at all", zipOf([]), "ArchiveRefused", /no entry "terraform"/],
  ["the binary in a folder", zipOf([["bin/terraform", script]]), "ArchiveRefused", /no entry "terraform"/],
  ["an entry that is a web page", zipOf([["terraform", "<html>"]]), "BinaryRefused", /web page/],
  ["an archive in an archive", zipOf([["terraform", zip]]), "BinaryRefused", /archive/],
  ["the other product", releaseZip("1.6.4", "opentofu"), "WrongProduct", /OpenTofu/],
  [
    "the other product under the right name",
    zipOf([["terraform", standIn("1.6.4", { product: "opentofu" })]]),
    "WrongProduct",
    /is OpenTofu 1\.6\.4, not Terraform/,
  ],
  ["another version", releaseZip("1.6.3"), "WrongVersion", /is Terraform 1\.6\.3, but version 1\.6\.4/],
  [
    "a build for another system",
    zipOf([["terraform", standIn("1.6.4", { platform: "plan9_mips" })]]),
    "WrongArchitecture",
    /plan9_mips/,
  ],
  ["a program for another processor", zipOf([["terraform", elf(otherArch)]]), "WrongArchitecture", /ELF for/],
  ["a plain program for another processor", elf(otherArch), "WrongArchitecture", /does not run on this machine/],
  ["a program for Windows", zipOf([["terraform", "MZ and more"]]), "WrongArchitecture", /PE/],
  ["a program for a Mac", Buffer.from("cffaedfe07000001000000000000", "hex"), "WrongArchitecture", /Mach-O/],
  ["a program that is cut", elf(otherArch === 62 ? 183 : 62), "BinaryRefused", /cannot be run|ends with/],
  // binaries that do not behave
  [
    "a binary that fails",
    "#!/bin/sh\necho broken library >&2\nexit 3\n",
    "BinaryRefused",
    /exit code 3: broken library/,
  ],
  ["a binary that is killed", "#!/bin/sh\nkill -9 $$\n", "BinaryRefused", /signal SIGKILL/],
  ["a binary without interpreter", "#!/no/such/thing\n", "BinaryRefused", /ENOENT: the program's interpreter/],
  ["a binary that hangs", "#!/bin/sh\nsleep 86461 & sleep 86461\n", "BinaryRefused", /does not end within/],
  ["a binary that prints forever", "#!/bin/sh\nexec yes\n", "BinaryRefused", /prints more than/],
  ["a binary that says nothing", "#!/bin/sh\n", "BinaryRefused", /version -json/],
  ["a binary that says something else", '#!/bin/sh\necho \'{"version": "1.6.4"}\'\n', "BinaryRefused", /version -json/],
  [
    "a binary whose version leads out of the volume",
    standIn("../../evil").replace("v../../evil", "v1.6.4"),
    "BinaryRefused",
    /version -json/,
  ],
  ["a binary that is neither product", script.replace('"Terraform v', '"Pulumi v'), "BinaryRefused", /`version`/],
];

function noUtf8(copy: Buffer): void {
  for (let at = copy.indexOf(0x7f); at >= 0; at = copy.indexOf(0x7f, at + 1)) {
    copy[at] = 0xff;
  }
}

let mirror: Mirror;
let folder: TestFolder;
let volume: BinaryVolume;
let untouched: Record<string, string>;

before(async () => {
  mirror = await startMirror();
  folder = await testFolder();
  volume = testVolume(folder.root, { limits: { runMs: 1500, maxBinaryBytes: 4 << 20 } });
  mirror.files.set("/good", releaseZip("1.5.7"));
  await volume.activate(await install(volume, { url: `${mirror.url}/good` }));
  untouched = await snapshot(folder.path);
});
after(async () => {
  await mirror[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

for (const [what, content, code, message] of badArchives) {
  test(`${what} is refused, and the volume stays as it was`, async () => {
    mirror.files.set("/bad", Buffer.from(content));

    const failed = install(volume, {
      url: `${mirror.url}/bad`,
      version: "1.6.4",
      checksum: hash("sha256", content),
    });

    await assert.rejects(failed, { name: "InstallError", code, message });
    assert.deepEqual(await snapshot(folder.path), untouched);
  });
}

test("nothing of what a refused binary started is still running", () => {
  const processes = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });

  assert.doesNotMatch(processes, /sleep 86461/);
});
