import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, it } from "node:test";
import { caseNames, readCase } from "./deploy/case.ts";
import type { DeployCase } from "./deploy/case.ts";
import { startDeployServer } from "./deploy/deploy-server.ts";
import type { DeployServer } from "./deploy/deploy-server.ts";
import { DeployGroup } from "./deploy/group.ts";
import { shortened, shortId, withoutRandom } from "./deploy/outcome.ts";
import type { Outcome } from "./deploy/outcome.ts";
import { runRad } from "./deploy/run-rad.ts";
import type { RadResult } from "./deploy/run-rad.ts";

let server: DeployServer;
let home: string;
let environment: string;

before(async () => {
  server = await startDeployServer();
  home = await mkdtemp(path.join(tmpdir(), "rad-home-"));
  const tokenFile = path.join(home, "token");
  await writeFile(tokenFile, server.token, { mode: 0o600 });
  await rad("workspace", "create", "server", "test", "--url", server.url, "--token-file", tokenFile);
  const { scope } = await DeployGroup.create(server.client, "shared");
  environment = `${scope}/providers/Radius.Core/environments/dev`;
  const body = { location: "global", properties: {} };
  await server.client.resources.put(environment, body, { apiVersion: "2025-08-01-preview" });
});

after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

for (const name of await caseNames()) {
  it(`rad deploy tells what comes of ${name}`, async () => {
    const deployCase = await readCase(name);
    const expected = await expectedOutcome(deployCase);
    const group = await DeployGroup.create(server.client, name);
    if (deployCase.before !== undefined) {
      await group.deploy("before", deployCase.before, {});
    }

    const result = await rad(
      "deploy",
      mainFile(deployCase),
      "-g",
      name,
      ...(await parameters(deployCase)),
      ...unchecked(deployCase),
      "-o",
      "json",
    );

    assert.equal(result.code, expected.state === "Succeeded" ? 0 : 1, result.stderr);
    assert.doesNotMatch(result.stdout + result.stderr, /canary/i);
    if (expected.state === "refused") {
      assert.ok(result.stderr.includes(expected.error?.code ?? ""), result.stderr);
      return;
    }
    const told = JSON.parse(result.stdout) as Told;
    assert.equal(told.provisioningState, expected.state);
    assert.equal(told.error?.code, expected.error?.code);
    assert.deepEqual(comparable(deployCase, shortened(group.scope, told.outputs)), expected.outputs);
    assert.deepEqual(told.resources.map(({ id }) => shortId(group.scope, id)).sort(), expected.outputResources);
  });
}

it("what fails in a module is shown by its own file and line", async () => {
  const deployCase = await readCase("fails-in-module");
  await DeployGroup.create(server.client, "lines");

  const { code, stderr } = await rad("deploy", mainFile(deployCase), "-g", "lines");

  assert.equal(code, 1);
  assert.match(stderr, /inner\.bicep\(5,\d+\) : Error BadRequest: The probe fails/);
});

it("members that a type does not have are named by what-if, after a deployment and in its JSON", async () => {
  const deployCase = await readCase("misspelt-members");
  await DeployGroup.create(server.client, "misspelt");
  const given = [
    "deploy",
    mainFile(deployCase),
    "-g",
    "misspelt",
    ...(await parameters(deployCase)),
    ...unchecked(deployCase),
  ];
  const named = [/environments.*providers\.kubernetes\.namespaces/, /applications.*properties\.extension/];

  const previewed = await rad(...given, "--what-if");
  const deployed = await rad(...given);
  const again = await rad(...given, "-o", "json");

  const { warnings } = JSON.parse(again.stdout) as { readonly warnings: readonly string[] };
  assert.equal(warnings.length, 2);
  for (const [index, pattern] of named.entries()) {
    assert.match(previewed.stdout + previewed.stderr, pattern);
    assert.match(deployed.stderr, new RegExp(`Warning: .*${pattern.source}`));
    assert.match(warnings[index] ?? "", pattern);
  }
  const all = [previewed, deployed, again].map(({ stdout, stderr }) => stdout + stderr).join("");
  assert.doesNotMatch(all, /canary/);
});

it("a file that the registered types refuse is not sent", async () => {
  const deployCase = await readCase("misspelt-members");
  await DeployGroup.create(server.client, "refused");

  const { code, stderr } = await rad(
    "deploy",
    mainFile(deployCase),
    "-g",
    "refused",
    ...(await parameters(deployCase)),
  );

  assert.equal(code, 1);
  assert.match(stderr, /main\.bicep\(14,9\) : Error BCP037: .*"namespaces"/);
  assert.match(stderr, /part\.bicep\(11,5\) : Error BCP037: .*"extension"/);
});

it("what-if lists what the deployment then says it did", async () => {
  const file = mainFile(await readCase("whole-application"));
  await DeployGroup.create(server.client, "foreseen");
  const given = ["-g", "foreseen", "-p", "databasePassword=canary-0123"];

  const foreseen = await rad("deploy", file, ...given, "--what-if");
  const done = await rad("deploy", file, ...given);
  const again = await rad("deploy", file, ...given, "--what-if");

  assert.match(foreseen.stdout, /Resource changes: 9 to create\./);
  assert.equal(done.stdout.match(/ created$/gm)?.length, 9, done.stdout);
  assert.match(done.stdout, /url: https:\/\/bazaar-gateway\.test/);
  assert.doesNotMatch(again.stdout, /to create|to modify/);
  assert.doesNotMatch(foreseen.stdout + done.stdout + done.stderr + again.stdout, /canary/);
});

interface Told {
  readonly provisioningState: string;
  readonly outputs: Outcome["outputs"];
  readonly resources: readonly { readonly id: string }[];
  readonly error?: { readonly code: string };
}

async function rad(...args: readonly string[]): Promise<RadResult> {
  const deploys = args[0] === "deploy" ? ["-e", environment] : [];
  return runRad(home, [...args, ...deploys]);
}

function mainFile({ expectedFile }: DeployCase): string {
  return path.join(path.dirname(expectedFile), "main.bicep");
}

async function expectedOutcome({ expectedFile }: DeployCase): Promise<Outcome> {
  const outcomes = JSON.parse(await readFile(expectedFile, "utf8")) as Record<string, Outcome>;
  const outcome = outcomes["main.bicep"];
  assert.ok(outcome !== undefined);
  return outcome;
}

function unchecked({ options }: DeployCase): readonly string[] {
  return options.unchecked === true ? ["--no-registered-types"] : [];
}

/** As a parameters file, which keeps secrets off the command line. */
async function parameters({ name, parameters: values }: DeployCase): Promise<readonly string[]> {
  if (Object.keys(values).length === 0) {
    return [];
  }
  const file = path.join(home, `${name}.json`);
  const entries = Object.entries(values).map(([key, value]) => [key, { value }]);
  await writeFile(file, JSON.stringify({ parameters: Object.fromEntries(entries) }));
  return ["-p", `@${file}`];
}

function comparable<T>({ options }: DeployCase, value: T): T {
  return options.neverSettles === true ? withoutRandom(value) : value;
}
