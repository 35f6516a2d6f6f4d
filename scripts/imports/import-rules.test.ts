import assert from "node:assert/strict";
import { it } from "node:test";
import { importsIn } from "./import-graph.ts";
import { folderProblems, packageProblems } from "./import-rules.ts";

it("finds imports, re-exports and imports at run time", () => {
  const text = `import { a } from "./a.ts";\nimport type { B } from "@rad/core";\nexport { c } from "./c.ts";\nawait import("./d.ts");`;

  assert.deepEqual(
    importsIn("x.ts", text).map(({ specifier, isLazy }) => [specifier, isLazy]),
    [
      ["./a.ts", false],
      ["@rad/core", true],
      ["./c.ts", false],
      ["./d.ts", true],
    ],
  );
});

it("refuses imports that point up, and eager ones between programs", () => {
  const source = (name: string, specifier: string, isLazy = false) => [
    { file: `packages/${name}/src/x.ts`, specifier, isLazy },
  ];

  assert.deepEqual(packageProblems(source("resources", "@rad/store")), []);
  assert.deepEqual(packageProblems(source("cli", "@rad/control-plane", true)), []);
  assert.match(packageProblems(source("store", "@rad/resources"))[0] ?? "", /must not import 'resources'/);
  assert.match(packageProblems(source("cli", "@rad/control-plane"))[0] ?? "", /only for types or with import/);
  assert.match(packageProblems(source("store", "@rad/unheard-of"))[0] ?? "", /has no row/);
});

it("names folders that import one another, once and with the files", () => {
  const imports = [
    { file: "packages/p/src/a/one.ts", specifier: "../b/two.ts", isLazy: false },
    { file: "packages/p/src/b/two.ts", specifier: "../c/three.ts", isLazy: false },
    { file: "packages/p/src/c/three.ts", specifier: "../a/one.ts", isLazy: true },
    { file: "packages/p/src/index.ts", specifier: "./a/one.ts", isLazy: false },
    { file: "packages/p/src/d/four.ts", specifier: "../a/one.ts", isLazy: false },
  ];

  assert.deepEqual(folderProblems(imports), [
    "packages/p/src/a → packages/p/src/b → packages/p/src/c → packages/p/src/a " +
      "(packages/p/src/a/one.ts, packages/p/src/b/two.ts, packages/p/src/c/three.ts)",
  ]);
});
