import assert from "node:assert/strict";
import { test } from "node:test";
import { ResourceId } from "@rad/core";
import type { ApiRequest } from "./api-request.ts";
import { nextLink } from "./paging.ts";

const cases: readonly (readonly [asked: string, top: number, next: string])[] = [
  ["", 10, "top=10"],
  ["", 500, ""],
  ["top=5", 5, "top=5"],
  ["$top=7", 7, "$top=7"],
  ["$top=700", 500, "$top=700"],
  ["top=5&$top=7", 5, "$top=7&top=5"],
];
for (const [asked, top, next] of cases) {
  test(`the page after "${asked}" with ${top} items is asked for with "${next}"`, () => {
    const parameters = new URLSearchParams(asked);
    const request = {
      id: ResourceId.parse("/planes/radius/local"),
      linkBase: "",
      apiVersion: undefined,
      parameter: (name: string) => parameters.get(name) ?? undefined,
    } as unknown as ApiRequest;

    const query = new URL(nextLink(request, "token", { top }), "http://localhost").searchParams;
    query.delete("skipToken");

    assert.equal(decodeURIComponent(query.toString()), next);
  });
}
