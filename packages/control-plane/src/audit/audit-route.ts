import { ApiError, mainThread } from "@rad/core";
import type { Store } from "@rad/store";
import type { Route } from "@rad/modules";

const pageSize = 200;

/** `GET /audit?after={sequence}`: the audit log as JSON lines, oldest first, for `after` to be resumed from. */
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
      const headers = { "Content-Type": "application/x-ndjson; charset=utf-8" };
      return { status: 200, headers, body: auditLines(store(), Number(text)) };
    },
  };
}

async function* auditLines(store: Store, after: number): AsyncGenerator<string> {
  let last = after;
  for (;;) {
    const records = await store.audit.list({ after: last, limit: pageSize });
    if (records.length === 0) {
      return;
    }
    yield records.map((record) => `${JSON.stringify(record)}\n`).join("");
    last = records.at(-1)?.sequence ?? last;
    await mainThread.giveWay(); // an embedded database reads on this thread, and a client may take all that it gets
  }
}
