import { setTimeout as sleep } from "node:timers/promises";
import { registerManifest } from "@rad/client";
import type { Client } from "@rad/client";
import type { ActionContext, HandlerContext, HandlerResult, ResourceHandler } from "@rad/resources";
import { ApiError } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";

const namespace = "Radius.Test";

/** What most cases deploy: a plain resource to which the server adds a host name. */
const widget: JsonObject = {
  type: "object",
  properties: {
    title: { type: "string" },
    size: { type: "integer", minimum: 0, maximum: 1000, default: 1 },
    source: { type: "string" },
    labels: { type: "object", additionalProperties: { type: "string" } },
    settings: { type: "object", additionalProperties: {} },
    workMs: { type: "integer" },
    host: { type: "string", readOnly: true },
  },
  required: ["title"],
};

/** Something that keeps secrets, and tells them to those who may ask. */
const vault: JsonObject = {
  type: "object",
  properties: {
    user: { type: "string" },
    password: { type: "string", "x-radius-sensitive": true },
    entries: {
      type: "object",
      additionalProperties: {
        type: "object",
        properties: { value: { type: "string", "x-radius-sensitive": true } },
      },
    },
    echo: { type: "boolean" },
  },
};

/** Something with values that may be secret, though nothing here says so. */
const container: JsonObject = {
  type: "object",
  properties: {
    env: { type: "object", additionalProperties: { type: "object", properties: { value: { type: "string" } } } },
    args: { type: "array", items: { type: "string" } },
    settings: { type: "object", additionalProperties: {} },
  },
};

/** Something that fails on command. */
const probe: JsonObject = {
  type: "object",
  properties: {
    answers: { type: "integer" },
    fail: { type: "string" },
    refusals: { type: "integer" },
  },
};

export async function registerTestTypes(client: Client): Promise<void> {
  const types = Object.entries({ widgets: widget, vaults: vault, containers: container, probes: probe });
  await registerManifest(client, {
    namespace,
    location: { name: "global" },
    types: types.map(([name, schema]) => ({ name, capabilities: [], apiVersions: [{ name: "2025-01-01", schema }] })),
  });
}

/** The code behind the test types. Which resources a probe has refused so far is known to these handlers alone. */
export function createTestHandlers(): Readonly<Record<string, ResourceHandler>> {
  const refusals = new Map<string, number>();
  return {
    [`${namespace}/widgets`]: { put: putWidget },
    [`${namespace}/vaults`]: { put: putVault, actions: { listSecrets, describe } },
    [`${namespace}/containers`]: { actions: { listSecrets: listSealed } },
    [`${namespace}/probes`]: { put: async (context) => putProbe(context, refusals) },
  };
}

async function putWidget({ id, properties }: HandlerContext): Promise<HandlerResult> {
  await sleep(Number(properties["workMs"] ?? 0));
  return { kind: "done", properties: { ...properties, host: `${id.name.toLowerCase()}.test` } };
}

async function putVault(context: HandlerContext): Promise<void> {
  if (context.properties["echo"] === true) {
    throw new ApiError("BadRequest", `The vault does not like ${JSON.stringify(await context.secrets())}.`);
  }
}

async function putProbe({ id, properties }: HandlerContext, refusals: Map<string, number>): Promise<void> {
  const { fail, refusals: wanted } = properties;
  if (typeof fail === "string" && fail !== "") {
    throw new ApiError("BadRequest", `The probe fails: ${fail}.`, { target: id.toString() });
  }
  const made = refusals.get(id.toString()) ?? 0;
  if (typeof wanted === "number" && made < wanted) {
    refusals.set(id.toString(), made + 1);
    throw new ApiError("ServiceUnavailable", `The probe is busy, for the ${made + 1}. time.`);
  }
}

async function listSecrets(context: ActionContext): Promise<JsonObject> {
  const password = text((await context.secrets())["/properties/password"]);
  return { password, connectionString: `user=${text(context.properties["user"])};password=${password}` };
}

async function listSealed(context: ActionContext): Promise<JsonObject> {
  return { ...(await context.secrets()) };
}

async function describe({ id, properties }: ActionContext): Promise<JsonObject> {
  return { name: id.name, summary: `${id.name} of ${text(properties["user"])}` };
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
