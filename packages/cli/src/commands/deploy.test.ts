import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { startWebServer } from "@rad/artifacts/testing";
import { startTestServer } from "@rad/client/testing";
import type { JsonObject } from "@rad/core";
import type { Sandbox } from "../testing/sandbox.ts";
import { createSandbox } from "../testing/sandbox.ts";
import type { DeploymentScript } from "../testing/scripted-deployments.ts";
import { operation, scriptedDeployments, sentProperties } from "../testing/scripted-deployments.ts";

const scope = "/planes/radius/local/resourceGroups/dev";
const widget = (name: string) => `${scope}/providers/Radius.Test/widgets/${name}`;
const nested = (name: string) => `${scope}/providers/Microsoft.Resources/deployments/${name}`;

const widgetFile = `extension radius

param size int = 1
@secure()
param key string = ''
param tags object = {}

resource w 'Radius.Test/widgets@2025-01-01-preview' = {
  name: 'w'
  properties: {
    size: size
    key: key
    tags: tags
  }
}

output size int = w.properties.size
`;

/** `rad` against a server on which deployments go as `script` says. */
async function setUp(script: DeploymentScript = {}, files: Readonly<Record<string, string>> = {}) {
  const server = await startTestServer({ intercept: scriptedDeployments(script) });
  const sandbox = await createSandbox();
  await sandbox.rad(["workspace", "create", "server", "lab", "--url", server.url]);
  await sandbox.rad(["group", "create", "dev"]);
  await sandbox.rad(["group", "switch", "dev"]);
  for (const [name, text] of Object.entries({ "app.bicep": widgetFile, ...files })) {
    await writeFile(join(sandbox.home, name), text);
  }
  return {
    server,
    sandbox,
    rad: (...args: Parameters<Sandbox["rad"]>) => sandbox.rad(...args),
    sent: () => sentProperties(server.requests),
    put: async (id: string, properties: object = {}) => {
      await fetch(`${server.url}/apis/api.ucp.dev/v1alpha3${id}`, {
        method: "PUT",
        body: JSON.stringify({ properties }),
      });
    },
    [Symbol.asyncDispose]: async () => {
      await sandbox[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const environment = `${scope}/providers/Radius.Core/environments/prod`;

test("a deployment is sent as upstream's client sends it", async () => {
  await using lab = await setUp();

  const { code, stderr } = await lab.rad(["deploy", "app.bicep", "-p", "size=3"]);

  assert.equal(code, 0, stderr);
  const put = lab.server.requests.find(({ method, path }) => method === "PUT" && path.includes("/deployments/"));
  assert.match(put?.path ?? "", /\/deployments\/rad-deploy-[0-9a-f-]{36}\?api-version=2020-10-01$/);
  const { template, ...rest } = lab.sent();
  assert.ok(template !== undefined);
  assert.deepEqual(rest, {
    parameters: { size: { value: 3 } },
    mode: "Incremental",
    providerconfig: {
      radius: { type: "Radius", value: { scope } },
      deployments: { type: "Microsoft.Resources", value: { scope } },
    },
  });
});

test("the environment brings the scopes of the clouds and the automatic parameters", async () => {
  const template = { resources: [], parameters: { Environment: { type: "string" }, application: { type: "string" } } };
  await using lab = await setUp({}, { "app.json": JSON.stringify(template) });
  await lab.put(environment, {
    providers: {
      azure: { subscriptionId: "s", resourceGroupName: "g" },
      aws: { accountId: "1", region: "r" },
    },
  });

  const { code, stderr } = await lab.rad(["deploy", "app.json", "-e", "prod", "-a", "shop"]);

  assert.equal(code, 0, stderr);
  const application = `${scope}/providers/Radius.Core/applications/shop`;
  const { parameters, providerconfig } = lab.sent();
  assert.deepEqual(parameters, { Environment: { value: environment }, application: { value: application } });
  assert.deepEqual(providerconfig, {
    radius: { type: "Radius", value: { scope } },
    deployments: { type: "Microsoft.Resources", value: { scope } },
    az: { type: "AzureResourceManager", value: { scope: "/subscriptions/s/resourceGroups/g" } },
    aws: { type: "AWS", value: { scope: "/planes/aws/aws/accounts/1/regions/r" } },
  });
  assert.deepEqual(lab.server.documents.get(application.toLowerCase())?.["properties"], {
    environment,
    provisioningState: "Succeeded",
  });
  assert.match(
    stderr,
    /Deploying template 'app\.json' for application 'shop' and environment '.*\/environments\/prod'/,
  );
});

test("--name names the deployment, and a template without an environment is announced without one", async () => {
  await using lab = await setUp();

  const { code, stderr } = await lab.rad(["deploy", "app.bicep", "--name", "release-7"]);
  const wrong = await lab.rad(["deploy", "app.bicep", "--name", "a/b"]);

  assert.equal(code, 0, stderr);
  assert.match(stderr, /^Deploying template 'app\.bicep' from workspace 'lab'\.\.\.$/m);
  assert.ok(lab.server.requests.some(({ path }) => path.includes("/deployments/release-7?")));
  assert.match(wrong.stderr, /Code: {2}InvalidDeploymentName/);
});

test("an application that exists is left alone", async () => {
  await using lab = await setUp();
  const application = `${scope}/providers/Applications.Core/applications/shop`;
  await lab.put(`${scope}/providers/Applications.Core/environments/prod`);
  await lab.put(application, { environment: "as it was" });

  const { code, stderr } = await lab.rad(["deploy", "app.bicep", "-e", "prod", "-a", "shop"]);

  assert.equal(code, 0, stderr);
  const puts = lab.server.requests.filter(({ method, path }) => method === "PUT" && path.includes(application));
  assert.equal(puts.length, 1);
});

test("an environment that is not there, in both families, or no environment at all", async () => {
  await using lab = await setUp();

  const missing = await lab.rad(["deploy", "app.bicep", "-e", "prod"]);
  const wrongId = await lab.rad(["deploy", "app.bicep", "-e", `${scope}/providers/Radius.Test/widgets/w`]);
  const none = await lab.rad(["deploy", "app.bicep", "-a", "shop"]);
  await lab.put(environment);
  await lab.put(`${scope}/providers/Applications.Core/environments/prod`);
  const both = await lab.rad(["deploy", "app.bicep", "-e", "prod"]);
  const byId = await lab.rad(["deploy", "app.bicep", "-e", environment]);

  assert.match(missing.stderr, /Code: {2}EnvironmentNotFound/);
  assert.match(wrongId.stderr, /Code: {2}InvalidEnvironment/);
  assert.match(none.stderr, /Code: {2}NoEnvironment/);
  assert.match(both.stderr, /Code: {2}AmbiguousEnvironment/);
  assert.equal(byId.code, 0, byId.stderr);
  assert.deepEqual([missing.code, wrongId.code, none.code, both.code], [1, 1, 1, 1]);
});

test("-a is refused when the template creates the environment, but not the application", async () => {
  const own = { type: "Radius.Core/environments@2025-08-01-preview", import: "radius", properties: { name: "own" } };
  const template = { languageVersion: "2.1-experimental", resources: { own } };
  const app = { type: "Radius.Core/applications@2025-08-01-preview", import: "radius", properties: { name: "Shop" } };
  const both = { ...template, resources: { own, app } };
  await using lab = await setUp({}, { "own.json": JSON.stringify(template), "both.json": JSON.stringify(both) });

  const { code, stderr } = await lab.rad(["deploy", "own.json", "-a", "shop"]);
  const other = await lab.rad(["deploy", "both.json", "-a", "store"]);

  assert.equal(code, 1);
  assert.match(stderr, /application "shop".*Declare the application in the template.*\nCode: {2}EnvironmentNotCreated/);
  assert.match(other.stderr, /Code: {2}EnvironmentNotCreated/);
  assert.deepEqual(lab.sent(), {});
  assert.equal((await lab.rad(["deploy", "both.json", "-a", "shop"])).code, 0);
});

test("what cannot be the name of an environment is not looked for", async () => {
  await using lab = await setUp();

  for (const name of ["", "a/b", "../prod", "/prod"]) {
    const { code, stderr } = await lab.rad(["deploy", "app.bicep", "-e", name]);

    assert.equal(code, 1);
    assert.match(stderr, /Code: {2}InvalidEnvironment/, name);
  }
});

test("an environment without recipe packs gets the default one, which is made once", async () => {
  const file = `extension radius

resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'prod'
  properties: {}
}
`;
  await using lab = await setUp({}, { "env.bicep": file });

  const first = await lab.rad(["deploy", "env.bicep"]);
  const second = await lab.rad(["deploy", "env.bicep"]);

  assert.equal(first.code, 0, first.stderr);
  assert.equal(second.code, 0, second.stderr);
  const pack = "/planes/radius/local/resourceGroups/default/providers/Radius.Core/recipePacks/default";
  assert.ok(lab.server.documents.has(pack.toLowerCase()));
  assert.ok(JSON.stringify(lab.sent()["template"]).includes(`"recipePacks":["${pack}"]`));
  const puts = lab.server.requests.filter(({ method, path }) => method === "PUT" && path.includes("/recipePacks/"));
  assert.equal(puts.length, 1);
});

test("parameters come from files, in order, in the types that the template declares", async () => {
  await using lab = await setUp(
    {},
    {
      "common.json": JSON.stringify({ parameters: { SIZE: { value: 7 }, key: { value: "k1" } } }),
      "tags.json": JSON.stringify({ a: [1] }),
      "app.bicepparam": "using 'app.bicep'\n\nparam size = 8\nparam key = ''\n",
    },
  );

  const { code, stderr } = await lab.rad([
    "deploy",
    "app.bicep",
    "-p",
    "@common.json",
    "-p",
    "tags=@tags.json",
    "-p",
    "app.bicepparam",
    "-p",
    "Size=9",
  ]);

  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stderr, /Warning: app\.bicepparam/);
  assert.deepEqual(lab.sent()["parameters"], {
    size: { value: 9 },
    key: { value: "" },
    tags: { value: { a: [1] } },
  });
});

test("a parameters file for another template is used with a warning", async () => {
  await using lab = await setUp(
    {},
    { "other.bicep": "param size int\n", "other.bicepparam": "using 'other.bicep'\n\nparam size = 8\n" },
  );

  const { code, stderr } = await lab.rad(["deploy", "app.bicep", "-p", "@other.bicepparam"]);

  assert.equal(code, 0, stderr);
  assert.match(stderr, /Warning: other\.bicepparam is written for .*other\.bicep/);
  assert.deepEqual(lab.sent()["parameters"], { size: { value: 8 } });
});

test("a parameters file deploys the template that it is written for", async () => {
  await using lab = await setUp({}, { "app.bicepparam": "using './app.bicep'\n\nparam size = 8\nparam key = 'k'\n" });

  const { code, stderr } = await lab.rad(["deploy", "app.bicepparam", "-p", "key=other"]);

  assert.equal(code, 0, stderr);
  assert.match(stderr, /Building app\.bicep\.\.\./);
  assert.doesNotMatch(stderr, /Warning/);
  assert.ok(JSON.stringify(lab.sent()["template"]).includes("Radius.Test/widgets"));
  assert.deepEqual(lab.sent()["parameters"], { size: { value: 8 }, key: { value: "other" } });
});

test("a parameters file that names no template, or a missing one, is not deployed", async () => {
  await using lab = await setUp({}, { "none.bicepparam": "using none\n", "lost.bicepparam": "using 'lost.bicep'\n" });

  const none = await lab.rad(["deploy", "none.bicepparam"]);
  const lost = await lab.rad(["deploy", "lost.bicepparam"]);

  assert.equal(none.code, 1);
  assert.match(none.stderr, /`rad deploy app\.bicep -p none\.bicepparam`[^]*InvalidUsage/);
  assert.equal(lost.code, 1);
  assert.match(lost.stderr, /lost\.bicepparam\(1,7\) : Error BCP091/);
});

test("a template from a URL cannot use files beside it, and says so at its URL", async () => {
  const source = "module m './m.bicep' = {\n  name: 'm'\n}\nvar t = loadTextContent('../t.txt')\noutput o string = t\n";
  await using web = await startWebServer((_request, response) => response.end(source));
  await using lab = await setUp();

  const { code, stderr } = await lab.rad(["deploy", `${web.url}/app.bicep?sig=canary`]);

  assert.equal(code, 1);
  const place = `${web.url}/app.bicep?sig=redacted`;
  const text = "Relative paths are not supported in a template from a URL";
  assert.ok(stderr.includes(`${place}(1,10) : Error BCP091: ${text}: './m.bicep'.`), stderr);
  assert.ok(stderr.includes(`${place}(4,25) : Error BCP091: ${text}: '../t.txt'.`), stderr);
  assert.doesNotMatch(stderr, /rad-template-|canary/);
});

const brokenTable = [
  ["an unknown parameter", ["app.bicep", "-p", "siez=1"], "UnknownParameter"],
  ["a value of the wrong type", ["app.bicep", "-p", "size=big"], "InvalidParameterValue"],
  ["something that is no parameter", ["app.bicep", "-p", "size"], "InvalidParameter"],
  ["a parameters file that is not there", ["app.bicep", "-p", "@none.json"], "FileUnreadable"],
  ["a parameters file that is no JSON", ["app.bicep", "-p", "@app.bicep"], "InvalidParameterFile"],
  ["a missing parameter", ["needy.json"], "MissingParameters"],
  ["a file of another kind", ["app.yaml"], "InvalidUsage"],
  ["a template that is not there", ["none.json"], "FileUnreadable"],
  ["a template that is no JSON", ["bad.json"], "InvalidTemplate"],
  ["a template that is no object", ["list.json"], "InvalidTemplate"],
  ["--preview without an application", ["app.bicep", "--preview"], "InvalidUsage"],
  ["no file at all", [], "InvalidUsage"],
] as const;

test("what is wrong with a command line is said before anything is sent", async (t) => {
  await using lab = await setUp(
    {},
    {
      "needy.json": JSON.stringify({ resources: [], parameters: { must: { type: "string" } } }),
      "bad.json": "{",
      "list.json": "[]",
      "app.yaml": "a: 1",
    },
  );
  for (const [what, args, expected] of brokenTable) {
    await t.test(what, async () => {
      const { code, stderr, stdout } = await lab.rad(["deploy", ...args]);

      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`Code: {2}${expected}`));
      assert.equal(stdout, "");
    });
  }
  assert.deepEqual(lab.sent(), {});
});

test("what is missing is named with the flag that sets it", async () => {
  const needy = {
    resources: [],
    parameters: { zone: {}, environment: {}, Application: {}, optional: { nullable: true } },
  };
  await using lab = await setUp({}, { "needy.json": JSON.stringify(needy) });

  const { stderr } = await lab.rad(["deploy", "needy.json"]);
  const noEnvironment = await lab.rad(["deploy", "app.bicep", "-a", "shop"]);
  const noSuchEnvironment = await lab.rad(["deploy", "app.bicep", "-e", "prod"]);

  assert.equal(
    stderr,
    `The template has parameters without a value and without a default:
  - Application: use \`--application <name>\`
  - environment: use \`--environment <name>\`
  - zone: use \`--parameters zone=<value>\`
Code:  MissingParameters

`,
  );
  assert.ok(
    noEnvironment.stderr.endsWith(
      `The application "shop" needs an environment, and the workspace "lab" has none. Use \`--environment <name>\`.\nCode:  NoEnvironment\n\n`,
    ),
  );
  assert.ok(
    noSuchEnvironment.stderr.endsWith(
      `The environment "prod" does not exist in ${scope}. Name another one with \`--environment\`, or create it: \`rad env create prod -g dev --preview\`.\nCode:  EnvironmentNotFound\n\n`,
    ),
  );
});

test("an integer that would be sent as another one is refused, wherever it comes from", async () => {
  const large = "9007199254740993";
  await using lab = await setUp(
    {},
    {
      "p.json": `{"parameters": {"size": {"value": ${large}}}}`,
      "value.json": `{"deep": [${large}]}`,
      "p.bicepparam": `using 'app.bicep'\nparam size = ${large}\n`,
      "t.json": `{"parameters": {"size": {"type": "int", "defaultValue": ${large}}}}`,
      "t.bicep": `param size int = ${large}\noutput size int = size\n`,
      "fine.json": `{"parameters": {"tags": {"value": {"float": 1e300, "int": -9007199254740991}}}}`,
    },
  );

  for (const args of [
    ["app.bicep", "-p", "@p.json"],
    ["app.bicep", "-p", "tags=@value.json"],
    ["app.bicep", "-p", `tags={"deep": ${large}}`],
    ["app.bicep", "-p", "p.bicepparam"],
    ["t.json"],
    ["t.bicep"],
  ]) {
    const { code, stderr } = await lab.rad(["deploy", ...args]);

    assert.equal(code, 1);
    assert.match(stderr, /Code: {2}IntegerTooLarge/, args.join(" "));
    assert.ok(!stderr.includes(large));
  }
  assert.equal((await lab.rad(["deploy", "app.bicep", "-p", "@fine.json"])).code, 0);
});

test("a file that does not compile is not sent", async () => {
  await using lab = await setUp({}, { "broken.bicep": "resource x\n" });

  const { code, stderr } = await lab.rad(["deploy", "broken.bicep"]);

  assert.equal(code, 1);
  assert.match(stderr, /broken\.bicep\(1,\d+\) : Error BCP/);
  assert.deepEqual(lab.sent(), {});
});

const inTwoSteps: DeploymentScript = {
  snapshots: [
    {
      state: "Running",
      operations: {
        "": [
          operation(widget("a"), "Succeeded", { changeType: "Create" }),
          operation(nested("mod"), "Running"),
          operation(widget("read"), "Succeeded", { provisioningOperation: "Read" }),
        ],
      },
    },
    {
      state: "Succeeded",
      operations: {
        "": [operation(widget("a"), "Succeeded", { changeType: "Create" }), operation(nested("mod"), "Succeeded")],
        mod: [operation(widget("b"), "Running")],
      },
      properties: {
        outputResources: [{ id: widget("b") }, { id: widget("a") }, { id: widget("c") }],
        outputs: {
          url: { type: "String", value: "http://x" },
          list: { type: "Array", value: [1] },
          nothing: { type: "String" },
          secret: { type: "SecureString" },
        },
      },
    },
  ],
};

test("progress without a terminal is one line per change, nested ones indented", async () => {
  await using lab = await setUp(inTwoSteps);

  const { code, stdout, stderr } = await lab.rad(["deploy", "app.bicep"]);

  assert.equal(code, 0, stderr);
  const lines = stderr.split("\n").filter((line) => /^\d{4}-/.test(line));
  assert.deepEqual(
    lines.map((line) => line.replace(/^\S+ /, "")),
    [
      "Completed Radius.Test/widgets/a (created)",
      "Running   Microsoft.Resources/deployments/mod",
      "Completed Microsoft.Resources/deployments/mod",
      "Completed   Radius.Test/widgets/b",
      "Completed Radius.Test/widgets/c",
    ],
  );
  assert.equal(
    stdout,
    `
Deployment Complete

Resources:
    a               Radius.Test/widgets  created
    b               Radius.Test/widgets
    c               Radius.Test/widgets

Outputs:
    url: http://x
    list: [1]
    nothing: null
    secret: ********
`,
  );
});

test("with -o json stdout is one document, and stderr has a line per event", async () => {
  await using lab = await setUp(inTwoSteps);

  const { stdout, stderr } = await lab.rad(["deploy", "app.bicep", "-o", "json"]);

  const result = JSON.parse(stdout);
  assert.equal(result.provisioningState, "Succeeded");
  assert.deepEqual(result.resources[0], {
    id: widget("a"),
    type: "Radius.Test/widgets",
    name: "a",
    change: "created",
  });
  assert.deepEqual(result.outputs.secret, { type: "SecureString" });
  const events = stderr.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  assert.deepEqual(
    events.map(({ event, state }) => `${event} ${state}`),
    [
      "resource Completed",
      "resource Running",
      ...Array.from({ length: 3 }, () => "resource Completed"),
      "ended Succeeded",
    ],
  );
});

test("on a terminal the list is redrawn", async () => {
  await using lab = await setUp(inTwoSteps);

  const { code, stderr } = await lab.rad(["deploy", "app.bicep"], { keyboard: new PassThrough() });

  assert.equal(code, 0, stderr);
  const screen = stripVTControlCharacters(stderr);
  assert.match(screen, /Deployment In Progress\.\.\./);
  assert.match(screen, /\.{1,3} +mod +Microsoft\.Resources\/deployments/);
  assert.match(screen, /Completed +b +Radius\.Test\/widgets/);
});

const recipeSteps = (state: string, apply: JsonObject): JsonObject[] => [
  { name: "recipe", state, steps: [{ name: "apply", ...apply }] },
];

const withSteps: DeploymentScript = {
  snapshots: [
    {
      state: "Running",
      operations: { "": [operation(widget("a"), "Running", { trackingId: "t1" })] },
      steps: { t1: recipeSteps("Running", { state: "Running", detail: "creating bucket", share: 0.25 }) },
    },
    {
      state: "Running",
      operations: { "": [operation(widget("a"), "Running", { trackingId: "t1" })] },
      steps: { t1: recipeSteps("Running", { state: "Failed", detail: "creating bucket", message: "no quota" }) },
    },
    {
      state: "Succeeded",
      operations: {
        "": [
          operation(widget("a"), "Succeeded", {
            trackingId: "t1",
            warnings: ["depth is unknown", "depth is unknown"],
          }),
          operation(nested("mod"), "Succeeded"),
        ],
        mod: [operation(widget("b"), "Succeeded", { warnings: ["width is \u001b[2Junknown"] })],
      },
    },
  ],
};

test("without a terminal steps have a line when they begin and when they end, and warnings come last", async () => {
  await using lab = await setUp(withSteps);

  const { code, stderr } = await lab.rad(["deploy", "app.bicep"]);

  assert.equal(code, 0, stderr);
  const lines = stderr.split("\n").filter((line) => /^\d{4}-|^Warning/.test(line));
  assert.deepEqual(
    lines.map((line) => line.replace(/^\d\S+ /, "")),
    [
      "Running   Radius.Test/widgets/a",
      "Running   Radius.Test/widgets/a: recipe",
      "Running   Radius.Test/widgets/a: recipe > apply - creating bucket",
      "Failed    Radius.Test/widgets/a: recipe > apply - no quota",
      "Completed Radius.Test/widgets/a",
      "Completed Microsoft.Resources/deployments/mod",
      "Completed   Radius.Test/widgets/b",
      "Warning: Radius.Test/widgets/a: depth is unknown",
      "Warning: Radius.Test/widgets/b: width is unknown",
    ],
  );
});

test("with -o json steps are events, and the document has the warnings", async () => {
  await using lab = await setUp(withSteps);

  const { stdout, stderr } = await lab.rad(["deploy", "app.bicep", "-o", "json"]);

  const events = stderr.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  assert.deepEqual(
    events
      .filter(({ event }) => event === "step")
      .map(({ state, step, detail, share }) => [state, step, detail, share]),
    [
      ["Running", ["recipe"], undefined, undefined],
      ["Running", ["recipe", "apply"], "creating bucket", 0.25],
      ["Failed", ["recipe", "apply"], "creating bucket", undefined],
    ],
  );
  assert.deepEqual(JSON.parse(stdout).warnings, [
    "Radius.Test/widgets/a: depth is unknown",
    "Radius.Test/widgets/b: width is \u001b[2Junknown",
  ]);
});

test("on a terminal running steps stand below their resource", async () => {
  await using lab = await setUp(withSteps);

  const { stderr } = await lab.rad(["deploy", "app.bicep"], { keyboard: new PassThrough() });

  assert.match(
    stripVTControlCharacters(stderr),
    /\.{1,3} +a +Radius\.Test\/widgets\s+recipe\s+apply 25% {2}creating bucket/,
  );
});

test("--quiet says nothing on the way", async () => {
  await using lab = await setUp(inTwoSteps);

  const { code, stderr, stdout } = await lab.rad(["deploy", "app.bicep", "--quiet"], { keyboard: new PassThrough() });

  assert.deepEqual([code, stderr, stdout], [0, "", ""]);
});

for (const [runtimes, line] of [
  [
    [],
    /\nAll resources are recorded only: no runtime is attached to Radius\.Test\/queues, Radius\.Test\/widgets, so nothing/,
  ],
  [["radius.test/Queues"], /\n2 of 3 resources are recorded only: no runtime is attached to Radius\.Test\/widgets, so/],
  [["Radius.Test/queues", "Radius.Test/widgets"], undefined],
  [undefined, undefined],
] as const) {
  test(`with runtimes for ${runtimes?.join(", ") ?? "nobody knows what"} the end tells what is only recorded`, async () => {
    const ids = [widget("a"), widget("b"), `${scope}/providers/Radius.Test/queues/q`, nested("module")];
    const properties = { outputResources: ids.map((id) => ({ id })) };
    await using lab = await setUp({
      snapshots: [{ state: "Succeeded", properties }],
      ...(runtimes === undefined ? {} : { runtimes }),
    });

    const { stdout } = await lab.rad(["deploy", "app.bicep"]);
    const json = JSON.parse((await lab.rad(["deploy", "app.bicep", "-o", "json"])).stdout);

    if (line === undefined) {
      assert.doesNotMatch(stdout, /recorded only/);
    } else {
      assert.match(stdout, line);
    }
    assert.equal(
      json.resources.find(({ name }: { name: string }) => name === "a").hasRuntime,
      runtimes?.includes("Radius.Test/widgets" as never),
    );
  });
}

test("applications and settings of Radius.Core are not said to be only recorded", async () => {
  const ids = [
    `${scope}/providers/Radius.Core/applications/shop`,
    `${scope}/providers/Radius.Core/terraformSettings/t`,
  ];
  const properties = { outputResources: ids.map((id) => ({ id })) };
  await using lab = await setUp({ snapshots: [{ state: "Succeeded", properties }], runtimes: [] });

  const { stdout } = await lab.rad(["deploy", "app.bicep"]);

  assert.match(stdout, /terraformSettings/);
  assert.doesNotMatch(stdout, /recorded only/);
});

for (const [kubernetes, runtimes, isSaid] of [
  ["folder", ["Radius.Test/widgets"], true],
  ["folder", ["Radius.Core/applications"], false],
  ["cluster", ["Radius.Test/widgets"], false],
] as const) {
  test(`with a ${kubernetes} and runtimes for ${runtimes.join(", ")} the end tells whether anything runs`, async () => {
    const ids = [widget("a"), `${scope}/providers/Radius.Core/applications/shop`];
    const properties = { outputResources: ids.map((id) => ({ id })) };
    await using lab = await setUp({ snapshots: [{ state: "Succeeded", properties }], runtimes, kubernetes });

    const { stdout } = await lab.rad(["deploy", "app.bicep"]);

    assert.equal(/\nThe control plane has no cluster: it writes .* manifests folder/.test(stdout), isSaid, stdout);
  });
}

for (const [url, shown] of [
  ["http://edge.example", "http:\\/\\/edge\\.example"],
  ["unknown", "unknown \\(set kubernetes\\.publicEndpoint of the control plane\\)"],
] as const) {
  test(`gateways are shown with their URL: ${url}`, async () => {
    const gateway = `${scope}/providers/Applications.Core/gateways/edge`;
    await using lab = await setUp({
      snapshots: [{ state: "Succeeded", properties: { outputResources: [{ id: gateway }] } }],
    });
    const registry = "/planes/radius/local/providers/System.Resources/resourceproviders/Applications.Core";
    await lab.put(registry);
    await lab.put(`${registry}/resourcetypes/gateways`);
    await lab.put(`${registry}/resourcetypes/gateways/apiversions/2023-10-01-preview`);
    await lab.put(gateway, { url });

    const { stdout } = await lab.rad(["deploy", "app.bicep"]);

    assert.match(stdout, new RegExp(`\nPublic Endpoints:\n {4}edge +Applications\\.Core/gateways ${shown}\n`));
  });
}

const violation = (path: string) => [{ type: "TemplateViolation", info: { path } }];
const failure = {
  code: "DeploymentFailed",
  message: "At least one resource deployment operation failed.",
  details: [
    {
      code: "ResourceDeploymentFailure",
      message: "Failed",
      target: widget("w"),
      details: [{ code: "BadRequest", message: "size is too large" }],
      additionalInfo: violation("$.resources.w.properties.properties.size"),
    },
  ],
};

test("a failure shows the line of Bicep once, and the trace id", async () => {
  await using lab = await setUp({
    snapshots: [
      {
        state: "Failed",
        operations: { "": [operation(widget("w"), "Failed")] },
        properties: { error: failure },
      },
    ],
  });

  const { code, stdout, stderr } = await lab.rad(["deploy", "app.bicep"]);

  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /Failed +Radius\.Test\/widgets\/w/);
  assert.match(stderr, /app\.bicep\(11,5\) : Error BadRequest: size is too large \(Radius\.Test\/widgets\/w\)\n/);
  assert.equal(stderr.split("size is too large").length, 2, stderr);
  assert.match(stderr, /\nError: At least one resource.*\nCode: {2}DeploymentFailed\n\nTraceId: {2}[0-9a-f]{32}\n\n$/);
});

test("errors without a place are a tree of codes and messages; successes and repeated messages are left out", async () => {
  const error: JsonObject = {
    code: "DeploymentFailed",
    message: "At least one failed.",
    details: [
      ...failure.details,
      { code: "OK", message: "OK", target: widget("fine") },
      {
        code: "ResourceDeploymentFailure",
        message: "Failed",
        target: widget("v"),
        details: [
          { code: "Wrapped", message: "no quota", details: [{ code: "QuotaExceeded", message: "no quota" }] },
          { code: "Second", message: "and \u001b[2Jmore\nlines" },
        ],
      },
    ],
  };
  await using lab = await setUp({ snapshots: [{ state: "Failed", properties: { error } }] });

  const { stderr } = await lab.rad(["deploy", "app.bicep"]);

  assert.match(stderr, /app\.bicep\(11,5\) : Error BadRequest: size is too large \(Radius\.Test\/widgets\/w\)\n/);
  assert.match(
    stderr,
    /\nError: At least one failed\.\nCode: {2}DeploymentFailed\n {2}- Wrapped: no quota \(Radius\.Test\/widgets\/v\)\n {4}- QuotaExceeded\n {2}- Second: and more lines \(Radius\.Test\/widgets\/v\)\n\nTraceId/,
  );
  assert.equal(stderr.split("size is too large").length, 2, stderr);
  assert.doesNotMatch(stderr, /OK|"code"/);
});

test("with -o json a refused deployment is an error document, and so is one that does not compile", async () => {
  const refusal = { code: "InvalidTemplate", message: "no", additionalInfo: violation("$.outputs.size.value") };
  await using lab = await setUp({ refusal: () => refusal }, { "bad.bicep": "param a strin\nvar b = c\n" });

  const refused = await lab.rad(["deploy", "app.bicep", "-o", "json"]);
  const broken = await lab.rad(["deploy", "bad.bicep", "-o", "json"]);
  const missing = await lab.rad(["deploy", "app.bicep", "-p", "nosuch=1", "-o", "json"]);

  assert.deepEqual([refused.code, broken.code, missing.code], [1, 1, 1]);
  assert.deepEqual(JSON.parse(refused.stdout), { error: refusal });
  const { error } = JSON.parse(broken.stdout);
  assert.equal(error.code, "CompilationFailed");
  assert.match(error.message, /^bad\.bicep has \d errors\.$/);
  assert.match(error.details[0].target, /bad\.bicep\(1,9\)$/);
  assert.equal(JSON.parse(missing.stdout).error.code, "UnknownParameter");
});

test("at a terminal the line is shown too", async () => {
  await using lab = await setUp({ snapshots: [{ state: "Failed", properties: { error: failure } }] });

  const { stderr } = await lab.rad(["deploy", "app.bicep"], { keyboard: new PassThrough() });

  assert.match(stripVTControlCharacters(stderr), /\n11 \|     size: size\n +\^\n/);
});

test("with -o json a failure is in the document", async () => {
  await using lab = await setUp({ snapshots: [{ state: "Failed", properties: { error: failure } }] });

  const { code, stdout } = await lab.rad(["deploy", "app.bicep", "-o", "json"]);

  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(stdout).error, failure);
});

test("a refused deployment shows where its template is wrong", async () => {
  const refusal = {
    code: "InvalidTemplate",
    message: "Deployment template validation failed: no.",
    additionalInfo: violation("$.outputs.size.value"),
  };
  await using lab = await setUp({ refusal: () => refusal });

  for (const args of [[], ["--what-if"]]) {
    const { code, stderr } = await lab.rad(["deploy", "app.bicep", ...args]);

    assert.equal(code, 1);
    assert.match(stderr, /app\.bicep\(17,19\) : Error InvalidTemplate: Deployment template validation failed: no\.\n/);
    assert.match(stderr, /\nError: app\.bicep cannot be deployed: see the error above\.\nCode: {2}InvalidTemplate\n\n/);
  }
});

test("a refused template whose errors are all shown at their lines repeats none of them", async () => {
  const first = { code: "InvalidTemplate", message: "no widget", additionalInfo: violation("$.resources.w") };
  const second = { code: "InvalidTemplate", message: "no size", additionalInfo: violation("$.outputs.size.value") };
  const message = "Deployment template validation failed: no widget";
  await using lab = await setUp({
    refusal: () => ({ code: "InvalidTemplate", message, details: [first, second] }),
  });

  const { stderr } = await lab.rad(["deploy", "app.bicep"]);

  assert.equal(stderr.match(/no widget/g)?.length, 1, stderr);
  assert.match(stderr, /\nError: app\.bicep cannot be deployed: see the errors above\.\nCode: {2}InvalidTemplate\n\n/);
});

test("a Radius type that is taken for one of Azure is a wrong version", async () => {
  const template = { resources: [{ type: "Applications.Core/containers", apiVersion: "1999-01-01", name: "c" }] };
  const message = `The resource is of the Azure type "Applications.Core/containers", but the deployment has no Azure scope.`;
  await using lab = await setUp(
    { refusal: () => ({ code: "InvalidTemplate", message }) },
    { "old.json": JSON.stringify(template) },
  );

  const { stderr } = await lab.rad(["deploy", "old.json"]);

  assert.match(stderr, /Applications\.Core\/containers is wrong or not supported.*\nCode: {2}UnsupportedApiVersion/);
});

test("a type of one's own that no extension has is told from those of Azure", async () => {
  const resources = ["Contoso.Test/widgets", "Microsoft.Storage/storageAccounts"].map((type) => ({ type, name: "n" }));
  const message = "The resource needs Azure, which is not available here.";
  await using lab = await setUp(
    { refusal: () => ({ code: "InvalidTemplateDeployment", message }) },
    { "own.json": JSON.stringify({ resources }) },
  );

  const { code, stderr } = await lab.rad(["deploy", "own.json"]);

  assert.equal(code, 1);
  assert.match(stderr, /^Contoso\.Test\/widgets counts as a type of Azure, because no extension that own\.json uses/m);
  assert.doesNotMatch(stderr, /^Microsoft\.Storage/m);
  assert.match(stderr, /InvalidTemplateDeployment/);
});

const prediction: JsonObject = {
  status: "Succeeded",
  properties: {
    changes: [
      { resourceId: widget("new"), changeType: "Create", after: { properties: { size: 3 } } },
      {
        resourceId: widget("old"),
        changeType: "Modify",
        delta: [
          { path: "properties.size", propertyChangeType: "Modify", before: 1, after: 2 },
          {
            path: "properties.list",
            propertyChangeType: "Array",
            children: [{ path: "0", propertyChangeType: "Create", after: "x" }],
          },
          { path: "properties.gone", propertyChangeType: "Delete", before: "y" },
          { path: "properties.key", propertyChangeType: "Modify" },
        ],
      },
      { resourceId: widget("same"), changeType: "NoChange" },
      { resourceId: widget("other"), changeType: "Ignore" },
      { resourceId: "/subscriptions/s/providers/A.B/c/d", changeType: "Unsupported", unsupportedReason: "no Azure" },
    ],
  },
};

test("--what-if shows what would change and changes nothing", async () => {
  await using lab = await setUp({ whatIf: prediction });
  await lab.put(environment);

  const { code, stdout, stderr } = await lab.rad(["deploy", "app.bicep", "--what-if", "-e", "prod", "-a", "shop"]);

  assert.equal(code, 0, stderr);
  assert.equal(
    stdout,
    `Scope: ${scope}

  + Radius.Test/widgets/new
      + properties.size: 3
  ~ Radius.Test/widgets/old
      ~ properties.size: 1 => 2
      + properties.list.0: "x"
      - properties.gone: "y"
      ~ properties.key: (not shown) => (not shown)
  = Radius.Test/widgets/same
  * Radius.Test/widgets/other

Scope: /subscriptions/s

  x A.B/c/d (no Azure)

Resource changes: 1 to create, 1 to change, 1 without change, 1 to ignore, 1 unsupported.
`,
  );
  assert.match(stderr, /application "shop" does not exist yet/);
  assert.deepEqual(lab.sent(), {});
  assert.ok(!lab.server.documents.has(`${scope}/providers/radius.core/applications/shop`.toLowerCase()));
});

test("--what-if says which resource would fail, and where it is written", async () => {
  const diagnostic = { code: "InvalidProperties", level: "Error", message: "$.properties.size: must be at most 100." };
  const diagnostics = [
    { ...diagnostic, target: widget("w"), additionalInfo: violation("$.resources.w") },
    { code: "Soon", level: "Info", message: "not known yet", target: nested("mine") },
  ];
  await using lab = await setUp({ whatIf: { status: "Succeeded", properties: { changes: [], diagnostics } } });

  const { code, stdout, stderr } = await lab.rad(["deploy", "app.bicep", "--what-if"]);

  assert.equal(code, 1);
  assert.doesNotMatch(stdout, /InvalidProperties/); // once is enough
  assert.match(stdout, /^Info Soon: not known yet$/m);
  assert.match(stderr, /app\.bicep\(11,5\) : Error InvalidProperties: .* \(Radius\.Test\/widgets\/w\)\n/);
});

test("--what-if -o json is the control plane's own answer", async () => {
  await using lab = await setUp({ whatIf: prediction });

  const { stdout } = await lab.rad(["deploy", "app.bicep", "--what-if", "-o", "json"]);

  assert.deepEqual(JSON.parse(stdout), prediction);
});

test("--what-if-recipes asks for plans, shows them, and implies --what-if", async () => {
  const recipe = {
    name: "default",
    kind: "terraform",
    source: "acme/db/aws",
    action: "run",
    reasons: ["newResource"],
    plan: { status: "Succeeded", changes: [{ address: "module.default.x.a", action: "create", attributes: [] }] },
  };
  const changes = [{ resourceId: widget("w"), changeType: "Create", recipe }];
  await using lab = await setUp({ whatIf: { status: "Succeeded", properties: { changes } } });

  const { code, stdout, stderr } = await lab.rad(["deploy", "app.bicep", "--what-if-recipes"]);

  assert.equal(code, 0, stderr);
  assert.match(stdout, /recipe "default" \(terraform, acme\/db\/aws\) will run: the resource is new\n {10}\+ module/);
  assert.match(stdout, /^Recipe changes: 1 to create\.$/m);
  const asked = lab.server.requests.find(({ path }) => path.includes("/whatIf"));
  const { properties } = (asked?.body ?? {}) as { properties?: { whatIfSettings: unknown } };
  assert.deepEqual(properties?.whatIfSettings, { planRecipes: true });
  assert.deepEqual(lab.sent(), {});
});

test("--confirm asks, and deploys only after a yes", async () => {
  await using lab = await setUp({ whatIf: prediction });

  const unasked = await lab.rad(["deploy", "app.bicep", "--confirm"]);
  assert.match(unasked.stderr, /Code: {2}ConfirmationRequired/);

  for (const [keys, expected] of [
    ["\r", 0],
    ["\u001b[B\r", 1],
  ] as const) {
    const keyboard = new PassThrough();
    let asked = false;
    const { code } = await lab.rad(["deploy", "app.bicep", "--confirm"], {
      keyboard,
      onOutput: (text) => {
        if (!asked && text.includes("Yes")) {
          asked = true;
          setImmediate(() => keyboard.write(keys));
        }
      },
    });

    assert.equal(code, 0);
    assert.equal(Object.keys(lab.sent()).length > 0 ? 1 : 0, expected);
  }
});

test("--confirm asks nothing when nothing changes", async () => {
  const same = { resourceId: widget("same"), changeType: "NoChange" };
  await using lab = await setUp({ whatIf: { status: "Succeeded", properties: { changes: [same] } } });

  const { code, stdout, stderr } = await lab.rad(["deploy", "app.bicep", "--confirm"]);

  assert.equal(code, 0, stderr);
  assert.match(stderr, /Nothing changes, so there is nothing to confirm\./);
  assert.match(stdout, /Deployment Complete/);
});

test("--confirm asks when only the application is new", async () => {
  await using lab = await setUp({ whatIf: { status: "Succeeded", properties: { changes: [] } } });
  await lab.put(environment);

  const { code, stderr } = await lab.rad(["deploy", "app.bicep", "--confirm", "-e", "prod", "-a", "shop"]);

  assert.equal(code, 1);
  assert.match(stderr, /Code: {2}ConfirmationRequired/);
});

test("--confirm --yes shows the changes and goes ahead", async () => {
  await using lab = await setUp({ whatIf: prediction });

  const { code, stdout, stderr } = await lab.rad(["deploy", "app.bicep", "--confirm", "--yes", "-o", "json"]);

  assert.equal(code, 0, stderr);
  assert.match(stderr, /1 to create/);
  assert.equal(JSON.parse(stdout).provisioningState, "Succeeded");
});

test("--no-wait prints the name and how to look at it", async () => {
  await using lab = await setUp({ snapshots: [{ state: "Running" }] });

  const { code, stdout, stderr } = await lab.rad(["deploy", "app.bicep", "--no-wait"]);

  assert.equal(code, 0);
  assert.match(stdout, /^rad-deploy-[0-9a-f-]{36}\n$/);
  assert.ok(stderr.includes(`rad deployment show ${stdout.trim()}`));
});

test("what to type next leads to the group and the workspace of the deployment", async () => {
  await using lab = await setUp({ snapshots: [{ state: "Running" }] });

  const { stdout, stderr } = await lab.rad(["deploy", "app.bicep", "--no-wait", "-g", "other", "-w", "lab"]);

  assert.ok(stderr.includes(`rad deployment show ${stdout.trim()} -g other -w lab`), stderr);
});

test("--no-wait prints the name also with --quiet", async () => {
  await using lab = await setUp({ snapshots: [{ state: "Running" }] });

  const { stdout, stderr } = await lab.rad(["deploy", "app.bicep", "--no-wait", "--quiet"]);

  assert.match(stdout, /^rad-deploy-[0-9a-f-]{36}\n$/);
  assert.equal(stderr, "");
});

test("whoever cannot watch any longer hears that the deployment goes on", async () => {
  const error = { code: "Unauthorized", message: "The token has expired." };
  await using lab = await setUp({ snapshots: [{ state: "Running" }, { state: "", failure: { status: 401, error } }] });

  const { code, stderr } = await lab.rad(["deploy", "app.bicep"]);

  assert.equal(code, 1);
  assert.match(stderr, /goes on without this command\.\n {2}rad deployment show rad-deploy-/);
  assert.match(stderr, /The token has expired\./);
});

async function interrupted(reason: string, keys: string | undefined, endsAs?: string) {
  const running = { state: "Running", operations: { "": [operation(widget("a"), "Running")] } };
  await using lab = await setUp(
    endsAs === undefined
      ? { snapshots: [running] }
      : {
          snapshots: [running, { state: endsAs, properties: { outputResources: [{ id: widget("a") }] } }],
          cancelRefusal: { code: "Conflict", message: "The deployment has ended." },
        },
  );
  const interrupt = new AbortController();
  const keyboard = keys === undefined ? undefined : new PassThrough();
  let screen = "";
  let answered = false;
  const { code } = await lab.rad(["deploy", "app.bicep"], {
    signal: interrupt.signal,
    ...(keyboard === undefined ? {} : { keyboard }),
    onOutput: (text) => {
      screen += stripVTControlCharacters(text);
      if (!interrupt.signal.aborted && screen.includes("Radius.Test/widgets")) {
        interrupt.abort(new Error(reason));
      }
      if (!answered && screen.includes("Yes, cancel it")) {
        answered = true;
        setImmediate(() => keyboard?.write(keys));
      }
    },
  });
  const cancels = lab.server.requests.filter(({ path }) => path.includes("/cancel?")).length;
  return { code, screen, answered, cancels };
}

test("Ctrl+C without a terminal detaches and says how to go on", async () => {
  const { code, screen, cancels } = await interrupted("SIGINT", undefined);

  assert.deepEqual([code, cancels], [130, 0]);
  assert.match(screen, /rad deployment show rad-deploy-/);
  assert.match(screen, /rad deployment cancel rad-deploy-/);
});

test("Ctrl+C at a terminal asks, and Enter lets the deployment go on", async () => {
  const { code, answered, cancels } = await interrupted("SIGINT", "\r");

  assert.deepEqual([code, answered, cancels], [130, true, 0]);
});

test("Ctrl+C at a terminal can cancel", async () => {
  const { code, answered, cancels } = await interrupted("SIGINT", "\u001b[B\r");

  assert.deepEqual([code, answered, cancels], [130, true, 1]);
});

test("Ctrl+C at a terminal takes y and n", async () => {
  const yes = await interrupted("SIGINT", "y");
  const no = await interrupted("SIGINT", "n");

  assert.deepEqual([yes.code, yes.cancels], [130, 1]);
  assert.match(yes.screen, /Cancellation requested\. Resources in progress will finish; no new ones start\./);
  assert.deepEqual([no.code, no.cancels], [130, 0]);
});

test("cancelling a deployment that has just ended says so and shows its result", async () => {
  const succeeded = await interrupted("SIGINT", "y", "Succeeded");
  const failed = await interrupted("SIGINT", "y", "Failed");

  assert.equal(succeeded.code, 0);
  assert.match(succeeded.screen, /has ended already, so there is nothing to cancel\.[^]*Deployment Complete/);
  assert.doesNotMatch(succeeded.screen, /Conflict/);
  assert.equal(failed.code, 1);
  assert.match(failed.screen, /Code: {2}DeploymentFailed/);
});

test("Ctrl+C a second time detaches", async () => {
  const { code, answered, cancels } = await interrupted("SIGINT", "\u0003");

  assert.deepEqual([code, answered, cancels], [130, true, 0]);
});

test("Ctrl+C while the deployment is being sent says that it may have begun", async () => {
  const interrupt = new AbortController();
  await using lab = await setUp({
    refusal: () => {
      interrupt.abort(new Error("SIGINT"));
      return { code: "BadRequest", message: "never heard" };
    },
  });

  const { code, stderr } = await lab.rad(["deploy", "app.bicep"], { signal: interrupt.signal });

  assert.equal(code, 130);
  assert.match(stderr, /may go on without this command\.\n {2}rad deployment show rad-deploy-/);
  assert.doesNotMatch(stderr, /never heard/);
});

test("SIGTERM asks nobody", async () => {
  const { code, answered, cancels } = await interrupted("SIGTERM", "\r");

  assert.deepEqual([code, answered, cancels], [130, false, 0]);
});

test("a request that arrived although its answer got lost is no conflict", async () => {
  await using lab = await setUp({
    refusal: (id) => ({ code: "DeploymentActive", message: "It is running.", target: id.toLowerCase() }),
  });

  const { code, stdout, stderr } = await lab.rad(["deploy", "app.bicep"]);

  assert.equal(code, 0, stderr);
  assert.match(stdout, /Deployment Complete/);
});

test("a module that is being deployed by another deployment is a conflict", async () => {
  await using lab = await setUp({
    refusal: () => ({ code: "DeploymentActive", message: "It is running.", target: nested("mod") }),
  });

  const { code, stderr } = await lab.rad(["deploy", "app.bicep"]);

  assert.equal(code, 1);
  assert.match(stderr, /^Code: {2}DeploymentActive$/m);
});

test("--preview, or its variable, makes the application one of the newer family", async () => {
  for (const [flags, env, family] of [
    [["--preview"], {}, "Radius.Core"],
    [[], { RADIUS_PREVIEW: "True" }, "Radius.Core"],
    [["--no-preview"], { RADIUS_PREVIEW: "true" }, "Applications.Core"],
  ] as const) {
    await using lab = await setUp();
    await lab.put(`${scope}/providers/Applications.Core/environments/prod`);

    const { code, stderr } = await lab.rad(["deploy", "app.bicep", "-e", "prod", "-a", "shop", ...flags], { env });

    assert.equal(code, 0, stderr);
    assert.ok(lab.server.documents.has(`${scope}/providers/${family}/applications/shop`.toLowerCase()));
  }
});

test("a group that does not exist is named", async () => {
  await using lab = await setUp({
    refusal: () => ({ code: "NotFound", message: "no", target: "/planes/radius/local/resourceGroups/void" }),
  });

  // The script answers 400; what counts is the target and the code.
  const { stderr } = await lab.rad(["deploy", "app.bicep", "-g", "void"]);

  assert.match(stderr, /Code: {2}GroupNotFound/);
});

test("a deployment that runs already is watched to its end, and its result decides", async () => {
  const running = { state: "Running", operations: { "": [operation(widget("a"), "Running")] } };
  const done = { "": [operation(widget("a"), "Succeeded", { changeType: "Create" })] };
  const properties = { outputResources: [{ id: widget("a") }] };
  await using lab = await setUp({
    snapshots: [running, running, { state: "Succeeded", operations: done, properties }],
  });
  await using broken = await setUp({
    snapshots: [running, running, { state: "Failed", properties: { error: failure } }],
  });

  await lab.put(nested("mine"));
  await broken.put(nested("mine"));

  const succeeded = await lab.rad(["deployment", "watch", "mine"]);
  const failed = await broken.rad(["deployment", "watch", "mine"]);

  assert.equal(succeeded.code, 0, succeeded.stderr);
  assert.match(
    succeeded.stderr,
    /Running +Radius\.Test\/widgets\/a\n[^]*Completed +Radius\.Test\/widgets\/a \(created\)/,
  );
  assert.match(succeeded.stdout, /Deployment Complete\n\nResources:\n {4}a +Radius\.Test\/widgets +created\n/);
  assert.equal(failed.code, 1);
  assert.match(
    failed.stderr,
    /Code: {2}DeploymentFailed\n {2}- BadRequest: size is too large \(Radius\.Test\/widgets\/w\)/,
  );
});

test("a deployment is asked to end", async () => {
  await using lab = await setUp();

  const { code, stdout } = await lab.rad(["deployment", "cancel", "mine"]);

  assert.equal(code, 0);
  assert.equal(stdout, "Microsoft.Resources/deployments/mine is being canceled\n");
  assert.ok(lab.server.requests.some(({ path }) => path === `${nested("mine")}/cancel?api-version=2020-10-01`));
});

test("the operations of a deployment are shown in the order of time", async () => {
  const at = (name: string, timestamp: string) => operation(widget(name), "Succeeded", { timestamp });
  const operations = { "": [at("last", "2026-01-01T00:00:03Z"), at("first", "2026-01-01T00:00:01Z")] };
  await using lab = await setUp({ snapshots: [{ state: "Succeeded", operations }] });
  const name = (await lab.rad(["deploy", "app.bicep", "--no-wait"])).stdout.trim();

  const { stdout } = await lab.rad(["deployment", "show", name]);

  assert.match(stdout, /\nfirst .*\nlast /);
});
