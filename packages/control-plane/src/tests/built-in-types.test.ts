import { startTestServer } from "../testing/test-server.ts";
import { describeBuiltInTypes } from "./support/describe-built-in-types.ts";

describeBuiltInTypes("SQLite", async () => {
  const server = await startTestServer({ recordsOnly: true });
  return { calls: server, folder: server.directory, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
});
