import { type Clock, type LogFields, type Logger, mainThread, Redactor, systemClock } from "@rad/core";
import { jsonAnswer, type ModuleFactory, type Route } from "@rad/modules";
import { type Store, StoreError } from "@rad/store";
import { auditRoute } from "./audit/audit-route.ts";
import { buildInfo } from "./build-info.ts";
import type { Composition } from "./compose.ts";
import type { ServerConfig } from "./config/index.ts";
import { frontPageRoute } from "./front-page/front-page-route.ts";
import { DatabaseState } from "./database-state.ts";
import { discoveryRoutes } from "./http/discovery-routes.ts";
import { databaseAway } from "./http/error-answer.ts";
import { createHttpServer, type HttpServer, type Listener } from "./http/http-server.ts";
import { prometheusContentType, serveMetrics } from "./http/metrics-listener.ts";
import { basePathsOf } from "./http/request-url.ts";
import {
  type Authenticator,
  createAuthenticator,
  createAuthorizer,
  ensureLocalToken,
  followFiles,
  followLocalToken,
  loadTlsOptions,
  tokenFileIn,
  tlsFilesIn,
  type TlsOptions,
} from "./identity/index.ts";
import { loadCompose } from "./load-compose.ts";
import { MemoryRelease } from "./memory-release.ts";
import { serverRouteTable } from "./merge-modules.ts";
import { dataDirectory, openStore } from "./open-store.ts";
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
  /** Whether somebody reads the log on a terminal. */
  readonly isTerminal?: boolean;
}

export interface LoopbackTls {
  readonly url: string;
  readonly caFile: string;
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  /** The file for the token of the first administrator, where the server makes one. */
  readonly tokenFile: string | undefined;
  /** The second listener on loopback, and the file with the authority that clients of it have to trust. */
  readonly loopbackTls: LoopbackTls | undefined;
  /** Resolves when requests are answered: at once, or when a database that was away at the start has come. */
  readonly ready: Promise<void>;
  readonly isReady: () => boolean;
  /** Resolves when the server has stopped for good; rejects when it had to stop by itself. */
  readonly closed: Promise<void>;
}

const firstRetryMs = 1_000;
const longestRetryMs = 15_000;
/** Requests that arrived only in part are refused a few turns after their connection is gone. */
const socketCloseGraceMs = 10;
const maxDrainAfterCutMs = 1_000;

/**
 * Starts the control plane: opens the store, listens, loads everything else, works on operations. Requests that come
 * before all is loaded wait for it; when that fails, so does the start. Disposing it stops taking requests, hands back
 * what is running and closes the store.
 * @throws ConfigError, ModuleError, StoreError `CannotOpen`, and whatever listening on the port says.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config } = options;
  const redactor = new Redactor();
  const log = createLogger({
    level: config.logging.level,
    json: config.logging.json ?? options.isTerminal !== true,
    redactor,
  });
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
  readonly #database: DatabaseState;
  readonly #routes: readonly Route[];
  readonly #authenticator: Authenticator;
  /** Of the administrator that every installation begins with; absent until the database that has it can be reached. */
  #tokenSha256: string | undefined;
  readonly #closing = new AbortController();
  readonly #closed = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  /** Where it listens. */
  #apiUrl: string | undefined;
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
    this.#database = new DatabaseState(deps.log);
    this.#routes = this.#ownRoutes();
    this.#authenticator = createAuthenticator({
      config: this.#config.authentication,
      undecided: () => (this.#isTokenPending() ? databaseAway() : undefined),
      clock: this.#clock,
      log: this.#log.child({ part: "http" }),
    });
    this.#closed.promise.catch(() => {}); // whoever asks for `closed` gets the rejection
  }

  async start(): Promise<RunningServer> {
    const config = this.#config;
    await using opened = new AsyncDisposableStack();
    await this.#unlessAway(async () => {
      this.#readyStore = opened.use(await this.#openStore());
    });
    if (this.#readyStore === undefined) {
      this.#letGo();
    }
    const store = this.#readyStore;
    if (store !== undefined) {
      await this.#unlessAway(() => this.#ensureToken(store));
    }
    const { http, url } = await this.#listen();
    opened.move(); // closed by `#compose` from here on
    if (store === undefined || !(await this.#unlessAway(() => this.#compose(store)))) {
      this.#attaching = this.#attachLater();
    }
    await this.#telemetry.load();
    const loopbackTls = await this.#listenWithTls(http);
    this.#parts.use(
      new MemoryRelease({
        requests: () => mainThread.requests,
        operations: () => this.#backend?.operations,
        log: this.#log,
      }),
    );
    const where = { url, tls: loopbackTls?.url, database: config.databaseProvider.provider };
    if (this.#attaching === undefined) {
      this.#sayReady(where);
    } else {
      this.#log.warn("listening, but not ready: the server answers 503 until the database can be reached", where);
      void this.#attaching.then(() => this.#sayReady(where));
    }
    return {
      url,
      tokenFile: this.#tokenFile(),
      loopbackTls,
      ready: this.#ready.promise,
      isReady: () => this.#isReady,
      closed: this.#closed.promise,
      [Symbol.asyncDispose]: () => this.stop(),
    };
  }

  #isTokenPending(): boolean {
    return this.#config.authentication.bootstrapTokenFile !== undefined && this.#tokenSha256 === undefined;
  }

  #sayReady(where: LogFields): void {
    if (this.#backend === undefined) {
      return; // stopped before the database came
    }
    this.#isReady = true;
    this.#log.info("ready", where);
    this.#ready.resolve();
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

  #openStore(): Promise<Store> {
    const { url, listenUrl } = this.#config.databaseProvider.postgresql;
    this.#redactor.add(connectionSecrets(url));
    this.#redactor.add(connectionSecrets(listenUrl));
    return openStore(this.#config, {
      log: this.#log.child({ part: "store" }),
      clock: this.#clock,
      onError: ({ code }) => this.#instruments.recordDatabaseError(code),
    });
  }

  #tokenFile(): string | undefined {
    const { databaseProvider, authentication } = this.#config;
    return databaseProvider.provider === "sqlite"
      ? tokenFileIn(dataDirectory(this.#config))
      : authentication.bootstrapTokenFile;
  }

  /** Makes the token of the administrator that every installation begins with, unless there is one. */
  async #ensureToken(store: Store): Promise<void> {
    const file = this.#config.authentication.bootstrapTokenFile;
    const log = this.#log.child({ part: "identity" });
    if (this.#config.databaseProvider.provider === "sqlite") {
      const directory = dataDirectory(this.#config);
      const { sha256 } = await ensureLocalToken(directory);
      this.#useToken(sha256);
      this.#parts.use(followLocalToken(directory, (renewed) => this.#useToken(renewed), log));
      return;
    }
    if (file !== undefined && this.#tokenSha256 === undefined) {
      const { ensureBootstrapToken } = await import("./identity/bootstrap-token.ts");
      const { sha256, isHere } = await ensureBootstrapToken(store, file);
      this.#useToken(sha256);
      if (!isHere) {
        log.warn("the file does not hold the bootstrap token of this installation", { file });
      }
    }
  }

  #useToken(sha256: string): void {
    if (this.#tokenSha256 !== undefined && this.#tokenSha256 !== sha256) {
      this.#log.info("the token was renewed; the one before is refused from now on");
    }
    this.#tokenSha256 = sha256;
    this.#authenticator.setLocalToken(sha256);
  }

  /** PostgreSQL was away at start: the server answers 503 and keeps trying, without a restart. */
  async #attachLater(): Promise<void> {
    const { signal } = this.#closing;
    for (let pauseMs = firstRetryMs; ; pauseMs = Math.min(pauseMs * 2, longestRetryMs)) {
      await this.#clock.sleep(pauseMs, signal).catch(() => {});
      if (signal.aborted) {
        return;
      }
      try {
        if (await this.#unlessAway(async () => this.#compose(await this.#openStore()))) {
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
      this.#database.back();
      return true;
    } catch (error) {
      if (error instanceof StoreError && error.code === "Unavailable") {
        this.#database.away(error);
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
      if (this.#config.databaseProvider.provider === "postgresql") {
        const { requireWholeCopy } = await import("./maintenance/copy-database.ts");
        await requireWholeCopy(store);
      }
      if (this.#config.authentication.bootstrapTokenFile !== undefined) {
        await this.#ensureToken(store);
        const { followBootstrapToken } = await import("./identity/bootstrap-token.ts");
        parts.use(followBootstrapToken(store, (renewed) => this.#useToken(renewed), this.#log));
      }
      const compose = await loadCompose();
      const backend = parts.use(
        await compose({
          ...this.#options,
          serverRoutes: this.#routes,
          apiUrl: this.#apiUrl,
          store,
          clock: this.#clock,
          log: this.#log,
          redactor: this.#redactor,
          telemetry: this.#telemetry,
          instruments: this.#instruments,
          database: this.#database,
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

  async #listen(): Promise<{ http: HttpServer; url: string }> {
    const config = this.#config;
    const { host, port, pathBase, limits } = config.server;
    const log = this.#log.child({ part: "http" });
    const http = createHttpServer({
      backend: () => this.#backend ?? this.#loading?.promise,
      authenticator: this.#authenticator,
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
    const tls = await loadTlsOptions(config);
    const api = await http.listen({ host, port, tls });
    this.#parts.defer(() => closeWithin(http, config.operations.drainSeconds * 1_000));
    const metrics = await this.#listenForScrapes(http, tls);
    this.#followCertificate(metrics === undefined ? [api] : [api, metrics]);
    this.#apiUrl = api.url;
    return { http, url: api.url };
  }

  /** Certificates are renewed by others, who do not restart servers. */
  #followCertificate(listeners: readonly Listener[]): void {
    const directory = this.#config.server.tlsCertificateDirectory;
    if (directory === undefined) {
      return;
    }
    const use = async (): Promise<void> => {
      try {
        const tls = await loadTlsOptions(this.#config);
        if (tls !== undefined) {
          listeners.forEach((listener) => listener.replaceTls(tls));
          this.#log.info("the TLS certificate was replaced");
        }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#log.warn("the new TLS certificate cannot be used; the one before still is", { reason });
      }
    };
    this.#parts.use(followFiles(tlsFilesIn(directory), () => void use()));
  }

  /** After everything else, because nobody waits for it: a probe asks the first listener. */
  async #listenWithTls(http: HttpServer): Promise<LoopbackTls | undefined> {
    const { server } = this.#config;
    if (server.tlsCertificateDirectory !== undefined || !server.loopbackTls.enabled) {
      return undefined;
    }
    const { serveLoopbackTls } = await import("./loopback-tls/serve-loopback-tls.ts");
    const served = await serveLoopbackTls({
      http,
      directory: dataDirectory(this.#config),
      host: server.host,
      apiPort: server.port,
      port: server.loopbackTls.port,
      clock: this.#clock,
      log: this.#log.child({ part: "http" }),
    });
    this.#parts.use(served);
    return served.loopbackTls;
  }

  /** Metrics on a port of their own, with the API's TLS and callers unless the configuration opens it. */
  async #listenForScrapes(http: HttpServer, tls: TlsOptions | undefined): Promise<Listener | undefined> {
    const { enabled, prometheus } = this.#config.metricsProvider;
    if (!enabled || prometheus.port === undefined) {
      return undefined;
    }
    const { host } = this.#config.server;
    const { port, path, anonymous } = prometheus;
    if (!anonymous) {
      return await http.listen({ host, port, tls, onlyPath: path });
    }
    this.#parts.use(await serveMetrics({ host, port, path, read: () => this.#telemetry.prometheus() }));
    this.#log.warn("metrics are open: anybody who reaches the port can read them, without TLS and without a token", {
      host,
      port,
    });
    return undefined;
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
      runtimesRoute(backend, this.#config.kubernetes),
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
