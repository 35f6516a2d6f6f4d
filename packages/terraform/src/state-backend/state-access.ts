import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import { ApiError } from "@rad/core";
import type { Store } from "@rad/store";
import { recordOf, type RunRecord, runsId } from "../runs/records/run-record.ts";

/**
 * The run that calls, by the name and token that it was opened with. They are good for its own state, as long as the run
 * is on record: also for a server that was restarted meanwhile.
 * @throws ApiError `InvalidAuthenticationInfo`
 */
export async function runOf(store: Store, authorization: string | undefined, stateName: string): Promise<RunRecord> {
  const [, encoded = ""] = /^Basic ([\w+/=]+)$/iu.exec(authorization ?? "") ?? [];
  const [, key = "", token = ""] = /^([0-9a-f]{40}):(.+)$/u.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  const found = key === "" ? undefined : await store.get(`${runsId}/${key}`);
  const record = found === undefined ? undefined : recordOf(found.body);
  const expected = Buffer.from(record?.tokenHash ?? "", "hex");
  const given = createHash("sha256").update(token).digest();
  const isKnown = expected.length === given.length && timingSafeEqual(expected, given);
  if (record === undefined || !isKnown || record.state !== "running" || record.backend.name !== stateName) {
    const why = "Terraform states are open to the run that works on them, and to nobody else.";
    throw new ApiError("InvalidAuthenticationInfo", why);
  }
  return record;
}
