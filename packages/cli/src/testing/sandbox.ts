import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PassThrough } from "node:stream";
import { Readable, Writable } from "node:stream";
import type { TestServer } from "@rad/control-plane/testing";
import type { CliHost } from "../host.ts";
import { runCli } from "../run-cli.ts";

// The client's kit has a `startTestServer` too, whose answers are scripted.
export { startTestServer as startControlPlane, type TestServer as TestControlPlane } from "@rad/control-plane/testing";

interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The folder to run in, below the home folder; that itself when absent. */
  readonly folder?: string;
  /** The types of `extension radius`. */
  readonly radiusTypes?: CliHost["radiusTypes"];
  /** Makes it a terminal: what is written here is typed there. */
  readonly keyboard?: PassThrough;
  /** Called with everything that is written, as it is written. */
  readonly onOutput?: (text: string) => void;
}

/** A home folder of its own, in which `rad` runs without touching anybody else's. */
export interface Sandbox extends AsyncDisposable {
  readonly home: string;
  readonly configPath: string;
  rad(args: readonly string[], options?: RunOptions): Promise<RunResult>;
}

export async function createSandbox(): Promise<Sandbox> {
  const home = await mkdtemp(join(tmpdir(), "rad-cli-test-"));
  return {
    home,
    configPath: join(home, ".rad", "config.yaml"),
    rad: (args, options = {}) => runCaptured(home, args, options),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

/** A sandbox whose current workspace `test`, with the group `dev`, leads to `server`. */
export async function createConnectedSandbox(server: TestServer): Promise<Sandbox> {
  const sandbox = await createSandbox();
  const connect = ["workspace", "create", "server", "test", "--url", server.url, "--token-file", server.tokenFile];
  for (const args of [connect, ["group", "create", "dev"], ["group", "switch", "dev"]]) {
    const { code, stderr } = await sandbox.rad(args);
    if (code !== 0) {
      throw new Error(`rad ${args.join(" ")}: ${stderr}`);
    }
  }
  return sandbox;
}

async function runCaptured(home: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const { keyboard } = options;
  const screen = keyboard === undefined ? {} : { isTTY: true, columns: 120, rows: 40 };
  const into = (chunks: string[]) => {
    const stream = new Writable({
      write: (chunk, _, done) => {
        chunks.push(String(chunk));
        options.onOutput?.(String(chunk));
        done();
      },
    });
    return Object.assign(stream, screen);
  };
  const stdin =
    keyboard === undefined
      ? Readable.from(options.stdin === undefined ? [] : [options.stdin])
      : Object.assign(keyboard, { isTTY: true, setRawMode: () => keyboard });
  const code = await runCli(args, {
    env: { PATH: process.env["PATH"], HOME: home, ...options.env },
    cwd: join(home, options.folder ?? ""),
    home,
    stdin,
    stdout: into(stdout),
    stderr: into(stderr),
    radiusTypes: options.radiusTypes,
    signal: options.signal ?? new AbortController().signal,
  });
  return { code, stdout: stdout.join(""), stderr: stderr.join("") };
}
