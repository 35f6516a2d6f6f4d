import { isTerminal, type JsonObject, type JsonValue } from "@rad/core";
import { until } from "@rad/core/testing";

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

interface CallOptions {
  /** Text and bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the local token; `null` sends none. */
  readonly token?: string | null;
}

/** Talks to a server, wherever it runs. */
export interface ApiCalls {
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** Waits until the operation that `reply` announced ends; resolves to the operation's status document. */
  settle(reply: Reply): Promise<JsonObject>;
  /** Registers `namespace` with types that have these schemas, at api-version 2025-01-01. */
  register(namespace: string, types: Readonly<Record<string, JsonObject>>): Promise<void>;
}

export function createApiCalls(url: string, token: string): ApiCalls {
  const call: ApiCalls["call"] = async (method, path, { body, headers, token: given = token } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(given === null ? {} : { authorization: `Bearer ${given}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: bodyOf(body) }),
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
  const settle: ApiCalls["settle"] = async (reply) => {
    const link = reply.headers.get("azure-asyncoperation");
    if (link === null) {
      throw new Error(`No operation was announced: ${reply.status} ${reply.text}`);
    }
    const look = async (): Promise<JsonObject | undefined> => {
      const { body } = await call("GET", link.slice(url.length));
      const { status } = body;
      return typeof status === "string" && isTerminal(status) ? body : undefined;
    };
    return await until("the operation has ended", look, { timeoutMs: 120_000 });
  };
  const put = async (path: string, body: JsonObject): Promise<void> => {
    const reply = await call("PUT", `${path}?${systemVersion}`, { body });
    if (reply.status !== 201) {
      throw new Error(`${path}: ${reply.text}`);
    }
    await settle(reply);
  };
  return {
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
  };
}

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);
}
