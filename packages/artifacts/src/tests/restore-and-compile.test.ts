// What a server or a controller does with this package: fetch, unpack, compile, without the CLI.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { unpackArchive } from "@rad/artifacts/archives";
import { createDiskHost } from "@rad/artifacts/bicep";
import { restoreArtifacts } from "@rad/artifacts/cache";
import { createNetwork, downloadFile, fetchBytes } from "@rad/artifacts/download";
import { createRegistryClient } from "@rad/artifacts/oci";
import { extensionLayer, moduleLayer, startRegistry, startWebServer, tarOf } from "@rad/artifacts/testing";
import type { RegistryOptions } from "@rad/artifacts/testing";
import { Compilation } from "@rad/bicep";

const template = JSON.stringify({
  $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  contentVersion: "1.0.0.0",
  resources: [],
  outputs: { answer: { type: "int", value: 42 } },
});
const types = {
  "index.json": JSON.stringify({
    resources: { "Contoso.Data/queues@v1": { $ref: "types.json#/2" } },
    settings: { name: "Contoso", version: "0.0.1", isSingleton: false },
  }),
  "types.json": JSON.stringify([
    { $type: "StringType" },
    { $type: "ObjectType", name: "Queue", properties: { name: { type: { $ref: "#/0" }, flags: 25 } } },
    { $type: "ResourceType", name: "Contoso.Data/queues@v1", body: { $ref: "#/1" } },
  ]),
};
const limits = { totalMs: 10_000, maxBytes: 1_000_000 };
const archiveLimits = { maxEntries: 100, maxEntryBytes: 100_000, maxTotalBytes: 1_000_000, maxRatio: 1000 };
const ann = { username: "ann", password: "secret", identityToken: undefined };

const root = await mkdtemp(join(tmpdir(), "rad-artifacts-"));
after(() => rm(root, { recursive: true }));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(root, "case-"));
});

/** The sources of an application, as a Git artifact has them. */
function sources(registry: string): Buffer {
  return gzipSync(
    tarOf({
      "bicepconfig.json": JSON.stringify({ extensions: { contoso: `br:${registry}/types/contoso:1.0` } }),
      "app/main.bicep": [
        "extension contoso",
        `module net 'br:${registry}/team/net:v1' = {\n  name: 'net'\n}`,
        "resource queue 'Contoso.Data/queues@v1' = {\n  name: 'queue'\n}",
        "output answer int = net.outputs.answer",
        "output text string = loadTextContent('../shared/text.txt')",
        "",
      ].join("\n"),
      "app/escape.bicep": "output text string = loadTextContent('../../secret.txt')\n",
      "shared/text.txt": "shared",
    }),
  );
}

async function publish(options: RegistryOptions = {}) {
  const registry = await startRegistry(options);
  registry.publish("team/net", "v1", { mediaType: moduleLayer, content: Buffer.from(template) });
  registry.publish("types/contoso", "1.0", { mediaType: extensionLayer, content: gzipSync(tarOf(types)) });
  return registry;
}

function clientOf() {
  const network = createNetwork({ addresses: "loopback" });
  const { signal } = new AbortController();
  const credentials = () => Promise.resolve(ann);
  return createRegistryClient({ fetch: (request) => fetchBytes(network, request), credentials, signal });
}

for (const authentication of ["none", "basic", "bearer"] as const) {
  test(`sources are fetched, unpacked, restored and compiled, with authentication ${authentication}`, async () => {
    await using registry = await publish({ authentication, username: "ann", password: "secret", redirectBlobs: true });
    await using web = await startWebServer((_request, response) => response.end(sources(registry.host)));
    const cacheFolder = join(folder, "cache");
    const workspace = join(folder, "sources");
    const main = join(workspace, "app/main.bicep");

    const network = createNetwork({ addresses: "loopback" });
    await downloadFile(network, { url: `${web.url}/app.tar.gz`, path: join(folder, "archive"), ...limits });
    await unpackArchive(join(folder, "archive"), workspace, archiveLimits);
    const host = createDiskHost({ roots: [workspace], cacheFolder, env: {} });
    const outcomes = await restoreArtifacts(new Compilation({ host }).artifacts(main), {
      client: clientOf(),
      cacheFolder,
      signal: new AbortController().signal,
    });
    const compilation = new Compilation({ host });
    const result = compilation.emitTemplate(main, { generatorVersion: "1.0.0" });

    assert.deepEqual(
      outcomes.map(({ outcome, error }) => [outcome, error]),
      [
        ["restored", undefined],
        ["restored", undefined],
      ],
    );
    assert.deepEqual(
      compilation.diagnostics(main).flatMap(({ diagnostics }) => diagnostics.filter(({ level }) => level === "error")),
      [],
    );
    const emitted = JSON.parse(result?.text ?? "{}");
    assert.deepEqual(emitted.variables, { "$fxv#0": "shared" });
    assert.deepEqual(emitted.resources.net.properties.template, JSON.parse(template));
    assert.equal(emitted.resources.queue.import, "contoso");
    const storage = registry.requests.filter(({ line }) => line.includes("/storage/"));
    assert.deepEqual(
      storage.map(({ authorized }) => authorized),
      [false, false],
    );
  });
}

test("what is compiled cannot read beside its own folder, nor by way of a cache that it names", async () => {
  await writeFile(join(folder, "secret.txt"), "secret");
  await mkdir(join(folder, "outside/br/example.org/net/v1$"), { recursive: true });
  await writeFile(join(folder, "outside/br/example.org/net/v1$/main.json"), template);
  const workspace = join(folder, "sources");
  await writeFile(join(folder, "archive"), sources("example.org"));
  await unpackArchive(join(folder, "archive"), workspace, archiveLimits);
  await symlink("../outside", join(workspace, "cache"));
  await writeFile(join(workspace, "bicepconfig.json"), JSON.stringify({ cacheRootDirectory: "./cache" }));
  await writeFile(join(workspace, "module.bicep"), "module net 'br:example.org/net:v1' = {\n  name: 'net'\n}\n");
  const host = createDiskHost({ roots: [workspace], cacheFolder: join(folder, "own-cache"), env: {} });

  const codesOf = (name: string) =>
    new Compilation({ host }).fileDiagnostics(join(workspace, name)).diagnostics.map(({ code }) => code);

  assert.deepEqual(codesOf("app/escape.bicep"), ["BCP091"]);
  assert.deepEqual(codesOf("module.bicep"), ["BCP190"]);
});
