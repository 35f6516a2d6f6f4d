import assert from "node:assert/strict";
import type { ConfigOverrides } from "@rad/control-plane";
import { findInFiles } from "@rad/control-plane/testing";
import type { TestDatabase } from "./database.ts";
import type { ServerProcess } from "./server-process.ts";

/** Never so many attempts or deaths that a kill ends an operation, and leases that a test can wait for. */
export const survivingKills = {
  workerServer: { maxOperationRetryCount: 100 },
  operations: { leaseSeconds: 2, maxProcessDeaths: 1_000 },
} as const;

/** A server that is killed and started again on the same database, and everything it has shown so far. */
export class CrashingServer implements AsyncDisposable {
  killed = 0;
  readonly #database: TestDatabase;
  readonly #config: ConfigOverrides & { readonly operations: { readonly leaseSeconds: number } };
  readonly #seen: string[] = [];
  #server: ServerProcess | undefined;

  constructor(
    database: TestDatabase,
    config: ConfigOverrides & { readonly operations: { readonly leaseSeconds: number } },
  ) {
    this.#database = database;
    this.#config = config;
  }

  async start(): Promise<void> {
    this.#server = await this.#database.startServer(this.#config);
  }

  get running(): ServerProcess {
    assert.ok(this.#server !== undefined, "no server was started");
    return this.#server;
  }

  /** On PostgreSQL operations go on when the leases of the killed server have run out; an earlier kill hits nothing. */
  get takeOverMs(): number {
    return this.#database.url === undefined ? 0 : this.#config.operations.leaseSeconds * 1_000;
  }

  /** Kills the server with SIGKILL and starts another one. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
    this.killed += 1;
    await this.start();
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  /** Remembers an answer, to be searched for secrets. */
  saw(answer: unknown): void {
    this.#seen.push(JSON.stringify(answer));
  }

  /** Looks for the text in files of the database, in what the servers have logged and in remembered answers. */
  async assertNowhere(secret: string): Promise<void> {
    assert.deepEqual(await findInFiles(this.#database.folder, secret), []);
    assert.ok(!this.#seen.some((text) => text.includes(secret)), "a log or an answer shows a secret");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }

  async #end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const ending = this.running;
    await ending.end(signal);
    this.#seen.push(ending.output);
  }
}
