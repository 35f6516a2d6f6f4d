import { ApiError } from "@rad/core";
import type { StoredAuditRecord } from "@rad/store";

/** The parameters of `GET /audit`. */
export const auditParameters = [
  { name: "after", description: "Only records after the one with this sequence number." },
  { name: "since", description: "Only records of this time or later, such as `2025-01-31T08:00:00Z`." },
  { name: "caller", description: "Only what this caller did, such as `local-admin` or `oidc:alice`." },
  { name: "target", description: "Only records about this id and everything below it." },
  {
    name: "outcome",
    description:
      "Only records with this `result`, such as `Succeeded` or `Forbidden`; `Refused` stands for every refusal.",
  },
] as const;

type Parameter = (name: (typeof auditParameters)[number]["name"]) => string | undefined;

const isoTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Which records a request asks for, besides `after`. @throws ApiError for a time that is none. */
export function auditFilter(parameter: Parameter): (record: StoredAuditRecord) => boolean {
  const since = readTime(parameter("since"));
  const caller = parameter("caller");
  const target = parameter("target")?.toLowerCase().replace(/\/$/, "");
  const outcome = parameter("outcome")?.toLowerCase();
  return (record) =>
    (since === undefined || record.time.getTime() >= since) &&
    (caller === undefined || record.caller === caller) &&
    (target === undefined || isAtOrBelow(record.target.toLowerCase(), target)) &&
    (outcome === undefined || hasOutcome(record, outcome));
}

function readTime(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const time = isoTime.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new ApiError(
      "BadRequest",
      `'since' must be a date, or a time with its zone such as '2025-01-31T08:00:00Z', not '${text}'.`,
    );
  }
  return time;
}

function isAtOrBelow(id: string, target: string): boolean {
  return id === target || id.startsWith(`${target}/`);
}

function hasOutcome({ phase, result }: StoredAuditRecord, outcome: string): boolean {
  return outcome === "refused" ? phase === "refusal" : result?.toLowerCase() === outcome;
}
