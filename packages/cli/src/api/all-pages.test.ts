import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "@rad/client";
import { allPages } from "./all-pages.ts";

test("a page may have more items than a call has arguments", async () => {
  const items = Array.from({ length: 400_000 }, () => 1);

  const { value } = await allPages({} as Client, { method: "GET", url: "/x" }, JSON.stringify({ value: items }));

  assert.deepEqual(value, items);
});
