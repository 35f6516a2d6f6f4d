// `rad deploy --what-if-recipes` on 20 modules: it lists what the deployment then does, and leaves nothing behind.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import { findInFiles } from "@rad/control-plane/testing";
import { auditLines } from "../support/api.ts";
import { databases } from "../support/database.ts";
import { listOrphans } from "../recipes/orphans.ts";
import { openRecipeRig } from "../recipes/recipe-rig.ts";
import type { Product } from "../recipes/recipe-rig.ts";
import { readStatus } from "../terraform/installer-api.ts";
import { createPlanPlatform, type Item, openRadHome, resourceId, templateOf, type Thing } from "./plan-rig.ts";
import { appliedActions, plannedActions, recipeIn } from "./planned.ts";

const item = (index: number, key: string, change: Partial<Item> = {}): Item => ({
  key,
  name: `plan-${index}-${key}`,
  team: "red",
  ...change,
});

/** What resource number so and so is at first; some are not there yet. */
function before(index: number): readonly Item[] | undefined {
  return index % 8 === 0 ? undefined : [item(index, "a"), item(index, "b"), item(index, "c")];
}

/** Then: something of each kind, in each shape of module. */
function afterwards(index: number): readonly Item[] {
  const [a, b, c] = [item(index, "a"), item(index, "b"), item(index, "c")];
  switch (index % 5) {
    case 0:
      return [a, b, c, item(index, "d")];
    case 1:
      return [a, { ...b, team: "blue" }, c];
    case 2:
      return [a, b, { ...c, name: `${c.name}-renamed` }];
    case 3:
      return [a, b];
    default:
      return [a, b, c];
  }
}

const canary = (name: string): string => `canary${name}${randomBytes(8).toString("hex")}`;

async function planAndDeploy(product: Product, modules: number): Promise<void> {
  const secrets = { odd: canary("Odd"), even: canary("Even") };
  const rotated = { ...secrets, odd: canary("Rotated") };
  await using rig = await openRecipeRig();
  await using database = await databases.sqlite();
  const server = await database.startServer(rig.config(database.folder));
  try {
    await rig.prepare(server, product);
    const platform = await createPlanPlatform(rig, server, { modules, secrets });
    const { environment } = platform;
    await using home = await openRadHome(server);
    const numbers = Array.from({ length: modules }, (_, index) => index);
    const existing = numbers.flatMap((index): Thing[] => {
      const items = before(index);
      return items === undefined ? [] : [{ index, items }];
    });
    const first = await home.deploy(templateOf(environment, existing), "-o", "json");
    assert.equal(first.code, 0, first.stdout + first.stderr);
    await platform.rotate(rotated);
    const objects = rig.cloud.objects();
    const runsBefore = await readdir(path.join(database.folder, "runs", "runs"));
    const seen = rig.cloud.requests.length;
    const template = templateOf(
      environment,
      numbers.map((index) => ({ index, items: afterwards(index) })),
    );

    const whatIf = await home.deploy(template, "--what-if-recipes", "-o", "json");

    assert.equal(whatIf.code, 0, whatIf.stdout + whatIf.stderr);
    const actions = new Set(rig.cloud.requests.slice(seen).map(({ action }) => action));
    assert.deepEqual([...actions].toSorted(), ["configure", "read"]);
    assert.deepEqual(rig.cloud.objects(), objects);
    assert.deepEqual(await readdir(path.join(database.folder, "runs", "runs")), runsBefore);
    assert.equal((await readStatus(server)).executions, 0);
    assert.deepEqual(await plansInMemory(), []);
    assert.deepEqual(await listOrphans(server), []); // which a record of a run would be

    const text = await home.deploy(template, "--what-if");
    assert.equal(text.code, 0, text.stderr);
    assert.match(text.stdout, /recipe "default" \(terraform, .*acme\/plan1\/aws 1\.0\.0\) will run: properties of/u);

    const planned = numbers.map((index) => recipeIn(whatIf.stdout, resourceId(index)));
    const deployed = await home.deploy(template, "-o", "json");
    assert.equal(deployed.code, 0, deployed.stdout + deployed.stderr);
    for (const index of numbers) {
      const recipe = planned[index];
      assert.ok(recipe !== undefined);
      assert.deepEqual(plannedActions(recipe), await appliedActions(server, resourceId(index)), `module ${index}`);
      assert.deepEqual(recipe.reasons, reasonsFor(index), `module ${index}`);
      for (const { action, attributes } of recipe.plan?.changes ?? []) {
        const secret = attributes.find(({ name }) => name === "secret");
        const isNew = action === "create" || action === "replace";
        assert.equal(secret?.sensitive, action === "delete" ? undefined : true);
        assert.equal(secret?.changed, action === "delete" ? undefined : action === "create" || index % 2 === 1);
        assert.ok(!isNew || attributes.some(({ name, unknown }) => name === "id" && unknown));
      }
    }
    const all = new Set(planned.flatMap((recipe) => plannedActions(recipe).map((line) => line.split(" ")[0] ?? "")));
    assert.deepEqual([...all].toSorted(), ["create", "delete", "replace", "update"]);
    assert.ok(planned.some((recipe) => plannedActions(recipe).length === 0));

    const shown = JSON.stringify([first, whatIf, text, deployed, await auditLines(server), server.output]);
    for (const value of [...Object.values(secrets), ...Object.values(rotated)]) {
      assert.ok(!shown.includes(value), "an answer or the log shows a secret");
      assert.deepEqual(await findInFiles(database.folder, value), []);
    }
  } finally {
    await server[Symbol.asyncDispose]();
  }
}

/** A resource whose secret was rotated is given the same reference, so only the plan knows. */
function reasonsFor(index: number): readonly string[] {
  return before(index) === undefined ? ["newResource"] : index % 5 === 4 ? ["unchanged"] : ["changedProperties"];
}

async function plansInMemory(): Promise<string[]> {
  return (await readdir("/dev/shm")).filter((name) => name.startsWith("rad-plan-"));
}

it("what-if lists what recipes of 20 Terraform modules then do, and leaves nothing behind", async () => {
  await planAndDeploy("terraform", 20);
});

it("what-if lists what recipes then do with OpenTofu, too", async () => {
  await planAndDeploy("opentofu", 5);
});
