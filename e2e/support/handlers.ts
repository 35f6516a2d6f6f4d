import { appendFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { chainHandler, chainType } from "./chain-type.ts";
import type { HandlerContext, ResourceHandler } from "@rad/resources";

/** A type whose work the tests steer: `workMs` says how long it takes, `journal` where it notes what it does. */
export const steeredType = "Test.Steered/things";

const steered: ResourceHandler = {
  put: async (context) => {
    await context.step("work", () => work("put", context));
    return { kind: "done", properties: { ...context.properties, result: `made by ${process.pid}` } };
  },
  delete: async (context) => {
    await context.step("work", () => work("delete", context));
  },
};

/** A type whose handler fails with the secrets it was given in its message, as careless code would. */
export const leakyType = "Test.Leaky/things";

const leaky: ResourceHandler = {
  put: async (context) => {
    const secrets = JSON.stringify(await context.secrets());
    context.log.info(`working with ${secrets}`, { secrets });
    await context.step("leak", async () => {
      throw new Error(`refused: ${secrets}`);
    });
  },
};

export const handlers: Readonly<Record<string, ResourceHandler>> = {
  [steeredType]: steered,
  [leakyType]: leaky,
  [chainType]: chainHandler,
};

async function work(kind: string, { id, properties }: HandlerContext): Promise<void> {
  const { workMs, journal } = properties;
  const note = async (moment: string): Promise<void> => {
    if (typeof journal === "string") {
      await appendFile(journal, `${moment} ${kind} ${id.name} ${process.pid}\n`);
    }
  };
  await note("start");
  if (typeof workMs === "number") {
    await sleep(workMs); // deaf to the signal: the fence has to hold without the handler's help
  }
  await note("end");
}
