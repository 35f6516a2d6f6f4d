import type { JsonObject } from "@rad/core";
import type { Module } from "@rad/modules";
import {
  type HandlerContext,
  type HandlerResult,
  type Pause,
  type ResourceHandler,
  userDefinedPolicy,
} from "@rad/resources";
import { local, type Reply, systemVersion, type TestServer } from "../../testing/test-server.ts";

export const groupId = `${local}/resourceGroups/handlers`;
export const type = "Test.Handlers/works";
export const apiVersion = "2025-01-01";

const sensitive = { type: "string", "x-radius-sensitive": true };

/** Sensitive members that the client sets, that the handler sets, and deep inside. */
const schema: JsonObject = {
  type: "object",
  additionalProperties: false,
  properties: {
    size: { type: "integer" },
    password: sensitive,
    host: { type: "string", readOnly: true },
    token: { ...sensitive, readOnly: true },
    keys: { type: "array", readOnly: true, items: { type: "object", properties: { value: sensitive } } },
    status: { type: "object", properties: { rootKey: sensitive } },
  },
};

export const hurriedType = "Test.Hurried/works";

/** The same code behind a type whose operations have little time. */
export function hurriedModule(handler: ResourceHandler): Module {
  const policy = { ...userDefinedPolicy, putTimeoutMs: 3_000 };
  return { types: [{ name: hurriedType, versions: { [apiVersion]: {} }, policy, handler }] };
}

/** What happens to one resource. */
export interface Script {
  put?(context: HandlerContext, attempt: number): Promise<HandlerResult>;
  delete?(context: HandlerContext, attempt: number): Promise<Pause | void>;
}

/** A type whose code is written test by test: by the name of the resource. */
export class ScriptedType {
  readonly #scripts = new Map<string, Script>();
  readonly #attempts = new Map<string, number>();

  readonly handler: ResourceHandler = {
    put: async (context) => await this.#scripts.get(context.id.name)?.put?.(context, this.#count(context, "put")),
    delete: async (context) =>
      await this.#scripts.get(context.id.name)?.delete?.(context, this.#count(context, "delete")),
  };

  script(name: string, script: Script): void {
    this.#scripts.set(name, script);
  }

  /** How often the code ran. */
  attempts(name: string, kind: "put" | "delete" = "put"): number {
    return this.#attempts.get(`${kind} ${name}`) ?? 0;
  }

  #count({ id }: HandlerContext, kind: string): number {
    const key = `${kind} ${id.name}`;
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    this.#attempts.set(key, attempt);
    return attempt;
  }
}

export const idOf = (name: string): string => `${groupId}/providers/${type}/${name}`;
export const pathOf = (name: string): string => `${idOf(name)}?api-version=${apiVersion}`;

export async function prepare(server: TestServer): Promise<void> {
  await server.register("Test.Handlers", { works: schema });
  await server.call("PUT", `${groupId}?${systemVersion}`, { body: { location: "global" } });
}

/** Sends a PUT or DELETE and waits for its operation. */
export async function settled(server: TestServer, reply: Promise<Reply>): Promise<JsonObject> {
  return await server.settle(await reply);
}

export async function propertiesOf(server: TestServer, name: string): Promise<JsonObject> {
  return (await server.call("GET", pathOf(name))).body["properties"] as JsonObject;
}
