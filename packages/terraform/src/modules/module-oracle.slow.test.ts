import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, it } from "node:test";
import { promisify } from "node:util";
import { atOnce } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { realConfigInspect } from "../testing/config-inspect.ts";
import { contentsOf } from "./inspect-module.ts";
import { moduleCases } from "./module-cases.ts";
import type { ModuleContents } from "./module-contents.ts";
import { readModuleFiles } from "./module-files.ts";
import { parseHcl } from "./parse-hcl.ts";

/** What terraform-config-inspect prints, as far as we read it. */
interface Inspected {
  readonly variables: Readonly<Record<string, JsonObject>>;
  readonly outputs: Readonly<Record<string, JsonObject>>;
  readonly required_providers: Readonly<
    Record<
      string,
      {
        readonly source?: string;
        readonly version_constraints?: readonly string[];
        readonly aliases?: readonly { readonly name: string; readonly alias: string }[];
      }
    >
  >;
  readonly diagnostics?: readonly JsonObject[];
}

const run = promisify(execFile);
let root = "";
let program = "";
const ours: ModuleContents[] = [];

before(async () => {
  program = await realConfigInspect();
  root = await mkdtemp(path.join(tmpdir(), "rad-modules-"));
  for (const [index, { files }] of moduleCases.entries()) {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(root, String(index), name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
  // All in one thread: starting it takes longer than the rest.
  const folders = moduleCases.map((_, index) => path.join(root, String(index)));
  const read = await Promise.all(folders.map(async (folder) => (await readModuleFiles(folder, folder)).files));
  const parsed = await parseHcl(read.flat().filter(({ isJson }) => !isJson));
  let next = 0;
  for (const files of read) {
    const count = files.filter(({ isJson }) => !isJson).length;
    ours.push(atOnce(contentsOf(files, parsed.slice(next, next + count))));
    next += count;
  }
});

after(async () => await rm(root, { recursive: true, force: true }));

for (const [index, { name, differs }] of moduleCases.entries()) {
  const what = differs === undefined ? "is read as terraform-config-inspect does" : `differs: ${differs}`;
  it(`${name}: ${what}`, async () => {
    const { stdout } = await run(program, ["--json", path.join(root, String(index))]);
    const theirs = JSON.parse(stdout) as Inspected;
    const contents = ours[index] ?? assert.fail();

    assert.deepEqual(theirs.diagnostics ?? [], []);
    assert.deepEqual(contents.diagnostics, []);
    if (differs === undefined) {
      assert.deepEqual(normalOurs(contents), normalTheirs(theirs));
    } else {
      assert.notDeepEqual(normalOurs(contents), normalTheirs(theirs));
    }
  });
}

function normalOurs({ variables, outputs, requiredProviders }: ModuleContents): JsonValue {
  return {
    variables: Object.fromEntries(
      variables.map(({ name, type, description, default: value, required, sensitive, position }) => [
        name,
        [type ?? "", description ?? "", value ?? null, required, sensitive, position.file, position.line],
      ]),
    ),
    outputs: Object.fromEntries(outputs.map(({ name, sensitive }) => [name, sensitive])),
    requiredProviders: Object.fromEntries(
      Object.entries(requiredProviders).map(([name, { source, version, configurationAliases }]) => [
        name,
        [source ?? "", version ?? "", [...configurationAliases]],
      ]),
    ),
  };
}

function normalTheirs({ variables, outputs, required_providers: providers }: Inspected): JsonValue {
  return {
    variables: Object.fromEntries(
      Object.values(variables).map((variable) => {
        const { name, type, description, default: value, required, sensitive, pos } = variable;
        const { filename, line } = pos as { filename: string; line: number };
        return [
          name,
          [
            type ?? "",
            description ?? "",
            value ?? null,
            required ?? false,
            sensitive ?? false,
            path.basename(filename),
            line,
          ],
        ];
      }),
    ),
    outputs: Object.fromEntries(Object.values(outputs).map(({ name, sensitive }) => [name, sensitive ?? false])),
    requiredProviders: Object.fromEntries(
      Object.entries(providers).map(([name, { source, version_constraints: versions, aliases }]) => [
        name,
        [source ?? "", (versions ?? []).join(","), (aliases ?? []).map((ref) => `${ref.name}.${ref.alias}`)],
      ]),
    ),
  };
}
