import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type JsonObject, objectMember } from "@rad/core";
import { type ApiCalls, local, type Reply, systemVersion } from "../../testing/api-calls.ts";

const v = "api-version=2025-08-01-preview";
const legacyVersion = "api-version=2023-10-01-preview";
const groups = { apps: `${local}/resourcegroups/apps`, other: `${local}/resourcegroups/other` };

export interface ReferencesServer extends AsyncDisposable {
  readonly calls: ApiCalls;
  /** A second control plane on the same database, where there can be one. */
  readonly replica?: ApiCalls;
}

/** How often DELETE of settings races PUT of environments; each round is one of many orders. */
const races = Number(process.env["RAD_REFERENCE_RACES"] ?? 100);

interface Target {
  readonly type: "terraformSettings" | "bicepSettings" | "recipePacks";
  readonly properties: JsonObject;
  /** The member of an environment that refers to it. */
  readonly refer: (id: string) => JsonObject;
}

const targets: readonly Target[] = [
  { type: "terraformSettings", properties: {}, refer: (id) => ({ terraformSettings: id }) },
  { type: "bicepSettings", properties: {}, refer: (id) => ({ bicepSettings: id }) },
  { type: "recipePacks", properties: { recipes: {} }, refer: (id) => ({ recipePacks: [id] }) },
];

/** References of environments to settings and recipe packs, on every kind of store. */
export function describeReferences(storeName: string, start: () => Promise<ReferencesServer>): void {
  let server: ReferencesServer;
  const call: ApiCalls["call"] = (method, path, options) => server.calls.call(method, path, options);
  before(async () => {
    server = await start();
    for (const group of Object.values(groups)) {
      await call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
    }
  });
  after(() => server[Symbol.asyncDispose]());

  const idOf = (type: string, name: string, scope = groups.apps): string =>
    `${scope}/providers/Radius.Core/${type}/${name}`;
  const environmentId = (name: string, scope = groups.apps): string => idOf("environments", name, scope);
  const put = (id: string, properties: JsonObject, calls = server.calls): Promise<Reply> =>
    calls.call("PUT", `${id}?${v}`, { body: { properties } });
  const remove = (id: string): Promise<Reply> => call("DELETE", `${id}?${v}`);
  const create = async (id: string, properties: JsonObject): Promise<string> => {
    const reply = await put(id, properties);
    assert.equal(reply.status, 200, reply.text);
    return id;
  };
  const referencedBy = async (id: string): Promise<unknown> => {
    const reply = await call("GET", `${id}?${v}`);
    assert.equal(reply.status, 200, reply.text);
    return objectMember(reply.body, "properties")["referencedBy"] ?? [];
  };

  for (const { type, properties, refer } of targets) {
    it(`${storeName}: ${type} list the environments that refer to them, in other groups too`, async () => {
      const id = await create(idOf(type, "listed"), properties);
      const [near, far] = [environmentId(`near-${type}`), environmentId(`far-${type}`, groups.other)];
      await create(near, refer(id.toUpperCase().replace("/PLANES/RADIUS", "/planes/radius")));
      await create(near, refer(id));
      await create(far, refer(id));

      const listed = await call("GET", `${groups.apps}/providers/Radius.Core/${type}?${v}`);
      const everywhere = await call("GET", `${local}/providers/Radius.Core/${type}?${v}`);
      const again = await put(id, { ...properties, referencedBy: ["/planes/radius/local"] });

      assert.deepEqual(await referencedBy(id), [near, far]);
      for (const { body } of [listed, everywhere]) {
        const found = (body["value"] as JsonObject[]).find((item) => item["name"] === "listed") ?? {};
        assert.deepEqual(objectMember(found, "properties")["referencedBy"], [near, far]);
      }
      assert.deepEqual(objectMember(again.body, "properties")["referencedBy"], [near, far]);
    });

    it(`${storeName}: an environment moves and drops its reference to ${type} with its PUT`, async () => {
      const [one, two] = [
        await create(idOf(type, "one"), properties),
        await create(`${local}/providers/Radius.Core/${type}/two`, properties),
      ];
      const environment = await create(environmentId(`moving-${type}`), refer(one));

      await create(environment, refer(two));
      assert.deepEqual([await referencedBy(one), await referencedBy(two)], [[], [environment]]);
      await create(environment, {});
      assert.deepEqual([await referencedBy(one), await referencedBy(two)], [[], []]);
    });

    it(`${storeName}: ${type} in use are not deleted until the last reference is gone`, async () => {
      const id = await create(idOf(type, "guarded"), properties);
      const environments = [environmentId(`user1-${type}`), environmentId(`user2-${type}`)];
      for (const environment of environments) {
        await create(environment, refer(id));
      }

      const refused = await remove(id);
      assert.deepEqual([refused.status, refused.code], [409, "Conflict"]);
      const expected = `Cannot delete ${type}: still referenced by environments: [${environments.join(", ")}]`;
      assert.equal(objectMember(refused.body, "error")["message"], expected);

      for (const environment of environments) {
        assert.equal((await remove(environment)).status, 200);
      }
      assert.deepEqual(await referencedBy(id), []);
      assert.equal((await remove(id)).status, 200);
      assert.equal((await remove(id)).status, 204);
    });
  }

  it(`${storeName}: environments of Applications.Core are tracked alike`, async () => {
    const id = await create(idOf("terraformSettings", "shared"), {});
    const legacy = `${groups.apps}/providers/Applications.Core/environments/legacy`;
    const body = (more: JsonObject): object => ({
      location: "global",
      properties: { compute: { kind: "kubernetes", namespace: "legacy" }, ...more },
    });
    const stored = await call("PUT", `${legacy}?${legacyVersion}`, { body: body({ terraformSettings: id }) });
    assert.equal(stored.status, 200, stored.text);

    assert.deepEqual(await referencedBy(id), [legacy]);
    assert.equal((await remove(id)).status, 409);
    await call("PUT", `${legacy}?${legacyVersion}`, { body: body({}) });
    assert.equal((await remove(id)).status, 200);
  });

  it(`${storeName}: an environment that is refused leaves no reference`, async () => {
    const id = await create(idOf("terraformSettings", "clean"), {});
    const missing = idOf("bicepSettings", "missing");

    const unknown = await put(environmentId("refused"), { terraformSettings: id, bicepSettings: missing });
    const conditional = await call("PUT", `${environmentId("refused")}?${v}`, {
      body: { properties: { terraformSettings: id } },
      headers: { "if-match": "32-none" },
    });
    const homeless = await put(`${local}/resourcegroups/nowhere/providers/Radius.Core/environments/e`, {
      terraformSettings: id,
    });

    assert.deepEqual([unknown.status, conditional.status, homeless.status], [400, 412, 404]);
    assert.deepEqual(await referencedBy(id), []);
  });

  it(`${storeName}: 50 environments at once begin to use one settings resource, and all are listed`, async () => {
    const id = await create(idOf("terraformSettings", "popular"), {});
    const names = Array.from({ length: 50 }, (_, index) => environmentId(`crowd${String(index).padStart(2, "0")}`));

    const replies = await Promise.all(
      names.map((name, index) =>
        put(name, { terraformSettings: id }, index % 2 === 0 ? server.calls : (server.replica ?? server.calls)),
      ),
    );

    assert.deepEqual(
      replies.map(({ status }) => status),
      names.map(() => 200),
    );
    assert.deepEqual(await referencedBy(id), names);
  });

  it(`${storeName}: DELETE of settings racing PUT of environments never leaves a reference to nothing`, async () => {
    const calls = [server.calls, server.replica ?? server.calls];
    let [kept, gone] = [0, 0];
    for (let round = 0; round < races; round += 1) {
      const id = await create(idOf("terraformSettings", "contested"), {});
      const environments = Array.from({ length: 8 }, (_, index) => environmentId(`racer${index}`));
      // Of the DELETE among the PUTs; every third round, at least one of them is answered before.
      const position = Math.max(Math.floor(Math.random() * (environments.length + 1)), round % 3 === 0 ? 1 : 0);

      const sending = environments.map((environment, index) => ({
        through: calls[(index + round) % 2] ?? server.calls,
        environment,
      }));
      const putAll = (some: typeof sending): Promise<Reply>[] =>
        some.map(({ through, environment }) => put(environment, { terraformSettings: id }, through));
      const before = putAll(sending.slice(0, position));
      if (round % 3 === 0) {
        await Promise.race(before);
      }
      const deleting = (calls[round % 2] ?? server.calls).call("DELETE", `${id}?${v}`);
      if (round % 3 === 1) {
        await sleep(Math.random() * 5);
      }
      const after = putAll(sending.slice(position));

      const puts = (await Promise.all([...before, ...after])).map(({ status }) => status);
      const deleted = (await deleting).status;
      const referring: string[] = [];
      for (const environment of environments) {
        const { status, body } = await call("GET", `${environment}?${v}`);
        if (status === 200 && objectMember(body, "properties")["terraformSettings"] !== undefined) {
          referring.push(environment);
        }
      }
      if (deleted === 200) {
        gone += 1;
        assert.deepEqual([puts, referring], [environments.map(() => 400), []]);
      } else {
        kept += 1;
        assert.equal(deleted, 409);
        assert.deepEqual([...new Set(puts)], [200]);
        assert.deepEqual(await referencedBy(id), referring);
        assert.ok(referring.length > 0);
      }
      for (const environment of environments) {
        await remove(environment);
      }
      await remove(id);
      assert.equal((await call("GET", `${id}?${v}`)).status, 404);
    }
    assert.ok(kept > 0, `kept ${kept}, gone ${gone}`);
  });

  it(`${storeName}: DELETE of a group takes environments and settings that only they use`, async () => {
    const group = `${local}/resourcegroups/whole`;
    await call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
    const own = await create(idOf("terraformSettings", "own", group), {});
    const outside = await create(idOf("bicepSettings", "outside"), {});
    await create(environmentId("inner", group), { terraformSettings: own, bicepSettings: outside });
    const outer = await create(environmentId("outer"), { terraformSettings: own });

    const refused = await call("DELETE", `${group}?${systemVersion}`);
    assert.equal(refused.status, 409, refused.text);
    assert.match(refused.text, /terraformSettings\/own/);
    assert.equal((await remove(outer)).status, 200);
    const deleted = await call("DELETE", `${group}?${systemVersion}`);

    assert.equal(deleted.status, 200, deleted.text);
    assert.deepEqual(await referencedBy(outside), []);
    assert.equal((await remove(outside)).status, 200);
  });
}
