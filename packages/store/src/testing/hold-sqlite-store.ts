import { silentLogger } from "@rad/core";
import { openSqliteStore } from "../sqlite/open-sqlite-store.ts";
import { StoreError } from "../store.ts";
import { containerId, input } from "./contract/fixture.ts";

// A program for tests: opens the store in the folder it is given, prints how that went as a line of JSON, and holds it
// until it is killed. As a second argument, `take` makes it lease whatever is ready before it says so, and `write` makes it
// store documents that the disk gets later.

const [, , directory = "", mode] = process.argv;
try {
  const store = await openSqliteStore({ directory, log: silentLogger });
  const queues = [{ name: "default" }];
  const leased =
    mode === "take" ? await store.operations.take({ owner: "child", leaseMs: 3_600_000, queues }) : undefined;
  if (mode === "write") {
    const names = Array.from({ length: 50 }, (_, index) => `soon${index}`);
    await Promise.all(
      names.map((name) =>
        store.write({
          document: { kind: "put", input: input(containerId(name)), expect: "absent" },
          durability: "soon",
        }),
      ),
    );
  }
  say({ opened: true, operation: leased?.operation.id });
  process.stdin.resume(); // stay
} catch (error) {
  say({ opened: false, code: error instanceof StoreError ? error.code : String(error), message: String(error) });
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
