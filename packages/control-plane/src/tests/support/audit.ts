import type { JsonObject } from "@rad/core";
import type { TestServer } from "../../testing/test-server.ts";

/** The audit records of one request, which are there before its answer. */
export async function auditOf(server: TestServer, correlationId: string): Promise<readonly JsonObject[]> {
  return (await auditText(server))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as JsonObject)
    .filter((record) => record["correlationId"] === correlationId);
}

export async function auditText(server: TestServer): Promise<string> {
  return (await server.call("GET", "/audit")).text;
}
