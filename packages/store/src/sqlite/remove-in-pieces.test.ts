import assert from "node:assert/strict";
import { it } from "node:test";
import { Database } from "./database.ts";
import { GroupCommit } from "./group-commit.ts";
import { removeInPieces } from "./remove-in-pieces.ts";

it("removes many rows in several transactions, with others between them", async () => {
  const database = new Database(":memory:", 0);
  database.script("CREATE TABLE items (name INTEGER PRIMARY KEY)");
  const writes = new GroupCommit({ database, log: { start: () => {}, spare: () => {} }, emit: () => {} });
  await writes.run(() => {
    for (let name = 0; name < 1_200; name += 1) {
      database.run("INSERT INTO items VALUES (?)", [name]);
    }
  });
  const transactions = new Set<number>();
  const removing = removeInPieces(writes, (most) => {
    transactions.add(writes.transactions);
    return database.run("DELETE FROM items WHERE name IN (SELECT name FROM items LIMIT ?)", [most]);
  });

  await writes.run(() => {});
  const leftAfterOneTurn = database.all("SELECT name FROM items").length;
  const removed = await removing;

  assert.equal(removed, 1_200);
  assert.ok(leftAfterOneTurn > 0, "another write did not have to wait for all of it");
  assert.equal(transactions.size, 3);
  database.close();
});
