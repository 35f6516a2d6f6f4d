import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { extensionLayer, moduleLayer, startRegistry, tarOf } from "@rad/artifacts/testing";
import { createSandbox } from "../testing/sandbox.ts";
import type { Sandbox } from "../testing/sandbox.ts";

const template = JSON.stringify({
  $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  contentVersion: "1.0.0.0",
  parameters: { size: { type: "int" } },
  resources: [],
  outputs: { twice: { type: "int", value: "[mul(parameters('size'), 2)]" } },
});
const moduleContent = { mediaType: moduleLayer, content: Buffer.from(template) };

const source = (host: string) =>
  `module m 'br:${host}/team/net:v1' = {\n  name: 'm'\n  params: {\n    size: 2\n  }\n}\noutput t int = m.outputs.twice\n`;

async function write(sandbox: Sandbox, name: string, text: string): Promise<void> {
  await writeFile(join(sandbox.home, name), text);
}

async function logIn(sandbox: Sandbox, host: string, pair: string): Promise<void> {
  await mkdir(join(sandbox.home, ".docker"), { recursive: true });
  const auth = Buffer.from(pair).toString("base64");
  await write(sandbox, ".docker/config.json", JSON.stringify({ auths: { [host]: { auth } } }));
}

test("a build fetches a module once, into the cache that all compilers share, and then asks nobody", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startRegistry();
  const digest = registry.publish("team/net", "v1", moduleContent);
  await write(sandbox, "app.bicep", source(registry.host));

  const first = await sandbox.rad(["bicep", "build", "app.bicep", "--stdout"]);
  const asked = registry.requests.length;
  const second = await sandbox.rad(["bicep", "build", "app.bicep", "--stdout"]);

  assert.equal(first.code, 0, first.stderr);
  assert.equal(JSON.parse(first.stdout).resources[0].properties.template.parameters.size.type, "int");
  assert.deepEqual(second, first);
  assert.equal(asked, 2); // the manifest and the layer
  assert.equal(registry.requests.length, asked);
  const folder = join(sandbox.home, ".bicep", "br", registry.host.replace(":", "$"), "team$net", "v1$");
  assert.deepEqual((await readdir(folder)).sort(), ["lock", "main.json", "manifest", "metadata"]);
  assert.equal(await readFile(join(folder, "main.json"), "utf8"), template);
  assert.deepEqual(JSON.parse(await readFile(join(folder, "metadata"), "utf8")), { manifestDigest: digest });
});

for (const authentication of ["basic", "bearer"] as const) {
  test(`credentials of Docker's file open a registry with ${authentication} authentication`, async () => {
    await using sandbox = await createSandbox();
    await using registry = await startRegistry({ authentication, username: "ann", password: "pa:ss" });
    registry.publish("team/net", "v1", moduleContent);
    await write(sandbox, "app.bicep", source(registry.host));

    const anonymous = await sandbox.rad(["bicep", "build", "app.bicep", "--stdout"]);
    await logIn(sandbox, registry.host, "ann:wrong");
    const wrong = await sandbox.rad(["bicep", "restore", "app.bicep"]);
    await logIn(sandbox, registry.host, "ann:pa:ss");
    const right = await sandbox.rad(["bicep", "restore", "app.bicep"]);

    assert.equal(anonymous.code, 1);
    assert.match(anonymous.stderr, /app\.bicep\(1,10\) : Error BCP192: .*docker login/u);
    assert.equal(anonymous.stdout, "");
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /RegistryUnauthorized/u);
    assert.doesNotMatch(wrong.stderr, /wrong/u);
    assert.deepEqual([right.code, right.stderr], [0, `br:${registry.host}/team/net:v1 restored\n`]);
  });
}

test("a token is given without credentials where the registry is open to all", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startRegistry({ authentication: "bearer" });
  registry.publish("team/net", "v1", moduleContent);
  await write(sandbox, "app.bicep", source(registry.host));

  const { code } = await sandbox.rad(["bicep", "restore", "app.bicep"]);

  assert.equal(code, 0);
});

test("blobs may lie elsewhere, and credentials do not follow them there", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startRegistry({
    authentication: "basic",
    username: "ann",
    password: "secret",
    redirectBlobs: true,
  });
  registry.publish("team/net", "v1", moduleContent);
  await logIn(sandbox, registry.host, "ann:secret");
  await write(sandbox, "app.bicep", source(registry.host));

  const { code } = await sandbox.rad(["bicep", "restore", "app.bicep"]);

  assert.equal(code, 0);
  const storage = registry.requests.filter(({ line }) => line.includes("/storage/"));
  assert.deepEqual(
    storage.map(({ authorized }) => authorized),
    [false],
  );
});

test("content that is not what its digest says is refused and not kept", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startRegistry({
    tamper: (content) =>
      content.includes("parameters('size')") ? Buffer.from(content.toString().replace("mul", "add")) : content,
  });
  registry.publish("team/net", "v1", moduleContent);
  await write(sandbox, "app.bicep", source(registry.host));

  const { code, stderr } = await sandbox.rad(["bicep", "restore", "app.bicep"]);

  assert.equal(code, 1);
  assert.match(stderr, /DigestMismatch/u);
  assert.deepEqual(await readdir(join(sandbox.home)), ["app.bicep"]);
});

test("several at once may restore the same module", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startRegistry();
  registry.publish("team/net", "v1", moduleContent);
  await write(sandbox, "app.bicep", source(registry.host));

  const builds = Array.from({ length: 4 }, () => sandbox.rad(["bicep", "build", "app.bicep", "--stdout"]));
  const results = await Promise.all(builds);

  assert.deepEqual(new Set(results.map(({ code, stderr }) => `${code}${stderr}`)), new Set(["0"]));
  const folder = join(sandbox.home, ".bicep", "br", registry.host.replace(":", "$"), "team$net", "v1$");
  assert.deepEqual((await readdir(folder)).sort(), ["lock", "main.json", "manifest", "metadata"]);
});

test("--force fetches again what a tag has come to mean", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startRegistry();
  registry.publish("team/net", "v1", moduleContent);
  await write(sandbox, "app.bicep", source(registry.host));
  await sandbox.rad(["bicep", "restore", "app.bicep"]);
  registry.publish("team/net", "v1", { mediaType: moduleLayer, content: Buffer.from(template.replace("mul", "add")) });

  const plain = await sandbox.rad(["bicep", "restore", "app.bicep"]);
  const forced = await sandbox.rad(["bicep", "restore", "app.bicep", "--force"]);

  assert.match(plain.stderr, /is there already/u);
  assert.match(forced.stderr, /restored/u);
  const { stdout } = await sandbox.rad(["bicep", "build", "app.bicep", "--stdout"]);
  assert.match(stdout, /add\(/u);
});

test("a module by digest is checked against it", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startRegistry();
  const digest = registry.publish("team/net", "v1", moduleContent);
  await write(sandbox, "app.bicep", source(registry.host).replace(":v1", `@${digest}`));

  const { code, stderr } = await sandbox.rad(["bicep", "build", "app.bicep"]);

  assert.deepEqual([code, stderr], [0, ""]);
});

for (const [name, prepare, pattern] of [
  ["does not exist", () => {}, /ArtifactNotFound/u],
  ["has no manifest", (put: (text: string) => void) => put("[]"), /ArtifactInvalid/u],
  ["has other layers", (put: (text: string) => void) => put(`{ "layers": [] }`), /ArtifactInvalid/u],
  [
    "has a layer that is not valid",
    (put: (text: string) => void) => put(`{ "layers": [{ "digest": "../x" }] }`),
    /ArtifactInvalid/u,
  ],
] as const) {
  test(`an artifact that ${name} fails with a code, and at its place in a build`, async () => {
    await using sandbox = await createSandbox();
    await using registry = await startRegistry();
    prepare((text) => registry.putManifest("team/net", "v1", text));
    await write(sandbox, "app.bicep", source(registry.host));

    const restore = await sandbox.rad(["bicep", "restore", "app.bicep"]);
    const build = await sandbox.rad(["bicep", "build", "app.bicep"]);

    assert.equal(restore.code, 1);
    assert.match(restore.stderr, pattern);
    assert.equal(build.code, 1);
    assert.match(build.stderr, /app\.bicep\(1,10\) : Error BCP192: /u);
    assert.equal((await readdir(sandbox.home)).includes("app.json"), false);
  });
}

test("a registry that cannot be reached is a diagnostic; --no-restore does not even try", async () => {
  await using sandbox = await createSandbox();
  await write(sandbox, "app.bicep", source("127.0.0.1:1"));

  const build = await sandbox.rad(["bicep", "build", "app.bicep"]);
  const offline = await sandbox.rad(["bicep", "build", "app.bicep", "--no-restore"]);

  assert.match(build.stderr, /app\.bicep\(1,10\) : Error BCP192: .*cannot be reached/u);
  assert.match(offline.stderr, /app\.bicep\(1,10\) : Error BCP190: /u);
});

test("an extension's package is restored from a registry and types its resources", async () => {
  await using sandbox = await createSandbox();
  await using registry = await startRegistry();
  const index = {
    resources: { "Contoso.Data/queues@2025-01-01": { $ref: "types.json#/2" } },
    settings: { name: "Contoso", version: "0.0.1", isSingleton: false },
  };
  const types = [
    { $type: "StringType" },
    { $type: "ObjectType", name: "Queue", properties: { name: { type: { $ref: "#/0" }, flags: 25 } } },
    { $type: "ResourceType", name: "Contoso.Data/queues@2025-01-01", body: { $ref: "#/1" } },
  ];
  const archive = tarOf({ "index.json": JSON.stringify(index), "types.json": JSON.stringify(types) });
  registry.publish("types/contoso", "1.0", { mediaType: extensionLayer, content: gzipSync(archive) });
  await write(
    sandbox,
    "bicepconfig.json",
    JSON.stringify({ extensions: { contoso: `br:${registry.host}/types/contoso:1.0` } }),
  );
  await write(
    sandbox,
    "app.bicep",
    "extension contoso\nresource q 'Contoso.Data/queues@2025-01-01' = {\n  name: 'q'\n  colour: 1\n}\n",
  );

  const { code, stderr } = await sandbox.rad(["bicep", "build", "app.bicep"]);

  assert.equal(code, 1);
  assert.match(stderr, /app\.bicep\(4,3\) : Error BCP037: /u);
});

test("packages that cannot be restored are an error, except that the built-in types stand in for radius", async () => {
  await using sandbox = await createSandbox();
  await write(
    sandbox,
    "bicepconfig.json",
    JSON.stringify({ extensions: { radius: "br:127.0.0.1:1/radius:latest", aws: "br:127.0.0.1:1/aws:latest" } }),
  );
  const app = "extension radius\nresource a 'Radius.Core/applications@2025-08-01-preview' = {\n  name: 'a'\n}\n";
  await write(sandbox, "app.bicep", app);
  await write(sandbox, "bucket.bicep", `${app}extension aws\n`);

  for (const command of ["build", "lint"]) {
    const { code, stderr, stdout } = await sandbox.rad(["bicep", command, "app.bicep"]);
    assert.equal(code, 0, stdout);
    assert.match(stderr, /app\.bicep\(1,11\) : Warning BCP192: .*ECONNREFUSED.* built in are used instead\.\n$/);
    const bucket = await sandbox.rad(["bicep", command, "bucket.bicep"]);
    assert.equal(bucket.code, 1);
    assert.match(bucket.stderr, /bucket\.bicep\(5,11\) : Error BCP192: /);
    assert.doesNotMatch(bucket.stderr, /unchecked-types/);
  }
  assert.equal(JSON.parse(await readFile(join(sandbox.home, "app.json"), "utf8")).imports.radius.provider, "Radius");
});
