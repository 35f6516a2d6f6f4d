// The control plane as a program of its own, for images:
//   node main.ts [configuration file]
// It runs until SIGTERM or SIGINT.
import { loadServerConfig } from "./config/index.ts";
import { defaultModules } from "./default-modules.ts";
import { startServer } from "./server.ts";

const [file] = process.argv.slice(2);
try {
  const config = loadServerConfig({ env: process.env, ...(file === undefined ? {} : { file }) });
  await using server = await startServer({ config, modules: defaultModules(config), isTerminal: process.stderr.isTTY });
  const asked = Promise.withResolvers<void>();
  process.once("SIGTERM", () => asked.resolve());
  process.once("SIGINT", () => asked.resolve());
  await Promise.race([server.closed, asked.promise]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
