import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestServer } from "@rad/client/testing";
import { ApiError } from "@rad/core";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, createSandbox, startControlPlane } from "../testing/sandbox.ts";
import { registerWidgets } from "../testing/widgets.ts";

let server: TestControlPlane;
/** Until then the widget `slow` is being deleted. */
const released = Promise.withResolvers<void>();
before(async () => {
  server = await startControlPlane({
    handlers: {
      "Contoso.Test/widgets": {
        delete: async ({ id }) => {
          if (id.name === "stuck") {
            throw new ApiError("Conflict", "It is in use.");
          }
          if (id.name === "slow") {
            await released.promise;
          }
        },
      },
    },
  });
});
after(() => server[Symbol.asyncDispose]());

async function inGroup(group: string): Promise<Sandbox> {
  const sandbox = await createConnectedSandbox(server);
  await ok(sandbox, "group", "create", group);
  await ok(sandbox, "group", "switch", group);
  await registerWidgets(sandbox);
  return sandbox;
}

async function ok(sandbox: Sandbox, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.rad(args);
  assert.equal(code, 0, `rad ${args.join(" ")}: ${stderr}`);
  return stdout;
}

async function put(sandbox: Sandbox, type: string, name: string, properties: object): Promise<string> {
  const stdin = JSON.stringify({ properties });
  const { code, stdout, stderr } = await sandbox.rad(["resource", "create", type, name, "-f", "-", "-o", "json"], {
    stdin,
  });
  assert.equal(code, 0, stderr);
  return (JSON.parse(stdout) as { id: string }).id;
}

/** An environment of the family with the application `shop` in it. */
async function shop(sandbox: Sandbox, family: "Applications.Core" | "Radius.Core"): Promise<string> {
  const compute = { kind: "kubernetes", namespace: "shop" };
  const environment = await put(sandbox, `${family}/environments`, "dev", family === "Radius.Core" ? {} : { compute });
  return await put(sandbox, `${family}/applications`, "shop", { environment });
}

test("applications are listed and shown, those of both families", async () => {
  await using sandbox = await inGroup("app-show");
  await shop(sandbox, "Applications.Core");
  await put(sandbox, "Radius.Core/applications", "next", { environment: "/e" });

  const list = await ok(sandbox, "app", "list");
  const older = await ok(sandbox, "app", "list", "--no-preview", "-o", "json");
  const shown = await ok(sandbox, "application", "show", "-a", "next");

  assert.match(
    list,
    /^RESOURCE +TYPE +GROUP +STATE\nnext +Radius\.Core\/applications +app-show +Succeeded\nshop +Applications\.Core\/applications +app-show +Succeeded\n$/,
  );
  assert.deepEqual(
    (JSON.parse(older) as { name: string }[]).map(({ name }) => name),
    ["shop"],
  );
  assert.equal(await ok(sandbox, "complete", "--", "app", "status", "sh"), "shop\t\n:4\n");
  assert.match(shown, /^next +Radius\.Core\/applications/m);
  assert.equal(
    JSON.parse(await ok(sandbox, "app", "show", "shop", "-o", "json")).properties.provisioningState,
    "Succeeded",
  );
});

test("the status counts resources and names the endpoints of gateways", async () => {
  const application = "/planes/radius/local/resourceGroups/dev/providers/Applications.Core/applications/shop";
  const gateways = "/planes/radius/local/resourceGroups/dev/providers/Applications.Core/gateways";
  const answers: readonly (readonly [path: string, body: object])[] = [
    [application, { id: application, name: "shop", type: "Applications.Core/applications", properties: {} }],
    [
      "/planes/radius/local/resourceGroups/dev/resources",
      { value: [{ id: `${gateways}/edge`, name: "edge", type: "Applications.Core/gateways" }] },
    ],
    [
      "/planes/radius/local/providers",
      {
        value: [
          {
            name: "Applications.Core",
            locations: {},
            resourceTypes: { gateways: { apiVersions: { "2023-10-01-preview": {} } } },
          },
        ],
      },
    ],
    [
      gateways,
      {
        value: [
          {
            id: `${gateways}/edge`,
            name: "edge",
            type: "Applications.Core/gateways",
            properties: {
              application: application.toUpperCase().replace("/PLANES", "/planes"),
              url: "http://edge.test",
            },
          },
          {
            id: `${gateways}/bare`,
            name: "bare",
            type: "Applications.Core/gateways",
            properties: { application },
          },
          {
            id: `${gateways}/other`,
            name: "other",
            type: "Applications.Core/gateways",
            properties: { url: "http://x" },
          },
        ],
      },
    ],
  ];
  await using scripted = await startTestServer({
    intercept: ({ path }, response) => {
      const [, body] = answers.find(([known]) => path.split("?")[0]?.endsWith(known)) ?? [];
      if (body !== undefined) {
        response.setHeader("content-type", "application/json").end(JSON.stringify(body));
      }
      return body !== undefined;
    },
  });
  await using sandbox = await createSandbox();
  await ok(sandbox, "workspace", "create", "server", "lab", "--url", scripted.url);

  const table = await ok(sandbox, "app", "status", "shop", "-g", "dev");
  const json = await ok(sandbox, "app", "status", "shop", "-g", "dev", "-o", "json");

  assert.equal(table, "APPLICATION  RESOURCES\nshop         2\n\nGATEWAY   ENDPOINT\nedge      http://edge.test\n");
  assert.deepEqual(JSON.parse(json), {
    Name: "shop",
    ResourceCount: 2,
    Gateways: [{ Name: "edge", Endpoint: "http://edge.test" }],
  });
});

for (const [family, line] of [
  ["Applications.Core", "Applications.Core/applications/shop deleted\n"],
  ["Radius.Core", "Application deleted\n"],
] as const) {
  test(`deleting an application of ${family} deletes its resources first and shows how it goes`, async () => {
    await using sandbox = await inGroup(`app-delete-${family.toLowerCase().replace(".", "-")}`);
    const application = await shop(sandbox, family);
    for (const name of ["a", "b", "c"]) {
      await put(sandbox, "Contoso.Test/widgets", name, { application, environment: "/e" });
    }
    await put(sandbox, "Contoso.Test/widgets", "kept", { environment: "/e" });

    const asked = await sandbox.rad(["app", "delete", "shop"]);
    const { code, stdout, stderr } = await sandbox.rad(["app", "delete", "shop", "--yes"]);
    const again = await sandbox.rad(["app", "delete", "shop", "--yes", "--no-preview"]);

    assert.match(
      asked.stderr,
      /^Delete the application "shop" of the environment "dev" and its 3 resource\(s\)\? .*`--yes`/,
    );
    assert.equal(code, 0, stderr);
    assert.equal(stdout, line);
    const lines = stderr
      .trimEnd()
      .split("\n")
      .map((text) => text.replace(/^\S+ /, "").replace(/ +/, " "));
    assert.deepEqual(lines.slice(0, 3), [
      "Running Contoso.Test/widgets/a",
      "Running Contoso.Test/widgets/b",
      "Running Contoso.Test/widgets/c",
    ]);
    assert.deepEqual(lines.slice(-2), [`Running ${family}/applications/shop`, `Completed ${family}/applications/shop`]);
    assert.deepEqual(again, { code: 0, stdout: "Applications.Core/applications/shop not found\n", stderr: "" });
    const left = JSON.parse(await ok(sandbox, "resource", "list", "widgets", "-o", "json")) as { name: string }[];
    assert.deepEqual(
      left.map(({ name }) => name),
      ["kept"],
    );
  });
}

test("what cannot be deleted is named, and the application stays", async () => {
  await using sandbox = await inGroup("app-stuck");
  const application = await shop(sandbox, "Radius.Core");
  await put(sandbox, "Contoso.Test/widgets", "free", { application, environment: "/e" });
  await put(sandbox, "Contoso.Test/widgets", "stuck", { application, environment: "/e" });

  const { code, stderr } = await sandbox.rad(["app", "delete", "shop", "-y"]);

  assert.equal(code, 1);
  assert.match(stderr, /Failed +Contoso\.Test\/widgets\/stuck\n/);
  assert.match(stderr, /Completed +Contoso\.Test\/widgets\/free\n/);
  assert.match(stderr, /^1 resource\(s\) could not be deleted: \S+\/widgets\/stuck\./m);
  assert.match(stderr, /Code: {2}DeleteIncomplete/);
  await ok(sandbox, "app", "show", "shop");
});

test("Ctrl+C says that deletions in progress go on, and ends with 130", async () => {
  await using sandbox = await inGroup("app-interrupt");
  const application = await shop(sandbox, "Radius.Core");
  await put(sandbox, "Contoso.Test/widgets", "slow", { application, environment: "/e" });
  const interrupt = new AbortController();

  const { code, stdout, stderr } = await sandbox.rad(["app", "delete", "shop", "-y"], {
    signal: interrupt.signal,
    onOutput: (text) => text.includes("Running") && setImmediate(() => interrupt.abort(new Error("SIGINT"))),
  });
  released.resolve();

  assert.deepEqual({ code, stdout }, { code: 130, stdout: "" });
  assert.match(stderr, /Deletions that have begun go on without this command\. Run it again to delete the rest\.\n$/);
  assert.doesNotMatch(stderr, /Failed/);
  await ok(sandbox, "app", "show", "shop");
});

for (const [line, code] of [
  ["app show", "NoApplication"],
  ["app show nope", "ApplicationNotFound"],
  ["app show a -a b", "InvalidUsage"],
  ["app show nope -g nowhere", "GroupNotFound"],
  ["app status nope", "ApplicationNotFound"],
  ["app list -g nowhere", "GroupNotFound"],
  ["app delete app.bicep", "InvalidUsage"],
  ["app delete -y", "NoApplication"],
] as const) {
  test(`rad ${line} fails with ${code}`, async () => {
    await using sandbox = await createConnectedSandbox(server);

    const result = await sandbox.rad(line.split(" "));

    assert.equal(result.code, 1);
    assert.equal(result.stdout, "");
    assert.ok(result.stderr.includes(`Code:  ${code}\n`), result.stderr);
  });
}

test("--force says what it may leave behind", async () => {
  await using sandbox = await inGroup("app-force");
  await shop(sandbox, "Radius.Core");

  const { code, stderr } = await sandbox.rad(["app", "delete", "shop", "--yes", "--force"]);

  assert.equal(code, 0);
  assert.match(stderr, /^Warning: `--force` deletes resources while other operations are running/);
});
