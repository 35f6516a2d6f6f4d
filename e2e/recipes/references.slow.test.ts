// Servers that are killed while environments begin and cease to refer to settings, and settings are deleted.
// RAD_REFERENCE_KILLS and RAD_CRASH_SEED make it longer, or repeat what is asked for.
import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type JsonObject, objectMember } from "@rad/core";
import { CrashingServer, survivingKills } from "../support/crashing-server.ts";
import { databases } from "../support/database.ts";
import { seededRandom } from "../support/random.ts";

const kills = Number(process.env["RAD_REFERENCE_KILLS"] ?? 8);
const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);
const v = "api-version=2025-08-01-preview";
const group = "/planes/radius/local/resourcegroups/refs";
const idOf = (type: string, name: string): string => `${group}/providers/Radius.Core/${type}/${name}`;
const settings = ["a", "b"].map((name) => idOf("terraformSettings", name));
const environments = ["one", "two", "three"].map((name) => idOf("environments", name));

for (const kind of ["sqlite", "postgresql"] as const) {
  it(`${kind}: a killed server leaves no reference to nothing, and none that blocks a DELETE for ever`, async (t) => {
    await using database = await databases[kind]();
    await using server = new CrashingServer(database, survivingKills);
    await server.start();
    const random = seededRandom(seed);
    const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
    await call(server, "PUT", group, { location: "global" }, "api-version=2023-10-01-preview");
    let sent = 0;

    while (server.killed < Math.ceil(kills / 2)) {
      const requests = Array.from({ length: 12 }, () => {
        const id = pick(settings);
        const roll = random();
        if (roll < 0.25) {
          return call(server, "PUT", id, { properties: {} });
        }
        if (roll < 0.45) {
          return call(server, "DELETE", id);
        }
        const environment = pick(environments);
        return roll < 0.9
          ? call(server, "PUT", environment, { properties: { terraformSettings: id } })
          : call(server, "DELETE", environment);
      });
      sent += requests.length;
      const answered = Promise.allSettled(requests); // most of them are cut off
      await sleep(random() * 30);
      await server.kill();
      await answered;
      await check(server);
    }
    for (const id of [...environments, ...settings]) {
      const { status } = await call(server, "DELETE", id);
      assert.ok(status === 200 || status === 204, `${id}: ${status}`);
    }
    t.diagnostic(`RAD_REFERENCE_KILLS=${kills} RAD_CRASH_SEED=${seed}: ${server.killed} kills, ${sent} requests`);
  });
}

/** What environments refer to exists, and each settings resource lists just those that refer to it. */
async function check(server: CrashingServer): Promise<void> {
  const referring = new Map<string, string[]>(settings.map((id) => [id, []]));
  for (const environment of environments.toSorted()) {
    const { status, body } = await call(server, "GET", environment);
    const target = status === 200 ? objectMember(body, "properties")["terraformSettings"] : undefined;
    if (typeof target === "string") {
      referring.get(target)?.push(environment);
    }
  }
  for (const [id, expected] of referring) {
    const { status, body } = await call(server, "GET", id);
    if (status === 404) {
      assert.deepEqual(expected, [], `${id} is gone`);
    } else {
      assert.deepEqual(objectMember(body, "properties")["referencedBy"] ?? [], expected);
    }
  }
}

async function call(
  server: CrashingServer,
  method: string,
  id: string,
  body?: JsonObject,
  version = v,
): Promise<{ readonly status: number; readonly body: JsonObject }> {
  const { url, token } = server.running;
  const response = await fetch(`${url}${id}?${version}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as JsonObject) };
}
