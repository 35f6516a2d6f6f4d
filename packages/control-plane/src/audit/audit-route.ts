import { ApiError, mainThread } from "@rad/core";
import type { Store, StoredAuditRecord } from "@rad/store";
import type { Route } from "@rad/modules";
import { auditFilter } from "./audit-filter.ts";

const pageSize = 200;

/** `GET /audit`: the audit log as JSON lines, oldest first. A reader goes on with `after={sequence}` where it stopped. */
export function auditRoute(store: () => Store): Route {
  return {
    method: "GET",
    path: "/audit",
    permission: "System.Resources/audit/read",
    handle: (request) => {
      const text = request.parameter("after") ?? "0";
      if (!/^\d{1,15}$/.test(text)) {
        throw new ApiError("BadRequest", `'after' must be the sequence number of a record, not '${text}'.`);
      }
      const wanted = auditFilter((name) => request.parameter(name));
      const headers = { "Content-Type": "application/x-ndjson; charset=utf-8" };
      return { status: 200, headers, body: auditLines(store(), Number(text), wanted) };
    },
  };
}

/** Filters page by page: a query over the whole log would keep the thread of an embedded database for as long. */
async function* auditLines(
  store: Store,
  after: number,
  wanted: (record: StoredAuditRecord) => boolean,
): AsyncGenerator<string> {
  let last = after;
  for (;;) {
    const records = await store.audit.list({ after: last, limit: pageSize });
    if (records.length === 0) {
      return;
    }
    const lines = records.filter(wanted).map((record) => `${JSON.stringify(record)}\n`);
    if (lines.length > 0) {
      yield lines.join("");
    }
    last = records.at(-1)?.sequence ?? last;
    await mainThread.giveWay(); // an embedded database reads on this thread, and a client may take all that it gets
  }
}
