/** Terraform recipes as users of `rad` see them: a real control plane, a real Terraform, the module of `examples`. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ReleaseMirror } from "@rad/terraform/testing";
import { startReleaseMirror } from "@rad/terraform/testing";
import { realTerraform } from "@rad/terraform/testing/real-binaries";
import type { RadRun } from "../testing/rad-process.ts";
import { radProcess } from "../testing/rad-process.ts";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";

const examples = fileURLToPath(new URL("../../../../examples/terraform-recipe", import.meta.url));
const notInstalled = "Terraform is not installed. Run 'rad terraform install' to install Terraform.";
const type = "Radius.Data/postgreSqlDatabases";
const password = "canary-of-the-database";

let mirror: ReleaseMirror;
let server: TestControlPlane;
let sandbox: Sandbox;

before(async () => {
  mirror = await startReleaseMirror();
  await mirror.publishReal(await realTerraform());
  server = await startControlPlane({ overrides: { terraform: { installer: mirror.settings } } });
  sandbox = await createConnectedSandbox(server);
  await cp(examples, join(sandbox.home, "example"), { recursive: true });
  const repository = join(sandbox.home, "recipes");
  await cp(join(examples, "module"), repository, { recursive: true });
  const git = (...args: readonly string[]) =>
    promisify(execFile)("git", ["-c", "user.name=test", "-c", "user.email=test@example.com", ...args], {
      cwd: repository,
    });
  await git("init", "--quiet");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "Add the database");
  await rad("deploy", "example/platform.bicep", "-p", `moduleSource=git::file://${repository}`);
  await rad("env", "switch", "dev");
});

after(async () => {
  await sandbox[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await mirror[Symbol.asyncDispose]();
});

const deploy = ["deploy", "example/app.bicep", "-p", `password=${password}`] as const;

/** @returns what it printed, which never has the password */
async function rad(...args: readonly string[]): Promise<string> {
  const run = await attempt(...args);
  assert.equal(run.code, 0, `rad ${args.join(" ")}: ${run.stdout}${run.stderr}`);
  return run.stdout;
}

async function attempt(...args: readonly string[]): Promise<RadRun> {
  const run = await radProcess(sandbox, args);
  assert.ok(!`${run.stdout}${run.stderr}`.includes(password), run.stderr);
  return run;
}

const stepOfRecipe = /Radius\.Data\/postgreSqlDatabases\/orders: Run the recipe 'default' > \w/;

/** What Terraform creates in an instant may be over before `rad` looks, so the recipe may have to run once more. */
async function stderrWithSteps(deployed: RadRun): Promise<string> {
  let { stderr } = deployed;
  for (let round = 0; round < 5 && !stepOfRecipe.test(stderr); round += 1) {
    ({ stderr } = await attempt("deploy", "example/app.bicep", "-p", `password=${password}-${round}`));
  }
  return stderr;
}

test("without Terraform, rad deploy prints the text unchanged and exits with 1", async () => {
  const { code, stderr } = await attempt(...deploy);

  assert.equal(code, 1);
  assert.ok(stderr.includes(notInstalled), stderr);
});

test("a database of a Terraform recipe is deployed with its steps, listed by a short name, logged and deleted", async () => {
  await rad("terraform", "install", "--wait");

  const deployed = await attempt(...deploy);
  const progress = await stderrWithSteps(deployed);
  const listed = JSON.parse(await rad("resource", "list", "postgresqldatabases", "-o", "json"));
  const shown = JSON.parse(await rad("resource", "show", type, "orders", "-o", "json"));
  const log = await rad("resource", "logs", type, "orders");
  const again = await attempt(...deploy);
  const orphans = JSON.parse(await rad("resource", "orphans", "-o", "json"));
  const deleted = await rad("resource", "delete", type, "orders", "--yes");

  assert.equal(deployed.code, 0, deployed.stderr);
  assert.match(deployed.stdout, /orders\.databases\.example\.com/);
  assert.match(progress, stepOfRecipe);
  assert.deepEqual(
    listed.map(({ name }: { name: string }) => name),
    ["orders"],
  );
  assert.equal(shown.properties.host, "orders.databases.example.com");
  assert.equal(shown.properties.port, "5432");
  assert.equal(shown.properties.status.recipe.templateKind, "terraform");
  assert.match(log, /terraform_data\.database: Creation complete/);
  assert.equal(again.code, 0, again.stderr);
  assert.deepEqual(orphans, []);
  assert.equal(deleted, `${type}/orders deleted\n`);
});

test("a recipe is shown with the variables of its module", async () => {
  await rad("env", "create", "legacy");
  const recipe = ["-e", "legacy", "--resource-type", "Applications.Datastores/sqlDatabases"] as const;
  const source = `git::file://${join(sandbox.home, "recipes")}`;
  await rad(
    "recipe",
    "register",
    "default",
    ...recipe,
    "--template-kind",
    "terraform",
    "--template-path",
    source,
    "-p",
    "size=large",
  );

  const { parameters } = JSON.parse(await rad("recipe", "show", "default", ...recipe, "-o", "json"));

  assert.deepEqual(parameters, [
    {
      name: "size",
      type: "string",
      description: "Size of the machine: small or large.",
      required: false,
      sensitive: false,
      defaultValue: "small",
      pos: { filename: "main.tf", line: 6 },
      value: "large",
    },
  ]);
});
