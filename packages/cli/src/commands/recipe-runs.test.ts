/** What `rad resource` shows of runs of recipes, with answers of a control plane that are scripted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestServer } from "@rad/client/testing";
import type { JsonObject } from "@rad/core";
import { createSandbox } from "../testing/sandbox.ts";

const type = "Contoso.Test/widgets";
const id = `/planes/radius/local/resourceGroups/dev/providers/${type}/one`;
const providers = "/planes/radius/local/providers";
const types = {
  name: "Contoso.Test",
  resourceTypes: { widgets: { apiVersions: { "2025-01-01": {} }, defaultApiVersion: "2025-01-01" } },
};

/** Runs `rad` against a server that answers these paths; other resources do not exist. */
async function rad(answers: Readonly<Record<string, JsonObject>>, ...args: readonly string[]) {
  await using server = await startTestServer({
    intercept: ({ path }, response) => {
      const [plain = ""] = path.split("?");
      const answer = { ...answers, [providers]: { value: [types] }, [`${providers}/Contoso.Test`]: types }[plain];
      if (answer !== undefined) {
        response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
      }
      return answer !== undefined;
    },
  });
  await using sandbox = await createSandbox();
  for (const line of [
    ["workspace", "create", "server", "test", "--url", server.url],
    ["group", "create", "dev"],
    ["group", "switch", "dev"],
  ]) {
    const { code, stderr } = await sandbox.rad(line);
    assert.equal(code, 0, stderr);
  }
  return await sandbox.rad(["resource", ...args]);
}

const log = { runId: "r1", text: "Terraform has been initialized\n\u001b[31mError:\u001b[0m quota\n" };
const logPath = `/recipes/logs${id}`;

test("the log of a recipe's last run is printed without control characters", async () => {
  const { code, stdout } = await rad({ [logPath]: log }, "logs", "widgets", "one");

  assert.equal(code, 0);
  assert.equal(stdout, "Terraform has been initialized\nError: quota\n");
});

test("with -o json the log is a document a line", async () => {
  const { stdout } = await rad({ [logPath]: log }, "logs", type, "one", "-o", "json");

  assert.deepEqual(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
    [
      { run: "r1", line: "Terraform has been initialized" },
      { run: "r1", line: "Error: quota" },
    ],
  );
});

test("a resource that no recipe has run for says so, and one that does not exist", async () => {
  const resource = { id, name: "one", type, properties: {} };

  const without = await rad({ [id]: resource }, "logs", type, "one");
  const missing = await rad({}, "logs", type, "one");

  assert.deepEqual([without.code, missing.code], [1, 1]);
  assert.match(without.stderr, /^No recipe has run for Contoso\.Test\/widgets\/one\.\nCode: {2}NoRecipeLog/);
  assert.match(missing.stderr, /does not exist, and no recipe has run for it\.\nCode: {2}NotFound/);
});

for (const flag of [["--follow"], ["--replica", "x"], ["--container", "x"], ["-a", "x"]] as const) {
  test(`${flag[0]} is refused where the log is that of a recipe`, async () => {
    const { code, stderr } = await rad({ [logPath]: log }, "logs", type, "one", ...flag);

    assert.equal(code, 1);
    assert.match(stderr, /is for the logs of containers/);
  });
}

test("a container without its application is refused", async () => {
  const { code, stderr } = await rad({}, "logs", "containers", "web");

  assert.equal(code, 1);
  assert.match(stderr, /Code: {2}(NoApplication|NoCluster|NoKubeContext)/);
});

test("orphans are listed with what they are, whose they were and why", async () => {
  const orphans: { readonly value: JsonObject[] } = {
    value: [
      { kind: "resource", resourceId: id, what: "/planes/aws/x", reason: "Its resource is gone.", recipe: "default" },
      { kind: "creation", resourceId: id, what: "module.default.aws_x.y", reason: "Look for it." },
    ],
  };

  const { stdout } = await rad({ "/recipes/orphans": orphans }, "orphans");
  const json = await rad({ "/recipes/orphans": orphans }, "orphans", "-o", "json");

  const rows = stdout.trimEnd().split("\n");
  assert.match(rows[0] ?? "", /^KIND +WHAT +RESOURCE +REASON$/);
  assert.match(rows[1] ?? "", /^resource +\/planes\/aws\/x +\S+widgets\/one +Its resource is gone\.$/);
  assert.match(rows[2] ?? "", /^creation +module\.default\.aws_x\.y +\S+ +Look for it\.$/);
  assert.deepEqual(JSON.parse(json.stdout), orphans.value);
});

test("without orphans there is an empty table, and a word on stderr", async () => {
  const { stdout, stderr } = await rad({ "/recipes/orphans": { value: [] } }, "orphans");

  assert.equal(stdout, "KIND      WHAT      RESOURCE  REASON\n");
  assert.match(stderr, /^Everything that recipes have created belongs to a resource\.\n$/);
});

test("a deletion by force says what it leaves behind", async () => {
  const operation = `${providers}/System.Test/operationStatuses/1`;
  const steps = [
    { name: "Destroy", state: "Failed" },
    { name: "Leave behind what the recipe made", state: "Succeeded", detail: "/planes/aws/x" },
  ];
  await using server = await startTestServer({
    intercept: ({ method, path }, response) => {
      const [plain = ""] = path.split("?");
      if (method === "DELETE") {
        response.writeHead(202, { "azure-asyncoperation": `${server.url}${operation}` }).end();
        return true;
      }
      const resource = { id, name: "one", type, properties: {} };
      const known: Readonly<Record<string, object>> = {
        [id]: resource,
        [operation]: { status: "Succeeded", properties: { steps } },
        [`${providers}/Contoso.Test`]: types,
      };
      const answer = known[plain];
      if (answer !== undefined) {
        response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
      }
      return answer !== undefined;
    },
  });
  await using sandbox = await createSandbox();
  await sandbox.rad(["workspace", "create", "server", "test", "--url", server.url]);

  const { code, stdout, stderr } = await sandbox.rad(["resource", "delete", type, "one", "-g", "dev", "-y", "--force"]);

  assert.equal(code, 0, stderr);
  assert.equal(stdout, "Contoso.Test/widgets/one deleted\n");
  assert.match(stderr, /Warning: .*\/one was deleted by force\. Leave behind what the recipe made: \/planes\/aws\/x/);
});
