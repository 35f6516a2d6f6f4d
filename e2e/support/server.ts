// A control plane in a process of its own, for tests that kill and stop it:
//   node e2e/support/server.ts <file with configuration overrides as JSON>
// It says where it listens in one JSON line on standard output. Besides what a server always serves, it has the code
// behind the types of `handlers.ts`, and a target for boxes, whose provider the templates name.
import { readFile } from "node:fs/promises";
import { defaultModules, loadServerConfig, startServer } from "@rad/control-plane";
import { handlersModule } from "@rad/control-plane/testing";
import type { ConfigOverrides } from "@rad/control-plane";
import { recordAfterwards } from "@rad/deployments";
import { BoxTarget } from "@rad/deployments/testing";
import type { ModuleFactory } from "@rad/modules";
import { basePolicy } from "@rad/resources";
import { effect, effectType, handlers } from "./handlers.ts";

const boxesModule: ModuleFactory = {
  name: "boxes",
  create: (parts) => ({ targets: { other: recordAfterwards(new BoxTarget(), parts) } }),
};

const effectsModule: ModuleFactory = {
  name: "effects",
  create: () => ({
    types: [{ name: effectType, handler: effect, policy: { ...basePolicy, locationRequired: false } }],
  }),
};

const [overridesFile = ""] = process.argv.slice(2);
const overrides = JSON.parse(await readFile(overridesFile, "utf8")) as ConfigOverrides;
const config = loadServerConfig({ env: process.env, overrides });
const server = await startServer({
  config,
  modules: [...defaultModules(config), handlersModule(handlers), boxesModule, effectsModule],
});
process.once("SIGTERM", () => void server[Symbol.asyncDispose]());
process.stdout.write(`${JSON.stringify({ url: server.url, tokenFile: server.tokenFile })}\n`);
await server.closed;
