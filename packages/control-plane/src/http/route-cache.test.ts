import assert from "node:assert/strict";
import { it } from "node:test";
import { builtInPlanes } from "../planes/built-in-planes.ts";
import { PlaneTable } from "../planes/plane-table.ts";
import { matchRoute } from "./route.ts";
import { RouteCache } from "./route-cache.ts";

const planes = new PlaneTable(builtInPlanes);

it("finds what the path means, for each method", () => {
  const routes = new RouteCache(planes);
  const path = "/planes/radius/local/resourceGroups/dev/providers/Test.Any/things/one";

  for (const method of ["GET", "PUT", "POST", "GET", "PUT"]) {
    assert.deepEqual(routes.match(method, path), matchRoute(method, path, planes));
  }
});

it("refuses the same every time, and goes on after more paths than it keeps", () => {
  const routes = new RouteCache(planes);
  const path = (name: number): string => `/planes/radius/local/resourceGroups/g${name}`;

  for (let name = 0; name < 4_500; name += 1) {
    assert.equal(routes.match("GET", path(name)).scope, path(name));
  }
  assert.throws(() => routes.match("GET", "/planes/other/local"), /plane type/);
  assert.throws(() => routes.match("GET", "/planes/other/local"), /plane type/);
});
