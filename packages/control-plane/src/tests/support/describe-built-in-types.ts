import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { builtInTypes } from "@rad/radius-types";
import { fullBodies, plantCanaries } from "@rad/radius-types/testing";
import { type ApiCalls, local, systemVersion } from "../../testing/api-calls.ts";
import { findInFiles } from "../../testing/find-in-files.ts";

export interface StoredServer extends AsyncDisposable {
  readonly calls: ApiCalls;
  /** Where the database's files are. */
  readonly folder: string;
}

const group = `${local}/resourcegroups/app`;
const types = builtInTypes.filter(({ name }) => fullBodies[name] !== undefined);

/** What the full bodies refer to. */
const referenced = [
  ["terraformSettings", "tf"],
  ["bicepSettings", "bicep"],
  ["recipePacks", "pack"],
  ["recipePacks", "other"],
] as const;

/** What must hold for built-in types on every kind of store. */
export function describeBuiltInTypes(storeName: string, start: () => Promise<StoredServer>): void {
  let server: StoredServer;
  before(async () => {
    server = await start();
    await server.calls.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
    for (const [type, name] of referenced) {
      const properties = type === "recipePacks" ? { recipes: {} } : {};
      const path = `${group}/providers/Radius.Core/${type}/${name}?api-version=2025-08-01-preview`;
      assert.equal((await server.calls.call("PUT", path, { body: { properties } })).status, 200);
    }
  });
  after(() => server[Symbol.asyncDispose]());

  for (const { name, versions } of types) {
    it(`${storeName} keeps the sensitive members of ${name} out of every answer but listSecrets`, async () => {
      const { calls } = server;
      for (const [version, schema] of Object.entries(versions)) {
        for (const [index, body] of (fullBodies[name] ?? []).entries()) {
          const path = `${group}/providers/${name}/full${index}`;
          const v = `api-version=${version}`;
          const canaries: string[] = [];
          const properties = plantCanaries(schema, body, () => {
            canaries.push(`canary-${name}-${index}-${canaries.length}-`);
            return canaries.at(-1) ?? "";
          });

          const stored = await calls.call("PUT", `${path}?${v}`, { body: { location: "global", properties } });
          assert.ok(stored.status === 200 || stored.status === 201, stored.text);
          if (stored.status === 201) {
            assert.equal((await calls.settle(stored))["status"], "Succeeded");
          }
          assert.doesNotMatch(stored.headers.get("warning") ?? "", /no such members/);
          const shown = await calls.call("GET", `${path}?${v}`);
          const listed = await calls.call("GET", `${group}/providers/${name}?${v}`);
          const everywhere = await calls.call("GET", `${local}/providers/${name}?${v}`);

          assert.equal((shown.body["properties"] as JsonObject)["provisioningState"], "Succeeded");
          for (const { text, status } of [stored, shown, listed, everywhere]) {
            assert.ok(status < 300, text);
            assert.doesNotMatch(text, /canary-/);
          }
          await givesOut(`${path}/listSecrets?${v}`, name, canaries);
        }
      }
    });
  }

  it(`${storeName} has no sensitive member in its files`, async () => {
    assert.deepEqual(await findInFiles(server.folder, "canary-"), []);
  });

  async function givesOut(path: string, name: string, canaries: readonly string[]): Promise<void> {
    const listed = await server.calls.call("POST", path, { body: {} });
    const gives = types.find((type) => type.name === name)?.handler?.actions?.["listSecrets"] !== undefined;
    if (!gives) {
      assert.equal(listed.status, 404);
    } else if (canaries.length > 0) {
      assert.equal(listed.status, 200, listed.text);
      for (const canary of canaries) {
        assert.ok(listed.text.includes(canary));
      }
    }
  }
}
