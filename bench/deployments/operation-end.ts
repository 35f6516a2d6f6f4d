import type { Connection, Reply } from "../load/connection.ts";
import { header } from "../load/connection.ts";

/** As `rad` does it: one request that is answered when the operation has ended, however long that takes. */
export async function operationEnd(connection: Connection, accepted: Reply): Promise<void> {
  const { pathname, search } = new URL(header(accepted.head, "azure-asyncoperation") ?? "missing:");
  for (;;) {
    const reply = expectSuccess(await connection.send("GET", `${pathname}${search}`, { prefer: "wait=10" }));
    const { status, error } = JSON.parse(reply.body) as { status: string; error?: unknown };
    if (status === "Succeeded") {
      return;
    }
    if (status === "Failed" || status === "Canceled") {
      throw new Error(`${pathname} ended as ${status}: ${JSON.stringify(error)?.slice(0, 300)}`);
    }
  }
}

export function expectSuccess(reply: Reply): Reply {
  if (reply.status !== 200 && reply.status !== 201) {
    throw new Error(`status ${reply.status}: ${reply.body.slice(0, 300)}`);
  }
  return reply;
}
