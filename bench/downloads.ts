import { fork } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createNetwork, downloadFile } from "@rad/artifacts/download";
import type { FileRequest } from "@rad/artifacts/download";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";

const megabyte = 1 << 20;
const bytes = 256 * megabyte;
const freedFrom = 96 * megabyte;
const rounds = 7;

/** A large file that is downloaded, hashed and on the disk for good, against `fetch` piped to a file and no more. */
export async function measureDownloads(): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "rad-bench-downloads-"));
  const server = fork(path.join(import.meta.dirname, "baseline", "file-server.ts"), [String(bytes)]);
  try {
    const [port] = await once(server, "message");
    const url = `http://127.0.0.1:${String(port)}/`;
    const target = path.join(folder, "file");
    const memory = await memoryGrowth(url, target);
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await speedOf(() => pipeToFile(url, target)));
      ours.push(await speedOf(() => download(url, target)));
    }
    const [value, baseline] = [median(ours), median(bare)];
    const name = `download of ${bytes / megabyte} MB`;
    return [
      { name: `${name}, hashed`, value, unit: "MB/s", baseline, figure: value / baseline, target: { atLeast: 0.8 } },
      {
        name: `${name}, memory growth after the first ${freedFrom / megabyte} MB`,
        value: memory,
        unit: "MB",
        figure: memory,
        target: { atMost: 64 },
      },
    ];
  } finally {
    server.kill();
    await rm(folder, { recursive: true });
  }
}

/**
 * V8 frees chunks when 64 MB of them have come together, so every process that streams grows by as much at first. What
 * counts is that it stays there. @returns by how many megabytes it grows from then on
 */
async function memoryGrowth(url: string, target: string): Promise<number> {
  let before = 0;
  let most = 0;
  await download(url, target, ({ bytes: received }) => {
    const now = process.memoryUsage.rss();
    before ||= received >= freedFrom ? now : 0;
    most = Math.max(most, now);
  });
  return (most - before) / megabyte;
}

async function download(url: string, target: string, onProgress?: FileRequest["onProgress"]): Promise<void> {
  const limits = { totalMs: 60_000, maxBytes: bytes };
  const watched = onProgress === undefined ? {} : { onProgress };
  await downloadFile(createNetwork({ addresses: "loopback" }), { url, path: target, ...watched, ...limits });
}

async function pipeToFile(url: string, target: string): Promise<void> {
  const { body } = await fetch(url);
  await pipeline(body ?? [], createWriteStream(target));
}

async function speedOf(run: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await run();
  return bytes / megabyte / ((performance.now() - started) / 1000);
}
