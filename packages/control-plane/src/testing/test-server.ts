import type { JsonObject, JsonValue } from "@rad/core";
import { setTimeout as sleep } from "node:timers/promises";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConfigOverrides, loadServerConfig } from "../config/index.ts";
import { type ServerOptions, startServer } from "../server.ts";

export const systemVersion = "api-version=2023-10-01-preview";
export const local = "/planes/radius/local";
export const registry = `${local}/providers/System.Resources/resourceproviders`;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as an object; throws when it is not one. */
  readonly body: JsonObject;
  /** `code` of the ARM error object. */
  readonly code: JsonValue | undefined;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the local token; `null` sends none. */
  readonly token?: string | null;
}

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly directory: string;
  readonly token: string;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** PUT and wait until the operation ends; resolves to the operation's status document. */
  settle(reply: Reply): Promise<JsonObject>;
  /** Registers `namespace` with types that have these schemas, at api-version 2025-01-01. */
  register(namespace: string, types: Readonly<Record<string, JsonObject>>): Promise<void>;
}

export interface TestServerOptions extends Omit<ServerOptions, "config"> {
  readonly overrides?: ConfigOverrides;
  /** Where its files lie, for tests that start several servers there; otherwise a folder that goes with the server. */
  readonly directory?: string;
  /** What `call` sends; the local token when absent, which only servers on SQLite have. */
  readonly token?: string;
}

/** A whole control plane on a free port with a database of its own, gone when it is disposed. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "radius-test-")));
  const config = loadServerConfig({
    env: {},
    overrides: {
      logging: { level: "error" },
      metricsProvider: { enabled: false },
      ...options.overrides,
      server: { port: 0, ...options.overrides?.server },
      databaseProvider: { sqlite: { directory }, ...options.overrides?.databaseProvider },
    },
  });
  const server = await startServer({ ...options, config });
  const token = options.token ?? (await readFile(server.tokenFile ?? "", "utf8")).trim();

  const call: TestServer["call"] = async (method, path, { body, headers, token: given = token } = {}) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...(given === null ? {} : { authorization: `Bearer ${given}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      get body() {
        return JSON.parse(text) as JsonObject;
      },
      get code() {
        return ((JSON.parse(text) as JsonObject)["error"] as JsonObject | undefined)?.["code"];
      },
    };
  };
  const settle: TestServer["settle"] = async (reply) => {
    const link = reply.headers.get("azure-asyncoperation") ?? "";
    for (;;) {
      const status = await call("GET", link.slice(server.url.length));
      if (["Succeeded", "Failed", "Canceled"].some((state) => state === status.body["status"])) {
        return status.body;
      }
      await sleep(5);
    }
  };
  const put = async (path: string, body: JsonObject): Promise<void> => {
    const reply = await call("PUT", `${path}?${systemVersion}`, { body });
    if (reply.status !== 201) {
      throw new Error(`${path}: ${reply.text}`);
    }
    await settle(reply);
  };
  return {
    url: server.url,
    directory,
    token,
    call,
    settle,
    register: async (namespace, types) => {
      const listed: JsonObject = {};
      await put(`${registry}/${namespace}`, { location: "global", properties: {} });
      for (const [name, schema] of Object.entries(types)) {
        await put(`${registry}/${namespace}/resourcetypes/${name}`, { properties: {} });
        const version = `${registry}/${namespace}/resourcetypes/${name}/apiversions/2025-01-01`;
        await put(version, { properties: { schema } });
        listed[name] = { apiVersions: { "2025-01-01": {} } };
      }
      await put(`${registry}/${namespace}/locations/global`, { properties: { resourceTypes: listed } });
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      if (options.directory === undefined) {
        await rm(directory, { recursive: true, force: true });
      }
    },
  };
}
