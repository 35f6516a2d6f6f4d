import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { startTestServer } from "@rad/client/testing";
import type { JsonObject } from "@rad/core";
import { createSandbox } from "../testing/sandbox.ts";
import { registerWidgets } from "../testing/widgets.ts";

const step = (state: string, more: JsonObject = {}): JsonObject => ({ name: "recipe", state, ...more });

/** `rad resource create` of a widget whose operation tells `statuses` one after the other. */
async function create(
  statuses: readonly JsonObject[],
  args: readonly string[] = [],
  options: { readonly keyboard?: PassThrough } = {},
) {
  let polls = 0;
  await using server = await startTestServer({
    intercept: (request, response) => {
      const isWidget = request.path.includes("/Contoso.Test/widgets/w");
      if (request.method === "PUT" && isWidget) {
        response.setHeader("warning", ['299 - "depth is unknown"', '299 - "depth is unknown"']);
      }
      const status = request.path.includes("/providers/Contoso.Test/locations/") ? statuses[polls] : undefined;
      if (status === undefined) {
        return false;
      }
      polls += 1;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(status));
      return true;
    },
  });
  await using sandbox = await createSandbox();
  await sandbox.rad(["workspace", "create", "server", "lab", "--url", server.url]);
  await sandbox.rad(["group", "create", "dev"]);
  await sandbox.rad(["group", "switch", "dev"]);
  await registerWidgets(sandbox);
  await writeFile(join(sandbox.home, "w.json"), "{}");
  const command = ["resource", "create", "Contoso.Test/widgets", "w", "-f", "w.json"];
  return await sandbox.rad([...command, ...args], options);
}

const inSteps = [
  { status: "Updating", properties: { steps: [step("Running", { detail: "planning", share: 0.5 })] } },
  { status: "Updating", properties: { steps: [step("Succeeded"), { name: "wait", state: "Running" }] } },
];

test("the steps of a resource's operation are lines without a terminal, and its warnings are printed once", async () => {
  const { code, stdout, stderr } = await create(inSteps);

  assert.equal(code, 0, stderr);
  assert.equal(stdout, "Contoso.Test/widgets/w created\n");
  assert.deepEqual(
    stderr
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/^\d\S+ /, "")),
    [
      "Running   Contoso.Test/widgets/w",
      "Running   Contoso.Test/widgets/w: recipe - planning",
      "Completed Contoso.Test/widgets/w: recipe",
      "Running   Contoso.Test/widgets/w: wait",
      "Completed Contoso.Test/widgets/w",
      "Warning: depth is unknown",
    ],
  );
});

test("on a terminal the steps are redrawn", async () => {
  const { stderr } = await create(inSteps, [], { keyboard: new PassThrough() });

  const screen = stripVTControlCharacters(stderr);
  assert.match(
    screen,
    /Operation In Progress\.\.\. \(\d+s\)\s+\.{1,3} +w +Contoso\.Test\/widgets\s+recipe 50% {2}planning/,
  );
  assert.match(screen, /Completed +w +Contoso\.Test\/widgets/);
});

test("with -o json nothing is shown but the result and the warnings", async () => {
  const { stdout, stderr } = await create(inSteps, ["-o", "json"]);

  assert.equal((JSON.parse(stdout) as { name: string }).name, "w");
  assert.equal(stderr, "Warning: depth is unknown\n");
});

test("an operation without steps is waited for in silence", async () => {
  const { stdout, stderr } = await create([{ status: "Updating" }]);

  assert.equal(stdout, "Contoso.Test/widgets/w created\n");
  assert.equal(stderr, "Warning: depth is unknown\n");
});

test("an operation that fails is shown as failed, with its steps and its error", async () => {
  const failed = {
    status: "Failed",
    properties: { steps: [step("Failed", { message: "no quota" })] },
    error: { code: "RecipeFailed", message: "The recipe failed." },
  };

  const { code, stderr } = await create([...inSteps.slice(0, 1), failed]);

  assert.equal(code, 1);
  assert.match(stderr, /Failed {4}Contoso\.Test\/widgets\/w: recipe - no quota\n/);
  assert.match(stderr, /Failed {4}Contoso\.Test\/widgets\/w\n/);
  assert.match(stderr, /RecipeFailed/);
});
