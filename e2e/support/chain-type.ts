import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject, JsonValue } from "@rad/core";
import type { HandlerContext, HandlerResult, ResourceHandler } from "@rad/resources";

/**
 * A type that does everything a handler can: it works in rounds and saves each of them with a secret, pauses in between,
 * waits for a child that it creates, and deploys a template with the next link of the chain.
 */
export const chainType = "Test.Chain/links";
const apiVersion = "2025-01-01";

export const chainProperties: JsonObject = {
  /** Links below this one. */
  depth: { type: "integer" },
  /** Rounds of work, each of them saved. */
  rounds: { type: "integer" },
  child: { type: "boolean" },
  /** A file that notes what was acknowledged. */
  journal: { type: "string" },
  password: { type: "string", "x-radius-sensitive": true },
  token: { type: "string", readOnly: true, "x-radius-sensitive": true },
  links: { type: "integer", readOnly: true },
};

export const chainHandler: ResourceHandler = {
  put: async (context) => (await workInRounds(context)) ?? (await awaitChild(context)) ?? (await deployNext(context)),
  delete: async ({ id, status, properties }) => note(properties, `deleted ${id.name} ${round(status)}`),
};

async function workInRounds(context: HandlerContext): Promise<HandlerResult> {
  const { id, properties, requester } = context;
  const done = round(context.status);
  requireAcknowledged(context, done);
  if (done >= Number(properties["rounds"] ?? 0)) {
    return undefined;
  }
  const password = await passwordOf(context);
  await context.step(`round ${done + 1}`, async (step) => {
    step.share(0.5);
    await sleep(5);
    // The same secret as the client's, so that one canary is looked for.
    await context.save({ operation: requester.correlationId, round: done + 1 }, { "/password": password });
    note(properties, `saved ${id.name} ${requester.correlationId} ${done + 1}`);
  });
  return { kind: "again", afterMs: 1 };
}

/** Whatever was acknowledged before must be there. */
function requireAcknowledged({ id, status, properties, requester }: HandlerContext, done: number): void {
  const { journal = "" } = properties;
  const lines = typeof journal === "string" && existsSync(journal) ? readFileSync(journal, "utf8").split("\n") : [];
  const prefix = `saved ${id.name} ${requester.correlationId} `;
  const acknowledged = Math.max(
    0,
    ...lines.filter((line) => line.startsWith(prefix)).map((line) => Number(line.slice(prefix.length))),
  );
  const isOwn = status["operation"] === requester.correlationId || acknowledged === 0;
  if (!isOwn || done < acknowledged) {
    note(properties, `LOST ${id.name}: ${acknowledged} was acknowledged, ${done} is there`);
  }
}

async function awaitChild(context: HandlerContext): Promise<HandlerResult> {
  const { id, properties, resources } = context;
  if (properties["child"] !== true) {
    return undefined;
  }
  const childId = `${id.toString()}-child`;
  const child = await resources.asRequester.get(childId);
  if (child !== undefined) {
    return child.operationId === undefined ? undefined : { kind: "waiting", for: [child.operationId] };
  }
  const body = { properties: { rounds: 1, journal: properties["journal"] ?? "", password: await passwordOf(context) } };
  const operation = await resources.put({ id: childId, apiVersion, body });
  return operation === undefined ? undefined : { kind: "waiting", for: [operation] };
}

async function deployNext(context: HandlerContext): Promise<HandlerResult> {
  const { properties, deployments } = context;
  const depth = Number(properties["depth"] ?? 0);
  const password = await passwordOf(context);
  const made = (links: number): HandlerResult => ({
    kind: "done",
    properties: { ...properties, links, token: password },
  });
  if (depth === 0) {
    return made(1);
  }
  const parameters = { password: { value: password } };
  const result = await deployments.run({ name: "next", template: nextLink(context, depth - 1), parameters });
  if (result.kind === "waiting") {
    return result;
  }
  const below = (result.outputs["links"] as JsonObject | undefined)?.["value"];
  return made(Number(below) + 1);
}

function nextLink({ id, properties }: HandlerContext, depth: number): JsonObject {
  const { rounds = 0, journal = "" } = properties;
  return {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.1-experimental",
    contentVersion: "1.0.0.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    parameters: { password: { type: "securestring" } },
    resources: {
      next: {
        import: "radius",
        type: `${chainType}@${apiVersion}`,
        properties: {
          name: `${id.name}-${depth}`,
          properties: { depth, rounds, journal, password: "[parameters('password')]" },
        },
      },
    },
    outputs: { links: { type: "int", value: "[reference('next').properties.links]" } },
  };
}

async function passwordOf(context: HandlerContext): Promise<JsonValue> {
  return (await context.secrets())["/properties/password"] ?? "none";
}

function round(status: JsonObject): number {
  return Number(status["round"] ?? 0);
}

/** Synchronously: what is in the journal happened before whatever comes next. */
function note({ journal }: JsonObject, line: string): void {
  if (typeof journal === "string") {
    appendFileSync(journal, `${line}\n`);
  }
}
