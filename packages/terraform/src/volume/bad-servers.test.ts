import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { after, before, test } from "node:test";
import { createCa, createLeaf, startWebServer } from "@rad/artifacts/testing";
import { ca, createReleaseKey, pathOf, signatureOf, startMirror } from "../tests/mirror.ts";
import type { Mirror, ReleaseKey } from "../tests/mirror.ts";
import { machinePlatform } from "../platform.ts";
import { releaseUrls } from "../release/release-layout.ts";
import { releaseZip } from "../tests/stand-in.ts";
import { install, snapshot, testFolder, testVolume } from "../tests/volume-kit.ts";
import type { TestFolder } from "../tests/volume-kit.ts";
import type { BinaryVolume, InstallOrder } from "./binary-volume.ts";
import type { BinaryVolumeOptions } from "./disk-volume.ts";

const zip = releaseZip("1.6.4");
const version = "1.6.4";

let mirror: Mirror;
let folder: TestFolder;
let options: Partial<BinaryVolumeOptions>;
let volume: BinaryVolume;
let untouched: Record<string, string>;
let key: ReleaseKey;
let strange: ReleaseKey;
let expired: ReleaseKey;

before(async () => {
  mirror = await startMirror();
  folder = await testFolder();
  [key, strange, expired] = await Promise.all([
    createReleaseKey("publisher"),
    createReleaseKey("somebody else"),
    createReleaseKey("publisher before", { from: new Date("2020-01-01"), seconds: 86_400 }),
  ]);
  const keys = [await folder.file("key.asc", `${key.publicKey}\n${expired.publicKey}`)];
  options = {
    sources: { terraform: { baseUrl: mirror.url, keys } },
    limits: { maxArchiveBytes: 1 << 20 },
  };
  volume = testVolume(folder.root, options);
  await mirror.publish("1.5.7", { key });
  await volume.activate(await install(volume, { version: "1.5.7" }));
  untouched = await snapshot(folder.path);
});
after(async () => {
  await mirror[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

function urls() {
  return releaseUrls("terraform", version, machinePlatform(), { baseUrl: mirror.url });
}

async function refused(order: Partial<InstallOrder>, code: string, message: RegExp, by = volume): Promise<void> {
  await assert.rejects(install(by, order), { name: "InstallError", code, message });
  assert.deepEqual(await snapshot(folder.path), untouched);
}

const badAnswers: readonly (readonly [what: string, answer: RequestListener, code: string, message: RegExp])[] = [
  ["has nothing there", (_, to) => to.writeHead(404).end(), "DownloadFailed", /status 404/],
  ["refuses the caller", (_, to) => to.writeHead(401).end(), "DownloadFailed", /status 401/],
  ["is broken", (_, to) => to.writeHead(500).end(), "DownloadFailed", /status 500/],
  ["has no content", (_, to) => to.writeHead(204).end(), "ArchiveRefused", /empty/],
  ["sends a part that nobody asked for", (_, to) => partial(to), "DownloadFailed", /another part/],
  ["breaks off", (_, to) => breakOff(to, "content-length", String(zip.length)), "DownloadFailed", /broke off|bytes/],
  ["breaks off without a length", (_, to) => breakOff(to, "transfer-encoding", "chunked"), "DownloadFailed", /broke/],
  ["closes without an answer", (request) => request.socket.destroy(), "DownloadFailed", /cannot be reached/],
  ["announces too much", (_, to) => announce(to, 2 << 20), "ArchiveRefused", /larger than 1048576/],
  ["sends too much", (_, to) => to.end(Buffer.alloc(2 << 20)), "ArchiveRefused", /larger than 1048576/],
  ["never stops sending", (_, to) => pour(to), "ArchiveRefused", /larger than 1048576/],
  ["redirects to http", redirect("http://127.0.0.1/a.zip"), "DownloadRefused", /from https to http/],
  ["redirects to a file", redirect("file:///etc/passwd"), "DownloadRefused", /no URL/],
  ["redirects in a circle", redirect("/bad"), "DownloadRefused", /more than 10 times/],
  ["redirects to a metadata address", redirect("https://169.254.169.254/latest"), "DownloadRefused", /169\.254/],
  ["redirects to one in IPv6", redirect("https://[fd00:ec2::254]/latest"), "DownloadRefused", /fd00/],
  ["redirects to one in disguise", redirect("https://[::ffff:a9fe:a9fe]/"), "DownloadRefused", /a9fe/],
  ["redirects to one as a number", redirect("https://2852039166/"), "DownloadRefused", /169\.254/],
  ["redirects to a name with such an address", redirect("https://metadata.test/"), "DownloadRefused", /169\.254/],
  ["redirects to this link", redirect("https://[fe80::1]/"), "DownloadRefused", /fe80/],
  ["redirects to whoever listens", redirect("https://0.0.0.0/"), "DownloadRefused", /0\.0\.0\.0/],
  ["redirects to a host nobody knows", redirect("https://nobody.test/"), "DownloadFailed", /nobody\.test/],
  ["sends a login page", (_, to) => to.end("<html>Sign in</html>"), "ArchiveRefused", /web page/],
];

for (const [what, answer, code, message] of badAnswers) {
  test(`a server that ${what} is refused, and the volume stays as it was`, async () => {
    mirror.files.set("/bad", answer);
    const by = testVolume(folder.root, {
      ...options,
      lookup: (host, found) =>
        host === "nobody.test"
          ? found(Object.assign(new Error("none"), { code: "ENOTFOUND" }), [])
          : found(null, [{ address: "169.254.169.254", family: 4 }]),
    });

    await refused({ url: `${mirror.url}/bad` }, code, message, by);
  });
}

const slowAnswers: readonly (readonly [what: string, answer: RequestListener, message: RegExp])[] = [
  ["never answers", () => {}, /0\.5 seconds to send anything/],
  ["stalls", (_, to) => to.write(zip.subarray(0, 50)), /0\.5 seconds to send anything/],
  ["sends a byte now and then", (_, to) => trickle(to), /longer than 3 seconds|to send anything/],
];
for (const [what, answer, message] of slowAnswers) {
  test(`a server that ${what} is given up, and the volume stays as it was`, async () => {
    mirror.files.set("/bad", answer);
    const by = testVolume(folder.root, { ...options, limits: { idleMs: 500, downloadMs: 3000 } });

    await refused({ url: `${mirror.url}/bad` }, "TimedOut", message, by);
  });
}

const badUrls: readonly (readonly [url: string, message: RegExp])[] = [
  ["http://127.0.0.1/a.zip", /must be fetched by https/],
  ["ftp://127.0.0.1/a.zip", /Only http and https/],
  ["https://169.254.169.254/a.zip", /169\.254\.169\.254/],
  ["https://100.100.100.200/a.zip", /100\.100\.100\.200/],
  ["not a URL", /no URL/],
];
for (const [url, message] of badUrls) {
  test(`${url} is refused`, async () => {
    await refused({ url }, "DownloadRefused", message);
  });
}

const badTls: readonly (readonly [what: string, start: () => Promise<AsyncDisposable & { url: string }>, RegExp])[] = [
  ["by an authority nobody trusts", () => serve(createLeaf("127.0.0.1", createCa("other"))), /not trusted/],
  ["that has expired", () => serve(createLeaf("127.0.0.1", ca, { end: "210101000000Z" })), /CERT_HAS_EXPIRED/],
  ["for another address", () => serve(createLeaf("x", ca, { address: [10, 0, 0, 1] })), /ALTNAME/],
  ["that signs itself", () => serve(createCa("127.0.0.1")), /not trusted/],
];
for (const [what, start, message] of badTls) {
  test(`a server with a certificate ${what} is refused`, async () => {
    await using server = await start();

    await refused({ url: `${server.url}/a.zip` }, "TlsFailed", message);
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      await refused({ url: `${server.url}/a.zip` }, "TlsFailed", message, testVolume(folder.root, options));
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    }
  });
}

test("a server that speaks TLS 1.1 at most is refused", async () => {
  const leaf = createLeaf("127.0.0.1", ca);
  const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" } as const;
  await using server = await listening(createTlsServer({ ...leaf, ...old }, (_, to) => to.end(zip)));

  await refused({ url: `https://127.0.0.1:${server.port}/a` }, "TlsFailed", /ERR_SSL|EPROTO/);
});

test("a server that speaks no TLS is refused", async () => {
  await using server = await startWebServer((_, to) => to.end(zip));

  await refused({ url: server.url.replace("http:", "https:") }, "TlsFailed", /ERR_SSL|EPROTO/);
});

test("a server that speaks no HTTP is refused", async () => {
  await using server = await listening(createServer((socket) => socket.resume().end("hello\r\n")));

  await refused({ url: `https://127.0.0.1:${server.port}/a` }, "TlsFailed", /ERR_SSL|EPROTO/);
});

test("a port where nobody listens is refused", async () => {
  const port = await (async () => {
    await using server = await listening(createServer());
    return server.port;
  })();

  await refused({ url: `https://127.0.0.1:${port}/a` }, "DownloadFailed", /ECONNREFUSED/);
});

const badSums: readonly (readonly [what: string, spoil: () => unknown, code: string, RegExp])[] = [
  ["no SHA256SUMS", () => mirror.files.delete(pathOf(urls().sums)), "NotPublished", /SHA256SUMS of Terraform 1\.6\.4/],
  ["no signature", () => mirror.files.delete(pathOf(urls().signature)), "NotPublished", /signature.*checksum/],
  ["no archive", () => mirror.files.delete(pathOf(urls().archive)), "DownloadFailed", /status 404/],
  [
    "an archive with one more byte",
    () => setFile(urls().archive, Buffer.concat([zip, zip])),
    "ChecksumMismatch",
    /sha256/,
  ],
  ["a signature that is none", () => setFile(urls().signature, "hello"), "SignatureRefused", /not an OpenPGP/],
  ["an empty signature", () => setFile(urls().signature, ""), "SignatureRefused", /signature/],
  ["a signature that is too long", () => setFile(urls().signature, Buffer.alloc(1 << 20)), "ArchiveRefused", /larger/],
  [
    "sums that were changed",
    () => setFile(urls().sums, `${"0".repeat(64)}  ${urls().archiveName}\n`),
    "SignatureRefused",
    /does not belong/,
  ],
  ["sums without the archive", () => signed(`${"0".repeat(64)}  other.zip\n`), "SumsInvalid", /no checksum for/],
  ["sums with the archive twice", () => signed(twice()), "SumsInvalid", /more than one/],
  ["sums by an unknown key", () => resigned(strange), "SignatureRefused", /not among the configured/],
  [
    "sums by an expired key",
    () => resigned(expired, new Date("2020-01-01T12:00:00Z")),
    "SignatureRefused",
    /expired on 2020-01-02/,
  ],
];
for (const [what, spoil, code, message] of badSums) {
  test(`a release with ${what} is refused`, async () => {
    await mirror.publish(version, { key });
    await spoil();

    await refused({ version }, code, message);
  });
}

const badIndexes: readonly (readonly [what: string, index: string | undefined, code: string, RegExp])[] = [
  ["is missing", undefined, "NotPublished", /index of Terraform releases/],
  ["is no JSON", "<html>", "IndexInvalid", /is not JSON/],
  ["has no versions", '{"versions": 3}', "IndexInvalid", /no list of versions/],
  ["has pre-releases only", '{"versions": {"1.0.0-beta1": {}, "../../x": {}}}', "IndexInvalid", /lists no release/],
];
for (const [what, index, code, message] of badIndexes) {
  test(`an index that ${what} is refused`, async () => {
    mirror.files.delete("/terraform/index.json");
    if (index !== undefined) {
      mirror.files.set("/terraform/index.json", index);
    }

    await refused({}, code, message);
  });
}

type Answer = Parameters<RequestListener>[1];

function redirect(location: string): RequestListener {
  return (_, to) => to.writeHead(302, { location }).end();
}

function partial(to: Answer): void {
  to.writeHead(206, { "content-range": `bytes 5-9/${zip.length}` }).end(zip.subarray(5, 10));
}

function breakOff(to: Answer, header: string, value: string): void {
  to.writeHead(200, { [header]: value });
  to.write(zip.subarray(0, 50), () => setTimeout(() => to.destroy(), 5));
}

function announce(to: Answer, bytes: number): void {
  to.writeHead(200, { "content-length": bytes });
  to.write("x");
}

function pour(to: Answer): void {
  const more = (): void => {
    while (!to.destroyed && to.write(Buffer.alloc(64 << 10))) {}
  };
  to.on("drain", more);
  more();
}

function trickle(to: Answer): void {
  const timer = setInterval(() => to.write("P"), 50);
  to.on("close", () => clearInterval(timer));
}

async function serve(certificate: Parameters<typeof startMirror>[0]) {
  return await startMirror(certificate);
}

async function listening(server: Server): Promise<AsyncDisposable & { readonly port: number }> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function setFile(url: string, content: Buffer | string): void {
  mirror.files.set(pathOf(url), content);
}

async function signed(sums: string): Promise<void> {
  setFile(urls().sums, sums);
  setFile(urls().signature, await signatureOf(sums, key));
}

async function resigned(by: ReleaseKey, date?: Date): Promise<void> {
  const sums = mirror.files.get(pathOf(urls().sums)) as string;
  setFile(urls().signature, await signatureOf(sums, by, date));
}

function twice(): string {
  return ["0", "1"].map((digit) => `${digit.repeat(64)}  ${urls().archiveName}\n`).join("");
}
