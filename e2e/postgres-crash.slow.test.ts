import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@rad/core/testing";
import { startPostgres } from "@rad/store/testing";
import { prepareTraffic, Traffic } from "./faults/traffic.ts";
import { survivingKills } from "./support/crashing-server.ts";
import { openDatabaseOf } from "./support/database.ts";
import { seededRandom } from "./support/random.ts";
import type { ServerProcess } from "./support/server-process.ts";

// The server is killed and PostgreSQL is restarted, in any order, while callers check every answer: what was acknowledged
// is there, and the audit log has it once. RAD_CRASH_KILLS=100 RAD_CRASH_RESTARTS=20 makes it longer.
const kills = Number(process.env["RAD_CRASH_KILLS"] ?? 4);
const restarts = Number(process.env["RAD_CRASH_RESTARTS"] ?? 3);
const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);
/** Before a fault that does not hit while the last one is being recovered from. */
const leastChanges = 20;

it(`nothing acknowledged is lost or written twice (${kills} kills, ${restarts} restarts of PostgreSQL)`, async (t) => {
  t.diagnostic(`RAD_CRASH_KILLS=${kills} RAD_CRASH_RESTARTS=${restarts} RAD_CRASH_SEED=${seed}`);
  await using postgres = await startPostgres();
  await using database = await openDatabaseOf(postgres, await postgres.createDatabase());
  let server: ServerProcess | undefined = await database.startServer(survivingKills);
  await using _end = { [Symbol.asyncDispose]: async () => await server?.end("SIGKILL") };
  await prepareTraffic(server);
  await using traffic = new Traffic({ server: () => server, name: "crash", seed, mayDie: true });

  const random = seededRandom(seed);
  for (const fault of inAnyOrder(random)) {
    if (random() < 0.25) {
      await sleep(random() * 20);
    } else {
      await traffic.goesOn(leastChanges);
    }
    if (fault === "restart") {
      await postgres.restart();
    } else {
      const dying: ServerProcess = server;
      server = undefined;
      await dying.end("SIGKILL");
      server = await database.startServer(survivingKills);
    }
  }

  const last = server;
  await until("the server is ready", async () => (await fetch(`${last.url}/readyz`)).status === 200);
  await traffic.goesOn(leastChanges);
  await traffic.verify(last);
  t.diagnostic(`${traffic.acknowledged} changes acknowledged, ${traffic.unavailable} requests refused or cut off`);
});

function inAnyOrder(random: () => number): readonly ("kill" | "restart")[] {
  const left = { kill: kills, restart: restarts };
  return Array.from({ length: kills + restarts }, () => {
    const fault = random() * (left.kill + left.restart) < left.kill ? "kill" : "restart";
    left[fault] -= 1;
    return fault;
  });
}
