import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ConfigOverrides } from "@rad/control-plane";
import { launch } from "./launch.ts";
import type { Launched } from "./launch.ts";
import type { TurnReport } from "./turn-probe.ts";

export interface ServerProcessOptions {
  /** Where its database, key and token lie. Without one it gets a temporary folder, which goes with it. */
  readonly folder?: string;
  /** Tells several servers in one folder apart. */
  readonly label?: string;
  /** A token that the configuration knows; the local one when absent. */
  readonly token?: string;
  readonly config?: ConfigOverrides;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether `turns` can be measured. */
  readonly probe?: boolean;
}

/** A control plane that runs in a process of its own, on a free port of the loopback interface. */
export class ServerProcess implements AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
  readonly #child: ChildProcess;
  readonly #output: () => string;
  readonly #ownsFolder: boolean;

  constructor(launched: Launched, folder: string, token: string, ownsFolder: boolean) {
    this.url = String(launched.ready["url"]);
    this.token = token;
    this.folder = folder;
    this.#child = launched.child;
    this.#output = launched.output;
    this.#ownsFolder = ownsFolder;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Everything it has written to standard output and standard error. */
  get output(): string {
    return this.#output();
  }

  /** Sends the signal and waits until the process is gone. */
  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (this.isRunning) {
      const exited = once(this.#child, "exit");
      this.#child.kill(signal);
      await exited;
    }
  }

  /** Does the work, and measures the turns of the server's event loop meanwhile. */
  async turnsDuring(work: () => Promise<void>): Promise<TurnReport> {
    this.#child.send("begin");
    await work();
    const { promise, resolve, reject } = Promise.withResolvers<TurnReport>();
    const died = (): void => reject(new Error(`the server died:\n${this.output.slice(-5_000)}`));
    this.#child.once("message", resolve).once("exit", died);
    this.#child.send("end", (error) => error !== null && died());
    const report = await promise;
    this.#child.off("exit", died);
    return report;
  }

  /** `SIGSTOP` freezes it where it is, `SIGCONT` lets it go on. */
  signal(signal: "SIGSTOP" | "SIGCONT" | "SIGUSR2"): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGCONT");
    await this.end("SIGKILL");
    if (this.#ownsFolder) {
      await rm(this.folder, { recursive: true, force: true });
    }
  }
}

export async function startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), "rad-server-")));
  const overridesFile = path.join(folder, `${options.label ?? "server"}.json`);
  await writeFile(overridesFile, JSON.stringify(withDefaults(folder, options.config ?? {})), { mode: 0o600 });
  const launched = await launch(path.join(import.meta.dirname, "server.ts"), [overridesFile], {
    ...(options.env === undefined ? {} : { env: options.env }),
    preload: options.probe === true ? [path.join(import.meta.dirname, "turn-probe.ts")] : [],
  });
  const token = options.token ?? (await readFile(String(launched.ready["tokenFile"]), "utf8")).trim();
  return new ServerProcess(launched, folder, token, options.folder === undefined);
}

function withDefaults(folder: string, config: ConfigOverrides): ConfigOverrides {
  return {
    ...config,
    server: { host: "127.0.0.1", port: 0, ...config.server },
    databaseProvider: { sqlite: { directory: path.join(folder, "data") }, ...config.databaseProvider },
  };
}
