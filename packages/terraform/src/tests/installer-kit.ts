import { randomUUID } from "node:crypto";
import { machinePlatform } from "../platform.ts";
import {
  type JsonObject,
  type JsonValue,
  type Logger,
  noMetrics,
  noTracing,
  Redactor,
  silentLogger,
  systemClock,
} from "@rad/core";
import { until } from "@rad/core/testing";
import { OperationWorker } from "@rad/operations";
import type { Operation, Store } from "@rad/store";
import type { InstallerAnswer, InstallerRequest } from "../installer/installer.ts";
import { releaseUrls } from "../release/release-layout.ts";
import { TerraformInstaller, type TerraformInstallerOptions } from "../terraform-installer.ts";
import type { BinaryVolume } from "../volume/binary-volume.ts";
import { createReleaseKey, type Mirror, pathOf, type ReleaseKey, startMirror } from "./mirror.ts";
import { releaseZip } from "./stand-in.ts";
import { type TestFolder, testFolder, testVolume } from "./volume-kit.ts";

/** A store, and another connection to the same data. */
export interface StorePair extends AsyncDisposable {
  readonly one: Store;
  readonly two: Store;
}

const leaseMs = 2_000;

/** A mirror and a volume, with two processes' worth of installers on one store. */
export class InstallerKit implements AsyncDisposable {
  readonly mirror: Mirror;
  readonly folder: TestFolder;
  readonly one: Replica;
  readonly two: Replica;
  readonly #stores: StorePair;
  readonly #key: ReleaseKey;

  private constructor(
    parts: Pick<InstallerKit, "mirror" | "folder">,
    stores: StorePair,
    key: ReleaseKey,
    keys: string,
  ) {
    this.mirror = parts.mirror;
    this.folder = parts.folder;
    this.#stores = stores;
    this.#key = key;
    const replica = (store: Store) => new Replica(store, this.folder.root, this.mirror.url, keys);
    this.one = replica(stores.one);
    this.two = replica(stores.two);
  }

  static async open(openStores: () => Promise<StorePair>): Promise<InstallerKit> {
    const folder = await testFolder();
    const key = await createReleaseKey("releases");
    const keys = await folder.file("key", key.publicKey);
    return new InstallerKit({ mirror: await startMirror(), folder }, await openStores(), key, keys);
  }

  async publish(...versions: readonly string[]): Promise<void> {
    for (const version of versions) {
      await this.mirror.publish(version, { key: this.#key });
    }
  }

  /** Publishes a version whose archive is not served until the gate opens. */
  async publishHeld(version: string): Promise<PromiseWithResolvers<void>> {
    await this.publish(version);
    const gate = Promise.withResolvers<void>();
    const archive = releaseZip(version);
    this.mirror.files.set(this.archivePath(version), (_, response) => {
      void gate.promise.then(() => response.writeHead(200).end(archive));
    });
    return gate;
  }

  archivePath(version: string): string {
    return pathOf(releaseUrls("terraform", version, machinePlatform(), { baseUrl: this.mirror.url }).archive);
  }

  archiveUrl(version: string): string {
    return `${this.mirror.url}${this.archivePath(version)}`;
  }

  /** How often the archive of a version was asked for, or any. */
  downloads(version?: string): number {
    const isArchive = (path: string): boolean =>
      version === undefined ? path.includes(".zip") : path.startsWith(this.archivePath(version));
    return this.mirror.requests.filter(isArchive).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.one[Symbol.asyncDispose]();
    await this.two[Symbol.asyncDispose]();
    await this.#stores[Symbol.asyncDispose]();
    await this.mirror[Symbol.asyncDispose]();
    await this.folder[Symbol.asyncDispose]();
  }
}

/** An installer with its worker, as one process has them. */
export class Replica implements AsyncDisposable {
  readonly store: Store;
  readonly volume: BinaryVolume;
  readonly #options: TerraformInstallerOptions;
  readonly redactor = new Redactor();
  readonly #running: AsyncDisposableStack[] = [];
  installer: TerraformInstaller;

  constructor(store: Store, root: string, baseUrl: string, keys: string) {
    this.store = store;
    this.volume = testVolume(root, { sources: { terraform: { baseUrl, keys: [keys] } }, clock: systemClock });
    this.#options = {
      store,
      clock: systemClock,
      log: silentLogger,
      metrics: noMetrics,
      tracing: noTracing,
      volume: this.volume,
      timeoutMs: 60_000,
      drainMs: 50,
      leaseMs,
    };
    this.installer = new TerraformInstaller(this.#options);
  }

  /** Begins to work on jobs. */
  start(over: Partial<TerraformInstallerOptions> & { readonly log?: Logger } = {}): this {
    const stack = new AsyncDisposableStack();
    const options = { ...this.#options, ...over };
    this.installer = stack.adopt(new TerraformInstaller(options), (installer) => installer[Symbol.dispose]());
    const worker = new OperationWorker({
      store: options.store,
      clock: options.clock,
      log: options.log,
      executor: this.installer.executor,
      redactor: this.redactor,
      owner: randomUUID(),
      queues: [{ name: this.installer.queue, concurrency: 1, fifo: true }],
      slots: 1,
      leaseMs,
      maxAttempts: 3,
      maxDeaths: 3,
      graceMs: 1_000,
      pollMs: 20,
      backoffMs: () => 1,
    });
    stack.defer(() => worker.drain());
    this.#running.push(stack);
    return this;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((stack) => stack.disposeAsync()));
  }

  install(body?: JsonValue): Promise<InstallerAnswer> {
    return this.installer.install(this.request(), body);
  }

  uninstall(body?: JsonValue): Promise<InstallerAnswer> {
    return this.installer.uninstall(this.request(), body);
  }

  /** Installs, and waits until it has ended. */
  async installed(version: string): Promise<Operation> {
    return await this.ended(await this.install({ version }));
  }

  async status(): Promise<Status> {
    return JSON.parse(await this.installer.status(this.request())) as Status;
  }

  /** Waits until the job that an answer announced has ended. */
  async ended({ body }: InstallerAnswer): Promise<Operation> {
    const look = async (): Promise<Operation | undefined> => {
      const operation = await this.store.operations.get(textOf(body["operationId"]));
      return operation?.endedAt === undefined ? undefined : operation;
    };
    return await until(`${JSON.stringify(body)} has ended`, look, { timeoutMs: 120_000 });
  }

  async untilState(state: string): Promise<Status> {
    return await until(`the state is ${state}`, async () => {
      const status = await this.status();
      return status.state === state && status;
    });
  }

  request(subject = "token:tester"): InstallerRequest {
    const hidden: Disposable[] = [];
    return {
      caller: { kind: "token", subject, groups: [] },
      correlationId: "correlation-1",
      apiVersion: undefined,
      traceparent: undefined,
      hide: (values) => hidden.push(this.redactor.add(values)),
      signal: () => new AbortController().signal,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.installer[Symbol.dispose]();
  }
}

export interface Status {
  readonly currentVersion: string | null;
  readonly product: string | null;
  readonly state: string;
  readonly binaryPath: string | null;
  readonly installedAt: string | null;
  readonly source: { readonly url: string; readonly checksum: string } | null;
  readonly queue: { readonly pending: number; readonly inProgress: JsonObject | null };
  readonly history: readonly {
    readonly operationId: string;
    readonly operation: string;
    readonly version: string | null;
    readonly state: string;
    readonly startedAt: string;
    readonly completedAt: string | null;
    readonly error?: string;
  }[];
  readonly executions: number;
  readonly health: string | null;
  readonly verified: boolean | null;
  readonly lastError: string | null;
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
