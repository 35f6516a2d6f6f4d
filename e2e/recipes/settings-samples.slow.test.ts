// The samples of the design, as they are written there, through the compiler, the command line and a server.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, it } from "node:test";
import { type JsonObject, objectMember } from "@rad/core";
import { openObjectTarget } from "@rad/kubernetes";
import { startTestServer, type TestServer } from "@rad/control-plane/testing";
import { createRadHome, type Ended, type RadHome } from "../kubernetes/rad-home.ts";

const samples = await readFile(new URL("settings-samples.bicep", import.meta.url), "utf8");

let server: TestServer;
let home: RadHome;
before(async () => {
  server = await startTestServer();
  home = await createRadHome({ server, group: "platform" });
  await home.write("samples.bicep", samples);
});
after(async () => {
  await home[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const rad = (...args: string[]): Promise<Ended> => home.start(...args).ended;
const show = async (type: string, name: string): Promise<JsonObject> => {
  const shown = await rad("resource", "show", `Radius.Core/${type}`, name, "-g", "platform", "-o", "json");
  assert.equal(shown.code, 0, shown.stderr);
  return JSON.parse(shown.stdout) as JsonObject;
};

it("the samples compile without diagnostics, and a misspelt member gets one", async () => {
  const built = await rad("bicep", "build", "samples.bicep", "--stdout");
  await home.write("misspelt.bicep", samples.replace("networkMirror:", "networkMiror:"));
  const misspelt = await rad("bicep", "build", "misspelt.bicep", "--stdout");

  assert.deepEqual([built.code, built.stderr], [0, ""]);
  assert.match(misspelt.stderr, /misspelt\.bicep.*networkMiror/s);
});

it("the samples deploy as written, and what they say comes back", async () => {
  const deployed = await rad("deploy", "samples.bicep", "-g", "platform");
  assert.equal(deployed.code, 0, deployed.stderr);
  const said = deployed.stdout + deployed.stderr;
  assert.match(said, /No recipe can use the provider 'hashicorp\/azurerm'/);
  assert.match(said, /secrets\/tfc-token' does not exist; its key 'token' is needed/);
  assert.match(said, /secrets\/bicep-registry' does not exist; its key 'password' is needed/);

  const terraform = await show("terraformSettings", "corpTerraformSettings");
  const bicep = await show("bicepSettings", "corpBicepSettings");
  const environment = await show("environments", "prod");

  const properties = objectMember(environment, "properties");
  assert.equal(properties["terraformSettings"], terraform["id"]);
  assert.equal(properties["bicepSettings"], bicep["id"]);
  assert.deepEqual(properties["compute"], { kind: "kubernetes", namespace: "prod-apps" });
  for (const settings of [terraform, bicep]) {
    assert.equal(settings["location"], "global");
    assert.deepEqual(objectMember(settings, "properties")["referencedBy"], [environment["id"]]);
  }
  const target = await openObjectTarget({ kind: "folder", path: path.join(server.directory, "manifests") });
  const namespace = { group: "", kind: "Namespace", name: "prod-apps" };
  assert.notEqual(await target.read(namespace, { signal: AbortSignal.timeout(60_000) }), undefined);
});

it("the generic commands list, create and delete settings", async () => {
  const listed = await rad("resource", "list", "Radius.Core/terraformSettings", "-g", "platform", "-o", "json");
  await home.write("settings.json", JSON.stringify({ properties: { env: { A: "1" } } }));
  const created = await rad(
    "resource",
    "create",
    "Radius.Core/terraformSettings",
    "small",
    "-g",
    "platform",
    "--from-file",
    "settings.json",
  );
  const shown = await show("terraformSettings", "small");
  const deleted = await rad("resource", "delete", "Radius.Core/terraformSettings", "small", "-g", "platform", "--yes");
  const inUse = await rad(
    "resource",
    "delete",
    "Radius.Core/terraformSettings",
    "corpTerraformSettings",
    "-g",
    "platform",
    "--yes",
  );

  assert.deepEqual(
    (JSON.parse(listed.stdout) as JsonObject[]).map(({ name }) => name),
    ["corpTerraformSettings"],
  );
  assert.deepEqual([created.code, deleted.code], [0, 0], created.stderr + deleted.stderr);
  assert.deepEqual(objectMember(shown, "properties")["env"], { A: "1" });
  assert.notEqual(inUse.code, 0);
  assert.match(
    inUse.stderr,
    /Cannot delete terraformSettings: still referenced by environments: \[.*environments\/prod\]/,
  );
});
