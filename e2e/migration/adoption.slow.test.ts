// How far the move to settings has come, in the metrics: before, during and after a migration.
import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "@rad/core/testing";
import type { JsonObject } from "@rad/core";
import { put } from "../recipes/recipe-rig.ts";
import { clientOf, type Server } from "../support/api.ts";
import { databases } from "../support/database.ts";

const legacyVersion = "2023-10-01-preview";
const recipeConfig = { env: { TF_REGISTRY_CLIENT_TIMEOUT: "15" } };

for (const kind of ["sqlite", "postgresql"] as const) {
  it(`metrics count environments of both families by what configures their recipes, on ${kind} (S000-188)`, async () => {
    await using database = await databases[kind]();
    await using server = await database.startServer({ metricsProvider: { enabled: true } });
    await clientOf(server).groups.put("test");
    const legacy = (name: string, more: JsonObject = {}): Promise<string> =>
      put(
        server,
        `Applications.Core/environments/${name}`,
        { compute: { kind: "kubernetes", namespace: name }, ...more },
        legacyVersion,
      );
    const nothing = { settings: 0, recipeConfig: 0, both: 0, none: 0 };
    assert.deepEqual(await adoption(server), { "Applications.Core": nothing, "Radius.Core": nothing });

    await legacy("moves", { recipeConfig });
    await legacy("plain", { recipeConfig: {} });
    await put(server, "Radius.Core/environments/new", { recipeConfig });
    await adoptionIs(server, {
      "Applications.Core": { ...nothing, recipeConfig: 1, none: 1 },
      "Radius.Core": { ...nothing, recipeConfig: 1 },
    });

    const terraformSettings = await put(server, "Radius.Core/terraformSettings/corp", {});
    const bicepSettings = await put(server, "Radius.Core/bicepSettings/corp", {});
    await legacy("moves", { recipeConfig, terraformSettings });
    await put(server, "Radius.Core/environments/new", { bicepSettings });
    await adoptionIs(server, {
      "Applications.Core": { ...nothing, both: 1, none: 1 },
      "Radius.Core": { ...nothing, settings: 1 },
    });

    await legacy("moves", { terraformSettings, bicepSettings });
    await adoptionIs(server, {
      "Applications.Core": { ...nothing, settings: 1, none: 1 },
      "Radius.Core": { ...nothing, settings: 1 },
    });
  });
}

type Adoption = Readonly<Record<string, Record<string, number>>>;

/** Counts are a second old at most. */
async function adoptionIs(server: Server, expected: Adoption): Promise<void> {
  const text = JSON.stringify(expected);
  let last = "";
  await until(
    () => `the metrics say ${text}; they say ${last}`,
    async () => {
      last = JSON.stringify(await adoption(server));
      return last === text;
    },
  );
}

async function adoption(server: Server): Promise<Adoption> {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${server.token}` } });
  const found: Record<string, Record<string, number>> = {};
  const line = /^radius_environments\{family="(?<family>[^"]+)",configured_by="(?<by>[^"]+)"\} (?<count>\d+)$/gmu;
  for (const { groups } of (await response.text()).matchAll(line)) {
    const { family = "", by = "", count } = groups ?? {};
    (found[family] ??= {})[by] = Number(count);
  }
  return found;
}
