import { ApiError, type Clock, type Logger, Redactor, ResourceId, systemClock } from "@rad/core";
import { OperationWorker } from "@rad/operations";
import { openPostgresStore, openSqliteStore, type QueueRule, readKeyFile, type Store, StoreError } from "@rad/store";
import { randomUUID } from "node:crypto";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { auditRoute } from "./audit-route.ts";
import { buildInfo } from "./build-info.ts";
import type { ServerConfig } from "./config/index.ts";
import { DeploymentApi } from "./deployments/deployment-api.ts";
import { DeploymentEngine, type WorkerSurroundings } from "./deployments/deployment-engine.ts";
import { jsonAnswer } from "./http/answer.ts";
import { ApiRouter } from "./http/api-router.ts";
import { type Backend, createHttpServer, type HttpServer } from "./http/http-server.ts";
import type { PlainRoute } from "./http/plain-route.ts";
import { prometheusContentType, serveMetrics } from "./http/metrics-listener.ts";
import { PreferredWaits } from "./http/preferred-wait.ts";
import { RefusalLog } from "./http/refusal-log.ts";
import { createAuthenticator, createAuthorizer, ensureLocalToken, loadTlsOptions } from "./identity/index.ts";
import { initialize } from "./initialization.ts";
import { openApiRoute } from "./openapi/openapi-route.ts";
import { planeTypes } from "./planes/plane-types.ts";
import { builtInDigest } from "./registry/registration-marker.ts";
import { withListSecrets } from "./registry/list-secrets.ts";
import { registryTypes } from "./registry/registry-types.ts";
import { TypeRegistry } from "./registry/type-registry.ts";
import { OperationWaiter } from "./resources/operation-waiter.ts";
import { ResourceExecutor } from "./resources/resource-executor.ts";
import type { ResourceHandler } from "./resources/resource-handler.ts";
import { ResourceService } from "./resources/resource-service.ts";
import { defaultQueue } from "./resources/type-policy.ts";
import { createLogger, startTelemetry, type Telemetry } from "./telemetry/index.ts";

export interface ServerOptions {
  readonly config: ServerConfig;
  /** Code behind resource types, by type name in any case. */
  readonly handlers?: Readonly<Record<string, ResourceHandler>>;
  /** URLs outside the id grammar. */
  readonly routes?: readonly PlainRoute[];
  /** Queues besides the default one. */
  readonly queues?: readonly QueueRule[];
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  /** The file with the local token, where the server made one. */
  readonly tokenFile: string | undefined;
  /** Resolves when the server has stopped for good; rejects when it had to stop by itself. */
  readonly closed: Promise<void>;
}

/** The fixed part of the API: planes, groups and the type registry. */
const builtInTypes = new Map([...planeTypes(), ...registryTypes()]);

const day = 86_400_000;
const housekeepingMs = 3_600_000;
const pollMs = 2_000;
const retryMs = 1_000;
const noticeMs = 10;
const longestAfterthoughtMs = 1_000;

/**
 * Starts the control plane: opens the store, listens, works on operations. Disposing it stops taking requests, hands
 * back what is running and closes the store.
 * @throws ConfigError, StoreError `CannotOpen`, and whatever listening on the port says.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config } = options;
  const redactor = new Redactor();
  const log = createLogger({ ...config.logging, redactor });
  const telemetry = await startTelemetry({ config, log, redactor });
  const server = new Server(options, { clock: systemClock, log, redactor, telemetry });
  try {
    return await server.start();
  } catch (error) {
    await server.stop();
    throw error;
  }
}

interface ServerDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly telemetry: Telemetry;
}

class Server {
  readonly #options: ServerOptions;
  readonly #config: ServerConfig;
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #log: Logger;
  readonly #telemetry: Telemetry;
  readonly #closing = new AbortController();
  readonly #closed = Promise.withResolvers<void>();
  /** Undone in reverse order: first what takes requests, then what answers them, whichever was there first. */
  readonly #parts = new AsyncDisposableStack();
  readonly #backendParts = this.#parts.use(new AsyncDisposableStack());
  #backend: (Backend & { readonly store: Store; readonly registry: TypeRegistry }) | undefined;
  #attaching: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: ServerOptions, deps: ServerDeps) {
    this.#options = options;
    this.#config = options.config;
    this.#clock = deps.clock;
    this.#redactor = deps.redactor;
    this.#log = deps.log;
    this.#telemetry = deps.telemetry;
    this.#closed.promise.catch(() => {}); // whoever asks for `closed` gets the rejection
  }

  async start(): Promise<RunningServer> {
    const config = this.#config;
    const directory = dataDirectory(config);
    const attached = await this.#tryAttach(directory);
    const token = directory === undefined ? undefined : await ensureLocalToken(directory);
    const url = await this.#listen(token?.sha256);
    if (!attached) {
      this.#attaching = this.#attachLater(directory);
    }
    this.#log.info("ready", { url, database: config.databaseProvider.provider });
    return {
      url,
      tokenFile: token?.tokenFile,
      closed: this.#closed.promise,
      [Symbol.asyncDispose]: () => this.stop(),
    };
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#closing.abort();
    await this.#attaching;
    try {
      await this.#parts.disposeAsync();
      await this.#telemetry.shutdown();
      this.#closed.resolve();
    } catch (error) {
      this.#closed.reject(error);
      throw error;
    }
  }

  async #openStore(directory: string | undefined): Promise<Store> {
    const { databaseProvider, encryption } = this.#config;
    const log = this.#log.child({ part: "store" });
    const keys = encryption.keyFile === undefined ? undefined : await readKeyFile(encryption.keyFile);
    if (directory !== undefined) {
      return await openSqliteStore({ directory, keys, clock: this.#clock, log });
    }
    const { url } = databaseProvider.postgresql;
    this.#redactor.add(connectionSecrets(url));
    if (url === undefined || keys === undefined) {
      throw new StoreError("CannotOpen", "PostgreSQL needs databaseProvider.postgresql.url and encryption.keyFile.");
    }
    return await openPostgresStore({ url, keys, log });
  }

  /** PostgreSQL was away at start: the server answers 503 and keeps trying, without a restart. */
  async #attachLater(directory: string | undefined): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await sleep(retryMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) {
        return;
      }
      try {
        if (await this.#tryAttach(directory)) {
          this.#log.info("the database can be reached now");
          return;
        }
      } catch (error) {
        this.#log.error("the database cannot be used", { error });
        this.#closed.reject(error);
        void this.stop().catch(() => {}); // `closed` has said why already
        return;
      }
    }
  }

  /** @returns whether the database can be reached. @throws whatever waiting for it does not cure. */
  async #tryAttach(directory: string | undefined): Promise<boolean> {
    try {
      await this.#attach(directory);
      return true;
    } catch (error) {
      if (error instanceof StoreError && error.code === "Unavailable") {
        this.#log.warn("the database cannot be reached yet", { error });
        return false;
      }
      throw error;
    }
  }

  /** Opens the store and starts what stands on it; all of it, or nothing stays open. */
  async #attach(directory: string | undefined): Promise<void> {
    const { config } = this.#options;
    await using parts = new AsyncDisposableStack();
    const store = parts.use(await this.#openStore(directory));
    const location = config.environment.roleLocation;
    const handlers = new Map(
      Object.entries(this.#options.handlers ?? {}).map(([type, handler]) => [type.toLowerCase(), handler]),
    );
    const handlerFor = (type: string): ResourceHandler => {
      const key = type.toLowerCase();
      return builtInTypes.get(key)?.handler ?? withListSecrets(key, handlers.get(key) ?? {});
    };
    const common = { store, clock: this.#clock, log: this.#log, redactor: this.#redactor };
    await initialize({ ...common, config, typesDigest: builtInDigest });
    const registry = parts.use(new TypeRegistry({ store, builtIn: builtInTypes, handlerFor, location }));
    const resourceDeps = { ...common, location, types: registry };
    const refusals = parts.use(new RefusalLog(store.audit, this.#log));
    const authorizer = createAuthorizer(config.authorization);
    const waiter = parts.use(new OperationWaiter({ store }));
    const engine = new DeploymentEngine({
      config,
      resources: resourceDeps,
      waiter,
      authorizer,
      refusals,
      log: this.#log,
    });
    const router = new ApiRouter({
      store,
      resources: new ResourceService(resourceDeps),
      deployments: new DeploymentApi({ host: engine.host, location }),
      authorizer,
      waits: new PreferredWaits({ store, waiter, closing: this.#closing.signal }),
    });
    const { metrics } = this.#telemetry;
    metrics.observeOperationDepth(async () =>
      (await store.operations.depths()).flatMap(({ queue, waiting, running }) => [
        { queue, state: "waiting", count: waiting },
        { queue, state: "running", count: running },
      ]),
    );
    const surroundings = this.#workerSurroundings(common, waiter);
    const worker = new OperationWorker({
      ...surroundings,
      executor: new ResourceExecutor({ store, clock: this.#clock, handlerFor }),
      queues: [{ name: defaultQueue }, ...(this.#options.queues ?? [])],
      slots: config.workerServer.maxOperationConcurrency,
      maxAttempts: config.workerServer.maxOperationRetryCount + 1,
    });
    parts.defer(() => worker.drain());
    parts.use(engine); // handed back before the work that it waits for
    engine.start(surroundings);
    parts.use(this.#keepHouse(store));
    this.#backendParts.use(parts.move());
    this.#backend = { store, registry, router, refusals };
  }

  /** What the workers of this process have in common. */
  #workerSurroundings(
    common: Pick<WorkerSurroundings, "store" | "clock" | "log" | "redactor">,
    waiter: OperationWaiter,
  ): WorkerSurroundings {
    const { operations } = this.#config;
    const { metrics, tracing } = this.#telemetry;
    return {
      ...common,
      owner: `${hostname()}/${process.pid}/${randomUUID()}`,
      leaseMs: operations.leaseSeconds * 1_000,
      graceMs: operations.drainSeconds * 1_000,
      pollMs,
      around: (operation, work) =>
        tracing.withSpan(
          {
            name: `operation ${operation.kind}`,
            attributes: { "radius.operation": operation.id, "radius.resource": operation.resourceId },
            traceparent: operation.traceparent,
          },
          work,
        ),
      onFinished: (operation, outcome, durationMs) => {
        const { type } = ResourceId.parse(operation.resourceId);
        metrics.recordOperation({ type, kind: operation.kind, outcome, durationMs });
        waiter.finished(operation.id);
      },
    };
  }

  /** Forgets what is past its retention, and seals again what an earlier key sealed. */
  #keepHouse(store: Store): AsyncDisposable {
    const { operations, audit } = this.#config;
    const sweep = async (): Promise<void> => {
      try {
        await store.operations.prune(operations.retentionDays * day);
        await store.audit.prune(audit.retentionDays * day);
      } catch (error) {
        this.#log.warn("old records could not be removed", { error });
      }
    };
    const timer = setInterval(() => void sweep(), housekeepingMs);
    timer.unref();
    const first = (async (): Promise<void> => {
      const resealed = await store.reseal().catch((error: unknown) => {
        this.#log.error("values of an earlier key could not be sealed again", { error });
        return 0;
      });
      if (resealed > 0) {
        this.#log.info("values of an earlier key are sealed with the current one", { documents: resealed });
      }
      await sweep();
    })();
    return {
      [Symbol.asyncDispose]: async () => {
        clearInterval(timer);
        await first;
      },
    };
  }

  async #listen(localTokenSha256: string | undefined): Promise<string> {
    const config = this.#config;
    const { host, port, pathBase, limits } = config.server;
    const log = this.#log.child({ part: "http" });
    const tls = await loadTlsOptions(config);
    const http = createHttpServer({
      backend: () => this.#backend,
      authenticator: createAuthenticator({
        config: config.authentication,
        ...(localTokenSha256 === undefined ? {} : { localTokenSha256 }),
        clock: this.#clock,
        log,
      }),
      authorizer: createAuthorizer(config.authorization),
      routes: [...this.#ownRoutes(), ...(this.#options.routes ?? [])],
      limits,
      pathBase,
      tls,
      clock: this.#clock,
      log,
      redactor: this.#redactor,
      metrics: this.#telemetry.metrics,
      tracing: this.#telemetry.tracing,
    });
    const address = await http.app.listen({ host, port });
    this.#parts.defer(() => closeWithin(http, config.operations.drainSeconds * 1_000));
    await this.#listenForScrapes(host);
    // The framework does not know about the TLS of a listener that it did not make.
    return tls === undefined ? address : address.replace(/^http:/, "https:");
  }

  /** Metrics on a port of their own, for scrapers that cannot send a token. */
  async #listenForScrapes(host: string): Promise<void> {
    const { enabled, prometheus } = this.#config.metricsProvider;
    if (!enabled || prometheus.port === undefined) {
      return;
    }
    const { port, path } = prometheus;
    this.#parts.use(await serveMetrics({ host, port, path, read: () => this.#telemetry.prometheus() }));
  }

  #ownRoutes(): PlainRoute[] {
    const text = { "Content-Type": "text/plain; charset=utf-8" };
    const store = (): Store => {
      if (this.#backend === undefined) {
        throw new ApiError("ServiceUnavailable", "The database cannot be reached; try again later.");
      }
      return this.#backend.store;
    };
    return [
      open("/healthz", () => ({ status: 200, headers: text, text: "ok\n" })),
      open("/readyz", async () => {
        await store().ping();
        return { status: 200, headers: text, text: "ok\n" };
      }),
      open("/version", () => jsonAnswer(200, buildInfo)),
      {
        method: "GET",
        path: this.#config.metricsProvider.prometheus.path.toLowerCase(),
        permission: "System.Resources/metrics/read",
        handle: async () => ({
          status: 200,
          headers: { "Content-Type": prometheusContentType },
          text: await this.#telemetry.prometheus(),
        }),
      },
      auditRoute(store),
      openApiRoute(store, builtInTypes),
    ];
  }
}

/**
 * Lets the requests that are under way finish, but not for longer than this. Those that are cut get another moment to
 * come to an end, since what is refused has to be on record before the store closes.
 */
async function closeWithin(http: HttpServer, graceMs: number): Promise<void> {
  const cut = setTimeout(() => http.app.server.closeAllConnections(), graceMs);
  try {
    await http.app.close();
  } finally {
    clearTimeout(cut);
  }
  await sleep(noticeMs); // what arrived only in part is refused a few turns after its connection is gone
  await Promise.race([http.settled(), sleep(longestAfterthoughtMs, undefined, { ref: false })]);
}

function open(path: string, handle: PlainRoute["handle"]): PlainRoute {
  return { method: "GET", path, permission: undefined, handle };
}

/** What must not show up anywhere: the connection URL, and the password in it. */
function connectionSecrets(url: string | undefined): string[] {
  const password = url === undefined ? undefined : URL.parse(url)?.password;
  return [url, password === undefined ? undefined : decodeURIComponent(password)].filter((text) => text !== undefined);
}

/** Where an embedded server keeps its files; `undefined` when the database is elsewhere. */
function dataDirectory(config: ServerConfig): string | undefined {
  const { provider, sqlite } = config.databaseProvider;
  return provider === "sqlite" ? (sqlite.directory ?? join(homedir(), ".rad", "server")) : undefined;
}
