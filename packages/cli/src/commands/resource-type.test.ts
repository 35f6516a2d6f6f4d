import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";
import { widgetsManifest } from "../testing/widgets.ts";

let server: TestControlPlane;
let sandbox: Sandbox;
before(async () => {
  server = await startControlPlane();
  sandbox = await createConnectedSandbox(server);
  await writeFile(join(sandbox.home, "widgets.yaml"), widgetsManifest);
});
after(async () => {
  await sandbox[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const two = `namespace: Contoso.Pair
types:
  firsts: { apiVersions: { "2025-01-01": { schema: {} } } }
  seconds: { apiVersions: { "2025-01-01": { schema: {} }, "2025-02-01-preview": { schema: {} } } }
`;

test("each type of a manifest is reported as created, also the second time", async () => {
  const first = await sandbox.rad(["resource-type", "create", "-f", "-"], { stdin: two });
  const second = await sandbox.rad(["rt", "create", "-f", "-"], { stdin: two });

  const stdout = "Contoso.Pair/firsts created\nContoso.Pair/seconds created\n";
  assert.deepEqual(first, { code: 0, stdout, stderr: "" });
  assert.deepEqual(second, first);
});

test("one type of a manifest can be chosen, beside those there are", async () => {
  const manifest = two.replaceAll("Contoso.Pair", "Contoso.One");
  await sandbox.rad(["rt", "create", "firsts", "-f", "-"], { stdin: manifest });

  const { stdout } = await sandbox.rad(["rt", "create", "seconds", "-f", "-"], { stdin: manifest });

  assert.equal(stdout, "Contoso.One/seconds created\n");
  const list = await sandbox.rad(["rt", "list"]);
  assert.match(list.stdout, /^Contoso\.One\/firsts +Contoso\.One +\["2025-01-01"\]$/m);
  assert.match(list.stdout, /^Contoso\.One\/seconds +Contoso\.One +\["2025-01-01","2025-02-01-preview"\]$/m);
});

test("a type is shown with its properties, nested ones in tables of their own", async () => {
  await sandbox.rad(["rt", "create", "-f", "widgets.yaml"]);

  const { stdout } = await sandbox.rad(["rt", "show", "Contoso.Test/widgets"]);

  const lines = stdout.split("\n");
  assert.match(lines[0] ?? "", /^TYPE +NAMESPACE$/);
  assert.match(lines[1] ?? "", /^Contoso\.Test\/widgets +Contoso\.Test$/);
  assert.ok(stdout.includes("Something to test with"));
  assert.ok(stdout.indexOf("TOP-LEVEL PROPERTIES:") < stdout.indexOf("OBJECT PROPERTIES:"));
  assert.match(stdout, /^NAME +TYPE +REQUIRED +READ-ONLY +DESCRIPTION$/m);
  assert.match(stdout, /^size +integer +false +false +How large$/m);
  assert.match(stdout, /^host +string +false +true +$/m);
  assert.match(stdout, /^environment +string +true +false/m);
  assert.match(stdout, /\nnested\n\nNAME .*\ninner +string/);
});

test("JSON has upstream's keys", async () => {
  await sandbox.rad(["rt", "create", "-f", "widgets.yaml"]);

  const shown = JSON.parse((await sandbox.rad(["rt", "show", "widgets", "-o", "json"])).stdout) as Record<
    string,
    unknown
  >;
  const list = JSON.parse((await sandbox.rad(["rt", "list", "-o", "json"])).stdout) as Record<string, unknown>[];

  assert.deepEqual(Object.keys(shown), ["Name", "Description", "ResourceProviderNamespace", "APIVersions"]);
  const listed = list.find((type) => type["Name"] === "Contoso.Test/widgets");
  assert.deepEqual(listed?.["APIVersionList"], ["2025-01-01-preview"]);
});

test("types of one namespace that are registered at the same time all end up usable", async () => {
  const names = ["alphas", "betas", "gammas", "deltas"];
  const manifest = (name: string) =>
    `namespace: Contoso.Race\ntypes: {${name}: {apiVersions: {"2025-01-01": {schema: {}}}}}`;

  const results = await Promise.all(
    names.map((name) => sandbox.rad(["rt", "create", "-f", "-"], { stdin: manifest(name) })),
  );

  assert.deepEqual(
    results.map((result) => result.stderr),
    ["", "", "", ""],
  );
  for (const name of names) {
    const made = await sandbox.rad(["resource", "create", `Contoso.Race/${name}`, "r", "-f", "-"], {
      stdin: "{properties: {}}",
    });
    assert.equal(made.code, 0, made.stderr);
  }
});

test("an icon belongs to one type and must be harmless", async () => {
  await writeFile(join(sandbox.home, "good.svg"), '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>');
  await writeFile(join(sandbox.home, "bad.svg"), "<svg><script>alert(1)</script></svg>");

  const good = await sandbox.rad(["rt", "create", "widgets", "-f", "widgets.yaml", "--icon", "good.svg"]);
  const bad = await sandbox.rad(["rt", "create", "widgets", "-f", "widgets.yaml", "--icon", "bad.svg"]);
  const many = await sandbox.rad(["rt", "create", "-f", "-", "--icon", "good.svg"], { stdin: two });

  assert.equal(good.code, 0, good.stderr);
  assert.match(bad.stderr, /InvalidIcon/);
  assert.match(many.stderr, /InvalidUsage/);
});

test("a bad manifest is refused with all its problems, and nothing is sent", async () => {
  const stdin = "namespace: lower.case\nextra: 1\ntypes:\n  Bad: {apiVersions: {}}\n";

  const { code, stderr } = await sandbox.rad(["rt", "create", "-f", "-"], { stdin });

  assert.equal(code, 1);
  assert.match(stderr, /Code: {2}InvalidManifest\n\n$/);
  assert.ok(stderr.split("\n").filter((line) => line.startsWith("stdin")).length >= 3, stderr);
});

test("deleting a type that has resources is refused with their list", async () => {
  await sandbox.rad(["rt", "create", "firsts", "-f", "-"], { stdin: two.replaceAll("Contoso.Pair", "Contoso.Busy") });
  await sandbox.rad(["resource", "create", "Contoso.Busy/firsts", "r1", "-f", "-"], { stdin: '{"properties":{}}' });

  const busy = await sandbox.rad(["rt", "delete", "Contoso.Busy/firsts", "--yes"]);
  await sandbox.rad(["resource", "delete", "Contoso.Busy/firsts", "r1", "--yes"]);
  const free = await sandbox.rad(["rt", "delete", "Contoso.Busy/firsts", "--yes"]);
  const gone = await sandbox.rad(["rt", "delete", "Contoso.Busy/firsts", "--yes"]);

  assert.equal(busy.code, 1);
  assert.match(busy.stderr, /^Error: [^]*r1[^]*^Code: {2}Conflict$/m);
  assert.equal(free.stdout, "Contoso.Busy/firsts deleted\n");
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /ResourceTypeNotFound/);
});

test("resource providers are created, listed, shown and deleted", async () => {
  const manifest = two.replaceAll("Contoso.Pair", "Contoso.Provider");

  const created = await sandbox.rad(["resource-provider", "create", "-f", "-"], { stdin: manifest });
  const list = await sandbox.rad(["rp", "list"]);
  const shown = await sandbox.rad(["rp", "show", "contoso.provider", "-o", "json"]);
  const deleted = await sandbox.rad(["rp", "delete", "Contoso.Provider", "-y"]);
  const again = await sandbox.rad(["rp", "delete", "Contoso.Provider", "-y"]);

  assert.equal(created.stdout, "System.Resources/resourceProviders/Contoso.Provider created\n");
  assert.match(list.stdout, /^RESOURCE +TYPE +STATE\n/);
  assert.match(list.stdout, /^Contoso\.Provider +$/m);
  assert.deepEqual(Object.keys((JSON.parse(shown.stdout) as { resourceTypes: object }).resourceTypes).sort(), [
    "firsts",
    "seconds",
  ]);
  assert.equal(deleted.stdout, "System.Resources/resourceProviders/Contoso.Provider deleted\n");
  assert.equal(again.stdout, "System.Resources/resourceProviders/Contoso.Provider not found\n");
  assert.match((await sandbox.rad(["rp", "show", "Contoso.Provider"])).stderr, /ResourceProviderNotFound/);
});
