import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { until } from "@rad/core/testing";
import type { TestServer } from "@rad/control-plane/testing";
import type { TestCluster } from "@rad/kubernetes/testing";

const main = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));

export interface Ended {
  /** `null` when a signal has ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `rad` as a process of its own. */
export interface RadProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly stdout: () => string;
  readonly ended: Promise<Ended>;
  /** Waits until it has printed something that matches, and gives the match. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ctrl+C. */
  interrupt(): Promise<Ended>;
}

/** A home folder of its own, whose workspace leads to a control plane and may name a cluster. */
export interface RadHome extends AsyncDisposable {
  readonly folder: string;
  write(name: string, text: string): Promise<void>;
  /** @throws when it fails */
  rad(...args: readonly string[]): Promise<Ended>;
  start(...args: readonly string[]): RadProcess;
}

interface RadHomeOptions {
  readonly server: Pick<TestServer, "url" | "tokenFile">;
  /** Named by the workspace. */
  readonly cluster?: TestCluster;
  readonly group: string;
}

export async function createRadHome({ server, cluster, group }: RadHomeOptions): Promise<RadHome> {
  const folder = await mkdtemp(path.join(tmpdir(), "rad-home-"));
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    ...(cluster === undefined ? {} : { KUBECONFIG: cluster.kubeConfig }),
  };
  const started: RadProcess[] = [];
  const home: RadHome = {
    folder,
    write: (name, text) => writeFile(path.join(folder, name), text),
    start: (...args) => {
      const process = startRad(args, folder, env);
      started.push(process);
      return process;
    },
    rad: async (...args) => {
      const ended = await home.start(...args).ended;
      if (ended.code !== 0) {
        throw new Error(`rad ${args.join(" ")} ended with ${ended.code}: ${ended.stderr}`);
      }
      return ended;
    },
    [Symbol.asyncDispose]: async () => {
      for (const { child, ended } of started) {
        child.kill("SIGKILL");
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
  const context = cluster === undefined ? [] : ["--context", cluster.context];
  await home.rad(
    "workspace",
    "create",
    "server",
    "test",
    "--url",
    server.url,
    "--token-file",
    server.tokenFile,
    ...context,
  );
  await home.rad("group", "create", group);
  await home.rad("group", "switch", group);
  return home;
}

function startRad(args: readonly string[], cwd: string, env: Readonly<Record<string, string | undefined>>): RadProcess {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (output.stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (output.stderr += String(chunk)));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...output }));
  return {
    child,
    stdout: () => output.stdout,
    ended,
    printed: (pattern) =>
      until(
        () => `rad ${args.join(" ")} prints ${pattern}; it has printed:\n${output.stdout}\n${output.stderr}`,
        () => {
          if (child.exitCode !== null) {
            throw new Error(
              `rad ${args.join(" ")} has ended with ${child.exitCode}:\n${output.stdout}\n${output.stderr}`,
            );
          }
          return pattern.exec(output.stdout) ?? undefined;
        },
        { timeoutMs: 60_000 },
      ),
    interrupt: async () => {
      child.kill("SIGINT");
      return await ended;
    },
  };
}
