import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import type { Client } from "@rad/client";
import { allPages } from "./all-pages.ts";

test("a page may have more items than a call has arguments", async () => {
  const items = Array.from({ length: 400_000 }, () => 1);

  const { value } = await allPages({} as Client, { method: "GET", url: "/x" }, JSON.stringify({ value: items }));

  assert.deepEqual(value, items);
});

test("a list that never ends is left", async () => {
  let page = 0;
  const next = (): string => JSON.stringify({ value: [], nextLink: `/x?page=${(page += 1)}` });
  const client = {
    exchange: async () => ({ status: 200, headers: new Headers(), body: Readable.from([Buffer.from(next())]) }),
  } as unknown as Client;

  await assert.rejects(allPages(client, { method: "GET", url: "/x" }, next()), /more than 10000 pages/);
});
