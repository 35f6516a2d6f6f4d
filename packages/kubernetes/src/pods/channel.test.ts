import assert from "node:assert/strict";
import { it } from "node:test";
import { Channel } from "./channel.ts";

it("makes producers wait for the consumer", async () => {
  const channel = new Channel<number>();
  let put = 0;
  const producer = (async () => {
    for (let item = 0; item < 1_000; item += 1) {
      await channel.put(item);
      put = item + 1;
    }
    channel.close();
  })();
  await new Promise((resolve) => setImmediate(resolve));
  const ahead = put;

  const items = await Array.fromAsync(channel.items());
  await producer;

  assert.ok(ahead < 100, `${ahead} items were put before one was taken`);
  assert.deepEqual(
    items,
    Array.from({ length: 1_000 }, (_, index) => index),
  );
});

it("lets go of producers when it is closed", async () => {
  const channel = new Channel<number>();
  const puts = Array.from({ length: 100 }, (_, item) => channel.put(item));

  channel.close();

  await Promise.all(puts);
  await channel.put(100);
});
