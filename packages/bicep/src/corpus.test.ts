import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { parseJson, TemplateError } from "@rad/templates";
import type { Value } from "@rad/templates";
import { Compilation, createMemoryHost, formatBicep, parseBicep, parseParams } from "./index.ts";
import type { BicepHost, YamlRead } from "./index.ts";
import { rules } from "./lint/rules.ts";
import { knownByName } from "./lint/rules/known-by-name.ts";

// A case is a `.bicep` or `.bicepparam` file. What it needs lies in the folder of the same name beside it, and what is
// expected of it in `name.json` (the output, when there are no errors) and `name.diagnostics` (when there are any
// diagnostics). With CORPUS_UPDATE set the expectations are written instead of checked: read the diff before you keep it.

const folder = fileURLToPath(new URL("../corpus", import.meta.url));
const update = process.env["CORPUS_UPDATE"] !== undefined;

const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
  .sort();
const known = new Set(names);
const cases = names.filter((name) => isSource(name) && !isSideFile(name));

const files = new Map(names.map((name) => [`/${name}`, readFileSync(join(folder, name))]));
const host = createHost(files);

for (const name of cases) {
  it(`compiles ${name} as expected`, () => {
    const actual = compile(name);

    if (update) {
      write(expectationOf(name, "diagnostics"), actual.diagnostics);
      write(expectationOf(name, "json"), actual.json);
      return;
    }
    assert.equal(actual.diagnostics, read(expectationOf(name, "diagnostics")));
    assert.equal(actual.json, read(expectationOf(name, "json")));
  });
}

it("leads from the values of each compiled template back to lines that exist", () => {
  for (const name of cases.filter((each) => each.endsWith(".bicep") && known.has(expectationOf(each, "json")))) {
    const result = new Compilation({ host }).emitTemplate(`/${name}`, { generatorVersion: "test", sourceMap: true });
    assert.ok(result?.sourceMap !== undefined);
    for (const [path, place] of result.sourceMap.entries()) {
      const lines = files.get(place.file)?.toString().split("\n") ?? [];

      assert.notEqual(valueAt(result.json, path), undefined, `${name}: ${path.join("/")} is in the template`);
      assert.ok(place.column <= (lines[place.line - 1]?.length ?? -1) + 1, `${name}: ${path.join("/")} has a source`);
      assert.deepEqual(result.sourceMap.find([...path, "no such member"]), place);
    }
  }
});

it("compiles each valid case to the same template when it is formatted", () => {
  for (const name of cases.filter((each) => known.has(expectationOf(each, "json")))) {
    const text = formatted(name, readFileSync(join(folder, name), "utf8"));

    assert.equal(compile(name, withText(name, text)).json, compile(name).json, name);
    assert.equal(formatted(name, text), text, name);
  }
});

it("has enough valid files, files of several-file cases and invalid cases", () => {
  const invalid = cases.filter((name) => !known.has(expectationOf(name, "json")));
  const sources = names.filter((name) => isSource(name) && !invalid.includes(name));
  const inCompany = names.filter((name) => isSideFile(name) && !name.startsWith("invalid/"));

  assert.ok(sources.length >= 200, `${sources.length} valid files`);
  assert.ok(inCompany.length >= 50, `${inCompany.length} files beside others`);
  assert.ok(invalid.length >= 150, `${invalid.length} invalid cases`);
});

it("has a case for every rule of the linter that can find something", () => {
  const found = new Set(
    names.filter((name) => name.endsWith(".diagnostics")).flatMap((name) => read(name)?.match(/[a-z-]+$/gmu) ?? []),
  );

  const missing = rules.filter((rule) => !knownByName.includes(rule) && !found.has(rule.name));

  assert.deepEqual(missing, []);
});

it("has no expectation without its case", () => {
  const expected = new Set(cases.flatMap((name) => ["json", "diagnostics"].map((end) => expectationOf(name, end))));

  const lost = names.filter((name) => name.endsWith(".diagnostics") && !expected.has(name));

  assert.deepEqual(lost, []);
});

function createHost(content: ReadonlyMap<string, string | Uint8Array>): BicepHost {
  const types = Array.from(files).filter(([path]) => path.startsWith("/restored/shop/"));
  return createMemoryHost({
    files: content,
    packages: new Map([["/restored/shop.tgz", new Map(types.map(([path, bytes]) => [basename(path), bytes]))]]),
    artifacts: new Map([
      ["br:registry.example.org/modules/network:v1", "/restored/network.json"],
      ["ts:11111111-1111-1111-1111-111111111111/specs/network:v1", "/restored/network.json"],
      ["br:registry.example.org/extensions/shop:1.0", "/restored/shop.tgz"],
    ]),
    environment: { CORPUS_REGION: "west", CORPUS_REPLICAS: "3" },
    parseYaml,
  });
}

function withText(name: string, text: string): BicepHost {
  return createHost(new Map<string, string | Uint8Array>(files).set(`/${name}`, text));
}

function formatted(name: string, text: string): string {
  return formatBicep(name.endsWith(".bicepparam") ? parseParams(text) : parseBicep(text), {
    newlineKind: text.includes("\r\n") ? "CRLF" : "LF",
  });
}

function compile(name: string, from = host): { diagnostics: string | undefined; json: string | undefined } {
  const compilation = new Compilation({ host: from });
  const path = `/${name}`;
  const lines: string[] = [];
  let failed = false;
  for (const file of compilation.diagnostics(path)) {
    const prefix = file.path === path ? "" : `${relative(dirname(path), file.path)} `;
    for (const { span, level, code } of file.diagnostics) {
      const { line, column } = file.lineMap.position(span.start);
      lines.push(`${prefix}${line}:${column} ${level} ${code}\n`);
      failed ||= level === "error";
    }
  }
  const diagnostics = lines.length === 0 ? undefined : lines.join("");
  if (failed) {
    return { diagnostics, json: undefined };
  }
  const result = name.endsWith(".bicepparam")
    ? compilation.emitParameters(path)
    : compilation.emitTemplate(path, { generatorVersion: "test" });
  return { diagnostics, json: result && `${result.text}\n` };
}

function valueAt(value: Value | undefined, path: readonly (string | number)[]): Value | undefined {
  const [first, ...rest] = path;
  if (first === undefined) {
    return value;
  }
  if (value instanceof Map) {
    return valueAt((value as ReadonlyMap<string, Value>).get(String(first)), rest);
  }
  return Array.isArray(value) ? valueAt((value as readonly Value[])[Number(first)], rest) : undefined;
}

function isSource(name: string): boolean {
  return name.endsWith(".bicep") || name.endsWith(".bicepparam");
}

function isSideFile(name: string): boolean {
  for (let parent = dirname(name); parent !== "."; parent = dirname(parent)) {
    if (known.has(`${parent}.bicep`) || known.has(`${parent}.bicepparam`)) {
      return true;
    }
  }
  return false;
}

function expectationOf(name: string, ending: string): string {
  return `${name.slice(0, name.lastIndexOf("."))}.${ending}`;
}

function read(name: string): string | undefined {
  return known.has(name) ? readFileSync(join(folder, name), "utf8") : undefined;
}

function write(name: string, content: string | undefined): void {
  if (content === undefined) {
    rmSync(join(folder, name), { force: true });
  } else {
    writeFileSync(join(folder, name), content);
  }
}

/** The YAML of the corpus is JSON too: a reader of the rest is for the host to bring, not for the compiler to test. */
function parseYaml(text: string): YamlRead {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (error instanceof TemplateError) {
      return { error: error.message };
    }
    throw error;
  }
}
