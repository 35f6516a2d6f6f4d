import { mkdtemp, rm } from "node:fs/promises";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findServer } from "./server/start-server.ts";
import type { RunningServer, ServerKind } from "./server/start-server.ts";
import { TestCluster } from "./test-cluster.ts";

export interface OwnClusterOptions {
  /** More arguments of kube-apiserver, such as `--max-requests-inflight=2`. */
  readonly apiServerArgs?: readonly string[];
  /** Set for tests that need no controllers and no pods; they run with `KUBEBUILDER_ASSETS`, too. */
  readonly apiServerOnly?: boolean;
}

/** A server of the test's own, for tests that stop, restart or break it. It ends with the process at the latest. */
export async function ownTestCluster(options: OwnClusterOptions = {}): Promise<OwnTestCluster> {
  const { apiServerArgs = [], apiServerOnly = false } = options;
  const kind = await findServer();
  if (!apiServerOnly) {
    requirePods(kind.hasPods);
  }
  const folder = await mkdtemp(path.join(tmpdir(), "rad-cluster-"));
  try {
    const server = await kind.start({ folder, port: 0, apiServerArgs });
    return new OwnTestCluster({ kind, folder, apiServerArgs, server });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** @throws Error when there is no more than an API server */
export function requirePods(hasPods: boolean): void {
  if (!hasPods) {
    throw new Error(
      "CANNOT RUN: this test needs controllers and pods, and KUBEBUILDER_ASSETS brings an API server only. " +
        "Unset it to have the whole test cluster built.",
    );
  }
}

interface Parts {
  readonly kind: ServerKind;
  readonly folder: string;
  readonly apiServerArgs: readonly string[];
  readonly server: RunningServer;
}

export class OwnTestCluster extends TestCluster implements AsyncDisposable {
  readonly #parts: Parts;
  readonly #onExit: () => void;
  #server: RunningServer;

  constructor(parts: Parts) {
    super(parts.server.description, parts.kind.hasPods);
    this.#parts = parts;
    this.#server = parts.server;
    this.#onExit = () => {
      this.#server.process.kill("SIGKILL");
      rmSync(parts.folder, { recursive: true, force: true, maxRetries: 5 });
    };
    process.once("exit", this.#onExit);
  }

  get pid(): number | undefined {
    return this.#server.process.pid;
  }

  /** Resolves when the server has ended; `SIGKILL` is a crash. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    await this.#server.process.stop(signal);
  }

  /** Starts it again, on the same port and with the same data and credentials. */
  async start(): Promise<void> {
    if (this.#server.process.isRunning) {
      throw new Error("The test cluster runs already");
    }
    const { kind, folder, apiServerArgs } = this.#parts;
    this.#server = await kind.start({ folder, port: Number(new URL(this.url).port), apiServerArgs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off("exit", this.#onExit);
    await this.stop("SIGKILL");
    await rm(this.#parts.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
