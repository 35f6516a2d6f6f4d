// npm run conformance:registry -- <docker-registry>
//
// Restores a module and an extension package from a real OCI registry: CNCF Distribution, which Debian packages as
// docker-registry. Once open and once behind a password, each built again with the registry stopped.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { extensionLayer, moduleLayer, tarOf } from "@rad/artifacts/testing";
import { createSandbox, type Sandbox } from "../../packages/cli/src/testing/sandbox.ts";

const credentials = "ann:pa:ss";
/** The same, as the registry wants it: bcrypt of the password, which guards nothing but this run. */
const passwordFile = "ann:$2y$05$abcdefghijklmnopqrstuuZImxV28ixwKVAA3Ib6WvqJ3jaF2SHwO\n";

const template = {
  $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  contentVersion: "1.0.0.0",
  parameters: { size: { type: "int" } },
  resources: [],
  outputs: { twice: { type: "int", value: "[mul(parameters('size'), 2)]" } },
};

/** A type package with one resource type that takes anything. */
const typePackage = {
  "index.json": JSON.stringify({
    resources: { "Contoso.Toys/robots@v1": { $ref: "types.json#/1" } },
    resourceFunctions: {},
    settings: { name: "Contoso", version: "1.0.0", isSingleton: false },
  }),
  "types.json": JSON.stringify([
    { $type: "AnyType" },
    { $type: "ResourceType", name: "Contoso.Toys/robots@v1", body: { $ref: "#/2" }, flags: 0, scopeType: 0 },
    { $type: "ObjectType", name: "robots", properties: { name: { type: { $ref: "#/0" }, flags: 1 } } },
  ]),
};

const [binary] = process.argv.slice(2);
if (binary === undefined) {
  process.stderr.write("usage: npm run conformance:registry -- <path of docker-registry>\n");
  process.exit(2);
}
for (const isOpen of [true, false]) {
  await tryRegistry(binary, isOpen);
}

async function tryRegistry(program: string, isOpen: boolean): Promise<void> {
  const what = isOpen ? "open registry" : "registry with a password";
  const folder = await mkdtemp(join(tmpdir(), "rad-registry-"));
  const host = `127.0.0.1:${await freePort()}`;
  const registry = await startRegistry(program, folder, host, isOpen);
  await using sandbox = await createSandbox();
  try {
    await publish(host, "team/net", { mediaType: moduleLayer, content: Buffer.from(JSON.stringify(template)) });
    await publish(host, "team/toys", { mediaType: extensionLayer, content: gzipSync(tarOf(typePackage)) });
    await writeSources(sandbox, host);
    if (!isOpen) {
      report(`${what}: refused without credentials`, (await build(sandbox)) !== 0);
      await logIn(sandbox, host);
    }
    report(`${what}: restored and built`, (await build(sandbox)) === 0);
    await stop(registry);
    report(`${what}: built again with the registry gone`, (await build(sandbox)) === 0);
  } finally {
    await stop(registry);
    await rm(folder, { recursive: true, force: true });
  }
}

async function build(sandbox: Sandbox): Promise<number> {
  return (await sandbox.rad(["bicep", "build", "app.bicep", "--stdout"])).code;
}

async function writeSources(sandbox: Sandbox, host: string): Promise<void> {
  await writeFile(
    join(sandbox.home, "bicepconfig.json"),
    JSON.stringify({ extensions: { toys: `br:${host}/team/toys:v1` } }),
  );
  await writeFile(
    join(sandbox.home, "app.bicep"),
    `extension toys
module net 'br:${host}/team/net:v1' = {
  name: 'net'
  params: {
    size: 2
  }
}
resource robot 'Contoso.Toys/robots@v1' = {
  name: 'r2'
}
output twice int = net.outputs.twice
`,
  );
}

async function logIn(sandbox: Sandbox, host: string): Promise<void> {
  await mkdir(join(sandbox.home, ".docker"), { recursive: true });
  const auth = Buffer.from(credentials).toString("base64");
  await writeFile(join(sandbox.home, ".docker", "config.json"), JSON.stringify({ auths: { [host]: { auth } } }));
}

async function startRegistry(program: string, folder: string, host: string, isOpen: boolean): Promise<ChildProcess> {
  const users = join(folder, "users");
  await writeFile(users, passwordFile);
  const lines = [
    "version: 0.1",
    "storage:",
    `  filesystem: { rootdirectory: ${join(folder, "data")} }`,
    `http: { addr: "${host}" }`,
    ...(isOpen ? [] : [`auth: { htpasswd: { realm: test, path: ${users} } }`]),
  ];
  const config = join(folder, "config.yml");
  await writeFile(config, `${lines.join("\n")}\n`);
  const process = spawn(program, ["serve", config], { stdio: "ignore" });
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(`http://${host}/v2/`).catch(() => undefined);
    if (answer !== undefined) {
      return process;
    }
    await sleep(100);
  }
  process.kill();
  throw new Error(`${program} does not answer at ${host}.`);
}

async function stop(registry: ChildProcess): Promise<void> {
  if (registry.exitCode === null && registry.signalCode === null) {
    const ended = new Promise((resolve) => registry.once("exit", resolve));
    registry.kill();
    await ended;
  }
}

interface Layer {
  readonly mediaType: string;
  readonly content: Uint8Array;
}

async function publish(host: string, name: string, layer: Layer): Promise<void> {
  const config = { mediaType: "application/vnd.ms.bicep.module.config.v1+json", content: Buffer.from("{}") };
  const manifest = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: await pushBlob(host, name, config),
    layers: [await pushBlob(host, name, layer)],
  };
  await send(`http://${host}/v2/${name}/manifests/v1`, "PUT", manifest.mediaType, JSON.stringify(manifest));
}

async function pushBlob(host: string, name: string, { mediaType, content }: Layer): Promise<object> {
  const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
  const begun = await send(`http://${host}/v2/${name}/blobs/uploads/`, "POST");
  const target = new URL(begun.headers.get("location") ?? "", `http://${host}`);
  target.searchParams.set("digest", digest);
  await send(target.href, "PUT", "application/octet-stream", content);
  return { mediaType, digest, size: content.length };
}

async function send(url: string, method: string, contentType?: string, body?: string | Uint8Array): Promise<Response> {
  const headers = {
    Authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
    ...(contentType === undefined ? {} : { "Content-Type": contentType }),
  };
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: Buffer.from(body) }) });
  if (!answer.ok) {
    throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  }
  return answer;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

function report(what: string, isTrue: boolean): void {
  process.stdout.write(`${isTrue ? "ok  " : "NOT "} ${what}\n`);
  if (!isTrue) {
    process.exitCode = 1;
  }
}
