import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { after, before, test } from "node:test";
import { createClient } from "@rad/client";
import type { JsonObject } from "@rad/core";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";
import { registerWidgets } from "../testing/widgets.ts";

let server: TestControlPlane;
before(async () => {
  server = await startControlPlane();
});
after(() => server[Symbol.asyncDispose]());

const plane = "/planes/radius/local/resourceGroups";
const subscription = "00000000-0000-0000-0000-000000000001";

/** A sandbox whose workspace works in a group that nobody else uses. */
async function inGroup(group: string): Promise<Sandbox> {
  const sandbox = await createConnectedSandbox(server);
  await ok(sandbox, "group", "create", group);
  await ok(sandbox, "group", "switch", group);
  return sandbox;
}

async function ok(sandbox: Sandbox, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.rad(args);
  assert.equal(code, 0, `rad ${args.join(" ")}: ${stderr}`);
  return stdout;
}

async function propertiesOf(sandbox: Sandbox, ...args: readonly string[]): Promise<JsonObject> {
  const { properties } = JSON.parse(await ok(sandbox, "env", "show", ...args, "-o", "json"));
  delete properties.provisioningState;
  return properties;
}

async function put(sandbox: Sandbox, type: string, name: string, properties: object, group?: string): Promise<string> {
  const stdin = JSON.stringify({ properties });
  const inside = group === undefined ? [] : ["-g", group];
  const { code, stdout, stderr } = await sandbox.rad(
    ["resource", "create", type, name, ...inside, "-f", "-", "-o", "json"],
    { stdin },
  );
  assert.equal(code, 0, stderr);
  return (JSON.parse(stdout) as { id: string }).id;
}

test("an environment is created with its name as namespace, listed, shown and deleted", async () => {
  await using sandbox = await inGroup("env-whole");

  assert.equal(await ok(sandbox, "env", "create", "dev"), "Applications.Core/environments/dev created\n");
  const table =
    "RESOURCE  TYPE                            GROUP      STATE\ndev       Applications.Core/environments  env-whole  Succeeded\n";
  assert.equal(await ok(sandbox, "env", "list"), table);
  assert.equal(await ok(sandbox, "environment", "show", "dev"), table);
  assert.deepEqual(await propertiesOf(sandbox, "dev"), { compute: { kind: "kubernetes", namespace: "dev" } });
  assert.equal(await ok(sandbox, "env", "delete", "dev", "-y"), "Applications.Core/environments/dev deleted\n");
  assert.equal(await ok(sandbox, "env", "delete", "dev", "-y"), "Applications.Core/environments/dev not found\n");
});

test("--preview creates one of Radius.Core with the default recipe pack, and shows its recipes", async () => {
  await using sandbox = await inGroup("env-preview");

  const created = await ok(sandbox, "env", "create", "next", "--preview");
  const shown = await ok(sandbox, "env", "show", "next");

  assert.equal(created, "Radius.Core/environments/next created\n");
  const { recipePacks, providers } = await propertiesOf(sandbox, "next");
  assert.deepEqual(providers, { kubernetes: { namespace: "default" } });
  assert.deepEqual(recipePacks, [`${plane}/default/providers/Radius.Core/recipePacks/default`]);
  const [resource, provider, recipes = ""] = shown.split("\n\n");
  assert.match(
    resource ?? "",
    /^RESOURCE +TYPE +GROUP +STATE\nnext +Radius\.Core\/environments +env-preview +Succeeded$/,
  );
  assert.equal(provider, "PROVIDER    PROPERTIES\nkubernetes  namespace: 'default'");
  const [heading, ...rows] = recipes.trimEnd().split("\n");
  assert.match(heading ?? "", /^RECIPE PACK +RESOURCE TYPE +RECIPE KIND +RECIPE SOURCE$/);
  assert.deepEqual(
    rows.map((row) => row.split(/ +/).slice(0, 3).join(" ")),
    ["containers", "persistentVolumes", "routes"]
      .map((type) => `default Radius.Compute/${type} bicep`)
      .concat("default Radius.Data/mySqlDatabases bicep", "default Radius.Security/secrets bicep"),
  );
});

test("clouds are scopes in one family and fields in the other, where they replace the default namespace", async () => {
  await using sandbox = await inGroup("env-clouds");
  const azure = ["--azure-subscription-id", subscription, "--azure-resource-group", "cloud"];
  const clouds = [...azure, "--aws-account-id", "123456789012", "--aws-region", "eu-west-1"];

  await ok(sandbox, "env", "create", "old", ...clouds, "--kubernetes-namespace", "shop");
  await ok(sandbox, "env", "create", "new", ...clouds, "--preview");

  assert.deepEqual(await propertiesOf(sandbox, "old"), {
    compute: { kind: "kubernetes", namespace: "shop" },
    providers: {
      azure: { scope: `/subscriptions/${subscription}/resourceGroups/cloud` },
      aws: { scope: "/planes/aws/aws/accounts/123456789012/regions/eu-west-1" },
    },
  });
  assert.deepEqual((await propertiesOf(sandbox, "new"))["providers"], {
    azure: { subscriptionId: subscription, resourceGroupName: "cloud" },
    aws: { accountId: "123456789012", region: "eu-west-1" },
  });
});

test("an update changes what the flags name and keeps the rest", async () => {
  await using sandbox = await inGroup("env-update");
  await put(sandbox, "Applications.Core/environments", "old", {
    compute: { kind: "kubernetes", namespace: "one" },
    providers: { aws: { scope: "/planes/aws/aws/accounts/1/regions/r" } },
    recipes: { "Applications.Datastores/redisCaches": { default: { templateKind: "bicep", templatePath: "a/b:1" } } },
  });
  const recipes = (await propertiesOf(sandbox, "old"))["recipes"];

  const updated = await ok(sandbox, "env", "update", "old", "--kubernetes-namespace", "two", "--clear-aws");

  assert.equal(updated, "Applications.Core/environments/old updated\n");
  const after = await propertiesOf(sandbox, "old");
  assert.deepEqual(after["compute"], { kind: "kubernetes", namespace: "two" });
  assert.deepEqual(after["recipes"], recipes);
  assert.deepEqual(Object.keys((after["providers"] ?? {}) as object), []);
});

test("an update of Radius.Core replaces packs, and gives an environment without providers its namespace back", async () => {
  await using sandbox = await inGroup("env-packs");
  const recipe = { kind: "bicep", source: "a/b:1" };
  const near = await put(sandbox, "Radius.Core/recipePacks", "near", {
    recipes: { "Radius.Data/redisCaches": recipe },
  });
  await ok(sandbox, "group", "create", "env-packs-far");
  const others = { recipes: { "Radius.Data/mySqlDatabases": recipe } };
  const far = await put(sandbox, "Radius.Core/recipePacks", "far", others, "env-packs-far");
  await ok(sandbox, "env", "create", "e", "--preview", "--recipe-packs", " near ,near", "--recipe-packs", far);
  assert.deepEqual((await propertiesOf(sandbox, "e"))["recipePacks"], [near, far]);

  const update = ["env", "update", "e", "--recipe-packs", "far", "--recipe-pack-group", "env-packs-far"];
  const { code, stdout, stderr } = await sandbox.rad([...update, "--clear-kubernetes"]);

  assert.equal(code, 0, stderr);
  assert.equal(stdout, "Radius.Core/environments/e updated\n");
  assert.match(stderr, /^Warning: the 2 recipe pack\(s\) that the environment has are replaced\.$/m);
  const cleared = await propertiesOf(sandbox, "e");
  assert.deepEqual(cleared["recipePacks"], [far]);
  assert.deepEqual(Object.keys((cleared["providers"] ?? {}) as object), []);
  await ok(sandbox, "env", "update", "e", "--clear-azure");
  assert.deepEqual((await propertiesOf(sandbox, "e"))["providers"], { kubernetes: { namespace: "default" } });
});

test("an update without any flag prints its help", async () => {
  await using sandbox = await inGroup("env-help");

  const { code, stdout } = await sandbox.rad(["env", "update", "whatever", "--preview"]);

  assert.equal(code, 0);
  assert.match(stdout, /^Usage: rad environment update \[options\] <name>/);
});

test("a name that both families have is ambiguous until a flag or RADIUS_PREVIEW says which one", async () => {
  await using sandbox = await inGroup("env-both");
  await ok(sandbox, "env", "create", "twin");
  await ok(sandbox, "env", "create", "twin", "--preview");
  const typeOf = async (args: readonly string[], env = {}) => {
    const { stdout, stderr } = await sandbox.rad(["env", "show", "twin", ...args, "-o", "json"], { env });
    return stdout.includes('"error"')
      ? /Code: +(\w+)/.exec(stderr)?.[1]
      : (JSON.parse(stdout) as { type: string }).type;
  };

  assert.equal(await typeOf([]), "AmbiguousEnvironment");
  assert.equal(await typeOf(["--preview"]), "Radius.Core/environments");
  assert.equal(await typeOf(["--preview=false"]), "Applications.Core/environments");
  assert.equal(await typeOf([], { RADIUS_PREVIEW: "TRUE" }), "Radius.Core/environments");
  assert.equal(await typeOf(["--no-preview"], { RADIUS_PREVIEW: "true" }), "Applications.Core/environments");
  const listed = async (...args: readonly string[]) =>
    (JSON.parse(await ok(sandbox, "env", "list", ...args, "-o", "json")) as unknown[]).length;
  assert.deepEqual([await listed(), await listed("--preview"), await listed("--no-preview")], [2, 1, 1]);
});

test("switching stores the id in the workspace, and the other commands use it", async () => {
  await using sandbox = await inGroup("env-switch");
  await ok(sandbox, "env", "create", "one");
  await ok(sandbox, "env", "create", "two", "--preview");

  assert.equal(await ok(sandbox, "env", "switch", "one"), 'Switched to environment "one"\n');
  assert.equal(await ok(sandbox, "env", "switch", "-e", "two"), 'Switched from environment "one" to "two"\n');
  assert.equal(await ok(sandbox, "env", "switch", "two"), 'Environment "two" is already the workspace\'s default\n');

  assert.match(
    await readFile(sandbox.configPath, "utf8"),
    /environment: \/planes\/radius\/local\/resource[gG]roups\/env-switch\/providers\/Radius\.Core\/environments\/two\n/,
  );
  assert.match(await ok(sandbox, "env", "show"), /^two /m);
  const { stderr } = await sandbox.rad(["env", "delete", "--yes"]);
  assert.match(stderr, /It was the environment of the workspace "test", which has none now/);
  assert.doesNotMatch(await readFile(sandbox.configPath, "utf8"), /environment:/);
});

test("deleting an environment takes its applications and their resources along, in that order", async () => {
  await using sandbox = await inGroup("env-cascade");
  await registerWidgets(sandbox);
  const other = await put(sandbox, "Radius.Core/environments", "other", {});
  const environment = await put(sandbox, "Radius.Core/environments", "doomed", {});
  const application = await put(sandbox, "Radius.Core/applications", "shop", { environment });
  const inside = await put(sandbox, "Contoso.Test/widgets", "inside", { application, environment: "" });
  const loose = await put(sandbox, "Contoso.Test/widgets", "loose", { environment });
  await put(sandbox, "Contoso.Test/widgets", "outside", { environment: other });

  const asked = await sandbox.rad(["env", "delete", "doomed"]);
  const done = await sandbox.rad(["env", "delete", "doomed", "-y", "-o", "json"]);

  assert.equal(asked.code, 1);
  assert.match(asked.stderr, /holds 3 resource\(s\), 1 of them application\(s\).*re-run with `--yes`/);
  assert.equal(done.code, 0, done.stderr);
  const { status, resources } = JSON.parse(done.stdout) as { status: string; resources: string[] };
  assert.equal(status, "deleted");
  assert.deepEqual(resources.sort(), [application, inside, loose].sort());
  const ended = done.stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { state: string; name: string })
    .filter(({ state }) => state === "Completed")
    .map(({ name }) => name);
  assert.deepEqual(ended.slice(0, 2).sort(), ["inside", "loose"]);
  assert.deepEqual(ended.slice(2), ["shop", "doomed"]);
  const left = JSON.parse(await ok(sandbox, "resource", "list", "-g", "env-cascade", "-o", "json")) as {
    name: string;
  }[];
  assert.deepEqual(left.map(({ name }) => name).sort(), ["other", "outside"]);
});

test("an environment with applications in another group is not deleted", async () => {
  await using sandbox = await inGroup("env-shared");
  const environment = await put(sandbox, "Radius.Core/environments", "shared", {});
  await ok(sandbox, "group", "create", "env-tenant");
  const application = await put(sandbox, "Radius.Core/applications", "shop", { environment }, "env-tenant");

  const { code, stderr } = await sandbox.rad(["env", "delete", "shared", "--yes"]);

  assert.equal(code, 1);
  assert.match(stderr, /applications in other groups\. Delete them first:\n {2}\S+\nCode: {2}EnvironmentInUse/);
  assert.ok(stderr.includes(application), stderr);
  await ok(sandbox, "env", "show", "shared");
});

test("answering No deletes nothing", async () => {
  await using sandbox = await inGroup("env-no");
  await ok(sandbox, "env", "create", "kept");
  const keyboard = new PassThrough();
  let isAsked = false;

  const { code, stderr } = await sandbox.rad(["env", "delete", "kept"], {
    keyboard,
    onOutput: (text) => {
      if (!isAsked && text.includes("Yes")) {
        isAsked = true;
        setImmediate(() => keyboard.write("n")); // the prompt listens only after it has drawn
      }
    },
  });

  assert.equal(code, 0);
  assert.match(stderr, /The environment "kept" is empty\. Delete it\?/);
  await ok(sandbox, "env", "show", "kept");
});

test("an update does not overwrite what somebody else changed in between", async () => {
  await using sandbox = await inGroup("env-race");
  await ok(sandbox, "env", "create", "raced");
  const client = createClient({ endpoint: server.url, token: server.token });
  const id = `${plane}/env-race/providers/Applications.Core/environments/raced`;
  const { etag } = await client.resources.getWithEtag(id, { apiVersion: "2023-10-01-preview" });

  await ok(sandbox, "env", "update", "raced", "--kubernetes-namespace", "mine");

  const body = { location: "global", properties: { compute: { kind: "kubernetes", namespace: "late" } } };
  await assert.rejects(client.resources.put(id, body, { apiVersion: "2023-10-01-preview", ifMatch: etag }), {
    status: 412,
  });
});

for (const [line, code] of [
  ["env show nope", "EnvironmentNotFound"],
  ["env show dev -g nowhere", "GroupNotFound"],
  ["env show a -e b", "InvalidUsage"],
  ["env show", "NoEnvironment"],
  ["env show /planes/radius/local/resourceGroups/g/providers/Radius.Core/applications/a", "InvalidResourceId"],
  ["env switch", "InvalidUsage"],
  ["env switch nope", "EnvironmentNotFound"],
  ["env list -g nowhere", "GroupNotFound"],
  ["env list -A -g dev", "InvalidUsage"],
  ["env create", "InvalidUsage"],
  ["env create a/b", "InvalidResourceName"],
  ["env create -x", "InvalidUsage"],
  ["env create dev -g nowhere", "GroupNotFound"],
  ["env create dev -g nowhere --preview", "GroupNotFound"],
  ["env create dev --kubernetes-namespace Big", "InvalidNamespace"],
  ["env create dev --kubernetes-namespace a -n b", "InvalidUsage"],
  ["env create dev --azure-subscription-id x", "InvalidUsage"],
  ["env create dev --azure-subscription-id x --azure-resource-group g", "InvalidSubscription"],
  ["env create dev --aws-region x", "InvalidUsage"],
  ["env create dev --recipe-packs a", "PreviewOnly"],
  ["env create dev --preview --recipe-packs ,", "InvalidUsage"],
  ["env create dev --preview --recipe-packs nope", "RecipePackNotFound"],
  ["env create dev --preview --recipe-packs /planes/x", "InvalidResourceId"],
  ["env create dev --preview --recipe-pack-group g", "InvalidUsage"],
  ["env update nope --clear-aws", "EnvironmentNotFound"],
  ["env update nope --clear-aws --aws-region x --aws-account-id 1", "InvalidUsage"],
  ["env lst", "UnknownCommand"],
] as const) {
  test(`rad ${line} fails with ${code}`, async () => {
    await using sandbox = await createConnectedSandbox(server);

    const result = await sandbox.rad(line.split(" "));

    assert.equal(result.code, 1);
    assert.equal(result.stdout, "");
    assert.ok(result.stderr.includes(`Code:  ${code}\n`), result.stderr);
  });
}

test("flags of Radius.Core are refused for an environment of the older family", async () => {
  await using sandbox = await inGroup("env-refuse");
  await ok(sandbox, "env", "create", "old");

  const { code, stderr } = await sandbox.rad(["env", "update", "old", "--clear-kubernetes"]);

  assert.equal(code, 1);
  assert.match(
    stderr,
    /^`--clear-kubernetes` is for environments of Radius\.Core only: add `--preview`\.\nCode: {2}PreviewOnly/,
  );
});

test("an older flag for the namespace still works, and says what replaces it", async () => {
  await using sandbox = await inGroup("env-alias");

  const { code, stderr } = await sandbox.rad(["env", "create", "dev", "-n", "shop"]);

  assert.equal(code, 0);
  assert.match(stderr, /--namespace has been deprecated, use --kubernetes-namespace instead/);
  assert.deepEqual((await propertiesOf(sandbox, "dev"))["compute"], { kind: "kubernetes", namespace: "shop" });
});

test("names are completed, and one that is nearly right is suggested", async () => {
  await using sandbox = await inGroup("env-near");
  await ok(sandbox, "env", "create", "production");

  const { stderr } = await sandbox.rad(["env", "show", "prodution"]);

  assert.match(stderr, /Did you mean "production"\?\nCode: {2}EnvironmentNotFound/);
  for (const verb of ["show", "switch", "update", "delete"]) {
    assert.equal(await ok(sandbox, "complete", "--", "env", verb, "pro"), "production\t\n:4\n");
  }
});
