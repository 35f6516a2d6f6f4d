import { openRecipeRig, createPlatform, put } from "../e2e/recipes/recipe-rig.ts";
import { request } from "../e2e/support/api.ts";
import { databases } from "../e2e/support/database.ts";
import { cpuSeconds } from "./cpu-time.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";

const recipes = 10;
const rounds = 5;

/** CPU time of the server and of everything that it starts, for an environment with ten recipes. */
export async function measurePreflight(): Promise<readonly Measurement[]> {
  await using rig = await openRecipeRig();
  await using database = await databases.sqlite();
  await using server = await database.startServer(rig.config(database.folder));
  await rig.prepare(server);
  const environmentId = await createPlatform(rig, server, { name: "preflight" });
  const source = `${rig.registry.host}/acme/bucket/aws:1.0.0`;
  const types = Array.from({ length: recipes }, (_, index) => `Test.Stores/type${index}`);
  await put(server, "Radius.Core/recipePacks/preflight", {
    recipes: Object.fromEntries(types.map((type) => [type, { kind: "terraform", source }])),
  });
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await cpuSeconds(server.pid);
    const { body } = await request(server, "POST", "/installer/terraform/validate", { environmentId });
    seconds.push((await cpuSeconds(server.pid)) - before);
    if ((body as { valid?: boolean }).valid !== true) {
      throw new Error(`the preflight fails: ${JSON.stringify(body)}`);
    }
  }
  const value = median(seconds);
  const name = `preflight of an environment with ${recipes} recipes, CPU`;
  return [{ name, value, unit: "s", figure: value, target: { atMost: 2 } }];
}
