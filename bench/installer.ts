import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { zipOf } from "@rad/artifacts/testing";
import { machinePlatform } from "@rad/terraform";
import { startReleaseMirror } from "@rad/terraform/testing";
import type { PublishedRelease, ReleaseMirror } from "@rad/terraform/testing";
import { realTerraform } from "@rad/terraform/testing/real-binaries";
import { startServerProcess } from "../e2e/support/server-process.ts";
import type { ServerProcess } from "../e2e/support/server-process.ts";
import { accepted, settled } from "../e2e/terraform/installer-api.ts";
import { cpuSeconds } from "./cpu-time.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";
import { apiVersion, prepare, resource, syncCollection } from "./subjects.ts";

const run = promisify(execFile);
const megabyte = 1 << 20;
const rounds = 7;
const requests = 2_000;
const readers = 8;

/** The work of an install, with the tools of every Linux machine. */
const script = `
set -eu
curl --silent --show-error --fail --cacert "$1" --output "$3/archive.zip" "$2"
echo "$4  $3/archive.zip" | sha256sum --check --quiet
unzip -q -o "$3/archive.zip" terraform -d "$3"
rm "$3/archive.zip"
sync "$3/terraform"
"$3/terraform" version -json > /dev/null
`;

/** Installs of the real Terraform against a shell script, memory by the size of the archive, and what a status costs. */
export async function measureInstaller(): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "rad-bench-installer-"));
  await using mirror = await startReleaseMirror();
  try {
    return [await measureInstall(mirror, folder), await measureMemory(mirror), await measureStatus(mirror)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureInstall(mirror: ReleaseMirror, folder: string): Promise<Measurement> {
  const release = await mirror.publishReal(await realTerraform());
  await using server = await startInstaller(mirror);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const times = [
      await secondsOf(() => run("sh", ["-c", script, "script", mirror.caFile, release.url, folder, release.checksum])),
      await secondsOf(() => install(server, release)),
    ] as const;
    await accepted(server, "uninstall");
    await settled(server);
    if (round > 0) {
      bare.push(times[0]);
      ours.push(times[1]);
    }
  }
  const [value, baseline] = [median(ours), median(bare)];
  const name = `install of Terraform ${release.version}, against a shell script`;
  return { name, value, unit: "s", baseline, figure: value / baseline, target: { atMost: 1.25 } };
}

async function measureMemory(mirror: ReleaseMirror): Promise<Measurement> {
  const small = await peakMegabytes(mirror, "2.0.10", 10);
  const large = await peakMegabytes(mirror, "2.0.200", 200);
  const growth = large - small;
  const name = "peak memory of a server, from an archive of 10 MB to one of 200 MB";
  return { name, value: growth, unit: "MiB", figure: growth, target: { atMost: 32 } };
}

/** Of a fresh server that installs an archive of that size once. */
async function peakMegabytes(mirror: ReleaseMirror, version: string, size: number): Promise<number> {
  const release = await mirror.publish("terraform", version, paddedArchive(version, size));
  await using server = await startInstaller(mirror);
  await install(server, release);
  const status = await readFile(`/proc/${server.pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** A program that answers `version`, with so many megabytes behind its end that no packing makes smaller. */
function paddedArchive(version: string, size: number): Buffer {
  const { os, arch } = machinePlatform();
  const program = `#!/bin/sh
case "$*" in
  "version -json") echo '{"terraform_version":"${version}","platform":"${os}_${arch}"}' ;;
  version) echo "Terraform v${version}" ;;
esac
exit
`;
  return zipOf([
    ["terraform", Buffer.concat([Buffer.from(program), randomBytes(size * megabyte)]), { mode: 0o100755 }],
  ]);
}

/** CPU time of the server, which the load of a client does not change. */
async function measureStatus(mirror: ReleaseMirror): Promise<Measurement> {
  await using server = await startInstaller(mirror);
  await prepare(server);
  await install(server, await mirror.publish("terraform", "1.6.4"));
  const plain = `${syncCollection}/item?api-version=${apiVersion}`;
  const authorization = { authorization: `Bearer ${server.token}` };
  await fetch(`${server.url}${plain}`, {
    method: "PUT",
    headers: { ...authorization, "content-type": "application/json" },
    body: JSON.stringify(resource),
  });
  const costs: Record<"status" | "plain", number[]> = { status: [], plain: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [kind, target] of [
      ["plain", plain],
      ["status", "/installer/terraform/status"],
    ] as const) {
      const cost = await cpuPerRequest(server, target);
      if (round > 0) {
        costs[kind].push(cost);
      }
    }
  }
  const [value, baseline] = [median(costs.status), median(costs.plain)];
  const name = "GET of the installer's status, against one of a resource, CPU time";
  return { name, value, unit: "ms", baseline, figure: value / baseline, target: { atMost: 1.2 } };
}

async function cpuPerRequest(server: ServerProcess, target: string): Promise<number> {
  const before = await cpuSeconds(server.pid);
  const reader = async (): Promise<void> => {
    for (let count = 0; count < requests / readers; count += 1) {
      const response = await fetch(`${server.url}${target}`, { headers: { authorization: `Bearer ${server.token}` } });
      await response.arrayBuffer();
      if (response.status !== 200) {
        throw new Error(`${target} answers ${response.status}`);
      }
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return (((await cpuSeconds(server.pid)) - before) * 1_000) / requests;
}

async function startInstaller(mirror: ReleaseMirror): Promise<ServerProcess> {
  return await startServerProcess({ config: { terraform: { installer: { ...mirror.settings, drainSeconds: 0 } } } });
}

/** With the checksum, as the script has it, so that neither fetches more than the archive. */
async function install(server: ServerProcess, { version, checksum }: PublishedRelease): Promise<void> {
  await accepted(server, "install", { version, source: { checksum } });
  const { currentVersion, history } = await settled(server);
  if (currentVersion !== version) {
    throw new Error(`Terraform ${version} was not installed: ${history[0]?.error}`);
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
