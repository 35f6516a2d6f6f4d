import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "@rad/core/testing";
import { clientOf, group, operationEnd, registerType, request } from "./support/api.ts";
import { databases } from "./support/database.ts";
import { steeredType } from "./support/handlers.ts";
import type { ServerProcess } from "./support/server-process.ts";

const config = { operations: { leaseSeconds: 2, maxProcessDeaths: 2 } };

for (const [name, openDatabase] of Object.entries(databases)) {
  it(`${name}: an operation that kills its process is given up, and says so`, async () => {
    await using database = await openDatabase();
    await using first = await database.startServer(config);
    await clientOf(first).groups.put("test");
    await registerType(first, steeredType, { isPoison: { type: "boolean" } });
    const place = `${group}/providers/${steeredType}/poison`;

    const { operationId = "" } = await request(first, "PUT", place, { properties: { isPoison: true } });
    let server: ServerProcess | undefined = first;
    for (let deaths = 0; deaths < 3; deaths += 1) {
      const dying: ServerProcess | undefined = server;
      await until("the server has died", () => dying?.isRunning !== true, { timeoutMs: 20_000 });
      server = await database.startServer(config).catch(() => undefined); // some die before they say that they are ready
    }
    assert.ok(server !== undefined, "the last server died as well");
    await using last = server;
    const { status, error } = await operationEnd(last, "Test.Steered", operationId, 20_000);

    // The first attempt stored that the work has begun, which no later one adds to.
    assert.equal(status, "Failed");
    assert.equal(error?.code, "Internal");
    assert.match(String((error as { message?: string }).message), /died 2 times in a row.* started at \S+Z, \S+Z\./);
    const { body } = await request(last, "GET", place);
    const { provisioningState } = (body as unknown as { properties: { provisioningState: string } }).properties;
    assert.equal(provisioningState, "Failed");
  });
}
