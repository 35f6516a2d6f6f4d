import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import { DeployingErrorCode } from "@rad/client/deploying";
import { loadServerConfig } from "@rad/control-plane";
import { atOnce, isJsonObject, statusByCode } from "@rad/core";
import { compileSchema, parseManifest } from "@rad/resource-types";
import { documentation } from "../../packages/control-plane/src/front-page/front-page-route.ts";
import { configurationPage } from "./configuration-page.ts";
import { referencePages } from "./reference-pages.ts";

const root = path.join(import.meta.dirname, "..", "..");

function read(file: string): Promise<string> {
  return readFile(path.join(root, file), "utf8");
}

/** Without what the formatter adds to align tables. */
function squeeze(text: string): string {
  return text.replaceAll(/ +/g, " ").replaceAll(/\|[-| ]+\|/g, "|-|");
}

it("docs/errors.md has every error code with its status, and no other", async () => {
  const page = await read("docs/errors.md");
  const listed = [...page.matchAll(/^\| `(\w+)`\s*\| (\d+)/gm)].map(([, code, status]) => [code, Number(status)]);

  assert.deepEqual(Object.fromEntries(listed), statusByCode);
});

it("docs/deploying.md has every code of errors that come before a request", async () => {
  const page = await read("docs/deploying.md");

  assert.deepEqual(
    Object.values(DeployingErrorCode).filter((code) => !page.includes(`\`${code}\``)),
    [],
  );
});

it("docs/configuration.md is what npm run docs writes", async () => {
  assert.equal(squeeze(await read("docs/configuration.md")), squeeze(configurationPage()));
});

it("docs/reference has what npm run docs writes, and nothing else", async () => {
  const pages = referencePages();
  const existing = globSync("docs/reference/**/*.md", { cwd: root }).map((file) =>
    path.relative("docs/reference", file),
  );

  assert.deepEqual(existing.sort(byName), pages.map(({ file }) => file).sort(byName));
  for (const { file, text } of pages) {
    assert.equal(squeeze(await read(`docs/reference/${file}`)), squeeze(text), file);
  }
});

it("every piece of configuration in the pages is accepted by the server", async () => {
  for (const file of globSync("docs/*.md", { cwd: root })) {
    for (const [, text = ""] of (await read(file)).matchAll(/```yaml\n(.*?)```/gs)) {
      assert.doesNotThrow(() => loadServerConfig({ text, file, env: { DB_PASSWORD: "secret" } }));
    }
  }
});

it("docs/cli.md has every command that rad --help shows, and no other", async () => {
  const page = await read("docs/cli.md");
  const listed = [...page.matchAll(/^\| `rad ([a-z -]+)`/gm)].map(([, command = ""]) => command);
  const actual: string[] = [];
  for (const command of ["resource-provider", ...commandsOf([])]) {
    const below = commandsOf([command]);
    actual.push(...(below.length === 0 || command === "server" ? [command] : []));
    actual.push(...below.map((name) => `${command} ${name}`));
  }

  assert.deepEqual(listed.sort(byName), actual.sort(byName));
});

it("docs/coming-from-upstream.md says of every command truly whether it is there", async () => {
  const page = await read("docs/coming-from-upstream.md");
  const [, table = ""] = /\n## Commands\n(.*?)\n## /s.exec(page) ?? [];
  const top = ["resource-provider", ...commandsOf([])];
  const rows = [...table.matchAll(/^\| (`rad .*?) +\| (.*?) *\|$/gm)];

  assert.ok(rows.length > 30);
  for (const [, commands = "", here = ""] of rows) {
    for (const [, command = "", below] of commands.matchAll(/`rad ([a-z-]+)(?: ([a-z-]+))?`/g)) {
      const exists = top.includes(command) && (below === undefined || commandsOf([command]).includes(below));
      assert.equal(
        exists,
        here.startsWith("the same") || here.startsWith(`\`rad ${command}`),
        `rad ${command} ${below}`,
      );
    }
  }
});

it("every link between the pages leads somewhere", async () => {
  for (const file of globSync("{*.md,docs/**/*.md}", { cwd: root })) {
    for (const [, target = ""] of (await read(file)).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
      const place = path.join(root, path.dirname(file), target);
      assert.ok(existsSync(place), `${file} links to ${target}`);
    }
  }
});

it("every page that a server names on its front page exists", () => {
  for (const file of documentation) {
    assert.ok(existsSync(path.join(root, file)), file);
  }
});

it("every record in docs/decisions is in its list and says its status", async () => {
  const list = await read("docs/decisions/README.md");
  for (const file of globSync("docs/decisions/0*.md", { cwd: root })) {
    assert.ok(list.includes(path.basename(file)), `${file} is not in the list`);
    assert.match(await read(file), /^Status: (accepted|superseded by )/m, file);
  }
});

it("the example resource fits the example type, and the README's broken one does not", async () => {
  const manifest = parseManifest(await read("examples/message-boards.yaml"), "message-boards.yaml");
  const schema = compileSchema(manifest.types[0]?.apiVersions[0]?.schema ?? {});
  const lobby: unknown = JSON.parse(await read("examples/lobby.json"));
  assert.ok(isJsonObject(lobby) && isJsonObject(lobby["properties"]));

  assert.deepEqual(atOnce(schema.validate(lobby["properties"])), []);
  assert.notEqual(atOnce(schema.validate({ title: 7 })).length, 0);
});

/** The names under "Commands:" in the help of a command, as the pages write them: `app` for `application`. */
function commandsOf(command: readonly string[]): string[] {
  const help = execFileSync(path.join(root, "rad"), [...command, "--help"], { encoding: "utf8" });
  const [, list = ""] = /\nCommands:\n((?: .*\n)+)/.exec(help) ?? [];
  return [...list.matchAll(/^ {2}([a-z-]+)(?:\|([a-z-]+))?/gm)]
    .map(([, name = "", alias = name]) => (name.startsWith(alias) ? alias : name))
    .filter((name) => name !== "help");
}

function byName(a: string, b: string): number {
  return a.localeCompare(b);
}
