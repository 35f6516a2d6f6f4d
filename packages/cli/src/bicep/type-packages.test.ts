import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { readTarGzip } from "@rad/artifacts/archives";
import { createConnectedSandbox, createSandbox, startControlPlane } from "../testing/sandbox.ts";

const manifest = `namespace: Contoso.Own
types:
  boards:
    apiVersions:
      "2025-01-01":
        schema:
          type: object
          properties:
            size: { type: integer }
`;

const board = (properties: string, extension = "own") => `extension ${extension}
resource b 'Contoso.Own/boards@2025-01-01' = {
  name: 'b'
  properties: {
    environment: ''
    ${properties}
  }
}
`;

type Files = Readonly<Record<string, string>>;

async function open(files: Files, sandbox = createSandbox()) {
  const opened = await sandbox;
  const { home } = opened;
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(home, name, ".."), { recursive: true });
    await writeFile(join(home, name), text);
  }
  const radiusTypes = async () => (await import("@rad/radius-types")).builtInTypes;
  return {
    home,
    rad: (...args: readonly string[]) => opened.rad(args, { radiusTypes }),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

const folderConfig = `{ "extensions": { "own": "./manifests" } }`;

test("a published extension checks a file and is deployed to the control plane that has the types", async () => {
  await using server = await startControlPlane();
  await using lab = await open(
    {
      "own.yaml": manifest,
      "app.bicep": board("size: 3"),
      "wrong.bicep": board("sice: 3"),
      "bicepconfig.json": `{ "extensions": { "own": "own.tgz" } }`,
    },
    createConnectedSandbox(server),
  );
  await lab.rad("resource-type", "create", "-f", "own.yaml");

  const published = await lab.rad("bicep", "publish-extension", "own.yaml", "--target", "own.tgz");
  const wrong = await lab.rad("bicep", "lint", "wrong.bicep", "--no-registered-types");
  const deployed = await lab.rad("deploy", "app.bicep", "--no-registered-types");

  assert.equal(published.stdout, "own.tgz written: Contoso.Own/boards@2025-01-01\n");
  assert.match(published.stderr, /\{"extensions":\{"contosoOwn":"own\.tgz"\}\}/);
  assert.match(wrong.stderr, /wrong\.bicep\(6,5\) : Error BCP089: /);
  assert.equal(deployed.code, 0, deployed.stderr);
  assert.match((await lab.rad("resource", "show", "Contoso.Own/boards", "b", "-o", "json")).stdout, /"size": 3/);
});

test("a published extension is of the layout and under the name that other compilers expect", async () => {
  await using lab = await open({ "own.yaml": manifest });

  await lab.rad("bicep", "publish-extension", "-f", "own.yaml", "--target", "own.tgz");

  const limits = { maxEntries: 10, maxTotalBytes: 100_000, maxEntryBytes: 100_000, maxRatio: 500 };
  const entries = readTarGzip(await readFile(join(lab.home, "own.tgz")), limits);
  const files = new Map(entries.map(({ path, content }) => [path, JSON.parse(Buffer.from(content).toString())]));
  const index = files.get("index.json");
  assert.deepEqual(index.settings, { name: "radiuscontosoown", version: "0.0.1", isSingleton: false });
  const [file = "", position] = index.resources["Contoso.Own/boards@2025-01-01"].$ref.split("#/");
  assert.equal(files.get(file)[position].$type, "ResourceType");
});

for (const [name, args, code] of [
  ["a registry", ["own.yaml", "--target", "br:example.org/own:1"], "TargetNotSupported"],
  ["a registry by an alias", ["own.yaml", "--target", "br/team:own:1"], "TargetNotSupported"],
  ["a file that compilers would not look into", ["own.yaml", "--target", "own.zip"], "InvalidUsage"],
  ["a file that is there", ["own.yaml", "--target", "there.tgz"], "FileExists"],
  ["a folder that cannot be made", ["own.yaml", "--target", "own.yaml/a.tgz"], "FileUnwritable"],
  ["no manifest", ["--target", "own.tgz"], "InvalidUsage"],
  ["two manifests", ["own.yaml", "-f", "own.yaml", "--target", "own.tgz"], "InvalidUsage"],
  ["a manifest with errors", ["broken.yaml", "--target", "own.tgz"], "InvalidManifest"],
] as const) {
  test(`publish-extension refuses ${name}`, async () => {
    await using lab = await open({ "own.yaml": manifest, "broken.yaml": "namespace: 1\n", "there.tgz": "precious" });

    const { code: exit, stderr } = await lab.rad("bicep", "publish-extension", ...args);

    assert.equal(exit, 1);
    assert.match(stderr, new RegExp(`Code: {2}${code}\n`));
    assert.equal(await readFile(join(lab.home, "there.tgz"), "utf8"), "precious");
  });
}

test("--force replaces a package", async () => {
  await using lab = await open({ "own.yaml": manifest, "own.tgz": "old" });

  const { code } = await lab.rad("bicep", "publish-extension", "own.yaml", "--target", "own.tgz", "--force");

  assert.equal(code, 0);
  assert.notEqual(await readFile(join(lab.home, "own.tgz"), "utf8"), "old");
});

test("a folder of manifests is an extension", async () => {
  await using lab = await open({
    "manifests/own.yaml": manifest,
    "manifests/other.yml": manifest.replace("Contoso.Own", "Contoso.Other"),
    "manifests/README.md": "not a manifest",
    "app.bicep": board("size: 'a'"),
    "bicepconfig.json": folderConfig,
  });

  const { code, stdout, stderr } = await lab.rad("bicep", "build", "app.bicep", "--stdout");

  assert.equal(code, 0, stderr);
  assert.match(stderr, /^\S+app\.bicep\(6,11\) : Warning BCP036: .*\n1 warning\n$/);
  assert.deepEqual(JSON.parse(stdout).imports, { own: { provider: "Radius", version: "0.0.1" } });
});

test("a folder of manifests comes before the registered types", async () => {
  await using server = await startControlPlane();
  await using lab = await open(
    {
      "manifests/own.yaml": manifest,
      "old.yaml": manifest.replace("size: { type: integer }", "old: { type: integer }"),
      "app.bicep": `extension radius\n${board("size: 1")}`,
      "bicepconfig.json": folderConfig,
    },
    createConnectedSandbox(server),
  );
  await lab.rad("resource-type", "create", "-f", "old.yaml");

  const { code, stderr } = await lab.rad("bicep", "lint", "app.bicep");

  assert.deepEqual([code, stderr], [0, ""]);
});

test("errors in the manifests of a folder are shown with file, line and column", async () => {
  await using lab = await open({
    "manifests/a.yaml": manifest.replace("integer", "number of"),
    "manifests/b.yaml": "namespace: [\n",
    "app.bicep": board("size: 'a'"),
    "bicepconfig.json": folderConfig,
  });

  const { code, stderr } = await lab.rad("bicep", "lint", "app.bicep");
  const sarif = await lab.rad("bicep", "lint", "app.bicep", "--diagnostics-format", "sarif");
  const deployed = await lab.rad("bicep", "build", "app.bicep", "--stdout");

  assert.equal(code, 1);
  assert.match(stderr, /app\.bicep\(1,11\) : Error BCP396: .*manifests" have errors\./);
  assert.match(stderr, /manifests\/a\.yaml\(9,\d+\) : Error invalid-manifest: \$\.types\.boards\./);
  assert.match(stderr, /manifests\/b\.yaml\(\d+,\d+\) : Error invalid-manifest: /);
  const rules = JSON.parse(sarif.stderr).runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId);
  assert.ok(rules.includes("invalid-manifest"));
  assert.deepEqual([deployed.code, deployed.stdout], [1, ""]);
});

for (const [name, files, expected] of [
  [
    "describes a type twice",
    { "manifests/a.yaml": manifest, "manifests/b.yaml": manifest },
    /b\.yaml\(1,1\) : Error invalid-manifest: Contoso\.Own\/boards is already defined in \S+a\.yaml/,
  ],
  ["has no manifest", { "manifests/README.md": "" }, /BCP396: .*neither an "index\.json" nor manifests/],
  ["is not there", {}, /app\.bicep\(1,11\) : Error BCP091: /],
] as const satisfies readonly (readonly [string, Files, RegExp])[]) {
  test(`a folder that ${name} is an error`, async () => {
    await using lab = await open({ ...files, "app.bicep": board(""), "bicepconfig.json": folderConfig });

    const { code, stderr } = await lab.rad("bicep", "lint", "app.bicep");

    assert.equal(code, 1);
    assert.match(stderr, expected);
  });
}

test("manifests outside of the root are not read", async () => {
  await using lab = await open({
    "manifests/own.yaml": "secret: canary",
    "app/app.bicep": board(""),
    "app/bicepconfig.json": `{ "extensions": { "own": "../manifests" } }`,
  });

  const { code, stderr } = await lab.rad("bicep", "lint", "app/app.bicep", "--root", "app");

  assert.equal(code, 1);
  assert.doesNotMatch(stderr, /canary|secret/);
});

test("that nothing is known about the types of aws and kubernetes is said once", async () => {
  const source = `extension aws
extension kubernetes with {
  namespace: 'default'
  kubeConfig: ''
}
resource a 'AWS.S3/Bucket@default' = {
  alias: 'a'
  properties: { BucketNam: 'a' }
}
resource b 'AWS.S3/Bucket@default' = {
  alias: 'b'
}
`;
  await using lab = await open({ "app.bicep": source });

  const { code, stderr } = await lab.rad("bicep", "build", "app.bicep", "--stdout");

  assert.equal(code, 0);
  assert.equal(stderr, "Info unchecked-types: The resources of these extensions are not checked: aws, kubernetes.\n");
});
