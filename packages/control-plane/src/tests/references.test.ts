import { startTestServer } from "../testing/test-server.ts";
import { describeReferences } from "./support/describe-references.ts";

describeReferences("SQLite", async () => {
  const server = await startTestServer({ recordsOnly: true });
  return { calls: server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
});
