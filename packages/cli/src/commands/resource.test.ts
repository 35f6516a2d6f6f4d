import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createClient } from "@rad/client";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";
import { registerWidgets, widgetsManifest } from "../testing/widgets.ts";

let server: TestControlPlane;
let sandbox: Sandbox;
before(async () => {
  server = await startControlPlane();
  sandbox = await createConnectedSandbox(server);
  await registerWidgets(sandbox);
  await sandbox.rad(["env", "create", "e1", "--preview"]);
});
after(async () => {
  await sandbox[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const environment = "/planes/radius/local/resourceGroups/dev/providers/Radius.Core/environments/e1";

async function create(name: string, properties: object = {}, ...args: readonly string[]) {
  const stdin = JSON.stringify({ properties: { environment, ...properties } });
  return sandbox.rad(["resource", "create", "Contoso.Test/widgets", name, "-f", "-", ...args], { stdin });
}

test("a resource is created, shown, listed and deleted", async () => {
  const created = await create("whole", { size: 3, key: "canary-secret" });
  const shown = await sandbox.rad(["resource", "show", "Contoso.Test/widgets", "whole"]);
  const json = await sandbox.rad(["resource", "show", "Contoso.Test/widgets", "whole", "-o", "json"]);
  const deleted = await sandbox.rad(["resource", "delete", "Contoso.Test/widgets", "whole", "--yes"]);
  const again = await sandbox.rad(["resource", "delete", "Contoso.Test/widgets", "whole", "--yes"]);

  assert.deepEqual(created, { code: 0, stdout: "Contoso.Test/widgets/whole created\n", stderr: "" });
  assert.equal(
    shown.stdout,
    "RESOURCE  TYPE                  GROUP     STATE\nwhole     Contoso.Test/widgets  dev       Succeeded\n",
  );
  const { properties } = JSON.parse(json.stdout) as { properties: object };
  assert.deepEqual(properties, { environment, size: 3, key: null, provisioningState: "Succeeded" });
  assert.equal(deleted.stdout, "Contoso.Test/widgets/whole deleted\n");
  assert.deepEqual(again, { code: 0, stdout: "Contoso.Test/widgets/whole not found\n", stderr: "" });
});

test("with -o json, creating and deleting answer with one document", async () => {
  const created = await create("json", {}, "-o", "json");
  const deleted = await sandbox.rad(["resource", "delete", "widgets", "json", "-y", "-o", "json"]);

  assert.equal((JSON.parse(created.stdout) as { name: string }).name, "json");
  assert.equal((JSON.parse(deleted.stdout) as { status: string }).status, "deleted");
});

test("a type can be written without its namespace and in any case", async () => {
  await create("short");

  for (const type of ["widgets", "WIDGETS", "contoso.test/Widgets"]) {
    const { code, stdout } = await sandbox.rad(["resource", "show", type, "short"]);
    assert.equal(code, 0);
    assert.match(stdout, /^short +Contoso\.Test\/widgets /m);
  }
});

test("an unqualified type of several namespaces is listed in all of them, and shown or deleted by its full name", async () => {
  const manifest = widgetsManifest.replace("Contoso.Test", "Fabrikam.Test").replace("widgets", "gadgets");
  await writeFile(join(sandbox.home, "a.yaml"), manifest);
  await writeFile(join(sandbox.home, "b.yaml"), manifest.replace("Fabrikam", "Contoso"));
  await sandbox.rad(["resource-type", "create", "-f", "a.yaml"]);
  await sandbox.rad(["resource-type", "create", "-f", "b.yaml"]);
  const stdin = JSON.stringify({ properties: { environment } });
  for (const namespace of ["Fabrikam.Test", "Contoso.Test"]) {
    await sandbox.rad(["resource", "create", `${namespace}/gadgets`, "g", "-f", "-"], { stdin });
  }

  const listed = await sandbox.rad(["resource", "list", "Gadgets", "-o", "json"]);
  const refused = await Promise.all(["show", "delete"].map((verb) => sandbox.rad(["resource", verb, "gadgets", "g"])));

  assert.deepEqual(
    (JSON.parse(listed.stdout) as { type: string }[]).map(({ type }) => type),
    ["Contoso.Test/gadgets", "Fabrikam.Test/gadgets"],
  );
  for (const { code, stderr } of refused) {
    assert.equal(code, 1);
    assert.match(stderr, /Contoso\.Test\/gadgets, Fabrikam\.Test\/gadgets/);
    assert.match(stderr, /AmbiguousResourceType/);
  }
});

test("YAML is accepted as well, and files", async () => {
  await writeFile(join(sandbox.home, "w.yaml"), `properties:\n  environment: ${environment}\n  size: 7\n`);

  const { code, stderr } = await sandbox.rad(["resource", "create", "widgets", "yaml", "-f", "w.yaml"]);

  assert.equal(code, 0, stderr);
});

test("lists can cover one group or all, one type or all, one environment or all", async () => {
  await sandbox.rad(["group", "create", "far"]);
  await create("near1");
  await create(
    "far1",
    { environment: "/planes/radius/local/resourceGroups/far/providers/Radius.Core/environments/x" },
    "-g",
    "far",
  );
  const names = async (...args: readonly string[]) => {
    const { stdout, stderr } = await sandbox.rad(["resource", "list", ...args, "-o", "json"]);
    assert.equal(stderr, "");
    return (JSON.parse(stdout) as { name: string }[])
      .map((item) => item.name)
      .filter((name) => /^(near|far)/.test(name));
  };

  assert.deepEqual(await names("widgets"), ["near1"]);
  assert.deepEqual(await names("widgets", "-g", "far"), ["far1"]);
  assert.deepEqual((await names("widgets", "-A")).sort(), ["far1", "near1"]);
  assert.deepEqual(await names(), ["near1"]);
  assert.deepEqual((await names("-A")).sort(), ["far1", "near1"]);
  assert.deepEqual(await names("widgets", "-e", "e1"), ["near1"]);
  assert.deepEqual(await names("widgets", "-e", environment.toUpperCase().replace("/PLANES/", "/planes/"), "-A"), [
    "near1",
  ]);
  assert.deepEqual(await names("widgets", "-e", "nothing"), []);
});

test("a list of everything has environments and applications of both families", async () => {
  await sandbox.rad(["group", "create", "owners"]);
  const put = (type: string, name: string) =>
    sandbox.rad(["resource", "create", `Radius.Core/${type}`, name, "-g", "owners", "-f", "-"], {
      stdin: JSON.stringify({ properties: type === "environments" ? {} : { environment } }),
    });
  await put("environments", "owner-env");
  await put("applications", "owner-app");

  const { stdout } = await sandbox.rad(["resource", "list", "-g", "owners"]);

  assert.match(stdout, /^owner-app +Radius\.Core\/applications +owners +Succeeded$/m);
  assert.match(stdout, /^owner-env +Radius\.Core\/environments +owners +Succeeded$/m);
});

test("-e finds the environment, its applications, and the resources of those", async () => {
  await sandbox.rad(["group", "create", "whole"]);
  const scope = "/planes/radius/local/resourceGroups/whole/providers/Radius.Core";
  for (const [type, name, properties] of [
    ["Radius.Core/environments", "env", {}],
    ["Radius.Core/environments", "other", {}],
    ["Radius.Core/applications", "app", { environment: `${scope}/environments/env` }],
    ["Contoso.Test/widgets", "inside", { environment: "", application: `${scope}/applications/app` }],
    ["Contoso.Test/widgets", "outside", { environment: `${scope}/environments/other` }],
  ] as const) {
    const args = ["resource", "create", type, name, "-g", "whole", "-f", "-"];
    const { code, stderr } = await sandbox.rad(args, { stdin: JSON.stringify({ properties }) });
    assert.equal(code, 0, stderr);
  }

  const { stdout } = await sandbox.rad(["resource", "list", "-e", "env", "-g", "whole", "-o", "json"]);

  assert.deepEqual((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name).sort(), ["app", "env", "inside"]);
});

test("long lists are followed over all their pages", async () => {
  await sandbox.rad(["group", "create", "many"]);
  for (let n = 0; n < 25; n += 1) {
    await create(`m${n}`, {}, "-g", "many");
  }

  const { stdout } = await sandbox.rad(["resource", "list", "widgets", "-g", "many", "-o", "json"]);

  assert.equal((JSON.parse(stdout) as unknown[]).length, 25);
});

test("a wrong body is the server's error, naming the place", async () => {
  const { code, stdout, stderr } = await create("wrong", { size: "large" });

  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(
    stderr,
    /^Error: .+\nCode: {2}HttpRequestPayloadAPISpecValidationFailed\n {2}- .*\$\.properties\.size.*\n\nTraceId: /,
  );
});

for (const [what, stdin] of [
  ["a list", "[]"],
  ["nothing", ""],
  ["half an object", '{"properties":'],
  ["a key twice", '{"properties":{},"properties":{}}'],
] as const) {
  test(`${what} is not a resource`, async () => {
    const { code, stderr } = await sandbox.rad(["resource", "create", "widgets", "x", "-f", "-"], { stdin });

    assert.equal(code, 1);
    assert.match(stderr, /Code: {2}InvalidRequestContent\n\n$/);
  });
}

for (const [args, code] of [
  [["resource", "show", "widgets", "nope"], "NotFound"],
  [["resource", "show", "nope", "x"], "ResourceTypeNotFound"],
  [["resource", "show", "No.Such/type", "x"], "ResourceTypeNotFound"],
  [["resource", "show", "No.Such/type", "x", "--api-version", "2025-01-01"], "ResourceTypeNotFound"],
  [["resource", "list", "No.Such/type", "--api-version", "2025-01-01"], "ResourceTypeNotFound"],
  [["resource", "show", "contoso.test/WIDGETS", "nope", "--api-version", "2025-01-01-preview"], "NotFound"],
  [["resource", "list", "Contoso.Test/widgets", "--api-version", "2025-01-01-preview", "-g", "no"], "GroupNotFound"],
  [["resource", "show", "a/b/c", "x"], "InvalidResourceType"],
  [["resource", "show", "widgets", "a/b"], "InvalidResourceName"],
  [["resource", "show", "widgets"], "InvalidUsage"],
  [["resource", "create", "widgets", "x"], "InvalidUsage"],
  [["resource", "create", "widgets", "x", "-f", "missing.json"], "FileUnreadable"],
  [["resource", "list", "-a", "x", "-e", "y"], "InvalidUsage"],
  [["resource", "list", "-g", "x", "-A"], "InvalidUsage"],
  [["resource", "list", "widgets", "-a", "nope"], "ApplicationNotFound"],
] as const) {
  test(`rad ${args.join(" ")} fails with ${code}`, async () => {
    const result = await sandbox.rad(args);

    assert.equal(result.code, 1);
    assert.ok(result.stderr.includes(`Code:  ${code}\n`), result.stderr);
  });
}

test("an unknown api version is refused by the server", async () => {
  const { code, stderr } = await create("versioned", {}, "--api-version", "1999-01-01");

  assert.equal(code, 1);
  assert.match(stderr, /^Code: {2}BadRequest$/m);
});

test("a key that a resource does not have is an error rather than dropped", async () => {
  const stdin = JSON.stringify({ tag: { team: "a" }, properties: { environment } });
  const { code, stderr } = await sandbox.rad(["resource", "create", "widgets", "strict", "-f", "-"], { stdin });

  assert.equal(code, 1);
  assert.match(stderr, /^stdin has an unknown key "tag"/);
  assert.match(stderr, /^Code: +InvalidRequestContent$/m);
});

test("a group that does not exist is named as such by every command that needs it", async () => {
  const stdin = JSON.stringify({ properties: { environment } });
  for (const args of [["list"], ["list", "widgets"], ["show", "widgets", "w"], ["create", "widgets", "w", "-f", "-"]]) {
    const { code, stderr } = await sandbox.rad(["resource", ...args, "-g", "nowhere"], { stdin });

    assert.equal(code, 1);
    assert.match(stderr, /^The resource group "nowhere" does not exist/);
    assert.match(stderr, /^Code: +GroupNotFound$/m);
  }
});

test("deleting what is not there goes well, also in a group that is not there", async () => {
  for (const group of ["dev", "nowhere"]) {
    const deleted = await sandbox.rad(["resource", "delete", "widgets", "nothing", "--yes", "-g", group]);

    assert.deepEqual([deleted.code, deleted.stdout], [0, "Contoso.Test/widgets/nothing not found\n"]);
  }
});

test("what is not there is reported with its group and workspace", async () => {
  const { stderr } = await sandbox.rad(["resource", "show", "widgets", "nothing"]);

  assert.match(stderr, /"Contoso\.Test\/widgets\/nothing" does not exist in the group "dev" of workspace "\w+"/);
});

test("the operation of a resource is found by the id of the resource and its own", async () => {
  const client = createClient({ endpoint: server.url, token: server.token });
  const id = "/planes/radius/local/resourceGroups/dev/providers/Contoso.Test/widgets/tracked";
  const { headers } = await client.send({
    method: "PUT",
    path: id,
    query: { "api-version": "2025-01-01-preview" },
    body: { location: "global", properties: { environment } },
  });
  const operationId = /operationStatuses\/([^?]+)/i.exec(headers.get("azure-asyncoperation") ?? "")?.[1] ?? "";

  const status = await client.operations.ofResource(id, operationId);

  assert.ok(status.id.endsWith(`/operationstatuses/${operationId}`), status.id);
});
