import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { after, before, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, createSandbox, startControlPlane } from "../testing/sandbox.ts";

let server: TestControlPlane;
before(async () => {
  server = await startControlPlane();
});
after(() => server[Symbol.asyncDispose]());

/** No registry is asked: the types that are built in stand in for those that `bicepconfig.json` names. */
const offline = { HTTPS_PROXY: "http://127.0.0.1:9", https_proxy: "http://127.0.0.1:9" };

async function ok(sandbox: Sandbox, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.rad(args, { env: offline });
  assert.equal(code, 0, `rad ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** The rest of the groups and environments that other tests have made would be offered, too. */
async function ownServer(): Promise<TestControlPlane> {
  return await startControlPlane();
}

for (const [flags, environmentType, containerType] of [
  [[], "Applications.Core/environments", "Applications.Core/containers"],
  [["--preview"], "Radius.Core/environments", "Radius.Compute/containers"],
] as const) {
  test(`rad init --yes ${flags.join(" ")} makes a group, an environment and files that deploy as they are`, async () => {
    await using own = await ownServer();
    await using sandbox = await createConnectedSandbox(own);

    const stdout = await ok(sandbox, "init", "--yes", "-a", "shop", ...flags);

    assert.match(stdout, /^Initializing Radius \.\.\.\n\n✅ Use workspace test\n/);
    assert.match(
      stdout,
      /^✅ Create new environment default\n.*group: default\n.*namespace: default\n✅ Scaffold application shop$/m,
    );
    assert.match(stdout, /\n✅ Update local configuration\n\nRadius is ready\. .*`rad deploy app\.bicep`\.\n$/);
    const { scope, environment } = JSON.parse(await ok(sandbox, "workspace", "show", "-o", "json"));
    assert.match(scope, /resourceGroups\/default$/i);
    assert.ok(environment.endsWith(`/providers/${environmentType}/default`), environment);

    await ok(sandbox, "deploy", "app.bicep");
    assert.match(
      await ok(sandbox, "resource", "list", containerType, "-a", "shop"),
      /^demo +\S+ +default +Succeeded$/m,
    );
    assert.match(await ok(sandbox, "app", "graph", "shop"), /^Name: demo /m);
  });
}

test("a second rad init changes nothing: environments and files that are there stay as they are", async () => {
  await using own = await ownServer();
  await using sandbox = await createConnectedSandbox(own);
  await writeFile(join(sandbox.home, "app.bicep"), "// mine\n");
  const first = JSON.parse(await ok(sandbox, "init", "--yes", "-a", "shop", "-o", "json"));

  const second = JSON.parse(await ok(sandbox, "init", "--yes", "-a", "shop", "-o", "json"));

  const path = (name: string): string => join(sandbox.home, name);
  assert.deepEqual(first, {
    workspace: "test",
    group: "default",
    environment: { id: first.environment.id, status: "created" },
    application: "shop",
    files: [
      { path: path("app.bicep"), status: "kept" },
      { path: path("bicepconfig.json"), status: "created" },
    ],
  });
  assert.equal(second.environment.status, "kept");
  assert.deepEqual(
    second.files.map(({ status }: { status: string }) => status),
    ["kept", "kept"],
  );
  assert.equal(await readFile(path("app.bicep"), "utf8"), "// mine\n");
  assert.deepEqual((await readdir(sandbox.home)).sort(), [".rad", "app.bicep", "bicepconfig.json"]);
});

test("flags choose the environment, its group and namespace; without an application there is only the configuration", async () => {
  await using sandbox = await createConnectedSandbox(server);

  await ok(sandbox, "init", "-y", "--no-app", "-e", "stage", "-g", "team", "--kubernetes-namespace", "stage-ns");

  const shown = JSON.parse(await ok(sandbox, "env", "show", "stage", "-g", "team", "-o", "json"));
  assert.equal(shown.properties.compute.namespace, "stage-ns");
  assert.deepEqual((await readdir(sandbox.home)).sort(), [".rad", "bicepconfig.json"]);
  assert.deepEqual(JSON.parse(await readFile(join(sandbox.home, "bicepconfig.json"), "utf8")).extensions, {
    radius: "br:biceptypes.azurecr.io/radius:latest",
    aws: "br:biceptypes.azurecr.io/aws:latest",
  });
});

test("an environment of one name in two groups has to be told apart", async () => {
  await using own = await ownServer();
  await using sandbox = await createConnectedSandbox(own);
  for (const group of ["one", "two"]) {
    await ok(sandbox, "group", "create", group);
    await ok(sandbox, "env", "create", "default", "-g", group, "--kubernetes-namespace", group);
  }

  const { code, stderr } = await sandbox.rad(["init", "--yes"]);
  const chosen = JSON.parse(await ok(sandbox, "init", "--yes", "-g", "two", "--no-app", "-o", "json"));

  assert.equal(code, 1);
  assert.match(stderr, /one, two.*`--group <name>`\.\nCode: {2}AmbiguousEnvironment/);
  assert.equal(chosen.group, "two");
});

for (const [what, args, code] of [
  ["no terminal and no --yes", [], "ConfirmationRequired"],
  ["a chart's value", ["--yes", "--set", "a=b"], "NotInThisVersion"],
  ["a kube context", ["--yes", "--kubecontext", "kind"], "NotInThisVersion"],
  ["a bad application name", ["--yes", "-a", "My App"], "InvalidApplicationName"],
  ["a bad environment name", ["--yes", "-e", "a/b"], "InvalidResourceName"],
  ["a bad namespace", ["--yes", "--kubernetes-namespace", "A_B"], "InvalidNamespace"],
  ["an application and none", ["--yes", "--no-app", "-a", "shop"], "InvalidUsage"],
] as const) {
  test(`rad init with ${what} is an error, and writes nothing`, async () => {
    await using sandbox = await createConnectedSandbox(server);
    const before = await readFile(sandbox.configPath, "utf8");

    const { code: exit, stdout, stderr } = await sandbox.rad(["init", ...args]);

    assert.equal(exit, 1);
    assert.equal(stdout, "");
    assert.match(stderr, new RegExp(`^Code: {2}${code}$`, "m"));
    assert.equal(await readFile(sandbox.configPath, "utf8"), before);
    assert.deepEqual(await readdir(sandbox.home), [".rad"]);
  });
}

test("without a workspace and without a server rad init says how to start one", async () => {
  await using sandbox = await createSandbox();

  const { code, stderr } = await sandbox.rad(["initialize", "--yes"]);

  assert.equal(code, 1);
  assert.match(stderr, /`rad server start`, then `rad init` again.*\nCode: {2}NoControlPlane/);
  assert.deepEqual(await readdir(sandbox.home), []);
});

/** Answers questions: when the text appears, the keys are pressed. */
async function answering(
  sandbox: Sandbox,
  args: readonly string[],
  answers: readonly (readonly [question: string, keys: readonly string[]])[],
  folder = "",
) {
  const keyboard = new PassThrough();
  const left = [...answers];
  let shown = "";
  return await sandbox.rad(args, {
    keyboard,
    folder,
    env: offline,
    onOutput: (text) => {
      shown += text;
      const [next] = left;
      if (next !== undefined && shown.includes(next[0])) {
        left.shift();
        shown = "";
        void press(keyboard, next[1]);
      }
    },
  });
}

async function press(keyboard: PassThrough, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await nextTurn();
    keyboard.write(key);
  }
}

const [enter, down, ctrlC] = ["\r", "\u001b[B", "\u0003"];

test("on a terminal rad init asks about the application, and takes its name from the folder where that is one", async () => {
  await using own = await ownServer();
  await using sandbox = await createConnectedSandbox(own);

  await mkdir(join(sandbox.home, "shop"));
  await mkdir(join(sandbox.home, "My Shop"));

  const plain = await answering(sandbox, ["init"], [["Set up an application", [enter]]], "shop");
  const asked = await answering(
    sandbox,
    ["init"],
    [
      ["Set up an application", [enter]],
      ["Name of the application", ["b", "a", "r", enter]],
    ],
    "My Shop",
  );

  assert.equal(plain.code, 0, plain.stderr);
  assert.equal(asked.code, 0, asked.stderr);
  assert.match(await readFile(join(sandbox.home, "shop", "app.bicep"), "utf8"), /name: 'shop'/);
  assert.match(await readFile(join(sandbox.home, "My Shop", "app.bicep"), "utf8"), /name: 'bar'/);
});

test("with --full rad init asks for everything, and No at the end changes nothing", async () => {
  await using own = await ownServer();
  await using sandbox = await createConnectedSandbox(own);
  await ok(sandbox, "env", "create", "old", "-g", "dev");

  const { code, stderr } = await answering(
    sandbox,
    ["init", "--full", "-a", "shop"],
    [
      ["Environment", [enter]],
      ["Name of the environment", ["n", "e", "w", enter]],
      ["Kubernetes namespace", [enter]],
      ["Go on with this?", ["n"]],
    ],
  );
  const chosen = await answering(
    sandbox,
    ["init", "--full", "--no-app"],
    [
      ["Environment", [down, enter]],
      ["Go on with this?", ["y"]],
    ],
  );

  assert.equal(code, 0, stderr);
  assert.match(stderr, /Environment: new in group new \(new\)/);
  assert.match(stderr, /Cancelled; no environment and no file was created\./);
  assert.equal(chosen.code, 0, chosen.stderr);
  assert.match(chosen.stdout, /^✅ Use environment old$/m);
  assert.doesNotMatch(await ok(sandbox, "group", "list"), /^new /m);
});

test("Ctrl+C at a question ends with 130 and creates nothing", async () => {
  await using own = await ownServer();
  await using sandbox = await createConnectedSandbox(own);

  const { code } = await answering(sandbox, ["init"], [["Set up an application", [ctrlC]]]);

  assert.equal(code, 130);
  assert.deepEqual(await readdir(sandbox.home), [".rad"]);
  assert.doesNotMatch(await ok(sandbox, "group", "list"), /^default /m);
});
