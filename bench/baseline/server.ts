// What our server is measured against: bare fastify and node:sqlite, no identity, no schemas, no limits. It runs the
// statements that the store runs for the same request (packages/store/src/sqlite), all in one transaction per request,
// with the same durability. An asynchronous PUT does here at once what takes ours a worker and three transactions.
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue, StatementSync } from "node:sqlite";
import { fastify } from "fastify";
import { schema } from "./schema.ts";

const [folder = ".", port = "0"] = process.argv.slice(2);
const file = path.join(folder, "baseline.db");
const isNew = !existsSync(file);
const database = new DatabaseSync(file);
database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
if (isNew) {
  database.exec(schema);
}

const statements = new Map<string, StatementSync>();
function prepared(sql: string): StatementSync {
  const known = statements.get(sql) ?? database.prepare(sql);
  statements.set(sql, known);
  return known;
}
function get(sql: string, values: readonly SQLInputValue[]): Record<string, unknown> | undefined {
  return prepared(sql).get(...values);
}
function run(sql: string, values: readonly SQLInputValue[] = []): void {
  prepared(sql).run(...values);
}

const app = fastify();
app.get("/planes/*", (request, reply) => {
  const row = readDocument(keyOf(request.url));
  return row === undefined
    ? reply.code(404).send({ error: { code: "NotFound", message: "not found" } })
    : reply.header("etag", String(row["etag"])).type("application/json; charset=utf-8").send(row["body"]);
});
app.put("/planes/*", (request, reply) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const body = request.body as { properties: object };
  const stored = inTransaction(() => {
    readDocument(keyOf(request.url)); // the handler looks before it writes
    return pathname.includes("/Bench.Load/") ? putAsynchronous(pathname, body) : putSynchronous(pathname, body);
  });
  return reply.code(200).type("application/json; charset=utf-8").send(stored);
});
app.get("/ready", (_, reply) => reply.send("ok\n"));
process.once("SIGTERM", () => void app.close()); // leaves a compile cache for the next start, as ours does
await app.listen({ port: Number(port), host: "127.0.0.1" });
process.stdout.write(`${JSON.stringify({ url: app.listeningOrigin })}\n`);

function inTransaction(work: () => string): string {
  run("BEGIN IMMEDIATE");
  try {
    const result = work();
    run("COMMIT");
    return result;
  } catch (error) {
    run("ROLLBACK");
    throw error;
  }
}

function putSynchronous(id: string, body: { properties: object }): string {
  checkGuards(id);
  const text = writeDocument(id, body, "Succeeded", null);
  const correlation = randomUUID();
  writeAudit("intent", id, correlation, null);
  writeAudit("outcome", id, correlation, null);
  return text;
}

function putAsynchronous(id: string, body: { properties: object }): string {
  checkGuards(id);
  const operation = randomUUID();
  const correlation = randomUUID();
  const now = Date.now();
  // accepted
  writeDocument(id, body, "Accepted", operation);
  run(
    `INSERT INTO operations (id, resource_key, resource_id, kind, api_version, queue, caller, correlation_id,
       traceparent, input, state, created_at, deadline_at, run_after)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'Accepted', ?, ?, ?)`,
    [
      operation,
      id.toLowerCase(),
      id,
      "put",
      "2025-01-01",
      "default",
      "bench",
      correlation,
      null,
      null,
      now,
      now + 86_400_000,
      now,
    ],
  );
  writeAudit("intent", id, correlation, operation);
  // taken
  const seq = Number(
    get(
      `SELECT seq FROM operations WHERE queue = ? AND ended_at IS NULL AND (lease_expires IS NULL OR lease_expires <= ?)
         AND (cancel_reason IS NOT NULL OR deadline_at <= ? OR run_after <= ?) ORDER BY seq LIMIT 1`,
      ["default", now, now, now],
    )?.["seq"],
  );
  get(
    `UPDATE operations SET lease_owner = ?, lease_expires = ?, fence = fence + 1, attempt = attempt + 1,
       state = 'Updating', started_at = coalesce(started_at, ?) WHERE seq = ? RETURNING *`,
    ["bench", now + 15_000, now, seq],
  );
  // ended
  readDocument(id.toLowerCase());
  const text = writeDocument(id, body, "Succeeded", null);
  get(
    `UPDATE operations SET lease_owner = NULL, lease_expires = NULL, fence = fence + 1, state = ?, error = ?, ended_at = ?
     WHERE id = ? AND lease_owner = ? AND fence = ? AND lease_expires > ? AND ended_at IS NULL RETURNING queue`,
    ["Succeeded", null, now, operation, "bench", 1, now],
  );
  writeAudit("outcome", id, correlation, operation);
  return text;
}

/** The plane, the group and the api-version must still exist; here one row stands in for each. */
function checkGuards(id: string): void {
  for (const guard of ["/planes/radius/local", "/planes/radius/local/resourcegroups/bench", id.toLowerCase()]) {
    get("SELECT etag FROM documents WHERE key = ?", [guard]);
  }
}

function readDocument(key: string): Record<string, unknown> | undefined {
  return get("SELECT id, type, api_version, etag, operation_id, body FROM documents WHERE key = ?", [key]);
}

function writeDocument(id: string, body: { properties: object }, state: string, operation: string | null): string {
  const key = id.toLowerCase();
  const type = id.split("/providers/")[1]?.split("/").slice(0, 2).join("/") ?? "";
  const current = get("SELECT id, type, etag, sealed, sealed_key_id FROM documents WHERE key = ?", [key]);
  const text = JSON.stringify(
    { id, name: path.basename(id), type, ...body, properties: { ...body.properties, provisioningState: state } },
    null,
    2,
  );
  const etag = `32-${createHash("sha256").update(text).digest("hex")}`;
  if (current === undefined) {
    run(
      `INSERT INTO documents (key, id, type_key, type, type_depth, api_version, etag, operation_id, body, sealed,
         sealed_key_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [key, id, type.toLowerCase(), type, 1, "2025-01-01", etag, operation, text, null, null],
    );
  } else {
    run(
      `UPDATE documents SET api_version = ?, etag = ?, operation_id = ?, body = ?, sealed = ?, sealed_key_id = ?
       WHERE key = ?`,
      ["2025-01-01", etag, operation, text, null, null, key],
    );
  }
  return text;
}

function writeAudit(phase: string, target: string, correlation: string, operation: string | null): void {
  run(
    `INSERT INTO audit (phase, time, caller, action, target, api_version, correlation_id, operation_id, status,
       result) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [phase, Date.now(), "bench", "write", target, "2025-01-01", correlation, operation, 200, "Succeeded"],
  );
}

function keyOf(url: string): string {
  return new URL(url, "http://localhost").pathname.toLowerCase();
}
