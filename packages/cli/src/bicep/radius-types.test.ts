import assert from "node:assert/strict";
import { copyFile, glob, mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { test } from "node:test";
import { createSandbox } from "../testing/sandbox.ts";

const radiusTypes = async () => (await import("@rad/radius-types")).builtInTypes;
const examples = new URL("../../../../examples/", import.meta.url).pathname;

const app = (container: string, more = "") => `extension radius
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'app'
  properties: { environment: environment }
}
resource db 'Applications.Datastores/sqlDatabases@2023-10-01-preview' = {
  name: 'db'
  properties: { application: app.id, environment: environment }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  ${container}
}
${more}`;

const fine = "properties: { application: app.id, container: { image: 'web:1' } }";
const other = (type: string) => `resource other '${type}' = {\n  name: 'other'\n  properties: {}\n}\n`;

for (const [name, source, expected] of [
  ["nothing wrong", app(fine), []],
  [
    "a misspelt property",
    app(fine.replace("application:", "aplication:")),
    [/Warning BCP035: .*"application"/, /Error BCP089: .*"aplication".*"application"/],
  ],
  [
    "a property that no type has, beside the right one",
    app(fine.replace("application:", "aplication: '', application:")),
    [/Error BCP037: .*"aplication"/],
  ],
  ["a text for a number", app(fine.replace("'web:1'", "'a', ports: { web: { containerPort: '3000' } }")), [/BCP036/]],
  ["a number for a text", app(fine.replace("'web:1'", "3")), [/Warning BCP036: .*"image"/]],
  [
    "a type that does not exist",
    app(fine, other("Applications.Core/container@2023-10-01-preview")),
    [/Warning BCP081: .*Did you mean "Applications\.Core\/containers"\?/],
  ],
  [
    "a version that does not exist",
    app(fine, other("Applications.Core/containers@2022-01-01")),
    [/Warning BCP081: .*versions: "2023-10-01-preview"/],
  ],
  [
    "a misspelt member that is read",
    app(fine, "output a string = web.propertis.foo\n"),
    [/Error BCP083: .*"properties"/],
  ],
  ["a member that nobody has", app(fine, "output a string = db.connectionString\n"), [/Error BCP053: .*"database"/]],
] as const) {
  test(`the types of Radius find ${name}, without a network`, async () => {
    await using sandbox = await createSandbox();
    await writeFile(join(sandbox.home, "app.bicep"), source);

    const { code, stderr } = await sandbox.rad(["bicep", "lint", "app.bicep"], { radiusTypes });

    const found = stderr.split("\n").filter((line) => line.includes(" : "));
    assert.equal(found.length, expected.length, stderr);
    for (const [index, pattern] of expected.entries()) {
      assert.match(found[index] ?? "", pattern);
    }
    assert.equal(code, stderr.includes(" : Error ") ? 1 : 0);
  });
}

test("every example compiles", async () => {
  await using sandbox = await createSandbox();
  const files = await Array.fromAsync(glob("**/*.bicep", { cwd: examples }));
  assert.ok(files.length > 3);

  for (const file of files) {
    const { code, stderr } = await sandbox.rad(["bicep", "lint", join(examples, file)], { radiusTypes });
    // The type of this one comes with a manifest, which the example registers first.
    const isOwnType = basename(file) === "lobby.bicep";
    assert.deepEqual([code, stderr.match(/BCP\d+/g)], [0, isOwnType ? ["BCP081"] : null], `${file}\n${stderr}`);
  }
});

test("the example of a type of one's own compiles with its manifest as an extension", async () => {
  await using sandbox = await createSandbox();
  await mkdir(join(sandbox.home, "types"));
  await copyFile(join(examples, "lobby.bicep"), join(sandbox.home, "lobby.bicep"));
  await copyFile(join(examples, "message-boards.yaml"), join(sandbox.home, "types", "message-boards.yaml"));
  await writeFile(
    join(sandbox.home, "bicepconfig.json"),
    `{ "extensions": { "boards": "types" }, "implicitExtensions": ["az", "boards"] }`,
  );

  const { code, stderr } = await sandbox.rad(["bicep", "lint", "lobby.bicep"], { radiusTypes });

  assert.deepEqual([code, stderr], [0, ""]);
});
