import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { until } from "@rad/core/testing";
import { deploymentId, Engine, thingId } from "./testing/engine-kit.ts";
import { module, template, thing } from "./testing/templates.ts";

const canary = "canary-3f9d1c";

/** Secure parameters, outputs and answers of actions, in templates of either scope, and an error that quotes one. */
const secretive = template(
  {
    first: thing("first"),
    m: module(
      "inner",
      template(
        { bad: thing("bad", { refuse: "[concat('this is wrong: ', parameters('s'))]" }), fine: thing("fine") },
        {
          parameters: { s: { type: "securestring" }, open: { type: "string" } },
          outputs: { o: { type: "securestring", value: "[parameters('s')]" } },
        },
      ),
      { s: "[parameters('s')]", open: "[parameters('s')]" },
    ),
    good: module(
      "good",
      template(
        {},
        {
          parameters: { s: { type: "secureObject" } },
          outputs: { o: { type: "secureObject", value: "[parameters('s')]" } },
        },
      ),
      { s: { deep: "[parameters('s')]" } },
      { tags: { made: "[concat('from ', parameters('s'))]" } },
    ),
    outer: {
      type: "Microsoft.Resources/deployments",
      apiVersion: "2025-04-01",
      name: "outer",
      properties: {
        mode: "Incremental",
        template: template({
          t: thing("t", {
            refuse: "[concat(reference('first').name, parameters('s'), listSecrets('first', '2025-01-01').key)]",
          }),
        }),
      },
      dependsOn: ["first"],
    },
    user: thing("user", {
      refuse: "[listOutputsWithSecureValues('good', '2025-04-01').o.deep]",
      key: "[listSecrets('first', '2025-01-01').key]",
    }),
    held: thing("held", { hold: true }, { dependsOn: ["good"] }),
  },
  {
    parameters: {
      s: { type: "securestring" },
      made: { type: "string", defaultValue: "[concat('from ', parameters('s'))]" },
    },
    outputs: { o: { type: "securestring", value: "[parameters('s')]" } },
  },
);

it("shows no secret in any document or row, while it runs and afterwards", async () => {
  await using engine = await Engine.open({ concurrency: 10 });
  engine.worker();
  const id = await engine.submit({ template: secretive, parameters: { s: canary } });
  await until("the held one was sent", () => engine.target.puts.includes("held"));
  const whileRunning = await clearText(engine);

  engine.target.release("held");
  const operation = await engine.ended(id);

  assert.equal(operation.state, "Failed");
  assert.doesNotMatch(whileRunning, /canary-3f9d1c|key-of-first/);
  assert.doesNotMatch(JSON.stringify(operation), /canary-3f9d1c|key-of-first/);
  assert.doesNotMatch(await clearText(engine), /canary-3f9d1c|key-of-first/);
});

it("keeps nothing sealed but the template once the outermost deployment has ended", async () => {
  await using engine = await Engine.open({ concurrency: 10 });
  engine.worker();
  engine.target.release("held");

  await engine.deploy({ template: secretive, parameters: { s: canary } });

  const { items } = await engine.store.list({ under: "/planes/radius/local" });
  const kept = new Set<string>();
  for (const { id } of items) {
    const secrets = await engine.store.secrets(id);
    Object.keys(secrets).forEach((pointer) => kept.add(pointer));
    assert.doesNotMatch(JSON.stringify(secrets), /canary-3f9d1c|key-of-first/, id);
  }
  assert.deepEqual([...kept].toSorted(), ["/parent", "/template"]);
});

it("does not take a secret for a part of an id that happens to be spelled alike", async () => {
  await using engine = await Engine.open();
  engine.worker();

  await engine.deploy({
    template: template(
      { m: module("inner", template({ bad: thing("bad", { refuse: "demo" }) })) },
      { parameters: { s: { type: "securestring" } } },
    ),
    parameters: { s: "demo" },
  });

  const nested = await engine.deployment("inner");
  const { error } = await engine.properties();
  assert.equal(nested["id"], deploymentId("inner"));
  assert.ok(JSON.stringify(error).includes(thingId("bad")));
  assert.ok(!JSON.stringify(error).includes('"message":"demo"'));
});

/** The database as it lies on the disk, with what has not been merged yet. */
async function clearText({ directory }: Engine): Promise<string> {
  const files = (await readdir(directory)).filter((name) => name.startsWith("radius.db"));
  const texts = await Promise.all(files.map((name) => readFile(join(directory, name), "latin1")));
  return texts.join("\n");
}
