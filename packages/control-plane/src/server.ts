import { type Clock, type Logger, mainThread, Redactor, systemClock } from "@rad/core";
import { jsonAnswer, type ModuleFactory, type Route } from "@rad/modules";
import { openPostgresStore, openSqliteStore, readKeyFile, type Store, StoreError } from "@rad/store";
import { homedir } from "node:os";
import { join } from "node:path";
import { auditRoute } from "./audit/audit-route.ts";
import { buildInfo } from "./build-info.ts";
import type { Composition } from "./compose.ts";
import type { ServerConfig } from "./config/index.ts";
import { frontPageRoute } from "./front-page/front-page-route.ts";
import { discoveryRoutes } from "./http/discovery-routes.ts";
import { databaseAway } from "./http/error-answer.ts";
import { createHttpServer, type HttpServer } from "./http/http-server.ts";
import { prometheusContentType, serveMetrics } from "./http/metrics-listener.ts";
import { basePathsOf } from "./http/request-url.ts";
import { createAuthenticator, createAuthorizer, ensureLocalToken, loadTlsOptions } from "./identity/index.ts";
import { loadCompose } from "./load-compose.ts";
import { MemoryRelease } from "./memory-release.ts";
import { serverRouteTable } from "./merge-modules.ts";
import { openApiRoute } from "./openapi/openapi-route.ts";
import { runtimesRoute } from "./registry/runtimes-route.ts";
import {
  createLogger,
  createServerInstruments,
  type ServerInstruments,
  startTelemetry,
  type Telemetry,
} from "./telemetry/index.ts";

export interface ServerOptions {
  readonly config: ServerConfig;
  readonly modules: readonly ModuleFactory[];
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  /** The file with the local token, where the server made one. */
  readonly tokenFile: string | undefined;
  /** Resolves when the server has stopped for good; rejects when it had to stop by itself. */
  readonly closed: Promise<void>;
}

const retryMs = 1_000;
/** Requests that arrived only in part are refused a few turns after their connection is gone. */
const socketCloseGraceMs = 10;
const maxDrainAfterCutMs = 1_000;
/** The store looks at the clock every few seconds. */
const longestGapMs = 60_000;

/**
 * Starts the control plane: opens the store, listens, loads everything else, works on operations. Requests that come
 * before all is loaded wait for it; when that fails, so does the start. Disposing it stops taking requests, hands back
 * what is running and closes the store.
 * @throws ConfigError, ModuleError, StoreError `CannotOpen`, and whatever listening on the port says.
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
  readonly #instruments: ServerInstruments;
  readonly #routes: readonly Route[];
  readonly #closing = new AbortController();
  readonly #closed = Promise.withResolvers<void>();
  /** Undone in reverse order: first what takes requests, then what answers them, whichever was there first. */
  readonly #parts = new AsyncDisposableStack();
  readonly #backendParts = this.#parts.use(new AsyncDisposableStack());
  /** Set while the store is open and nothing long has to be done before requests can be answered. */
  #readyStore: Store | undefined;
  #backend: Composition | undefined;
  /** Set while requests wait for the backend, which takes a fraction of a second after the start. */
  #loading: PromiseWithResolvers<Composition | undefined> | undefined = Promise.withResolvers();
  #attaching: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: ServerOptions, deps: ServerDeps) {
    this.#options = options;
    this.#config = options.config;
    this.#clock = deps.clock;
    this.#redactor = deps.redactor;
    this.#log = deps.log;
    this.#telemetry = deps.telemetry;
    this.#instruments = createServerInstruments(deps.telemetry.metrics);
    this.#routes = this.#ownRoutes();
    this.#closed.promise.catch(() => {}); // whoever asks for `closed` gets the rejection
  }

  async start(): Promise<RunningServer> {
    const config = this.#config;
    const directory = dataDirectory(config);
    await using opened = new AsyncDisposableStack();
    await this.#unlessAway(async () => {
      this.#readyStore = opened.use(await this.#openStore(directory));
    });
    if (this.#readyStore === undefined) {
      this.#letGo();
    }
    const token = directory === undefined ? undefined : await ensureLocalToken(directory);
    const url = await this.#listen(token?.sha256);
    const store = this.#readyStore;
    opened.move(); // closed by `#compose` from here on
    if (store === undefined || !(await this.#unlessAway(() => this.#compose(store)))) {
      this.#attaching = this.#attachLater(directory);
    }
    await this.#telemetry.load();
    this.#parts.use(new MemoryRelease({ requests: () => mainThread.requests, log: this.#log }));
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
      return await openSqliteStore({ directory, keys, clock: this.#clock, longestGapMs, log });
    }
    const { url, preparedStatements, listenUrl } = databaseProvider.postgresql;
    this.#redactor.add(connectionSecrets(url));
    this.#redactor.add(connectionSecrets(listenUrl));
    if (url === undefined || keys === undefined) {
      throw new StoreError("CannotOpen", "PostgreSQL needs databaseProvider.postgresql.url and encryption.keyFile.");
    }
    const leaseMs = this.#config.operations.leaseSeconds * 1_000;
    return await openPostgresStore({ url, keys, log, leaseMs, preparedStatements, listenUrl });
  }

  /** PostgreSQL was away at start: the server answers 503 and keeps trying, without a restart. */
  async #attachLater(directory: string | undefined): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await this.#clock.sleep(retryMs, signal).catch(() => {});
      if (signal.aborted) {
        return;
      }
      try {
        if (await this.#unlessAway(async () => this.#compose(await this.#openStore(directory)))) {
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
  async #unlessAway(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof StoreError && error.code === "Unavailable") {
        this.#log.warn("the database cannot be reached yet", { error });
        return false;
      }
      throw error;
    }
  }

  /** Starts everything that stands on the store; all of it, or nothing stays open, the store included. */
  async #compose(store: Store): Promise<void> {
    await using parts = new AsyncDisposableStack();
    parts.use(store);
    try {
      const compose = await loadCompose();
      const backend = parts.use(
        await compose({
          ...this.#options,
          serverRoutes: this.#routes,
          store,
          clock: this.#clock,
          log: this.#log,
          redactor: this.#redactor,
          telemetry: this.#telemetry,
          instruments: this.#instruments,
          onUpgrade: () => this.#letGo(),
          closing: this.#closing.signal,
        }),
      );
      this.#backendParts.use(parts.move());
      this.#backend = backend;
    } finally {
      this.#letGo();
    }
    this.#readyStore = store;
  }

  /** Answers the requests that wait for the backend; without one, the server is not ready. */
  #letGo(): void {
    this.#readyStore = undefined;
    this.#loading?.resolve(this.#backend);
    this.#loading = undefined;
  }

  async #listen(localTokenSha256: string | undefined): Promise<string> {
    const config = this.#config;
    const { host, port, pathBase, limits } = config.server;
    const log = this.#log.child({ part: "http" });
    const http = createHttpServer({
      backend: () => this.#backend ?? this.#loading?.promise,
      authenticator: createAuthenticator({
        config: config.authentication,
        ...(localTokenSha256 === undefined ? {} : { localTokenSha256 }),
        clock: this.#clock,
        log,
      }),
      authorizer: createAuthorizer(config.authorization),
      routes: serverRouteTable(this.#routes),
      limits,
      basePaths: basePathsOf(pathBase),
      clock: this.#clock,
      log,
      redactor: this.#redactor,
      instruments: this.#instruments,
      tracing: this.#telemetry.tracing,
    });
    const url = await http.listen({ host, port, tls: await loadTlsOptions(config) });
    this.#parts.defer(() => closeWithin(http, config.operations.drainSeconds * 1_000));
    await this.#listenForScrapes(host);
    return url;
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

  #ownRoutes(): Route[] {
    const text = { "Content-Type": "text/plain; charset=utf-8" };
    const unlessAbsent = <T>(part: T | undefined): T => {
      if (part === undefined) {
        throw databaseAway();
      }
      return part;
    };
    const store = (): Store => unlessAbsent(this.#readyStore);
    const backend = async () => unlessAbsent(this.#backend ?? (await this.#loading?.promise));
    const metricsPath = this.#config.metricsProvider.prometheus.path.toLowerCase();
    return [
      frontPageRoute(metricsPath),
      open("/healthz", () => ({ status: 200, headers: text, body: "ok\n" })),
      open("/readyz", async () => {
        await store().ping();
        return { status: 200, headers: text, body: "ok\n" };
      }),
      open("/version", () => jsonAnswer(200, buildInfo)),
      {
        method: "GET",
        path: metricsPath,
        permission: "System.Resources/metrics/read",
        handle: async () => ({
          status: 200,
          headers: { "Content-Type": prometheusContentType },
          body: await this.#telemetry.prometheus(),
        }),
      },
      auditRoute(store),
      openApiRoute(backend, metricsPath),
      runtimesRoute(backend),
      ...discoveryRoutes(),
    ];
  }
}

/**
 * Lets the requests that are under way finish, but not for longer than this. Those that are cut get another moment to
 * come to an end, since what is refused has to be on record before the store closes.
 */
async function closeWithin(http: HttpServer, graceMs: number): Promise<void> {
  const cut = setTimeout(() => http.cut(), graceMs);
  try {
    await http.close();
  } finally {
    clearTimeout(cut);
  }
  await systemClock.sleep(socketCloseGraceMs);
  const settled = new AbortController(); // a timer that is left would keep the process from ending
  const longest = systemClock.sleep(maxDrainAfterCutMs, settled.signal).catch(() => {});
  await Promise.race([http.settled(), longest]);
  settled.abort();
}

function open(path: string, handle: Route["handle"]): Route {
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
