import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { postgresBinaries, publicTempFolder } from "./postgres-binaries.ts";
import { freePort } from "./free-port.ts";

/** A real server of its own, on loopback, gone with the test process however that ends. */
export interface PostgresServer extends AsyncDisposable {
  /** Where its files are, for tests that search them. */
  readonly folder: string;
  /** Of the process whose children serve the connections; another one after each start. */
  readonly pid: number;
  /** @returns the URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Ends the server as a crash would: no goodbyes to its clients. */
  stop(): Promise<void>;
  /** Starts it again, on the same port and with the same data. */
  start(): Promise<void>;
  restart(): Promise<void>;
}

export interface PostgresOptions {
  /** Instead of or beside those of the tests: `{ fsync: "on" }` makes it as durable as PostgreSQL is by default. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

const startTimeoutMs = 30_000;

export async function startPostgres({ settings = {} }: PostgresOptions = {}): Promise<PostgresServer> {
  const home = await postgresBinaries();
  const folder = await mkdtemp(join(await publicTempFolder(), "radius-postgres-data-"));
  const user = await serverUser();
  if (user !== undefined) {
    await chown(folder, user.uid, user.gid);
  }
  const password = randomBytes(16).toString("hex");
  const server = new EmbeddedPostgres({ home, folder, user, password, port: await freePort(), settings });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
  return server;
}

interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

interface ServerSettings {
  readonly home: string;
  readonly folder: string;
  readonly user: ServerUser | undefined;
  readonly password: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string | number>>;
}

class EmbeddedPostgres implements PostgresServer {
  readonly #settings: ServerSettings;
  #server: ChildProcess | undefined;
  #watchdog: ChildProcess | undefined;
  #databases = 0;

  constructor(settings: ServerSettings) {
    this.#settings = settings;
  }

  get folder(): string {
    return this.#settings.folder;
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  async initialise(): Promise<void> {
    const { folder, user, password } = this.#settings;
    const passwordFile = join(folder, "password");
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user !== undefined) {
      await chown(passwordFile, user.uid, user.gid);
    }
    const options = {
      pgdata: join(folder, "data"),
      username: "postgres",
      pwfile: passwordFile,
      auth: "password",
      encoding: "UTF8",
      locale: "C",
    };
    const child = this.#spawn("initdb", [
      "--no-sync",
      ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    ]);
    const output = collect(child);
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) {
      throw new Error(`initdb failed: ${output()}`);
    }
  }

  async start(): Promise<void> {
    const { folder, port } = this.#settings;
    // Without fsync the data survives the server's death, only not the machine's: right for tests.
    const settings = {
      listen_addresses: "127.0.0.1",
      port,
      unix_socket_directories: "",
      fsync: "off",
      max_connections: 200,
      // Otherwise the log grows to 1 GB before its files are used again, and a soak would take that for a leak.
      max_wal_size: "192MB",
      ...this.#settings.settings,
    };
    const server = this.#spawn("postgres", [
      `-D${join(folder, "data")}`,
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ]);
    const output = collect(server);
    this.#server = server;
    this.#watchdog = watchdog(server, folder);
    const deadline = Date.now() + startTimeoutMs;
    while (!(await this.#answers())) {
      if (server.exitCode !== null || Date.now() > deadline) {
        throw new Error(`PostgreSQL did not start: ${output()}`);
      }
      await delay(20);
    }
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) {
      return;
    }
    this.#server = undefined;
    if (server.exitCode === null && server.signalCode === null) {
      const closed = once(server, "close");
      server.kill("SIGQUIT");
      await closed;
    }
    this.#watchdog?.stdin?.end("stopped\n");
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async createDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    await this.#asAdmin((client) => client.query(`CREATE DATABASE ${name}`));
    return this.#url(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#settings.folder, { recursive: true, force: true });
  }

  async #answers(): Promise<boolean> {
    try {
      await this.#asAdmin((client) => client.query("SELECT 1"));
      return true;
    } catch {
      return false; // not yet
    }
  }

  async #asAdmin(work: (client: Client) => Promise<unknown>): Promise<void> {
    const client = new Client({ connectionString: this.#url("postgres") });
    client.on("error", () => {}); // the call that was under way says so too
    try {
      await client.connect();
      await work(client);
    } finally {
      await client.end();
    }
  }

  #url(database: string): string {
    return `postgresql://postgres:${this.#settings.password}@127.0.0.1:${this.#settings.port}/${database}`;
  }

  #spawn(program: string, args: readonly string[]): ChildProcess {
    const { home, folder, user } = this.#settings;
    return spawn(join(home, "native", "bin", program), args, {
      cwd: folder,
      env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "pipe"],
      ...(user === undefined ? {} : user),
    });
  }
}

/** PostgreSQL refuses to run as root; it runs as the user without rights then. */
async function serverUser(): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const users = await readFile("/etc/passwd", "utf8");
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users);
  if (nobody === null) {
    throw new Error("PostgreSQL cannot run as root, and there is no user 'nobody' to run it as.");
  }
  return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
}

/**
 * Ends the server when this process dies without doing so. It reads from a pipe that closes with us; a line means that
 * the server was stopped in good order.
 */
function watchdog(server: ChildProcess, folder: string): ChildProcess {
  const script =
    'trap "" INT TERM HUP; read -r line && exit; kill -QUIT "$1"; while kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"';
  const child = spawn("/bin/sh", ["-c", script, "watchdog", String(server.pid), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  child.unref();
  return child;
}

/** The end of what a process prints, for the message when it fails. */
function collect(child: ChildProcess): () => string {
  let text = "";
  const append = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-4_000);
  };
  child.stdout?.on("data", append);
  child.stderr?.on("data", append);
  return () => text.trim();
}
