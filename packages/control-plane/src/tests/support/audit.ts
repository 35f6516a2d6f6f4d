import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import type { TestServer } from "../../testing/test-server.ts";

/** The audit records of one request; refusals reach the audit a moment after their answer. */
export async function auditOf(server: TestServer, correlationId: string): Promise<readonly JsonObject[]> {
  return await until(`the audit knows '${correlationId}'`, async () => {
    const records = (await auditText(server))
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as JsonObject)
      .filter((record) => record["correlationId"] === correlationId);
    return records.length === 0 ? undefined : records;
  });
}

export async function auditText(server: TestServer): Promise<string> {
  return (await server.call("GET", "/audit")).text;
}
