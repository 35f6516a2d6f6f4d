import assert from "node:assert/strict";
import { it } from "node:test";
import { type JsonValue, ResourceId, silentLogger, systemClock } from "@rad/core";
import { compileSchema } from "@rad/resource-types";
import type { Store } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import type { ApiRequest } from "./api-request.ts";
import { builtInPlanes } from "../planes/built-in-planes.ts";
import { PlaneTable } from "../planes/plane-table.ts";
import { planeTypes } from "../planes/plane-types.ts";
import { basePolicy, type ResourceHandler, type ServedType, systemApiVersion } from "@rad/resources";
import { ResourceService } from "./resource-service.ts";

const plane = "/planes/aws/aws";

function request(method: string, body?: JsonValue): ApiRequest {
  return {
    method,
    id: ResourceId.parse(plane),
    apiVersion: systemApiVersion,
    parameter: () => undefined,
    body,
    caller: { kind: "token", subject: "somebody", groups: [] },
    correlationId: "c",
    traceparent: undefined,
    waitSeconds: undefined,
    accept: undefined,
    lastEventId: undefined,
    linkBase: "",
    ifMatch: undefined,
    ifNoneMatch: undefined,
    hide: () => {},
    reportWait: () => {},
    disconnected: () => new AbortController().signal,
    hangUp: () => {},
    signal: () => new AbortController().signal,
  };
}

function serve(store: Store, type: ServedType): ResourceService {
  const types = { resolve: async () => type, refresh: () => {} };
  const permissions = { allows: () => true };
  return new ResourceService({ store, clock: systemClock, log: silentLogger, location: "global", types, permissions });
}

const awsPlane = planeTypes(new PlaneTable(builtInPlanes)).get("system.aws/planes") as ServedType;

it("PATCH is refused when somebody changes what it is merged with, and loses nothing", async () => {
  await using store = await openTemporaryStore();
  const others = serve(store, awsPlane);
  await others.put(request("PUT", { location: "global", tags: { a: "1" }, properties: {} }));
  let reads = 0;
  const slow = serve(
    {
      ...store,
      get: async (id) => {
        const found = await store.get(id);
        if (reads++ === 0) {
          await others.patch(request("PATCH", { tags: { b: "2" } }));
        }
        return found;
      },
      write: (change) => store.write(change),
    },
    awsPlane,
  );

  await assert.rejects(slow.patch(request("PATCH", { tags: { c: "3" } })), { code: "Conflict" });

  assert.deepEqual((await store.get(plane))?.body["tags"], { a: "1", b: "2" });
});

it("what a synchronous handler is about to do is in the audit before it does it", async () => {
  await using store = await openTemporaryStore();
  const seen: string[][] = [];
  const look = async (): Promise<void> => {
    const records = await store.audit.list({ limit: 100 });
    seen.push(records.map((record) => `${record.action} ${record.phase}`));
  };
  const handler: ResourceHandler = { put: look, delete: look };
  const version = { name: systemApiVersion, guards: [], schema: compileSchema({}) };
  const policy = basePolicy;
  const type: ServedType = { ...awsPlane, handler, policy, version: () => version };
  const service = serve(store, type);

  await service.put(request("PUT", { location: "global", properties: {} }));
  await service.delete(request("DELETE"));
  await look();

  const name = "System.AWS/planes";
  assert.deepEqual(seen, [
    [`${name}/write intent`],
    [`${name}/write intent`, `${name}/write outcome`, `${name}/delete intent`],
    [`${name}/write intent`, `${name}/write outcome`, `${name}/delete intent`, `${name}/delete outcome`],
  ]);
});
