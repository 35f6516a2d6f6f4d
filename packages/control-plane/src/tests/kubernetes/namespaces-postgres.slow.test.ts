import assert from "node:assert/strict";
import { it } from "node:test";
import { local, systemVersion } from "../../testing/test-server.ts";
import { startPostgresDatabase } from "../support/postgres-database.ts";

it("of environments that ask two servers for one namespace at once only one gets it", async () => {
  await using database = await startPostgresDatabase();
  await using first = await database.startServer();
  await using second = await database.startServer();
  const group = `${local}/resourcegroups/race`;
  await first.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });

  for (let round = 0; round < 5; round += 1) {
    const body = { location: "global", properties: { compute: { kind: "kubernetes", namespace: `race-${round}` } } };
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) => {
        const path = `${group}/providers/Applications.Core/environments/e${round}-${index}?${systemVersion}`;
        return (index % 2 === 0 ? first : second).call("PUT", path, { body });
      }),
    );

    const statuses = replies.map(({ status }) => status).toSorted((one, other) => one - other);
    assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409]);
  }
});
