import { until } from "@rad/core/testing";
import { auditLines } from "./api.ts";
import type { AuditLine, Server } from "./api.ts";

/** The log once every intent has its outcome. */
export async function settledAudit(server: Server): Promise<readonly AuditLine[]> {
  let open: readonly string[] = [];
  return await until(
    () => `every intent has one outcome: ${open.slice(0, 5).join(", ")}`,
    async () => {
      const lines = await auditLines(server);
      open = [...Map.groupBy(lines, changeOf)].flatMap(([change, records]) =>
        isWhole(change, records) ? [] : [change],
      );
      return open.length === 0 && lines;
    },
    { timeoutMs: 60_000 },
  );
}

/** What an intent and its outcome have in common; refusals stand alone. */
function changeOf({ phase, intentId, operationId, correlationId, action, target, sequence }: AuditLine): string {
  if (phase === "refusal") {
    return `refusal ${sequence}`;
  }
  if (intentId !== undefined) {
    return `intent ${intentId}`;
  }
  return operationId === undefined ? `within ${correlationId} ${action} ${target}` : `operation ${operationId}`;
}

/** Each intent is followed by its outcome. Only operations are never begun anew: a resumed deployment sends again. */
function isWhole(change: string, records: readonly AuditLine[]): boolean {
  if (change.startsWith("refusal ")) {
    return true;
  }
  const alternate = records.every(({ phase }, index) => phase === (index % 2 === 0 ? "intent" : "outcome"));
  return alternate && records.length % 2 === 0 && (records.length === 2 || !change.startsWith("operation "));
}
