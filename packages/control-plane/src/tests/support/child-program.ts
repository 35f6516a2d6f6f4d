// A server in a process of its own, for tests that kill it, starve it or read what it logs:
//   node child-program.ts <configuration overrides as JSON>
// It says in one JSON line on standard output where it listens, or why it does not.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "@rad/core";
import { type ConfigOverrides, loadServerConfig } from "../../config/index.ts";
import type { ResourceHandler } from "@rad/resources";
import { defaultModules } from "../../default-modules.ts";
import { handlersModule } from "../../testing/handlers-module.ts";
import { startServer } from "../../server.ts";

// A write beyond a limit on the size of files then fails as on a full disk, instead of ending the process.
process.on("SIGXFSZ", () => {});

/** Its work is done once the file `properties.waitsFor` exists. */
const waiting: ResourceHandler = {
  put: async ({ properties, signal }) => {
    while (!existsSync(properties["waitsFor"] as string)) {
      await sleep(20, undefined, { signal });
    }
  },
};

/** Does with its secrets all that a handler should not. */
const leaking: ResourceHandler = {
  put: async (context) => {
    const secret = JSON.stringify(await context.secrets());
    context.log.info(`the secret is ${secret}`, { secret });
    await context.step(`use ${secret}`, async () => {});
    throw new ApiError("BadRequest", `cannot log in with ${secret}`);
  },
  actions: {
    fail: async (context) => {
      throw new Error(`a bug that shows ${JSON.stringify(await context.secrets())}`);
    },
  },
};

/** The same inside a request, and before anything is stored. */
const leakingAtOnce: ResourceHandler = {
  validate: ({ properties }) => {
    if (properties["refused"] === true) {
      throw new ApiError("BadRequest", `not with ${JSON.stringify(properties)}`);
    }
  },
  put: async (context) => {
    const secret = JSON.stringify(await context.secrets());
    const details = [{ code: "InvalidProperties", message: `inside: ${secret}` }];
    throw new ApiError("BadRequest", `cannot log in at once with ${secret}`, { details });
  },
};

const handlers = {
  "Test.Child/works": waiting,
  "Test.Child/leaks": leaking,
  "Radius.Core/leaks": leakingAtOnce,
};

try {
  const overrides = JSON.parse(process.argv[2] ?? "{}") as ConfigOverrides;
  const config = loadServerConfig({ env: {}, overrides });
  const server = await startServer({
    config,
    modules: [...defaultModules(config), handlersModule(handlers)],
  });
  process.once("SIGTERM", () => void server[Symbol.asyncDispose]());
  say({ url: server.url, tokenFile: server.tokenFile });
  await server.closed;
} catch (error) {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  say({ code, message: error instanceof Error ? error.message : String(error) });
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
