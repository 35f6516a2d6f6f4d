import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import type { Route } from "@rad/modules";
import { RouteTable } from "./route-table.ts";

const route = (method: string | readonly string[], path: string): Route => ({
  method,
  path,
  permission: undefined,
  handle: () => ({ status: 200 }),
});

function tableOf(...routes: readonly Route[]): RouteTable {
  const table = new RouteTable();
  routes.forEach((item) => table.add("us", item));
  return table;
}

const table = tableOf(
  route("GET", "/a"),
  route(["GET", "POST"], "/a/*"),
  route("GET", "/a/b/*"),
  route("HEAD", "/a/b/*"),
  route("LOCK", "/a/b/c"),
  route("GET", ""),
);

const found: readonly (readonly [method: string, path: string, route: string, depth: number | undefined])[] = [
  ["GET", "/a", "/a", undefined],
  ["POST", "/a", "/a/*", 1],
  ["GET", "/a/", "/a/*", 1],
  ["GET", "/a/x/y", "/a/*", 1],
  ["GET", "/a/b", "/a/b/*", 2],
  ["GET", "/a/b/c", "/a/b/*", 2],
  ["LOCK", "/a/b/c", "/a/b/c", undefined],
  ["POST", "/a/b/c", "/a/*", 1],
  ["HEAD", "/a", "/a", undefined],
  ["GET", "", "", undefined],
];
for (const [method, path, expected, depth] of found) {
  it(`${method} '${path}' leads to '${expected}'`, () => {
    const lookup = table.find(method, path);

    assert.ok(lookup?.kind === "found");
    assert.deepEqual([lookup.route.path, lookup.depth], [expected, depth]);
  });
}

it("HEAD leads to a route of its own before that of GET", () => {
  const lookup = table.find("HEAD", "/a/b/c");

  assert.equal(lookup?.kind === "found" && lookup.route.method, "HEAD");
});

it("a known path with another method tells all methods that it has, at whatever depth", () => {
  assert.deepEqual(table.find("UNLOCK", "/a/b/c"), {
    kind: "otherMethod",
    path: "/a/b/c",
    allow: ["GET", "HEAD", "LOCK", "POST"],
  });
  assert.deepEqual(table.find("PUT", "/a/x"), { kind: "otherMethod", path: "/a/*", allow: ["GET", "HEAD", "POST"] });
});

for (const path of ["/ab", "/", "/b", "/x/a", "/a-b/c"]) {
  it(`nothing is at '${path}'`, () => {
    assert.equal(table.find("GET", path), undefined);
  });
}

it("a route is found as if all were compared one by one", () => {
  const segments = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 4 });
  const paths = fc.tuple(segments, fc.boolean()).map(([names, isPrefix]) => {
    const path = names.map((name) => `/${name}`).join("");
    return isPrefix ? `${path === "" ? "/a" : path}/*` : path;
  });
  fc.assert(
    fc.property(fc.uniqueArray(paths, { maxLength: 12 }), segments, (declared, asked) => {
      const path = asked.map((name) => `/${name}`).join("");
      const lookup = tableOf(...declared.map((item) => route("GET", item))).find("GET", path);

      const isBelow = (prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);
      const [longest] = declared
        .filter((item) => item.endsWith("/*") && isBelow(item.slice(0, -2)))
        .toSorted((one, other) => other.length - one.length);
      const expected = declared.includes(path) ? path : longest;
      assert.equal(lookup?.kind === "found" ? lookup.route.path : undefined, expected);
    }),
  );
});

const clashes: readonly (readonly [string, Route, Route])[] = [
  ["the same method and path", route("GET", "/a"), route(["PUT", "GET"], "/a")],
  ["the same method and prefix", route("LOCK", "/a/*"), route("LOCK", "/a/*")],
  ["HEAD of another's GET", route("GET", "/a"), route("HEAD", "/a")],
  ["GET of another's HEAD", route("HEAD", "/a"), route("GET", "/a")],
];
for (const [what, first, second] of clashes) {
  it(`${what} is refused, and names whose it is`, () => {
    const clashing = tableOf(first);

    assert.throws(() => clashing.add("others", second), /is one of us already/);
  });
}

for (const method of ["get", "FETCH", "CONNECT", "", "GET "]) {
  it(`'${method}' is no method of a route`, () => {
    assert.throws(() => tableOf(route(method, "/a")), /which HTTP servers here do not know/);
  });
}
