import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { JsonObject } from "@rad/core";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, createSandbox, startControlPlane } from "../testing/sandbox.ts";

const shop = `extension radius

param environment string

@secure()
param password string = 'canary-default'

param names array = ['a', 'b']
param withMail bool = false

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: {
    environment: environment
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: {
      image: 'web'
      ports: { http: { containerPort: 3000 } }
      env: {
        GREETING: { value: 'x\${password}' }
        HOST: { value: cache.properties.host }
      }
    }
    connections: {
      cache: { source: cache.id }
    }
  }
}

resource workers 'Applications.Core/containers@2023-10-01-preview' = [
  for name in names: {
    name: 'worker-\${name}'
    properties: {
      application: app.id
      container: { image: 'worker' }
    }
    dependsOn: [web]
  }
]

resource mail 'Applications.Core/containers@2023-10-01-preview' = if (withMail) {
  name: 'mail'
  properties: {
    application: app.id
    container: { image: 'mail' }
  }
}

resource cache 'Applications.Datastores/redisCaches@2023-10-01-preview' = {
  name: 'cache'
  properties: {
    application: app.id
    environment: environment
    resourceProvisioning: 'manual'
    host: 'cache.internal'
    port: 6379
    secrets: {
      password: 'canary-literal'
    }
  }
}

module edge 'edge.bicep' = {
  name: 'edge'
  params: {
    application: app.id
    target: web.name
    secret: password
  }
}
`;

const edge = `extension radius

param application string
param target string

@secure()
param secret string

resource gateway 'Applications.Core/gateways@2023-10-01-preview' = {
  name: 'edge'
  properties: {
    application: application
    routes: [{ path: '/\${secret}', destination: 'http://\${target}:3000' }]
  }
}
`;

async function write(sandbox: Sandbox, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(sandbox.home, name), text);
  }
}

async function ok(sandbox: Sandbox, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.rad(args);
  assert.equal(code, 0, `rad ${args.join(" ")}: ${stderr}`);
  return stdout;
}

interface Node extends JsonObject {
  readonly name: string;
  readonly diffHash: string;
  readonly connections: JsonObject[];
}

const nodesOf = (text: string): Node[] => (JSON.parse(text) as { resources: Node[] }).resources;

test("the graph of a file needs no control plane: it goes to app-graph.json, without secrets", async () => {
  await using sandbox = await createSandbox();
  await write(sandbox, { "app.bicep": shop, "edge.bicep": edge });

  const stdout = await ok(sandbox, "app", "graph", "app.bicep");

  const path = join(sandbox.home, "app-graph.json");
  assert.equal(stdout, `The graph has 5 resources: ${path}\n`);
  const text = await readFile(path, "utf8");
  assert.doesNotMatch(text, /canary/);
  const nodes = nodesOf(text);
  assert.deepEqual(
    nodes.map(({ name }) => name),
    ["web", "worker-a", "worker-b", "edge", "cache"],
  );
  const [web, workerA, , gateway, cache] = nodes;
  assert.deepEqual(
    web?.connections.map(({ id, direction, kind }) => [direction, kind, String(id).split("/").at(-1)].join(" ")),
    [
      "Inbound Connection edge",
      "Inbound Dependency worker-a",
      "Inbound Dependency worker-b",
      "Outbound Connection cache",
    ],
  );
  assert.partialDeepStrictEqual(web?.["properties"], {
    container: { env: { GREETING: { value: null }, HOST: { value: "cache.internal" } } },
  });
  assert.partialDeepStrictEqual(cache?.["properties"], {
    environment: "[parameters('environment')]",
    secrets: { password: null },
  });
  assert.partialDeepStrictEqual(gateway?.["properties"], { routes: [{ path: null }] });
  assert.match(workerA?.diffHash ?? "", /^sha256:[0-9a-f]{64}$/);
});

test("a hash changes with what the file says about the resource, and with nothing else", async () => {
  await using sandbox = await createSandbox();
  await write(sandbox, { "app.bicep": shop, "edge.bicep": edge });
  const before = nodesOf(await ok(sandbox, "app", "graph", "app.bicep", "-o", "json"));
  await write(sandbox, { "app.bicep": shop.replace("image: 'worker'", "image: 'worker2'") });

  const after = nodesOf(await ok(sandbox, "app", "graph", "app.bicep", "-o", "json"));

  const changed = before.filter(({ diffHash }, index) => after[index]?.diffHash !== diffHash);
  assert.deepEqual(
    changed.map(({ name }) => name),
    ["worker-a", "worker-b"],
  );
  assert.deepEqual((await readdir(sandbox.home)).sort(), ["app.bicep", "edge.bicep"]);
});

test("parameters change the graph of a file, and a name that needs one says so", async () => {
  await using sandbox = await createSandbox();
  await write(sandbox, { "app.bicep": shop, "edge.bicep": edge });
  await write(sandbox, { "named.bicep": shop.replace("name: 'cache'", "name: environment") });

  const more = await ok(sandbox, "app", "graph", "app.bicep", "-o", "text", "-p", "withMail=true");
  const { code, stderr } = await sandbox.rad(["app", "graph", "named.bicep"]);
  const named = await ok(sandbox, "app", "graph", "named.bicep", "-o", "text", "-p", "environment=e1");

  assert.match(more, /^Name: mail /m);
  assert.equal(code, 1);
  assert.match(stderr, /-p <name>=<value>`\.\nCode: {2}ParametersRequired/);
  assert.match(named, /^ {2}web -> e1 \(Applications\.Datastores\/redisCaches\)$/m);
});

test("an extension whose configuration is a secret is no obstacle", async () => {
  await using sandbox = await createSandbox();
  await write(sandbox, {
    "app.bicep": `@secure()
param kubeConfig string

extension kubernetes with {
  namespace: 'default'
  kubeConfig: kubeConfig
}

resource service 'core/Service@v1' = {
  metadata: {
    name: 'web'
  }
}
`,
  });

  assert.match(await ok(sandbox, "app", "graph", "app.bicep", "-o", "text"), /^Displaying application: app\n/);
});

test("a file is printed in every format", async () => {
  await using sandbox = await createSandbox();
  await write(sandbox, { "app.bicep": shop, "edge.bicep": edge });

  assert.match(
    await ok(sandbox, "app", "graph", "app.bicep", "-o", "text"),
    /^Displaying application: shop\n\nName: web/,
  );
  assert.match(await ok(sandbox, "app", "graph", "app.bicep", "-o", "DOT"), /^digraph "shop" \{\n/);
  assert.match(await ok(sandbox, "app", "graph", "app.bicep", "-o", "mermaid"), /^flowchart LR\n/);
  assert.match(await ok(sandbox, "app", "graph", "app.bicep", "-o", "svg"), /^<svg xmlns=.*<\/svg>\n$/s);
});

for (const [what, args, expected] of [
  ["a file that is not there", ["none.bicep"], /none\.bicep does not exist\.[^]*Code: {2}FileUnreadable/],
  ["a file with errors", ["bad.bicep"], /bad\.bicep\(1,9\)/],
  ["another format", ["app.bicep", "-o", "png"], /supported formats are: json, table, text, dot, mermaid, svg/],
  ["parameters without a file", ["shop", "-p", "a=b"], /Code: {2}InvalidUsage/],
  ["no name", [], /There is no current workspace/],
] as const) {
  test(`${what} is an error, and nothing is written`, async () => {
    await using sandbox = await createSandbox();
    await write(sandbox, { "bad.bicep": "resource" });

    const { code, stdout, stderr } = await sandbox.rad(["app", "graph", ...args]);

    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(stderr, expected);
    assert.deepEqual(await readdir(sandbox.home), ["bad.bicep"]);
  });
}

let server: TestControlPlane;
before(async () => {
  server = await startControlPlane();
});
after(() => server[Symbol.asyncDispose]());

const next = `extension radius

resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'next'
  properties: { simulated: true }
}

resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'next'
  properties: {
    environment: env.id
  }
}

resource one 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'one'
  properties: {
    environment: env.id
    application: app.id
  }
}

resource two 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'two'
  properties: {
    environment: env.id
    application: app.id
    connections: { one: { source: one.id } }
  }
}

resource three 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'three'
  properties: {
    environment: env.id
    application: app.id
  }
  dependsOn: [two, one]
}
`;

test("the graph of a deployed application is found in either family, with the dependencies of a file where they are asked for", async () => {
  await using sandbox = await createConnectedSandbox(server);
  await write(sandbox, { "app.bicep": next });
  await ok(sandbox, "deploy", "app.bicep");

  const text = await ok(sandbox, "app", "graph", "next");
  const json = nodesOf(await ok(sandbox, "app", "graph", "-a", "next", "--include-icons", "-o", "json"));
  const related = await ok(sandbox, "app", "graph", "-a", "next", "app.bicep", "-o", "mermaid", "--preview");

  assert.match(text, /^Displaying application: next\n\nName: one [^]*\n\n\n$/);
  assert.match(text, /^ {2}two \(Radius\.Data\/redisCaches\) -> one$/m);
  assert.deepEqual(
    json.map(({ name, connections }) => [name, connections.length]),
    [
      ["one", 1],
      ["three", 0],
      ["two", 1],
    ],
  );
  assert.deepEqual(related.split("\n").slice(4, -1), ["  n2 -.-> n1", "  n2 -.-> n3", "  n3 --> n1"]);
  for (const args of [["none"], ["next", "--no-preview"]]) {
    const { code, stderr } = await sandbox.rad(["app", "graph", ...args]);
    assert.equal(code, 1);
    assert.match(stderr, /Code: {2}ApplicationNotFound/);
  }
});

test("icons and dependencies are for applications of Radius.Core", async () => {
  await using sandbox = await createConnectedSandbox(server);
  await write(sandbox, { "app.bicep": next });
  await ok(sandbox, "env", "create", "older");
  const environment = "/planes/radius/local/resourceGroups/dev/providers/Applications.Core/environments/older";
  const { code: created } = await sandbox.rad(
    ["resource", "create", "Applications.Core/applications", "older", "-f", "-"],
    {
      stdin: JSON.stringify({ properties: { environment } }),
    },
  );
  assert.equal(created, 0);

  assert.match(await ok(sandbox, "app", "graph", "older"), /^\(empty\)$/m);
  for (const args of [
    ["older", "--include-icons"],
    ["-a", "older", "app.bicep"],
  ]) {
    const { code, stderr } = await sandbox.rad(["app", "graph", ...args]);
    assert.equal(code, 1);
    assert.match(stderr, /Applications\.Core takes no (icons|dependencies of a file)\.\nCode: {2}InvalidUsage/);
  }
});

test("the shell completes applications and formats", async () => {
  await using sandbox = await createConnectedSandbox(server);
  await write(sandbox, { "app.bicep": next });
  await ok(sandbox, "deploy", "app.bicep");

  assert.match(await ok(sandbox, "complete", "--", "app", "graph", "ne"), /^next\t$/m);
  assert.match(await ok(sandbox, "complete", "--", "app", "graph", "-o", ""), /^mermaid\t\nsvg\t$/m);
});
