import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Compilation } from "./compilation.ts";
import type { CompilationOptions } from "./compilation.ts";
import { createMemoryHost } from "./host.ts";
import type { MemoryHostOptions } from "./host.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

function compile(files: Files, more: Partial<MemoryHostOptions> & Partial<CompilationOptions> = {}) {
  const map = new Map(Object.entries(files));
  const compilation = new Compilation({ ...more, host: createMemoryHost({ ...more, files: map }) });
  return { compilation, files: map };
}

/** `name:line:column CODE` for each diagnostic of a file and those that it uses. */
function found(compilation: Compilation, path = "/main.bicep"): string[] {
  return compilation.diagnostics(path).flatMap((file) =>
    file.diagnostics.map(({ code, span }) => {
      const { line, column } = file.lineMap.position(span.start);
      return `${file.path.slice(1)}:${line}:${column} ${code}`;
    }),
  );
}

function diagnosticsOf(files: Files, more: Partial<MemoryHostOptions> & Partial<CompilationOptions> = {}): string[] {
  return found(compile(files, more).compilation);
}

const used = (path: string) => `module m '${path}' = {\n  name: 'm'\n}\n`;

test("a file is compiled with its modules, and what is wrong with them is told too", () => {
  assert.deepEqual(
    diagnosticsOf({
      "/main.bicep": used("sub/a.bicep"),
      "/sub/a.bicep": `var unused = 1\n${used("../b.json")}`,
      "/b.json": armTemplate,
    }),
    ["sub/a.bicep:1:5 no-unused-vars"],
  );
});

test("a module with errors is BCP104, an ARM template that is none BCP188", () => {
  assert.deepEqual(diagnosticsOf({ "/main.bicep": used("a.bicep"), "/a.bicep": "output x string = nobody\n" }), [
    "main.bicep:1:10 BCP104",
    "a.bicep:1:19 BCP057",
  ]);
  assert.deepEqual(diagnosticsOf({ "/main.bicep": used("a.json"), "/a.json": "{" }), ["main.bicep:1:10 BCP188"]);
});

test("a template whose types are made from what is no resource type is warned about where it is used", () => {
  const derived = (source: unknown) => ({
    type: "object",
    metadata: { "__bicep_resource_derived_type!": source, "__bicep_export!": true },
  });
  const json = JSON.stringify({
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    contentVersion: "1.0.0.0",
    resources: [],
    definitions: {
      bad: { type: "object", properties: { self: { $ref: "#/definitions/bad" }, a: { $ref: "#/definitions/worse" } } },
      worse: { type: "array", items: derived({ source: "A.B/c@2020-01-01#properties/x/nobody" }) },
      named: { type: "array", prefixItems: [derived("?")], metadata: { "__bicep_export!": true } },
      fine: derived({ source: "A.B/c@2020-01-01#properties/x/items/prefixItems/0/additionalProperties" }),
    },
    parameters: { a: { $ref: "#/definitions/bad", nullable: true } },
    outputs: { b: { ...derived("nonsense"), value: {} }, c: { ...derived("A.B/c@2020-01-01"), value: {} } },
  });

  assert.deepEqual(
    diagnosticsOf({
      "/main.bicep": `${used("a.json")}import { named, fine } from 'a.json'\nparam n named\nparam f fine\noutput o array = [n, f]\n`,
      "/a.json": json,
    }),
    ["main.bicep:1:10 BCP392", "main.bicep:1:10 BCP393", "main.bicep:4:10 BCP392"],
  );
});

for (const [path, code] of [
  ["nobody.bicep", "BCP091"],
  ["folder", "BCP275"],
  ["main.bicep", "BCP094"],
  ["x.bicepparam", "BCP277"],
  ["br:example.org/a:1", "BCP190"],
  ["ts:00000000-0000-0000-0000-000000000000/g/n:1", "BCP190"],
] as const) {
  test(`a module at ${path} is ${code}`, () => {
    const files = { "/main.bicep": used(path), "/folder/x.txt": "", "/x.bicepparam": "using none\n" };

    assert.deepEqual(diagnosticsOf(files), [`main.bicep:1:10 ${code}`]);
  });
}

test("files that use each other in a circle are BCP095 in each of them", () => {
  assert.deepEqual(
    diagnosticsOf({ "/main.bicep": used("a.bicep"), "/a.bicep": used("b.bicep"), "/b.bicep": used("main.bicep") }),
    ["main.bicep:1:10 BCP095", "a.bicep:1:10 BCP095", "b.bicep:1:10 BCP095"],
  );
});

test("a file outside of a circle that it leads to only has a broken module", () => {
  assert.deepEqual(
    diagnosticsOf({ "/main.bicep": used("a.bicep"), "/a.bicep": used("b.bicep"), "/b.bicep": used("a.bicep") }),
    ["main.bicep:1:10 BCP104", "a.bicep:1:10 BCP095", "b.bicep:1:10 BCP095"],
  );
});

test("a chain of files has a largest length, and a longer one ends in a diagnostic", () => {
  const chain = (length: number): Files =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => [
        index === 0 ? "/main.bicep" : `/f${index}.bicep`,
        index === length - 1 ? "" : used(`f${index + 1}.bicep`),
      ]),
    );

  assert.deepEqual(diagnosticsOf(chain(100)), []);
  const codes = new Set(diagnosticsOf(chain(2000)).map((line) => line.split(" ")[1]));
  assert.deepEqual(codes, new Set(["BCP091"]));
});

test("files are limited in number and in size, each and together", () => {
  const files = { "/main.bicep": used("a.bicep"), "/a.bicep": "// a comment\n" };

  assert.deepEqual(diagnosticsOf(files, { limits: { maxFiles: 1 } }), ["main.bicep:1:10 BCP091"]);
  assert.deepEqual(diagnosticsOf(files, { limits: { maxTotalBytes: 40 } }), ["main.bicep:1:10 BCP091"]);
  assert.deepEqual(diagnosticsOf(files, { limits: { maxFileBytes: 10 } }), ["main.bicep:1:1 BCP091"]);
  assert.deepEqual(diagnosticsOf({ "/main.bicep": new Uint8Array(10_000_000) }), ["main.bicep:1:1 BCP091"]);
});

test("a file that does not exist has a diagnostic at its start", () => {
  assert.deepEqual(diagnosticsOf({}), ["main.bicep:1:1 BCP091"]);
});

test("bytes that are no UTF-8 are warned about where they are, also in strings; NUL is an error", () => {
  const text = new TextEncoder().encode("output a string = 'x?'\n");
  text[20] = 0xff;

  assert.deepEqual(diagnosticsOf({ "/main.bicep": text }), ["main.bicep:1:21 invalid-utf8"]);
  assert.deepEqual(diagnosticsOf({ "/main.bicep": "output a string = 'x\uFFFD'\n" }), []);
  assert.ok(diagnosticsOf({ "/main.bicep": "var a = \0 1\n" }).some((line) => line.endsWith("BCP001")));
});

test("a byte order mark is no part of the text, and UTF-16 is read", () => {
  const utf16 = new Uint8Array([0xff, 0xfe, ...Array.from("var a = 1", (char) => [char.charCodeAt(0), 0]).flat()]);

  assert.deepEqual(diagnosticsOf({ "/main.bicep": "\uFEFFvar a = 1\n" }), ["main.bicep:1:5 no-unused-vars"]);
  assert.deepEqual(diagnosticsOf({ "/main.bicep": utf16 }), ["main.bicep:1:5 no-unused-vars"]);
});

test("a broken configuration is reported on the file, at its start", () => {
  assert.deepEqual(diagnosticsOf({ "/main.bicep": "", "/bicepconfig.json": "{" }), ["main.bicep:1:1 BCP271"]);
});

test("rules of the linter have the levels of the configuration, and pragmas switch them off", () => {
  const config = `{ "analyzers": { "core": { "rules": { "no-unused-vars": { "level": "error" } } } } }`;
  const { compilation } = compile({ "/main.bicep": "var a = 1\n", "/bicepconfig.json": config });

  assert.deepEqual(
    compilation.diagnostics("/main.bicep")[0]?.diagnostics.map(({ level }) => level),
    ["error"],
  );
  assert.equal(compilation.emitTemplate("/main.bicep", { generatorVersion: "1" }), undefined);
  assert.deepEqual(diagnosticsOf({ "/main.bicep": "#disable-next-line no-unused-vars\nvar a = 1\n" }), []);
  assert.deepEqual(
    diagnosticsOf({
      "/main.bicep": "var a = 1\n",
      "/bicepconfig.json": `{ "analyzers": { "core": { "enabled": false } } }`,
    }),
    [],
  );
});

test("no pragma hides what makes a file unreadable", () => {
  const deep = `#disable-diagnostics nesting-too-deep BCP057\noutput a array = ${"[".repeat(5000)}${"]".repeat(5000)}\n`;

  assert.deepEqual(
    diagnosticsOf({ "/main.bicep": deep }).map((line) => line.split(" ")[1]),
    ["nesting-too-deep"],
  );
});

test("restored modules are read from where the host says", () => {
  const artifacts = new Map([["br:example.org/a:1", "/cache/main.json"]]);
  const { compilation } = compile(
    { "/main.bicep": used("br:example.org/a:1"), "/cache/main.json": armTemplate },
    { artifacts },
  );

  assert.deepEqual(found(compilation), []);
  assert.deepEqual(
    compilation.artifacts("/main.bicep").map(({ reference, kind, restored }) => [reference.text, kind, restored]),
    [["br:example.org/a:1", "module", true]],
  );
});

test("parameters files are compiled with the template that they name and the file that they extend", () => {
  const { compilation } = compile(
    {
      "/main.bicepparam":
        "using 'main.bicep'\nextends 'base.bicepparam'\nparam b = 'x${readEnvironmentVariable('V')}'\n",
      "/base.bicepparam": "using none\nparam a = 1\n",
      "/main.bicep": "param a int\nparam b string\noutput c string = '${a}${b}'\n",
    },
    { environment: { V: "y" } },
  );

  assert.deepEqual(found(compilation, "/main.bicepparam"), []);
  assert.deepEqual(JSON.parse(compilation.emitParameters("/main.bicepparam")?.text ?? "").parameters, {
    a: { value: 1 },
    b: { value: "xy" },
  });
});

test("compiling a repository again after one edit reads and parses only the file that changed", () => {
  const sources: Record<string, string> = { "/main.bicep": "" };
  for (let index = 0; index < 49; index += 1) {
    sources["/main.bicep"] += `module m${index} 'sub/f${index}.bicep' = {\n  name: 'm${index}'\n}\n`;
    sources[`/sub/f${index}.bicep`] = `output text string = loadTextContent('../text.txt')\noutput n int = ${index}\n`;
  }
  const { compilation, files } = compile({ ...sources, "/text.txt": "a" });
  assert.deepEqual(found(compilation), []);
  const first = compilation.counters;
  assert.equal(first.filesParsed, 50);

  files.set("/sub/f7.bicep", "output n int = 'seven'\n");
  compilation.update("/sub/f7.bicep");

  assert.deepEqual(found(compilation), ["main.bicep:22:11 BCP104", "sub/f7.bicep:1:16 BCP033"]);
  const second = compilation.counters;
  assert.equal(second.filesRead - first.filesRead, 1);
  assert.equal(second.filesParsed - first.filesParsed, 1);
  assert.equal(second.filesChecked - first.filesChecked, 2); // the file, and the one that uses it
});

test("a change to a loaded file, a configuration or a folder is seen, and parses nothing again", () => {
  const { compilation, files } = compile({
    "/main.bicep":
      "output a string = loadTextContent('a.txt')\noutput b array = loadDirectoryFileInfo('d')\nvar c = 1\n",
    "/d/one": "",
  });
  const parsed = () => compilation.counters.filesParsed;
  assert.deepEqual(found(compilation), ["main.bicep:1:35 BCP091", "main.bicep:3:5 no-unused-vars"]);
  const before = parsed();

  files.set("/a.txt", "text");
  compilation.update("/a.txt");
  assert.deepEqual(found(compilation), ["main.bicep:3:5 no-unused-vars"]);

  files.set("/bicepconfig.json", `{ "analyzers": { "core": { "enabled": false } } }`);
  compilation.update("/bicepconfig.json");
  assert.deepEqual(found(compilation), []);

  files.set("/d/two", "");
  compilation.update("/d/two");
  const template = JSON.parse(compilation.emitTemplate("/main.bicep", { generatorVersion: "1" })?.text ?? "");
  assert.match(JSON.stringify(template), /d\/two/u);
  assert.equal(parsed(), before);
});

test("a module that appears, breaks and is mended is seen each time", () => {
  const { compilation, files } = compile({ "/main.bicep": used("a.bicep") });
  assert.deepEqual(found(compilation), ["main.bicep:1:10 BCP091"]);

  for (const [text, expected] of [
    ["output a int = 1\n", []],
    [used("main.bicep"), ["main.bicep:1:10 BCP095", "a.bicep:1:10 BCP095"]],
    ["output a int = 1\n", []],
  ] as const) {
    files.set("/a.bicep", text);
    compilation.update("/a.bicep");
    assert.deepEqual(found(compilation), expected);
  }
});

test("updates in any order give what a new compilation gives", () => {
  const names = ["/main.bicep", "/a.bicep", "/b.bicep", "/c.bicep"];
  const text = fc.constantFrom(
    "",
    "var x = 1\n",
    "output o string = nobody\n",
    ...names.map((name) => used(name.slice(1))),
    `${used("a.bicep")}module n 'b.bicep' = {\n  name: 'n'\n}\n`,
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 12 }), (edits) => {
      const { compilation, files } = compile({ "/main.bicep": used("a.bicep") });
      for (const [name, content] of edits) {
        files.set(name, content);
        compilation.update(name);
        assert.deepEqual(found(compilation), diagnosticsOf(Object.fromEntries(files)));
      }
    }),
    { numRuns: 60 },
  );
});

const strict = `{ "analyzers": { "core": { "rules": { "no-unused-vars": { "level": "error" }, "no-such-rule": {} } } } }`;

test("an unknown rule of the configuration is told once, whatever the number of files", () => {
  const files = { "/main.bicep": used("a.bicep"), "/a.bicep": "", "/bicepconfig.json": strict };

  assert.deepEqual(diagnosticsOf(files), ["main.bicep:1:1 unknown-linter-rule"]);
});

test("without the linter no rule keeps a file from being emitted", () => {
  const files = { "/main.bicep": "var unused = 1\n", "/bicepconfig.json": strict };
  const withLinter = compile(files).compilation;
  const without = compile(files, { lint: false }).compilation;

  assert.equal(withLinter.emitTemplate("/main.bicep", { generatorVersion: "" }), undefined);
  assert.notEqual(without.emitTemplate("/main.bicep", { generatorVersion: "" }), undefined);
  assert.deepEqual(found(without), ["main.bicep:1:1 unknown-linter-rule"]);
});

const armTemplate = JSON.stringify({
  $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  contentVersion: "1.0.0.0",
  resources: [],
});
