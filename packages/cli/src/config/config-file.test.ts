import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { parse } from "yaml";
import { loadConfig, updateConfig } from "./config-file.ts";
import type { Workspace } from "./workspace.ts";
import { serverConnection } from "./workspace.ts";

async function temporaryConfig(text?: string): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "rad-config-"));
  const path = join(folder, ".rad", "config.yaml");
  if (text !== undefined) {
    await mkdir(dirname(path));
    await writeFile(path, text);
  }
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** Runs `body`, an edit of the config at `path`, in a process of its own. */
function editInProcess(path: string, body: string) {
  const source = `
    const { updateConfig } = await import(${JSON.stringify(new URL("./config-file.ts", import.meta.url).href)});
    const { serverConnection } = await import(${JSON.stringify(new URL("./workspace.ts", import.meta.url).href)});
    const path = ${JSON.stringify(path)};
    ${body}`;
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

test("a missing file is an empty configuration, and reading does not create it", async () => {
  await using config = await temporaryConfig();

  const { current, workspaces } = await loadConfig(config.path);

  assert.equal(current, "");
  assert.equal(workspaces.size, 0);
  await assert.rejects(lstat(config.path), { code: "ENOENT" });
});

test("what is written is what upstream reads, and no more", async () => {
  await using config = await temporaryConfig();

  await updateConfig(config.path, (edit) => {
    const scope = "/planes/radius/local/resourceGroups/dev";
    edit.put({ name: "dev", connection: serverConnection("http://127.0.0.1:9000"), scope });
    edit.setCurrent("dev");
  });

  assert.deepEqual(parse(await readFile(config.path, "utf8")), {
    workspaces: {
      default: "dev",
      items: {
        dev: {
          connection: { kind: "kubernetes", context: "", overrides: { ucp: "http://127.0.0.1:9000" } },
          scope: "/planes/radius/local/resourceGroups/dev",
        },
      },
    },
  });
  assert.equal((await lstat(config.path)).mode & 0o777, 0o600);
});

test("comments, order and foreign keys survive an edit", async () => {
  const text = `# mine
other: {keep: me}
workspaces:
  default: Dev # the usual one
  items:
    # on the laptop
    Dev:
      connection:
        kind: kubernetes
        context: kind-dev # do not touch
      environment: /planes/radius/local/resourceGroups/a/providers/Applications.Core/environments/e
`;
  await using config = await temporaryConfig(text);

  await updateConfig(config.path, (edit) => {
    const dev = edit.config.workspaces.get("dev");
    assert.ok(dev);
    edit.put({ ...dev, scope: "/planes/radius/local/resourceGroups/b" });
  });

  const after = await readFile(config.path, "utf8");
  const added = "      scope: /planes/radius/local/resourceGroups/b\n";
  assert.equal(after.replace(added, ""), text.replace("{keep: me}", "{ keep: me }"));
  assert.ok(after.includes(added));
});

test("names are the same in any case", async () => {
  await using config = await temporaryConfig("workspaces:\n  items:\n    DEV: {connection: {kind: kubernetes}}\n");

  await updateConfig(config.path, (edit) => edit.put({ name: "dev", connection: serverConnection("http://h") }));

  assert.deepEqual([...(await loadConfig(config.path)).workspaces.keys()], ["dev"]);
  assert.match(await readFile(config.path, "utf8"), /DEV:/);
});

for (const [what, text] of [
  ["an unknown key under workspaces", "workspaces: {current: dev}"],
  ["an unknown key of a workspace", "workspaces: {items: {dev: {connection: {kind: kubernetes}, group: x}}}"],
  ["an unknown key under connection", "workspaces: {items: {dev: {connection: {kind: kubernetes, url: x}}}}"],
  ["an unknown override", "workspaces: {items: {dev: {connection: {kind: kubernetes, overrides: {x: y}}}}}"],
  ["another kind", "workspaces: {items: {dev: {connection: {kind: docker}}}}"],
  ["no connection", "workspaces: {items: {dev: {}}}"],
  ["a duplicate key", "workspaces: {}\nworkspaces: {}"],
  [
    "the same name in another case",
    "workspaces: {items: {a: {connection: {kind: kubernetes}}, A: {connection: {kind: kubernetes}}}}",
  ],
  ["a list", "- a"],
  ["wrong types", "workspaces: {default: [1]}"],
  ["broken YAML", "workspaces: {"],
  ["two documents", "a: 1\n---\nb: 2"],
] as const) {
  test(`a file with ${what} is refused and left alone`, async () => {
    await using config = await temporaryConfig(text);

    await assert.rejects(loadConfig(config.path), { code: "InvalidConfig" });
    await assert.rejects(
      updateConfig(config.path, (edit) => edit.setCurrent("x")),
      { code: "InvalidConfig" },
    );
    assert.equal(await readFile(config.path, "utf8"), text);
  });
}

test("an old connection.namespace is ignored with a warning", async () => {
  await using config = await temporaryConfig(
    "workspaces: {items: {dev: {connection: {kind: kubernetes, namespace: default}}}}",
  );

  const { warnings } = await loadConfig(config.path);

  assert.equal(warnings.length, 1);
});

test("empty sections are filled in", async () => {
  for (const text of [
    "",
    "# nothing yet\n",
    "workspaces:\n",
    "workspaces:\n  items:\n",
    "workspaces:\n  items: {}\n",
  ]) {
    await using config = await temporaryConfig(text);

    await updateConfig(config.path, (edit) => edit.put({ name: "a", connection: serverConnection("http://h") }));

    assert.equal((await loadConfig(config.path)).workspaces.size, 1, JSON.stringify(text));
  }
});

test("a link to the file stays a link", async () => {
  await using config = await temporaryConfig("workspaces: {}\n");
  const link = join(dirname(config.path), "link.yaml");
  await symlink(config.path, link);

  await updateConfig(link, (edit) => edit.setCurrent("x"));

  assert.ok((await lstat(link)).isSymbolicLink());
  assert.equal((await loadConfig(config.path)).current, "x");
});

test("whatever workspaces are put, the same are read", async () => {
  const name = fc.stringMatching(/^[a-z0-9]([a-z0-9._@:-]{0,20}[a-z0-9])?$/);
  const text = fc.string({ minLength: 1, maxLength: 30 });
  const workspace = fc.record({ ucp: fc.option(text), context: fc.string(), scope: fc.option(text) });
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, workspace, { maxKeys: 5 }), async (items) => {
      const workspaces = Object.entries(items).map(([name, { ucp, context, scope }]): Workspace => ({
        name,
        connection: { kind: "kubernetes", context, ...(ucp === null ? {} : { overrides: { ucp } }) },
        ...(scope === null ? {} : { scope }),
      }));
      await using config = await temporaryConfig();
      for (const workspace of workspaces) {
        await updateConfig(config.path, (edit) => edit.put(workspace));
      }

      const read = await loadConfig(config.path);

      const expected = new Map(workspaces.map((item) => [item.name, item]));
      assert.deepEqual(new Map(read.workspaces), expected);
    }),
    { numRuns: 30 },
  );
});

test("several processes at once lose none of their edits", async () => {
  await using config = await temporaryConfig();
  const processes = ["a", "b", "c", "d"].map((id) =>
    editInProcess(
      config.path,
      `for (let n = 0; n < 10; n++) {
         await updateConfig(path, (edit) => edit.put({ name: "${id}" + n, connection: serverConnection("http://h") }));
       }`,
    ),
  );

  const codes = await Promise.all(processes.map(async (child) => (await once(child, "exit"))[0] as number));

  assert.deepEqual(codes, [0, 0, 0, 0]);
  assert.equal((await loadConfig(config.path)).workspaces.size, 40);
});

test("a writer killed at any moment leaves the old file or the new one, and no lock", async () => {
  await using config = await temporaryConfig();
  for (let round = 0; round < 8; round += 1) {
    const child = editInProcess(
      config.path,
      `process.stdout.write("go");
       for (let n = 0; ; n++) {
         await updateConfig(path, (edit) => {
           for (let i = 0; i < 20; i++) edit.put({ name: "w" + i, connection: serverConnection("http://h" + n) });
         });
       }`,
    );
    await once(child.stdout, "data");
    await delay(5 + round * 7);
    child.kill("SIGKILL");
    await once(child, "exit");

    const { workspaces } = await loadConfig(config.path);
    const urls = new Set([...workspaces.values()].map((item) => item.connection.overrides?.ucp));
    assert.ok(workspaces.size === 0 || (workspaces.size === 20 && urls.size === 1));
  }

  await updateConfig(config.path, (edit) => edit.setCurrent("w0"));
  assert.deepEqual((await readdir(dirname(config.path))).sort(), ["config.yaml", "config.yaml.lock"]);
});
