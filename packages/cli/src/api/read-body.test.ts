import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createClient } from "@rad/client";
import { readBody } from "./read-body.ts";

test("an answer that is cut off is an error that says so", async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-length": 100 }).write("{", () => response.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const client = createClient({ endpoint: `http://127.0.0.1:${port}`, token: "any" });

  const answer = await client.exchange({ method: "GET", url: "/planes" });

  await assert.rejects(readBody(answer), { code: "ConnectionFailed", message: /in the middle of .* answer/ });
  server.close();
});
