// What our server on PostgreSQL is measured against: bare fastify and a pool of `pg` with as many connections. It does
// what upstream's control plane does: a PUT is one SELECT and one upsert, a GET one SELECT, in prepared statements and
// without a transaction; no identity, permission, audit, schema or operation. Documents are text, which costs less than
// upstream's jsonb.
import { createHash } from "node:crypto";
import path from "node:path";
import { fastify } from "fastify";
import { Pool } from "pg";

/** As many as our server opens unless it is told otherwise. */
const poolSize = 10;
const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: poolSize });
await pool.query(`
  CREATE TABLE resources (
    id text PRIMARY KEY,
    original_id text NOT NULL,
    resource_type text NOT NULL,
    root_scope text NOT NULL,
    routing_scope text NOT NULL,
    etag text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    resource_data text NOT NULL
  );
  CREATE INDEX resources_by_type ON resources (resource_type, root_scope)`);

interface Row {
  readonly etag: string;
  readonly resource_data: string;
}

const app = fastify();
app.get("/planes/*", async (request, reply) => {
  const row = await read(pathOf(request.url));
  return row === undefined
    ? reply.code(404).send({ error: { code: "NotFound", message: "not found" } })
    : reply.header("etag", row.etag).type("application/json; charset=utf-8").send(row.resource_data);
});
app.put("/planes/*", async (request, reply) => {
  const id = pathOf(request.url);
  const current = await read(id);
  const stored = await write(id, request.body as { properties: object });
  return reply
    .code(current === undefined ? 201 : 200)
    .type("application/json; charset=utf-8")
    .send(stored);
});
await app.listen({ port: 0, host: "127.0.0.1" });
process.stdout.write(`${JSON.stringify({ url: app.listeningOrigin })}\n`);

async function read(id: string): Promise<Row | undefined> {
  const { rows } = await pool.query<Row>({
    name: "read",
    text: "SELECT original_id, resource_type, etag, resource_data FROM resources WHERE id = $1",
    values: [id.toLowerCase()],
  });
  return rows[0];
}

async function write(id: string, body: { properties: object }): Promise<string> {
  const [scope = "", rest = ""] = id.split("/providers/");
  const type = rest.split("/").slice(0, 2).join("/");
  const text = JSON.stringify(
    { id, name: path.basename(id), type, ...body, properties: { ...body.properties, provisioningState: "Succeeded" } },
    null,
    2,
  );
  const etag = createHash("sha256").update(text).digest("hex");
  await pool.query({
    name: "write",
    text: `INSERT INTO resources (id, original_id, resource_type, root_scope, routing_scope, etag, resource_data)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (id) DO UPDATE SET etag = $6, resource_data = $7`,
    values: [id.toLowerCase(), id, type.toLowerCase(), scope.toLowerCase(), rest.toLowerCase(), etag, text],
  });
  return text;
}

function pathOf(url: string): string {
  return new URL(url, "http://localhost").pathname;
}
