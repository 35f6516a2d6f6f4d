import { appendFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { chainHandler, chainType } from "./chain-type.ts";
import { ApiError } from "@rad/core";
import type { HandlerContext, ResourceHandler } from "@rad/resources";

/** A type whose work the tests steer: `workMs` says how long it takes, `journal` where it notes what it does. `isPoison` kills the process. */
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

/** A synchronous type whose handlers take a moment, as if they changed something elsewhere. */
export const effectType = "Test.Effect/things";

export const effect: ResourceHandler = {
  put: async (context) => {
    await work("put", context);
    if (context.properties["fails"] === true) {
      throw new ApiError("BadRequest", "It does not work.");
    }
  },
  delete: (context) => work("delete", context),
  actions: {
    poke: async () => {
      await sleep(5);
      return {};
    },
  },
};

export const handlers: Readonly<Record<string, ResourceHandler>> = {
  [steeredType]: steered,
  [leakyType]: leaky,
  [chainType]: chainHandler,
};

async function work(kind: string, { id, properties }: HandlerContext): Promise<void> {
  const { workMs, journal, isPoison } = properties;
  const note = async (moment: string): Promise<void> => {
    if (typeof journal === "string") {
      await appendFile(journal, `${moment} ${kind} ${id.name} ${process.pid}\n`);
    }
  };
  await note("start");
  if (isPoison === true) {
    process.kill(process.pid, "SIGKILL");
  }
  if (typeof workMs === "number") {
    await sleep(workMs); // deaf to the signal: the fence has to hold without the handler's help
  }
  await note("end");
}
