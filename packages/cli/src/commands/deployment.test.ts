import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";
import { widgetsManifest } from "../testing/widgets.ts";

const shop = fileURLToPath(new URL("../../../../examples/shop/app.bicep", import.meta.url));
const shopParameters = shop.replace(/\.bicep$/, ".bicepparam");

let server: TestControlPlane;
let sandbox: Sandbox;
before(async () => {
  server = await startControlPlane();
  sandbox = await createConnectedSandbox(server);
  await write("widgets.yaml", widgetsManifest.replace("Contoso.Test", "Radius.Test"));
  await sandbox.rad(["resource-type", "create", "-f", "widgets.yaml"]);
});
after(async () => {
  await sandbox[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** A group of its own, so that tests do not see each other's deployments. */
async function inGroup(name: string) {
  await sandbox.rad(["group", "create", name]);
  return (...args: readonly string[]) => sandbox.rad([...args, "-g", name]);
}

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(sandbox.home, name), text);
  return name;
}

test("the example is deployed as its what-if says, and a second time changes nothing", async () => {
  const rad = await inGroup("shop");

  const predicted = JSON.parse((await rad("deploy", shop, "--what-if", "-o", "json")).stdout);
  const first = await rad("deploy", shop, "-o", "json");
  const again = await rad("deploy", shop, "-o", "json");
  const after = await rad("deploy", shop, "--what-if");

  assert.equal(first.code, 0, first.stderr);
  const { resources, outputs } = JSON.parse(first.stdout) as {
    resources: { id: string; name: string; change: string }[];
    outputs: Record<string, unknown>;
  };
  const created = predicted.properties.changes.filter(
    (change: { changeType: string }) => change.changeType === "Create",
  );
  assert.deepEqual(
    resources.map(({ id }) => id).sort(),
    created.map((change: { resourceId: string }) => change.resourceId).sort(),
  );
  assert.deepEqual(
    resources.map(({ name, change }) => `${name} ${change}`),
    ["orders created", "shop created", "shop-env created", "shop-gateway created", "web created"],
  );
  assert.deepEqual(outputs["urls"], { type: "Array", value: ["http://web:8080", "http://orders:9090"] });
  assert.ok(JSON.parse(again.stdout).resources.every(({ change }: { change: string }) => change === "unchanged"));
  assert.match(after.stdout, /^Resource changes: 5 without change\.$/m);
});

test("a parameters file changes what it says and leaves the rest", async () => {
  const rad = await inGroup("shop2");
  await rad("deploy", shop);

  const whatIf = await rad("deploy", shop, "-p", shopParameters, "--what-if");
  const { code, stdout, stderr } = await rad("deploy", shop, "-p", shopParameters);

  assert.match(whatIf.stdout, /^Resource changes: 2 to create, 1 to change, 4 without change\.$/m);
  assert.match(whatIf.stdout, /~ properties\.container\.image: ".*web:1\.0" => ".*web:1\.1"/);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^ {4}web +Applications\.Core\/containers +changed$/m);
  assert.match(stdout, /^ {4}mail +Applications\.Core\/containers +created$/m);
  assert.match(stdout, /^ {4}orders +Applications\.Core\/containers +unchanged$/m);
});

const resource = (name: string, size: string) => `resource ${name} 'Radius.Test/widgets@2025-01-01-preview' = {
  name: '${name}'
  properties: {
    environment: 'none'
    size: ${size}
  }
}
`;

test("what-if names new and changed secrets, in sensitive members and in others, and shows none", async () => {
  const rad = await inGroup("secrets");
  const body = resource("w", "1").replace("size: 1", "size: 1\n    key: key\n    nested: {\n      inner: key\n    }");
  const file = await write("secrets.bicep", `extension radius\n@secure()\nparam key string\n${body}`);

  const created = await rad("deploy", file, "-p", "key=canary-one", "--what-if");
  const deployed = await rad("deploy", file, "-p", "key=canary-one");
  const changed = await rad("deploy", file, "-p", "key=canary-two", "--what-if");

  assert.equal(deployed.code, 0, deployed.stderr);
  assert.match(created.stdout, /\+ properties\.key: \(secret\)\n[^]*\+ properties\.nested\.inner: \(secret\)\n/);
  assert.match(changed.stdout, /~ properties\.key: \(secret\) => \(secret, changed\)\n/);
  assert.match(changed.stdout, /~ properties\.nested\.inner: \(secret\) => \(secret, changed\)\n/);
  assert.doesNotMatch(JSON.stringify([created, deployed, changed]), /canary/);
});

test("a template that cannot be evaluated shows the line at fault", async () => {
  const rad = await inGroup("faulty");
  const file = await write("faulty.bicep", `extension radius\nparam text string\n${resource("w", "int(text)")}`);

  const { code, stderr } = await rad("deploy", file, "-p", "text=many");

  assert.equal(code, 1);
  assert.match(stderr, /faulty\.bicep\(7,5\) : Error InvalidTemplate: /);
  assert.match(stderr, /\nTraceId: {2}[0-9a-f]{32}\n/);
});

test("a resource that is refused is shown by its line in a module, and the others are deployed", async () => {
  const rad = await inGroup("refused");
  await write("part.bicep", `extension radius\n${resource("bad", "any('large')")}`);
  const main = `extension radius\n${resource("good", "1")}\nmodule part 'part.bicep' = {\n  name: 'part'\n}\n`;
  const file = await write("whole.bicep", main);

  const { code, stderr } = await rad("deploy", file);

  assert.equal(code, 1, stderr);
  assert.match(stderr, /part\.bicep\(6,5\) : Error InvalidProperties: \$\.properties\.size in body /);
  assert.match(stderr, /Completed Radius\.Test\/widgets\/good \(created\)/);
  assert.match(stderr, /Failed {6}Radius\.Test\/widgets\/bad/);
});

test("deployments are listed, shown and forgotten, and what they deployed stays", async () => {
  const rad = await inGroup("history");
  const name =
    (await rad("deploy", shop, "--quiet", "-o", "json")).stdout.match(/"name": "(rad-deploy-[^"]+)"/)?.[1] ?? "";

  const list = await rad("deployment", "list");
  const listJson = JSON.parse((await rad("deployment", "list", "-o", "json")).stdout);
  const show = await rad("deployment", "show", name);
  const showJson = JSON.parse((await rad("deployment", "show", name, "-o", "json")).stdout);
  const unconfirmed = await rad("deployment", "delete", name);
  const deleted = await rad("deployment", "delete", name, "--yes");
  const gone = await rad("deployment", "show", name);
  const twice = await rad("deployment", "delete", name, "--yes");

  assert.match(
    list.stdout,
    new RegExp(`^DEPLOYMENT +STATE +TIMESTAMP +DURATION +RESOURCES\n(.*\n)*${name} +Succeeded .* 5$`, "m"),
  );
  assert.ok(listJson.some((deployment: { name: string }) => deployment.name === name));
  assert.match(show.stdout, /^shop +Applications\.Core\/applications +Create +Succeeded +created +\S+$/m);
  assert.match(show.stdout, /\nOutputs:\n {4}urls: \["http:\/\/web:8080","http:\/\/orders:9090"\]\n/);
  assert.equal(showJson.properties.provisioningState, "Succeeded");
  assert.ok(showJson.operations.length >= 5);
  assert.match(unconfirmed.stderr, /Code: {2}ConfirmationRequired/);
  assert.equal(deleted.stdout, `Microsoft.Resources/deployments/${name} deleted\n`);
  assert.match(gone.stderr, /Code: {2}DeploymentNotFound/);
  assert.equal(twice.stdout, `Microsoft.Resources/deployments/${name} not found\n`);
  const left = await rad("resource", "list", "Applications.Core/containers");
  assert.match(left.stdout, /^web /m);
});

test("a failed deployment is shown with its error", async () => {
  const rad = await inGroup("failed");
  const file = await write("failed.bicep", `extension radius\n${resource("bad", "any('large')")}`);
  const result = JSON.parse((await rad("deploy", file, "-o", "json")).stdout);

  const { stdout } = await rad("deployment", "show", result.name);

  assert.match(stdout, /^bad +Radius\.Test\/widgets +Create +Failed/m);
  assert.match(
    stdout,
    /\nError: At least one .*\nCode: {2}DeploymentFailed\n {2}- \w+: .*\(Radius\.Test\/widgets\/bad\)/,
  );
});

test("names that are none, and deployments that are not there", async () => {
  const rad = await inGroup("empty");

  assert.match((await rad("deployment", "show", "a/b")).stderr, /Code: {2}InvalidDeploymentName/);
  assert.match((await rad("deployment", "cancel", "nobody")).stderr, /Code: {2}DeploymentNotFound/);
  assert.match((await sandbox.rad(["deployment", "list", "-g", "void"])).stderr, /Code: {2}GroupNotFound/);
  assert.match((await sandbox.rad(["deploy", shop, "-g", "void"])).stderr, /Code: {2}GroupNotFound/);
});

test("a group that does not exist is named, also when an environment is looked for in it", async () => {
  await write("nothing.bicep", "param environment string\noutput environment string = environment\n");

  const { code, stderr } = await sandbox.rad(["deploy", "nothing.bicep", "-g", "void", "-e", "prod"]);

  assert.equal(code, 1);
  assert.match(stderr, /The resource group "void" does not exist\..*\nCode: {2}GroupNotFound/);
});

test("the deployments of modules are listed on request", async () => {
  const rad = await inGroup("modules");
  await write("part.bicep", "output o string = 'x'\n");
  const file = await write("whole.bicep", "module part 'part.bicep' = {\n  name: 'the-part'\n}\n");
  await rad("deploy", file);

  const some = await rad("deployment", "list");
  const all = await rad("deployment", "list", "--all");

  assert.match(some.stdout, /^rad-deploy-/m);
  assert.doesNotMatch(some.stdout, /the-part/);
  assert.match(all.stdout, /^the-part +Succeeded/m);
});
