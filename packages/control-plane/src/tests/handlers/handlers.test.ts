import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startTestServer } from "../../testing/test-server.ts";
import { describeHandlers } from "./describe-handlers.ts";

describeHandlers("SQLite", async (options) => {
  const server = await startTestServer(options);
  return {
    server,
    stored: async () => {
      const names = (await readdir(server.directory)).filter((name) => name.startsWith("radius.db"));
      const files = await Promise.all(names.map((name) => readFile(join(server.directory, name), "latin1")));
      return files.join("");
    },
    close: () => server[Symbol.asyncDispose](),
  };
});
