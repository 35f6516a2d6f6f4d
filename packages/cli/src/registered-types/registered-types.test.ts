import assert from "node:assert/strict";
import { copyFile, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";

const radiusTypes = async () => (await import("@rad/radius-types")).builtInTypes;
const examples = new URL("../../../../examples/", import.meta.url).pathname;

const manifest = (properties: string) => `namespace: Contoso.Own
types:
  boards:
    apiVersions:
      "2025-01-01":
        schema:
          type: object
          properties:
            ${properties}
`;

const board = (properties: string) => `extension radius
resource b 'Contoso.Own/boards@2025-01-01' = {
  name: 'b'
  properties: {
    environment: ''
    ${properties}
  }
}
`;

let server: TestControlPlane;
before(async () => {
  server = await startControlPlane();
});
after(() => server[Symbol.asyncDispose]());

/** A home whose workspace is that server, and `rad` with the types of Radius. */
async function open(files: Readonly<Record<string, string>> = {}) {
  const sandbox = await createConnectedSandbox(server);
  const write = async (name: string, text: string) => {
    await mkdir(join(sandbox.home, name, ".."), { recursive: true });
    await writeFile(join(sandbox.home, name), text);
  };
  for (const [name, text] of Object.entries(files)) {
    await write(name, text);
  }
  return {
    home: sandbox.home,
    write,
    rad: (...args: readonly string[]) => sandbox.rad(args, { radiusTypes }),
    /** Points the workspace elsewhere, as if somebody had changed its URL. */
    moveWorkspace: async (url: string) => {
      const config = await readFile(sandbox.configPath, "utf8");
      await writeFile(sandbox.configPath, config.replace(server.url, url));
    },
    /** The one file of the cache. */
    cacheFile: async () => {
      const folder = join(sandbox.home, ".rad", "cache", "types");
      const [name = ""] = await readdir(folder);
      return join(folder, name);
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

async function register(rad: (...args: readonly string[]) => ReturnType<Sandbox["rad"]>): Promise<void> {
  const { code, stderr } = await rad("resource-type", "create", "-f", "boards.yaml");
  assert.deepEqual([code, stderr], [0, ""]);
}

/** A connection on which nobody answers as a control plane would. */
async function startStranger(status: number, body: string) {
  const stranger = createServer((_, response) => {
    response.writeHead(status, { "content-type": "text/html" }).end(body);
  });
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      stranger.closeAllConnections();
      await new Promise((resolve) => stranger.close(resolve));
    },
  };
}

test("the type of the README is checked and deployed from Bicep", async () => {
  await using lab = await open();
  await copyFile(join(examples, "message-boards.yaml"), join(lab.home, "boards.yaml"));
  const source = await readFile(join(examples, "lobby.bicep"), "utf8");
  await lab.write("lobby.bicep", source);
  await lab.write("wrong.bicep", source.replace("topics:", "topicz:"));
  await register(lab.rad);

  const deployed = await lab.rad("deploy", "lobby.bicep", "-o", "json");
  const shown = await lab.rad("resource", "show", "Example.Boards/messageBoards", "lobby-from-bicep", "-o", "json");
  const wrong = await lab.rad("deploy", "wrong.bicep");

  assert.equal(deployed.code, 0, deployed.stderr);
  assert.doesNotMatch(deployed.stderr, /Warning|Info/);
  const { properties } = JSON.parse(shown.stdout) as { properties: Record<string, unknown> };
  assert.deepEqual([properties["retentionDays"], properties["moderatorKey"]], [30, null]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /wrong\.bicep\(\d+,5\) : Error BCP089: .*"topics"/);
});

test("build and lint check registered types from the cache and say of when it is", async () => {
  await using lab = await open({ "boards.yaml": manifest("size: { type: integer }"), "app.bicep": board("size: 'a'") });
  await register(lab.rad);
  await utimes(await lab.cacheFile(), new Date("2026-03-01T09:30:00Z"), new Date("2026-03-01T09:30:00Z"));
  const remark = `Info registered-types: Types from the cache, as ${server.url} had them on 2026-03-01 09:30 UTC: Contoso.Own/boards@2025-01-01.\n`;

  const built = await lab.rad("bicep", "build", "app.bicep", "--stdout");
  const linted = await lab.rad("bicep", "lint", "app.bicep");
  const quiet = await lab.rad("bicep", "lint", "app.bicep", "--quiet");

  assert.equal(built.code, 0, built.stderr);
  assert.equal(JSON.parse(built.stdout).resources.b.import, "radius");
  for (const { stderr } of [built, linted]) {
    assert.ok(stderr.startsWith(remark), stderr);
    assert.match(stderr, /app\.bicep\(6,11\) : Warning BCP036: /);
  }
  assert.doesNotMatch(quiet.stderr, /registered-types/);
});

test("as SARIF the remark is a notification, and the document stays one", async () => {
  await using lab = await open({ "boards.yaml": manifest("size: { type: integer }"), "app.bicep": board("size: 'a'") });
  await register(lab.rad);

  const { stderr } = await lab.rad("bicep", "lint", "app.bicep", "--diagnostics-format", "sarif");

  const [run] = (JSON.parse(stderr) as { runs: Record<string, never>[] }).runs;
  const { invocations, results } = run as unknown as {
    invocations: { toolExecutionNotifications: { level: string; descriptor: { id: string } }[] }[];
    results: { ruleId: string }[];
  };
  assert.deepEqual(
    invocations[0]?.toolExecutionNotifications.map(({ level, descriptor }) => `${level} ${descriptor.id}`),
    ["note registered-types"],
  );
  assert.deepEqual(
    results.map(({ ruleId }) => ruleId),
    ["BCP036"],
  );
});

test("without registered types the build is the one of every machine", async () => {
  await using lab = await open({ "boards.yaml": manifest("size: { type: integer }"), "app.bicep": board("size: 'a'") });
  await register(lab.rad);

  const { code, stderr } = await lab.rad("bicep", "lint", "app.bicep", "--no-registered-types");

  assert.equal(code, 0);
  assert.match(stderr, /^\S+app\.bicep\(2,12\) : Warning BCP081: .* register it with "rad resource-type create/);
  assert.doesNotMatch(stderr, /registered-types:/);
});

test("whatever registers or deletes types brings the cache up to date", async () => {
  await using lab = await open({ "boards.yaml": manifest("size: { type: integer }").replace("Own", "Brief") });
  await lab.write("app.bicep", board("size: 1").replace("Own", "Brief"));
  const isKnown = async () => !(await lab.rad("bicep", "lint", "app.bicep")).stderr.includes("BCP081");
  const steps = [
    ["resource-type", "create", "-f", "boards.yaml"],
    ["resource-type", "delete", "Contoso.Brief/boards", "--yes"],
    ["resource-provider", "create", "-f", "boards.yaml"],
    ["resource-provider", "delete", "Contoso.Brief", "--yes"],
  ] as const;

  const known: boolean[] = [];
  for (const step of steps) {
    assert.equal((await lab.rad(...step)).code, 0);
    known.push(await isKnown());
  }

  assert.deepEqual(known, [true, false, true, false]);
});

test("deploy asks the control plane, which answers 304 while the cache holds and sends what has changed", async () => {
  await using lab = await open({
    "boards.yaml": manifest("shade: { type: integer }"),
    "app.bicep": board("shade: 1\n    tone: 'new'"),
  });
  await register(lab.rad);
  const ask = () => lab.rad("deploy", "app.bicep", "--what-if", "--verbose");

  const old = await ask();
  await using other = await open({
    "boards.yaml": manifest("tone: { type: string }\n            shade: { type: integer }"),
  });
  await register(other.rad);
  const changed = await ask();
  const cached = await ask();

  assert.match(old.stderr, /\/providers\?\S* 304\n/);
  assert.match(old.stderr, /Error BCP037: .*"tone"/);
  assert.match(changed.stderr, /\/providers\?\S* 200\n/);
  assert.doesNotMatch(changed.stderr, /BCP037/);
  assert.match(cached.stderr, /\/providers\?\S* 304\n/);
});

test("an unregistered type says how to register it, in the file and from the control plane", async () => {
  await using lab = await open({ "app.bicep": board("").replace("Contoso.Own/boards", "Contoso.Nobody/things") });
  await lab.write("radius.bicep", board("").replace("Contoso.Own/boards", "Radius.Nobody/things"));

  const azure = await lab.rad("deploy", "app.bicep");
  const radius = await lab.rad("deploy", "radius.bicep");

  for (const { code, stderr } of [azure, radius]) {
    assert.equal(code, 1);
    const [diagnostic = "", ...rest] = stderr.split("\n").filter((line) => line.includes("rad resource-type create"));
    assert.match(diagnostic, /\.bicep\(2,12\) : Warning BCP081: /);
    assert.ok(rest.length > 0, stderr);
  }
});

test("another control plane's cache does not answer", async () => {
  await using lab = await open({ "boards.yaml": manifest("size: { type: integer }"), "app.bicep": board("size: 'a'") });
  await register(lab.rad);

  const here = await lab.rad("bicep", "lint", "app.bicep", "-w", "test");
  await lab.moveWorkspace("http://127.0.0.1:1");
  const elsewhere = await lab.rad("bicep", "lint", "app.bicep");
  const nowhere = await lab.rad("bicep", "lint", "app.bicep", "-w", "nowhere");

  assert.match(elsewhere.stderr, /BCP081/);
  assert.match(here.stderr, /BCP036/);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stderr, /WorkspaceNotFound/);
});

for (const [name, damage] of [
  ["is no JSON", () => "{"],
  ["is of another control plane", (text: string) => text.replace("http://127.0.0.1", "http://127.0.0.2")],
  ["holds something else", () => "[]"],
  ["holds types that are none", (text: string) => text.replace('"types":[{', '"types":[7,{')],
] as const) {
  test(`a cache that ${name} is ignored with a warning, until it is written anew`, async () => {
    await using lab = await open({ "boards.yaml": manifest("a: { type: integer }"), "app.bicep": board("a: 'a'") });
    await register(lab.rad);
    const file = await lab.cacheFile();
    await writeFile(file, damage(await readFile(file, "utf8")));

    const broken = await lab.rad("bicep", "lint", "app.bicep");
    const restored = await lab.rad("bicep", "restore", "app.bicep");
    const whole = await lab.rad("bicep", "lint", "app.bicep");

    assert.equal(broken.code, 0);
    assert.match(broken.stderr, /^Warning registered-types: The cache of registered types is ignored: /);
    assert.match(broken.stderr, /BCP081/);
    assert.match(restored.stderr, /^Registered types of http:\S+ restored: \d+\n$/);
    assert.match(whole.stderr, /BCP036/);
  });
}

test("a control plane that is away is stood in for by the cache, which is said", async () => {
  await using lab = await open({ "boards.yaml": manifest("size: { type: integer }"), "app.bicep": board("size: 'a'") });
  await using own = await startControlPlane();
  await lab.rad("workspace", "create", "server", "own", "--url", own.url, "--token-file", own.tokenFile);
  for (const args of [
    ["group", "create", "dev"],
    ["resource-type", "create", "-f", "boards.yaml"],
  ]) {
    assert.equal((await lab.rad(...args, "-w", "own")).code, 0);
  }
  await own[Symbol.asyncDispose]();

  const deployed = await lab.rad("deploy", "app.bicep", "-w", "own", "-g", "dev");
  const restored = await lab.rad("bicep", "restore", "app.bicep", "-w", "own");

  assert.equal(deployed.code, 1);
  assert.match(
    deployed.stderr,
    /^Warning registered-types: http:\S+ did not say which types it has registered, so the cache answers with those of \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Could not reach/m,
  );
  assert.match(deployed.stderr, /app\.bicep\(6,11\) : Warning BCP036: /);
  assert.equal(restored.code, 0);
  assert.match(restored.stderr, /^Warning registered-types: http:\S+ did not say which types/);
});

for (const [name, status, body] of [
  ["a web page", 200, "<html></html>"],
  ["a refusal", 403, "{}"],
  ["an error", 500, ""],
  ["control characters", 400, JSON.stringify({ error: { code: "Bad", message: "a\u001b[31m\nb\u0007" } })],
] as const) {
  test(`somebody else's server that answers with ${name} is no source of types`, async () => {
    await using lab = await open({ "app.bicep": board("") });
    await using stranger = await startStranger(status, body);
    await lab.moveWorkspace(stranger.url);

    const { code, stderr } = await lab.rad("bicep", "restore", "app.bicep");

    assert.equal(code, 0);
    assert.match(
      stderr,
      /^Warning registered-types: http:\S+ did not say .* so types of your own are not checked\. .*\n$/,
    );
    assert.ok(!stderr.includes("\u001b") && !stderr.includes("\u0007"));
  });
}

test("a package that cannot be restored keeps a file from being deployed", async () => {
  await using lab = await open({
    "app.bicep": "extension aws\n",
    "bicepconfig.json": `{ "extensions": { "aws": "br:127.0.0.1:1/aws:latest" } }`,
  });

  const { code, stderr } = await lab.rad("deploy", "app.bicep");

  assert.equal(code, 1);
  assert.match(stderr, /app\.bicep\(1,11\) : Error BCP192: /);
});

test("a broken configuration of rad does not keep a file from compiling", async () => {
  await using lab = await open({ "app.bicep": "extension radius\n", ".rad/config.yaml": "workspaces: [" });

  const { code, stderr } = await lab.rad("bicep", "lint", "app.bicep");

  assert.equal(code, 0);
  assert.match(stderr, /^Warning registered-types: The registered types are not known\. /);
});

test("a schema that no type can be made of leaves its resources unchecked", async () => {
  await using lab = await open({ "boards.yaml": manifest("size: { type: integer }"), "app.bicep": board("size: 'a'") });
  await register(lab.rad);
  const file = await lab.cacheFile();
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace('"size":{"type":"integer"}', '"size":{"$ref":"#/nowhere"}'));

  const { code, stderr } = await lab.rad("bicep", "lint", "app.bicep");

  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stderr, /BCP/);
});

test("a package of all registered types is a whole extension radius", async () => {
  await using lab = await open({
    "boards.yaml": manifest("size: { type: integer }"),
    "app.bicep": `${board("size: 'a'")}resource c 'Applications.Core/containers@2023-10-01-preview' = {\n  name: 'c'\n}\n`,
    "bicepconfig.json": `{ "extensions": { "radius": "radius.tgz" } }`,
  });
  await register(lab.rad);

  const generated = await lab.rad("bicep", "generate-types", "--target", "radius.tgz", "-o", "json");
  const again = await lab.rad("bicep", "generate-types", "--target", "radius.tgz");
  const linted = await lab.rad("bicep", "lint", "app.bicep", "--no-registered-types");

  assert.equal(generated.code, 0, generated.stderr);
  assert.ok(JSON.parse(generated.stdout).types > 30);
  assert.match(again.stderr, /FileExists/);
  assert.match(linted.stderr, /app\.bicep\(6,11\) : Warning BCP036: /);
  assert.match(linted.stderr, /app\.bicep\(9,10\) : Warning BCP035: /);
});
