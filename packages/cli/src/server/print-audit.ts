import { once } from "node:events";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";

export interface AuditFlags {
  readonly after?: string;
  readonly since?: string;
  readonly caller?: string;
  readonly target?: string;
  readonly outcome?: string;
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export async function printAudit(context: CommandContext, flags: AuditFlags): Promise<void> {
  const query = auditQuery(flags, Date.now());
  const client = await context.client();
  const { stdout } = context.host;
  for await (const piece of client.stream("/audit", query)) {
    if (!stdout.write(piece)) {
      await once(stdout, "drain", { signal: context.host.signal });
    }
  }
}

/** The query of `GET /audit`. @throws CliError `InvalidUsage`, before any server is asked. */
export function auditQuery({ after, since, caller, target, outcome }: AuditFlags, now: number): Record<string, string> {
  if (after !== undefined && !/^\d{1,15}$/.test(after)) {
    throw new CliError("InvalidUsage", `--after needs the sequence number of a record, not "${after}".`);
  }
  return {
    ...(after === undefined ? {} : { after }),
    ...(since === undefined ? {} : { since: startOf(since, now) }),
    ...(caller === undefined ? {} : { caller }),
    ...(target === undefined ? {} : { target }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

/** A time as the server reads it. Dates and times are those of this machine unless they name a zone. */
function startOf(since: string, now: number): string {
  const [, count, unit = ""] = /^(\d{1,9})([smhd])$/.exec(since) ?? [];
  const dayOnly = /^\d{4}-\d{2}-\d{2}$/.test(since) ? `${since}T00:00:00` : since;
  const time =
    count === undefined
      ? Date.parse(/^\d{4}-\d{2}-\d{2}T/.test(dayOnly) ? dayOnly : "")
      : now - Number(count) * (unitMs[unit] ?? 0);
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) {
    throw new CliError(
      "InvalidUsage",
      `--since needs a duration such as 30m, 12h or 7d, a date, or a time such as 2025-01-31T08:00:00Z, not "${since}".`,
    );
  }
  return date.toISOString();
}
