import { silentLogger } from "@rad/core";
import { openSqliteStore } from "../sqlite/open-sqlite-store.ts";
import { StoreError } from "../store.ts";

// A program for tests: opens the store in the folder it is given, prints how that went as a line of JSON, and holds it
// until it is killed. With a second argument it also leases whatever is ready.

const [, , directory = "", mode] = process.argv;
try {
  const store = await openSqliteStore({ directory, log: silentLogger });
  const queues = [{ name: "default" }];
  const leased =
    mode === "take" ? await store.operations.take({ owner: "child", leaseMs: 3_600_000, queues }) : undefined;
  say({ opened: true, operation: leased?.operation.id });
  process.stdin.resume(); // stay
} catch (error) {
  say({ opened: false, code: error instanceof StoreError ? error.code : String(error), message: String(error) });
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
