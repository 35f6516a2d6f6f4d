import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { LeasedOperation, Store, Write } from "../store.ts";
import { accept, containerId, input } from "../testing/contract/fixture.ts";
import { connectPostgres } from "../testing/connect-postgres.ts";
import { startPostgres } from "../testing/start-postgres.ts";
import type { PostgresServer } from "../testing/start-postgres.ts";

let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

async function begin(store: Store, queue: string): Promise<LeasedOperation> {
  await accept(store, { queue });
  const leased = await store.operations.take({ owner: "w", leaseMs: 600_000, queues: [{ name: queue }] });
  assert.ok(leased);
  return leased;
}

const endings: readonly (readonly [what: string, documentOf: (id: string) => Pick<Write, "document">])[] = [
  ["alone", () => ({})],
  [
    "with their last document",
    (id) => ({ document: { kind: "put", input: input(containerId(id)), expect: "absent" } }),
  ],
];
for (const [what, documentOf] of endings) {
  it(`no wake-up is lost when operations end ${what} in one process while others begin to wait in another`, async () => {
    const url = await server.createDatabase();
    await using one = await connectPostgres(url);
    await using two = await connectPostgres(url);
    const families: { readonly parent: LeasedOperation; readonly children: readonly LeasedOperation[] }[] = [];
    const shared = await begin(one, "children");
    for (let n = 0; n < 200; n += 1) {
      const children = [await begin(one, "children"), await begin(one, "children")];
      families.push({ parent: await begin(one, "parents"), children: n % 2 === 0 ? children : [...children, shared] });
    }

    const end = (store: Store, { lease, operation }: LeasedOperation) =>
      store.write({ lease, outcome: { state: "Succeeded" }, ...documentOf(operation.id) });
    await Promise.all([
      ...families.flatMap(({ parent, children }, n) => [
        one.write({
          lease: parent.lease,
          park: { kind: "waiting", for: children.map(({ operation }) => operation.id) },
        }),
        ...children.filter((child) => child !== shared).map((child, m) => end((n + m) % 2 === 0 ? one : two, child)),
      ]),
      end(two, shared),
    ]);

    const woken = new Set<string>();
    for (;;) {
      const leased = await two.operations.take({ owner: "w", leaseMs: 600_000, queues: [{ name: "parents" }] });
      if (leased === undefined) {
        break;
      }
      woken.add(leased.operation.id);
    }
    assert.equal(woken.size, families.length);
  });
}

it("of operations that begin to wait for each other in two processes at once, one is refused each time", async () => {
  const url = await server.createDatabase();
  await using one = await connectPostgres(url);
  await using two = await connectPostgres(url);
  for (let round = 0; round < 20; round += 1) {
    const [a, b, c] = [await begin(one, "q"), await begin(one, "q"), await begin(one, "q")];
    const park = (store: Store, from: LeasedOperation, to: LeasedOperation) =>
      store.write({ lease: from.lease, park: { kind: "waiting", for: [to.operation.id] } });

    const results = await Promise.allSettled([park(one, a, b), park(two, b, c), park(one, c, a)]);

    const refused = results.filter((result) => result.status === "rejected");
    assert.deepEqual(
      refused.map(({ reason }) => (reason as { code?: string }).code),
      ["WaitCycle"],
    );
  }
});

it("the end of an operation in one process wakes what waits for it in the other", async () => {
  const url = await server.createDatabase();
  await using one = await connectPostgres(url);
  await using two = await connectPostgres(url);
  const parent = await begin(one, "parents");
  const child = await begin(one, "children");
  await one.write({ lease: parent.lease, park: { kind: "waiting", for: [child.operation.id] } });
  const heard = Promise.withResolvers<void>();
  using _subscription = one.subscribe((event) => {
    if (event.kind === "work" && event.queue === "parents") {
      heard.resolve();
    }
  });

  await two.write({ lease: child.lease, outcome: { state: "Succeeded" } });
  await heard.promise;

  const woken = await one.operations.take({ owner: "w", leaseMs: 600_000, queues: [{ name: "parents" }] });
  assert.equal(woken?.operation.id, parent.operation.id);
});
