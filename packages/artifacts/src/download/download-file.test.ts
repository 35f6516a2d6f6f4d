import assert from "node:assert/strict";
import { hash, randomBytes } from "node:crypto";
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import type { RequestListener, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { startWebServer } from "../testing/web-server.ts";
import { downloadFile } from "./download-file.ts";
import type { DownloadProgress, FileRequest } from "./download-file.ts";
import { HashedFile } from "./hashed-file.ts";
import { createNetwork } from "./network.ts";

const content = randomBytes(3_000_000);
const sha256 = hash("sha256", content, "hex");
const root = await mkdtemp(join(tmpdir(), "rad-download-"));
after(() => rm(root, { recursive: true }));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(root, "case-"));
});

async function download(url: string, more: Partial<FileRequest> = {}) {
  const request = {
    url,
    path: join(folder, "file"),
    totalMs: 20_000,
    maxBytes: content.length,
    sleep: async () => {},
    ...more,
  };
  return await downloadFile(createNetwork({ addresses: "loopback" }), request);
}

async function assertNothingLeft(): Promise<void> {
  assert.deepEqual(await readdir(folder), []);
}

/** Sends the first bytes of a body that is announced to be longer, and breaks the connection. */
function breakAfter(response: ServerResponse, start: number, end: number): void {
  response.write(content.subarray(start, end), () => setTimeout(() => response.destroy(), 20));
}

function rangeStart(header: string | undefined): number {
  return Number(/^bytes=(\d+)-$/u.exec(header ?? "")?.[1] ?? "0");
}

test("a file is hashed on its way, appears whole, for its owner alone, and tells how far it is", async () => {
  await using server = await startWebServer((_request, response) => {
    response.writeHead(200, { "content-length": content.length }).end(content);
  });
  const progress: DownloadProgress[] = [];

  const result = await download(server.url, {
    sha256: sha256.toUpperCase(),
    onProgress: (step) => progress.push(step),
  });

  assert.deepEqual(result, { bytes: content.length, sha256 });
  assert.deepEqual(await readFile(join(folder, "file")), content);
  assert.equal((await stat(join(folder, "file"))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ["file"]);
  assert.deepEqual(progress.at(-1), { bytes: content.length, totalBytes: content.length });
  assert.ok(progress.length >= 3);
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a.bytes - b.bytes),
  );
});

test("an empty file is one", async () => {
  await using server = await startWebServer((_request, response) => response.end());

  assert.deepEqual(await download(server.url), { bytes: 0, sha256: hash("sha256", "", "hex") });
  assert.equal((await stat(join(folder, "file"))).size, 0);
});

const failures: readonly (readonly [code: string, listener: RequestListener, more?: Partial<FileRequest>])[] = [
  ["DigestMismatch", (_, response) => response.end(content), { sha256: "0".repeat(64) }],
  ["HttpStatus", (_, response) => response.writeHead(404).end("no")],
  ["HttpStatus", (_, response) => response.writeHead(503).end("no")],
  ["TooLarge", (_, response) => response.end(content), { maxBytes: content.length - 1 }],
  ["TooLarge", (_, response) => void response.write(content), { maxBytes: 1000 }],
  ["TooLarge", (_, response) => void response.writeHead(200, { "content-length": 9e9 }).write("x")],
  ["TimedOut", (_, response) => void response.write("x"), { idleMs: 100 }],
  ["TimedOut", (_, response) => void response.write("x"), { totalMs: 100 }],
  ["RedirectRefused", (_, response) => response.writeHead(302, { location: "/x" }).end()],
  ["InvalidAnswer", (_, response) => response.writeHead(206, { "content-range": "bytes 5-9/10" }).end("56789")],
  ["InvalidAnswer", (_, response) => response.writeHead(206).end("56789")],
  ["InvalidAnswer", (_, response) => response.writeHead(206, { "content-range": "bytes 0-4/*" }).end("01234")],
];

for (const [index, [code, listener, more]] of failures.entries()) {
  test(`a failed download leaves nothing behind: ${code} (${index})`, async () => {
    await using server = await startWebServer(listener);

    await assert.rejects(download(server.url, more), { code });
    await assertNothingLeft();
  });
}

test("a file that was there stays as it was when the new one cannot be had", async () => {
  await writeFile(join(folder, "file"), "old");
  await using server = await startWebServer((_request, response) => response.end(content));

  await assert.rejects(download(server.url, { sha256: "0".repeat(64) }), { code: "DigestMismatch" });
  assert.equal(await readFile(join(folder, "file"), "utf8"), "old");
  await download(server.url, { sha256 });
  assert.deepEqual(await readFile(join(folder, "file")), content);
  assert.deepEqual(await readdir(folder), ["file"]);
});

test("the caller may give up in the middle", async () => {
  const controller = new AbortController();
  const given = new Error("given up");
  await using server = await startWebServer((_request, response) => {
    response.write(content.subarray(0, 2_000_000));
  });

  const onProgress = () => controller.abort(given);

  await assert.rejects(download(server.url, { signal: controller.signal, onProgress }), given);
  await assertNothingLeft();
});

test("a broken connection is resumed where it broke, as often as needed", async () => {
  const ranges: (string | undefined)[] = [];
  await using server = await startWebServer((request, response) => {
    const start = rangeStart(request.headers.range);
    ranges.push(request.headers.range);
    assert.equal(request.headers["if-range"], start === 0 ? undefined : '"v1"');
    response.writeHead(start === 0 ? 200 : 206, {
      etag: '"v1"',
      "content-length": content.length - start,
      ...(start === 0 ? {} : { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` }),
    });
    if (ranges.length < 4) {
      breakAfter(response, start, start + 700_000);
    } else {
      response.end(content.subarray(start));
    }
  });

  assert.deepEqual(await download(server.url, { sha256 }), { bytes: content.length, sha256 });
  assert.deepEqual(await readFile(join(folder, "file")), content);
  assert.deepEqual(ranges, [undefined, "bytes=700000-", "bytes=1400000-", "bytes=2100000-"]);
});

test("a download that another server was asked for first is resumed too", async () => {
  const ranges: (string | undefined)[] = [];
  await using storage = await startWebServer((request, response) => {
    ranges.push(request.headers.range);
    const start = rangeStart(request.headers.range);
    if (start === 0) {
      response.writeHead(200, { etag: '"v1"', "content-length": content.length });
      breakAfter(response, 0, 700_000);
    } else {
      response.writeHead(206, { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` });
      response.end(content.subarray(start));
    }
  });
  await using server = await startWebServer((_request, response) => {
    response.writeHead(302, { location: storage.url }).end();
  });

  await download(server.url, { sha256, redirects: { max: 1, to: "anyHost" } });
  assert.deepEqual(ranges, [undefined, "bytes=700000-"]);
});

/** How servers that cannot resume answer the second request. */
const restarts: readonly (readonly [what: string, headers: Record<string, string>, second: RequestListener])[] = [
  ["the content has changed", { etag: '"old"' }, (_, response) => response.end(content)],
  ["it knows no ranges", { "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT" }, (_, response) => response.end(content)],
  ["its tag is weak", { etag: 'W/"v1"' }, (request, response) => response.end(request.headers.range ?? content)],
  ["it has no tag", {}, (request, response) => response.end(request.headers.range ?? content)],
  [
    "it says that there is no such part",
    { etag: '"v1"' },
    (request, response) =>
      request.headers.range === undefined ? response.end(content) : response.writeHead(416).end(),
  ],
  [
    "it sends another part",
    { etag: '"v1"' },
    (request, response) =>
      request.headers.range === undefined
        ? response.end(content)
        : response.writeHead(206, { "content-range": "bytes 5-9/10" }).end("56789"),
  ],
  ["it sends the rest of other content", { etag: '"v1"' }, restOf({ etag: '"v2"' })],
  ["the rest makes another length", { etag: '"v1"' }, restOf({ etag: '"v1"', total: content.length - 1 })],
  ["it does not say how long the rest is", { etag: '"v1"' }, restOf({ etag: '"v1"', total: "*" })],
];

/** Sends the part that is asked for, whatever it is a part of. */
function restOf({ etag, total = content.length }: { etag: string; total?: number | "*" }): RequestListener {
  return (request, response) => {
    const start = rangeStart(request.headers.range);
    const end = total === "*" ? content.length : total;
    if (start === 0) {
      response.end(content);
    } else {
      response.writeHead(206, { etag, "content-range": `bytes ${start}-${end - 1}/${total}` });
      response.end(Buffer.alloc(end - start));
    }
  };
}

for (const [what, headers, second] of restarts) {
  test(`where ${what}, the download begins anew`, async () => {
    let requests = 0;
    await using server = await startWebServer((request, response) => {
      requests += 1;
      if (requests === 1) {
        response.writeHead(200, { ...headers, "content-length": content.length });
        response.write(randomBytes(1000), () => setTimeout(() => response.destroy(), 20));
      } else {
        second(request, response);
      }
    });

    assert.deepEqual(await download(server.url, { sha256 }), { bytes: content.length, sha256 });
    assert.deepEqual(await readFile(join(folder, "file")), content);
  });
}

test("nothing of longer content stays behind shorter content", async () => {
  let requests = 0;
  await using server = await startWebServer((_request, response) => {
    requests += 1;
    if (requests === 1) {
      response.writeHead(200, { etag: '"long"', "content-length": content.length });
      breakAfter(response, 0, 2_000_000);
    } else {
      response.end("short");
    }
  });

  assert.deepEqual(await download(server.url), { bytes: 5, sha256: hash("sha256", "short", "hex") });
  assert.equal(await readFile(join(folder, "file"), "utf8"), "short");
});

test("a part that ends early is no end", async () => {
  let requests = 0;
  await using server = await startWebServer((request, response) => {
    requests += 1;
    const start = rangeStart(request.headers.range);
    const end = Math.min(start + 1_200_000, content.length);
    response.writeHead(start === 0 ? 200 : 206, {
      etag: '"v1"',
      "content-range": `bytes ${start}-${end - 1}/${content.length}`,
      "content-length": start === 0 ? content.length : end - start,
    });
    if (start === 0) {
      breakAfter(response, start, end);
    } else {
      response.end(content.subarray(start, end));
    }
  });

  assert.deepEqual(await download(server.url, { sha256 }), { bytes: content.length, sha256 });
  assert.equal(requests, 3);
});

test("a server that always breaks off is given up", async () => {
  let requests = 0;
  await using server = await startWebServer((_request, response) => {
    requests += 1;
    response.writeHead(200, { "content-length": 100 });
    response.write("x", () => setTimeout(() => response.destroy(), 5));
  });

  await assert.rejects(download(server.url), { code: "Interrupted" });
  await assertNothingLeft();
  assert.equal(requests, 6);
});

test("a place that cannot be written is told with the system's reason", async () => {
  await using server = await startWebServer((_request, response) => response.end(content));
  await writeFile(join(folder, "plain"), "");

  await assert.rejects(download(server.url, { path: join(folder, "plain", "file") }), { code: "FileUnwritable" });
  await assert.rejects(download(server.url, { path: "/proc/none/file" }), { code: "FileUnwritable" });
});

test("a disk that takes no more ends the download", async () => {
  await writeFile(join(folder, "file"), "");
  await using handle = await open(join(folder, "file"), "r");
  const file = new HashedFile(handle);

  await file.add(Buffer.alloc(2 << 20));

  await assert.rejects(file.flush(), { code: "EBADF" });
  await assert.rejects(file.add(Buffer.alloc(2 << 20)), { code: "EBADF" });
});
