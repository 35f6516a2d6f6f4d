import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, readFile, readlink, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { ca, createReleaseKey, startMirror } from "../tests/mirror.ts";
import type { ReleaseKey } from "../tests/mirror.ts";
import { releaseZip, standIn } from "../tests/stand-in.ts";
import { eagerClock, install, snapshot, testFolder, testVolume } from "../tests/volume-kit.ts";
import type { BinaryVolume } from "./binary-volume.ts";
import { machinePlatform } from "../platform.ts";

const signal = AbortSignal.timeout(120_000);
let key: ReleaseKey;

before(async () => {
  key = await createReleaseKey("publisher");
});

async function run(path: string): Promise<string> {
  return (await promisify(execFile)(path, ["version"])).stdout.trim();
}

/** A mirror with a few releases, and a volume that takes it for the publisher. */
async function start(versions: readonly string[] = ["1.6.4"]) {
  const stack = new AsyncDisposableStack();
  const mirror = stack.use(await startMirror());
  const folder = stack.use(await testFolder());
  const keys = [await folder.file("key.asc", key.publicKey)];
  for (const version of versions) {
    await mirror.publish(version, { key });
  }
  const sources = { terraform: { baseUrl: mirror.url, keys }, opentofu: { baseUrl: mirror.url, keys } };
  const volume = testVolume(folder.root, { sources });
  return { mirror, folder, keys, sources, volume, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test("a version is downloaded from the release layout and checked against its signed sums", async () => {
  await using at = await start();

  const binary = await install(at.volume, { version: "1.6.4" });

  const archive = at.mirror.files.get(at.mirror.requests.at(-1) ?? "") as Buffer;
  assert.deepEqual(binary, {
    product: "terraform",
    version: "1.6.4",
    path: join(at.folder.root, "1.6.4/terraform"),
    sha256: hash("sha256", standIn("1.6.4")),
    size: standIn("1.6.4").length,
    source: { url: `${at.mirror.url}${at.mirror.requests.at(-1)}`, checksum: hash("sha256", archive) },
    verified: true,
    installedAt: binary.installedAt,
  });
  assert.equal(await run(binary.path), "Terraform v1.6.4");
  assert.deepEqual(Object.keys(await snapshot(at.folder.root)), [
    ".temporary",
    "1.6.4",
    "1.6.4/manifest.json",
    "1.6.4/terraform",
  ]);
  assert.deepEqual(await at.volume.find("terraform", "1.6.4"), binary);
  assert.equal(await at.volume.current(), undefined);
  assert.equal(await at.volume.isHealthy(binary), true);
});

test("OpenTofu has a layout and a folder of its own", async () => {
  await using at = await start();
  await at.mirror.publish("1.6.4", { product: "opentofu", key });

  const terraform = await install(at.volume, { version: "1.6.4" });
  const tofu = await install(at.volume, { product: "opentofu", version: "1.6.4" });

  const { os, arch } = machinePlatform();
  assert.deepEqual(at.mirror.requests.slice(-3).toSorted(), [
    "/v1.6.4/tofu_1.6.4_SHA256SUMS",
    "/v1.6.4/tofu_1.6.4_SHA256SUMS.gpgsig",
    `/v1.6.4/tofu_1.6.4_${os}_${arch}.zip`,
  ]);
  assert.equal(tofu.path, join(at.folder.root, "opentofu-1.6.4/tofu"));
  assert.equal(await run(tofu.path), "OpenTofu v1.6.4");
  assert.equal(await run(terraform.path), "Terraform v1.6.4");
  assert.deepEqual((await at.volume.list()).map(({ product }) => product).toSorted(), ["opentofu", "terraform"]);
});

test("the newest release comes from the index; pre-releases do not count", async () => {
  await using at = await start(["1.9.8", "1.10.2"]);
  const builds = [machinePlatform()];
  const versions = { "1.9.8": { builds }, "1.10.2": { builds }, "1.11.0-rc1": { builds }, "2.0.0": { builds: [] } };
  at.mirror.files.set("/terraform/index.json", JSON.stringify({ name: "terraform", versions }));
  at.mirror.files.set("/api.json", JSON.stringify({ versions: [{ id: "1.10.10" }, { id: "1.9.1" }] }));

  assert.deepEqual(await at.volume.resolve({ product: "terraform" }, { signal }), {
    product: "terraform",
    version: "1.10.2",
  });
  assert.equal((await at.volume.resolve({ product: "opentofu" }, { signal })).version, "1.10.10");
  assert.equal((await install(at.volume, {})).version, "1.10.2");
});

test("without a version the file name of a URL tells it, else the binary does", async () => {
  await using at = await start();
  at.mirror.files.set("/files/terraform_1.7.0_any_thing.zip", releaseZip("1.7.0"));
  at.mirror.files.set("/files/tool", releaseZip("1.8.0"));
  const named = { product: "terraform", url: `${at.mirror.url}/files/terraform_1.7.0_any_thing.zip?a=b` } as const;
  const unnamed = { product: "terraform", url: `${at.mirror.url}/files/tool` } as const;

  assert.equal((await at.volume.resolve(named, { signal })).version, "1.7.0");
  assert.equal((await at.volume.resolve(unnamed, { signal })).version, undefined);
  assert.deepEqual(at.mirror.requests, []);
  assert.equal((await install(at.volume, named)).version, "1.7.0");
  assert.equal((await install(at.volume, unnamed)).version, "1.8.0");
});

test("a URL without a checksum is installed, but not as verified; with one it is", async () => {
  await using at = await start();
  const archive = releaseZip("1.7.0");
  at.mirror.files.set("/a.zip", archive);
  const url = `${at.mirror.url}/a.zip`;

  assert.equal((await install(at.volume, { url })).verified, false);
  assert.equal((await install(at.volume, { url, checksum: hash("sha256", archive) })).verified, true);
  await assert.rejects(install(at.volume, { url, checksum: "0".repeat(64) }), { code: "ChecksumMismatch" });
});

test("a version with a given checksum needs no key and no sums", async () => {
  await using at = await start();
  const volume = testVolume(at.folder.root, { sources: { terraform: { baseUrl: at.mirror.url, keys: [] } } });
  const checksum = await at.mirror.publish("1.6.5", { key });

  await install(volume, { version: "1.6.5", checksum });

  assert.equal(at.mirror.requests.length, 1);
});

test("without a key a version is not installed, and the error says what to configure", async () => {
  await using at = await start();
  const volume = testVolume(at.folder.root, { sources: { terraform: { baseUrl: at.mirror.url } } });

  await assert.rejects(install(volume, { version: "1.6.4" }), {
    code: "KeyMissing",
    message: new RegExp(`${at.folder.root}/keys/terraform.*terraform\\.installer\\.keys.*checksum`),
  });
  assert.deepEqual(at.mirror.requests, []);

  await mkdir(join(at.folder.root, "keys/terraform"), { recursive: true });
  await writeFile(join(at.folder.root, "keys/terraform/publisher.asc"), key.publicKey);
  await install(volume, { version: "1.6.4" });
});

test("a plain binary is taken as it is", async () => {
  await using at = await start();
  at.mirror.files.set("/terraform", standIn("1.7.0"));

  const binary = await install(at.volume, { url: `${at.mirror.url}/terraform` });

  assert.equal(binary.sha256, binary.source.checksum);
  assert.equal((await stat(binary.path)).mode & 0o777, 0o755);
  assert.equal(await run(binary.path), "Terraform v1.7.0");
});

test("users, passwords and queries of URLs are sent to their host, and kept nowhere", async () => {
  await using at = await start();
  let authorization: string | undefined;
  at.mirror.files.set("/a.zip", (request, response) => {
    ({ authorization } = request.headers);
    response.end(releaseZip("1.7.0"));
  });
  const url = `https://someone:canary-password@${at.mirror.server.host}/a.zip?token=canary-token`;

  const binary = await install(at.volume, { url });
  const missing = install(at.volume, { url: url.replace("a.zip", "b.zip") });

  assert.equal(authorization, `Basic ${Buffer.from("someone:canary-password").toString("base64")}`);
  assert.deepEqual(at.mirror.requests[0], "/a.zip?token=canary-token");
  assert.equal(binary.source.url, `${at.mirror.url}/a.zip`);
  assert.doesNotMatch(JSON.stringify([binary, await snapshot(at.folder.path)]), /canary/);
  await assert.rejects(missing, (error: Error) => !/canary|someone/.test(`${error.message} ${String(error.cause)}`));
});

test("a private authority can come with the order, in addition to what is trusted anyway", async () => {
  await using at = await start();
  at.mirror.files.set("/a.zip", releaseZip("1.7.0"));
  const volume = testVolume(at.folder.root, { caBundle: undefined });
  const order = { url: `${at.mirror.url}/a.zip` };

  await assert.rejects(install(volume, order), { code: "TlsFailed", message: /not trusted.*--ca-bundle/ });
  await install(volume, { ...order, caBundle: ca.cert });
});

test("a download goes through the proxy, reports its bytes, and is resumed where it broke", async () => {
  await using at = await start();
  const archive = releaseZip("1.7.0");
  const starts: number[] = [];
  at.mirror.files.set("/a.zip", (request, response) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    starts.push(from);
    const part = archive.subarray(from);
    const range = from === 0 ? {} : { "content-range": `bytes ${from}-${archive.length - 1}/${archive.length}` };
    response.writeHead(from === 0 ? 200 : 206, { etag: '"1"', "content-length": part.length, ...range });
    if (from === 0) {
      response.write(part.subarray(0, 100), () => setTimeout(() => response.destroy(), 20));
    } else {
      response.end(part);
    }
  });
  let tunnels = 0;
  const proxy = createServer((client) => {
    client.once("data", (head) => {
      tunnels += 1;
      const [, host = "", port] = /^CONNECT ([^:]+):(\d+)/.exec(head.toString()) ?? [];
      const upstream = connect(Number(port), host, () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        client.pipe(upstream).pipe(client);
      });
      upstream.on("error", () => client.destroy());
      client.on("error", () => upstream.destroy());
    });
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const steps: [string, number, number | undefined][] = [];

  const volume = testVolume(at.folder.root, { proxy: { url: proxyUrl } });
  await volume.install(
    { product: "terraform", url: `${at.mirror.url}/a.zip` },
    { signal, progress: (...step) => void steps.push(step) },
  );
  proxy.close();

  assert.deepEqual(starts, [0, 100]);
  assert.ok(tunnels > 0);
  const all = archive.length;
  assert.deepEqual(steps, [
    ["resolve", 0, undefined],
    ["download", 0, undefined],
    ["download", all, all],
    ["unpack", all, all],
    ["prove", all, all],
    ["place", all, all],
  ]);
});

test("a server that is out of order for a moment is asked again", async () => {
  await using at = await start();
  for (const [path, file] of at.mirror.files) {
    let isFirst = true;
    at.mirror.files.set(path, (_request, response) => {
      response.statusCode = isFirst ? 503 : 200;
      response.end(isFirst ? "" : (file as Buffer));
      isFirst = false;
    });
  }

  await install(at.volume, { version: "1.6.4" });

  assert.equal(at.mirror.requests.length, 6);
});

test("redirects are followed to other hosts, without credentials", async () => {
  await using at = await start();
  await using other = await startMirror();
  let authorization: string | undefined = "none yet";
  other.files.set("/real.zip", (request, response) => {
    ({ authorization } = request.headers);
    response.end(releaseZip("1.7.0"));
  });
  at.mirror.files.set("/a.zip", (_request, response) =>
    response.writeHead(302, { location: `${other.url}/real.zip` }).end(),
  );

  const binary = await install(at.volume, { url: `https://user:secret@${at.mirror.server.host}/a.zip` });

  assert.equal(authorization, undefined);
  assert.equal(binary.source.url, `${at.mirror.url}/a.zip`);
});

test("current and previous lead to the two last active binaries, and going back needs no download", async () => {
  await using at = await start(["1.6.4", "1.7.0", "1.8.0"]);
  const links = async () => [
    await readlink(join(at.folder.root, "current")).catch(() => ""),
    await readlink(join(at.folder.root, "previous")).catch(() => ""),
  ];
  const [a, b, c] = [
    await install(at.volume, { version: "1.6.4" }),
    await install(at.volume, { version: "1.7.0" }),
    await install(at.volume, { version: "1.8.0" }),
  ];

  await at.volume.activate(a);
  assert.deepEqual(await links(), ["1.6.4/terraform", ""]);
  await at.volume.activate(b);
  await at.volume.activate(b);
  assert.deepEqual(await links(), ["1.7.0/terraform", "1.6.4/terraform"]);
  await at.volume.activate(c);
  assert.deepEqual(await links(), ["1.8.0/terraform", "1.7.0/terraform"]);
  assert.deepEqual(await at.volume.current(), c);
  assert.deepEqual(await at.volume.previous(), b);
  await at.volume.activate(b);
  assert.deepEqual(await links(), ["1.7.0/terraform", "1.8.0/terraform"]);
  assert.equal(await run(join(at.folder.root, "current")), "Terraform v1.7.0");

  await at.volume.remove("terraform", "1.8.0");
  assert.deepEqual(await links(), ["1.7.0/terraform", ""]);
  await assert.rejects(at.volume.remove("terraform", "1.7.0"), /active/);
  await at.volume.deactivate();
  await at.volume.remove("terraform", "1.7.0");
  await at.volume.remove("terraform", "1.7.0");
  assert.deepEqual(await at.volume.list(), [a]);
  assert.equal(await at.volume.current(), undefined);
});

test("a version that is there already is replaced, also while it is active", async () => {
  await using at = await start();
  const first = await install(at.volume, { version: "1.6.4" });
  await at.volume.activate(first);
  at.mirror.files.set("/own.zip", standIn("1.6.4").concat("# a build of our own\n"));

  const second = await install(at.volume, { url: `${at.mirror.url}/own.zip`, version: "1.6.4" });

  assert.notEqual(second.sha256, first.sha256);
  assert.deepEqual(await at.volume.current(), second);
  assert.equal(await at.volume.isHealthy(second), true);
  assert.equal(await at.volume.isHealthy(first), false);
});

const damages: readonly (readonly [string, (volume: BinaryVolume, path: string) => Promise<unknown>])[] = [
  ["is missing", (_volume, path) => rm(path)],
  ["is cut", (_volume, path) => truncate(path, 10)],
  ["has other content", (_volume, path) => writeFile(path, standIn("1.6.5"))],
  ["may not be run", (_volume, path) => chmod(path, 0o644)],
  ["is a folder", async (_volume, path) => [await rm(path), await mkdir(path)]],
  ["is a link", async (_volume, path) => [await rm(path), await symlink("/bin/true", path)]],
];
for (const [what, damage] of damages) {
  test(`a binary that ${what} is not healthy, and the same install repairs it`, async () => {
    await using at = await start();
    const binary = await install(at.volume, { version: "1.6.4" });
    await at.volume.activate(binary);
    await damage(at.volume, binary.path);

    assert.equal(await at.volume.isHealthy(binary), false);
    if (what === "is a folder") {
      await assert.rejects(install(at.volume, { version: "1.6.4" }), { code: "VolumeUnusable" });
      await rm(binary.path, { recursive: true });
    }
    const again = await install(at.volume, { version: "1.6.4" });

    assert.equal(await at.volume.isHealthy(again), true);
    assert.equal(await run(join(at.folder.root, "current")), "Terraform v1.6.4");
  });
}

test("repair removes what dead processes left, and nothing of those that live", async () => {
  await using at = await start(["1.6.4", "1.7.0"]);
  const { root } = at.folder;
  const binary = await install(at.volume, { version: "1.6.4" });
  await at.volume.activate(binary);
  const good = await snapshot(root);
  await mkdir(join(root, ".temporary/dead/package"), { recursive: true });
  await writeFile(join(root, ".temporary/dead/archive"), "half of it");
  await writeFile(join(root, ".temporary/dead.lock"), "");
  await writeFile(join(root, ".temporary/alone.lock"), "");
  await symlink("1.6.4/terraform", join(root, "previous"));
  const slow = Promise.withResolvers<ServerResponse>();
  at.mirror.files.set("/slow", (_request, response) => slow.resolve(response));
  const running = install(at.volume, { url: `${at.mirror.url}/slow` });
  const answer = await slow.promise;

  await testVolume(root).repair();
  answer.end(standIn("1.8.0"));

  assert.equal((await running).version, "1.8.0");
  await at.volume.remove("terraform", "1.8.0");
  assert.deepEqual(await snapshot(root), good);
  await rm(join(root, "1.6.4/terraform"));
  await at.volume.repair();
  await assert.rejects(readlink(join(root, "current")), { code: "ENOENT" });
});

test("repair brings the manifest of a binary that had just been replaced", async () => {
  await using at = await start();
  const { root } = at.folder;
  const binary = await install(at.volume, { version: "1.6.4" });
  const manifest = await readFile(join(root, "1.6.4/manifest.json"), "utf8");
  const content = standIn("1.6.4").concat("# new\n");
  await writeFile(binary.path, content);
  await mkdir(join(root, ".temporary/dead/package"), { recursive: true });
  const updated = manifest
    .replace(binary.sha256, hash("sha256", content))
    .replace(`${binary.size}`, `${content.length}`);
  await writeFile(join(root, ".temporary/dead/package/manifest.json"), updated);

  await at.volume.repair();

  const found = await at.volume.find("terraform", "1.6.4");
  assert.ok(found !== undefined && (await at.volume.isHealthy(found)));
});

test("another volume is filled from the bytes of a binary, by sha256", async () => {
  await using at = await start();
  const binary = await install(at.volume, { version: "1.6.4" });
  await using elsewhere = await testFolder();
  const worker = testVolume(elsewhere.root);
  const content = async function* (text: string) {
    yield Buffer.from(text);
  };

  const copy = await worker.fill(binary, content(standIn("1.6.4")), { signal });
  const fill = (text: string) => worker.fill(binary, content(text), { signal });

  assert.deepEqual(copy, { ...binary, path: join(elsewhere.root, "1.6.4/terraform") });
  await assert.rejects(fill(standIn("1.6.5")), { code: "ChecksumMismatch" });
  await assert.rejects(fill(`${standIn("1.6.4")} `), { code: "ChecksumMismatch" });
  assert.equal(await worker.isHealthy(copy), true);
});

test("a root may be a link to a folder, but not one that leads nowhere", async () => {
  await using at = await start();
  await mkdir(join(at.folder.path, "disk"));
  await symlink("disk", at.folder.root);
  await symlink("nowhere", join(at.folder.path, "broken"));

  const binary = await install(at.volume, { version: "1.6.4" });
  await at.volume.activate(binary);
  const broken = testVolume(join(at.folder.path, "broken"), { sources: at.sources });

  assert.equal(await run(join(at.folder.root, "current")), "Terraform v1.6.4");
  await assert.rejects(install(broken, { version: "1.6.4" }), {
    code: "VolumeUnusable",
    message: /leads to no folder/,
  });
  await broken.repair();
  assert.deepEqual(await broken.list(), []);
  assert.equal(await broken.current(), undefined);
});

const inTheWay: readonly (readonly [string, (root: string, outside: string) => Promise<unknown>])[] = [
  ["the root is a file", (root) => writeFile(root, "")],
  ["the root cannot be made", (root) => writeFile(join(root, ".."), "").catch(() => writeFile(root, ""))],
  [
    "the temporary folder is a link",
    async (root, to) => [await mkdir(root), await symlink(to, join(root, ".temporary"))],
  ],
  [
    "the temporary folder is a file",
    async (root) => [await mkdir(root), await writeFile(join(root, ".temporary"), "")],
  ],
  ["the version's folder is a link", async (root, to) => [await mkdir(root), await symlink(to, join(root, "1.6.4"))]],
  ["the version's folder is a file", async (root) => [await mkdir(root), await writeFile(join(root, "1.6.4"), "")]],
];
for (const [what, prepare] of inTheWay) {
  test(`an install says so and changes nothing when ${what}`, async () => {
    await using at = await start();
    const outside = join(at.folder.path, "outside");
    await mkdir(outside);
    await prepare(at.folder.root, outside);
    const before = await snapshot(at.folder.path);

    await assert.rejects(install(at.volume, { version: "1.6.4" }), {
      code: "VolumeUnusable",
      message: new RegExp(at.folder.root),
    });

    const { "root/.temporary": _kept, ...after } = await snapshot(at.folder.path);
    const { "root/.temporary": _was, ...expected } = before;
    assert.deepEqual(after, expected);
  });
}

test("an install that is cancelled throws the signal's reason and leaves nothing", async () => {
  await using at = await start();
  const reason = new Error("the deadline of the job");
  const controller = new AbortController();
  at.mirror.files.set("/slow", () => controller.abort(reason));
  at.mirror.files.set(
    "/hangs",
    standIn("1.7.0").replace("case", () => "kill -STOP $$\ncase"),
  );

  const order = { product: "terraform", url: `${at.mirror.url}/slow` } as const;
  await assert.rejects(at.volume.install(order, { signal: controller.signal }), (error) => error === reason);

  const second = new AbortController();
  const hanging = at.volume.install(
    { ...order, url: `${at.mirror.url}/hangs` },
    { signal: second.signal, progress: (step) => step === "prove" && setTimeout(() => second.abort(reason), 50) },
  );
  await assert.rejects(hanging, (error) => error === reason);
  assert.deepEqual(await snapshot(at.folder.root), { ".temporary": "folder" });
});

test("a clock that jumps changes nothing but the time that is written down", async () => {
  await using at = await start();
  const clock = { ...eagerClock, now: () => new Date("2031-01-01T00:00:00.000Z") };
  const volume = testVolume(at.folder.root, { clock });
  at.mirror.files.set("/a", standIn("1.7.0"));

  assert.equal((await install(volume, { url: `${at.mirror.url}/a` })).installedAt, "2031-01-01T00:00:00.000Z");
});
