// Lists whose items are so large that a page ends before its number of items is reached.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { local, registry, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

const v = "api-version=2025-01-01";
const large = "x".repeat(1_500_000);
const names = ["a", "b", "c", "d", "e"];

let server: TestServer;
before(async () => {
  server = await startTestServer({ handlers: {} });
});
after(() => server[Symbol.asyncDispose]());

/** The pages of a list, each as the names of its items. */
async function pagesOf(path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { status, body } = await server.call("GET", next);
    assert.equal(status, 200);
    const items = body["value"] as JsonObject[];
    pages.push(items.map((item) => String(item["name"])));
    const link = body["nextLink"] as string | undefined;
    next = link?.slice(server.url.length);
  }
  return pages;
}

function assertPaged(pages: readonly (readonly string[])[], expected: readonly string[]): void {
  assert.ok(pages.length > 1, "more than one page");
  assert.deepEqual(
    pages.flat().filter((name) => expected.includes(name)),
    expected,
  );
}

it("groups with large tags are listed in pages", async () => {
  for (const name of names) {
    const path = `${local}/resourcegroups/${name}?${systemVersion}`;
    const put = await server.call("PUT", path, { body: { location: "global", tags: { large } } });
    assert.equal(put.status, 200);
  }

  assertPaged(await pagesOf(`${local}/resourcegroups?${systemVersion}`), names);
});

it("resources of a type are listed in pages of bytes, in a group and in the plane", async () => {
  await server.register("Test.Pages", { things: {} });
  for (const name of names) {
    const path = `${local}/resourcegroups/a/providers/Test.Pages/things/${name}?${v}`;
    await server.settle(await server.call("PUT", path, { body: { properties: { large } } }));
  }

  assertPaged(await pagesOf(`${local}/resourcegroups/a/providers/Test.Pages/things?${v}&top=20`), names);
  assertPaged(await pagesOf(`${local}/providers/Test.Pages/things?${v}`), names);
  assert.deepEqual(await pagesOf(`${local}/resourcegroups/a/resources?${systemVersion}`), [names]);
});

it("planes with large tags are listed in pages, of one type and of all", async () => {
  for (const name of names) {
    const body = { location: "global", tags: { large }, properties: {} };
    const put = await server.call("PUT", `/planes/aws/${name}?${systemVersion}`, { body });
    assert.equal(put.status, 200);
  }

  assertPaged(await pagesOf(`/planes/aws?${systemVersion}`), names);
  const all = await pagesOf(`/planes?${systemVersion}`);
  assertPaged(all, names);
  assert.equal(all.flat().at(-1), "local");
  assert.equal((await server.call("GET", `/planes?${systemVersion}&skipToken=nowhere`)).status, 400);
});

it("providers with large descriptions are summarized in pages", async () => {
  const namespaces = names.map((name) => `Test.Vast${name}`);
  for (const namespace of namespaces) {
    await server.register(namespace, { things: {} });
    const path = `${registry}/${namespace}/resourcetypes/things?${systemVersion}`;
    const put = await server.call("PUT", path, { body: { location: "global", properties: { description: large } } });
    assert.ok(put.status < 300);
    await server.settle(put);
  }

  assertPaged(await pagesOf(`${local}/providers?${systemVersion}`), namespaces);
});

it("the types of one provider are bounded, because every use of one reads all of them", async () => {
  await server.register("Test.Bound", { one: {}, two: {}, three: {} });
  const describe = (type: string): ReturnType<TestServer["call"]> =>
    server.call("PUT", `${registry}/Test.Bound/resourcetypes/${type}?${systemVersion}`, {
      body: { location: "global", properties: { description: "x".repeat(7_000_000) } },
    });

  const statuses: number[] = [];
  for (const type of ["one", "two", "three", "two"]) {
    const reply = await describe(type);
    statuses.push(reply.status);
    if (reply.status < 300) {
      await server.settle(reply);
    }
  }

  assert.deepEqual(statuses, [201, 201, 413, 201]);
});
