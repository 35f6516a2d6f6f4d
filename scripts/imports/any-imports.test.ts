import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, it } from "node:test";
import { anyImports } from "./any-imports.ts";

const target = "packages/kit/src/testing/cluster.ts";
const files = {
  "packages/kit/package.json": JSON.stringify({ exports: { "./testing": "./src/testing/index.ts" } }),
  "packages/kit/src/testing/index.ts": 'export { open } from "./cluster.ts";',
  "packages/kit/src/testing/cluster.ts": 'import { again } from "./circle.ts";',
  "packages/kit/src/testing/circle.ts": 'import { open } from "./cluster.ts";',
  "packages/kit/src/near.test.ts": 'import { open } from "./testing/cluster.ts";',
  "e2e/through.test.ts": 'import { start } from "./support/start.ts";\nimport fs from "node:fs";',
  "e2e/support/start.ts": 'const { open } = await import("@rad/kit/testing");',
  "e2e/other.test.ts": 'import { x } from "./support/missing.ts";\nimport { y } from "@rad/kit/other";',
};

let root: string;
before(async () => {
  root = await mkdtemp(path.join(tmpdir(), "rad-imports-"));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
});
after(async () => await rm(root, { recursive: true }));

it("finds an import through relative paths, exports of packages and lazy imports", () => {
  assert.equal(anyImports(["packages/kit/src/near.test.ts"], target, root), true);
  assert.equal(anyImports(["e2e/other.test.ts", "e2e/through.test.ts"], target, root), true);
});

it("finds no import where there is none", () => {
  assert.equal(anyImports(["e2e/other.test.ts"], target, root), false);
});
