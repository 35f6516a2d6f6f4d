// `rad deploy` and a program that uses the library send the same bytes for the same deployment.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { compile } from "./deploy/compile.ts";
import { type DeployServer, startDeployServer } from "./deploy/deploy-server.ts";
import { DeployGroup } from "./deploy/group.ts";
import { runRad } from "./deploy/run-rad.ts";
import { type RecordedExchange, type RecordingProxy, startRecordingProxy } from "./support/recording-proxy.ts";

const root = path.dirname(import.meta.dirname);
const program = "examples/deploy-as-a-library/main.ts";

/** A control plane behind a proxy that records what it is asked. */
interface Side extends AsyncDisposable {
  readonly server: DeployServer;
  readonly proxy: RecordingProxy;
}

let home: string;
/** Two control planes that nobody else uses, so that neither finds what the other one has created. */
let ofRad: Side;
let ofProgram: Side;

before(async () => {
  [ofRad, ofProgram] = await Promise.all([startSide(), startSide()]);
  home = await mkdtemp(path.join(tmpdir(), "rad-home-"));
  const tokenFile = path.join(home, "token");
  await writeFile(tokenFile, ofRad.server.token, { mode: 0o600 });
  await rad("workspace", "create", "server", "test", "--url", ofRad.proxy.url, "--token-file", tokenFile);
  ofRad.proxy.exchanges.splice(0);
});

after(async () => {
  await ofRad[Symbol.asyncDispose]();
  await ofProgram[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

interface Case {
  readonly name: string;
  readonly file: string;
  /** The properties of an environment `prod` that is there before, in one of the families. */
  readonly environment?: { readonly family: "Applications.Core" | "Radius.Core"; readonly properties: JsonObject };
  readonly byId?: boolean;
  readonly application?: string;
  /** What follows `-p`. */
  readonly texts?: readonly string[];
  /** The same, as the program gets it. */
  readonly values?: JsonObject;
  /** What is written, the deployment itself aside. */
  readonly writes?: readonly string[];
  /** Something that the request has to have, lest a case prove less than it says. */
  readonly sends: RegExp;
}

const compute = { kind: "kubernetes", namespace: "prod" };
const widget = `resource w 'Radius.Test/widgets@2025-01-01' = {
  name: 'w'
  properties: { title: 'w' }
}
`;

const cases: readonly Case[] = [
  {
    name: "environment-of-applications-core",
    file: `extension radius\nparam environment string\n${widget}output used string = environment\n`,
    environment: { family: "Applications.Core", properties: { compute } },
    sends: /"environment":\{"value":"[^"]*\/Applications\.Core\/environments\/prod"\}/,
  },
  {
    name: "environment-of-radius-core-by-id",
    file: `extension radius\nparam Environment string = ''\n${widget}output used string = Environment\n`,
    environment: { family: "Radius.Core", properties: {} },
    byId: true,
    sends: /"Environment":\{"value":"[^"]*\/Radius\.Core\/environments\/prod"\}/,
  },
  {
    name: "application-of-applications-core",
    file: `extension radius\nparam application string\n${widget}output used string = application\n`,
    environment: { family: "Applications.Core", properties: { compute } },
    application: "shop",
    writes: ["Applications.Core/applications/shop"],
    sends: /"application":\{"value":"[^"]*\/Applications\.Core\/applications\/shop"\}/,
  },
  {
    name: "application-of-radius-core",
    file: `extension radius\nparam application string\n${widget}output used string = application\n`,
    environment: { family: "Radius.Core", properties: {} },
    application: "shop",
    writes: ["Radius.Core/applications/shop"],
    sends: /"application":\{"value":"[^"]*\/Radius\.Core\/applications\/shop"\}/,
  },
  {
    name: "parameters-of-every-type",
    file: `extension radius
param text string
param count int
param flag bool
param list array
param thing object
param maybe int?
param unset string = 'default'
@secure()
param password string
@secure()
param keys object
resource vault 'Radius.Test/vaults@2025-01-01' = {
  name: 'vault'
  properties: { user: text, password: '\${password}\${keys.signing}' }
}
output all array = [text, count, flag, list, thing, maybe, unset]
`,
    texts: [
      "text=a=b ß 'quoted' \"too\"",
      "COUNT= -7 ",
      "flag=TRUE",
      `list=[1, 2.50, "x", null]`,
      `thing={"b": {"deep": true}, "a": 1e3}`,
      "maybe=null",
      "password=hunter2",
      `keys={"signing": "s3cret"}`,
    ],
    values: {
      text: "a=b ß 'quoted' \"too\"",
      Count: -7,
      flag: true,
      list: [1, 2.5, "x", null],
      thing: { b: { deep: true }, a: 1000 },
      maybe: null,
      password: "hunter2",
      keys: { signing: "s3cret" },
    },
    sends: /"parameters":\{"text":.*"count":\{"value":-7\},"flag":\{"value":true\},.*"keys":\{"value":/,
  },
  {
    name: "default-recipe-pack",
    file: `extension radius
resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'own'
  properties: {}
}
`,
    writes: ["resourceGroups/default", "Radius.Core/recipePacks/default"],
    sends: /"recipePacks":\["[^"]*\/recipePacks\/default"\]/,
  },
  {
    name: "own-environment-and-an-application",
    file: `extension radius
resource env 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'own'
  properties: { compute: { kind: 'kubernetes', namespace: 'own' } }
}
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: env.id }
}
`,
    application: "shop", // which the template creates
    sends: /"parameters":\{\}/,
  },
  {
    name: "scopes-of-clouds",
    file: `extension radius\n${widget}`,
    environment: {
      family: "Applications.Core",
      properties: {
        compute,
        providers: {
          azure: { scope: "/subscriptions/0b61b5c9-4d0e-4fa7-a3b4-5d8c3b1d2c11/resourceGroups/az" },
          aws: { scope: "/planes/aws/aws/accounts/123456789012/regions/eu-central-1" },
        },
      },
    },
    sends: /"az":\{"type":"AzureResourceManager",.*"aws":\{"type":"AWS",/,
  },
  {
    name: "parts-of-scopes-of-clouds",
    file: `extension radius\n${widget}`,
    environment: {
      family: "Radius.Core",
      properties: {
        providers: {
          azure: { subscriptionId: "0b61b5c9-4d0e-4fa7-a3b4-5d8c3b1d2c11", resourceGroupName: "az" },
          aws: { accountId: "123456789012", region: "eu-central-1" },
        },
      },
    },
    sends:
      /"az":.*"\/subscriptions\/0b61b5c9-[-\w]*\/resourceGroups\/az"\}\},"aws":.*"\/planes\/aws\/aws\/accounts\/123456789012\/regions\//,
  },
];

for (const one of cases) {
  it(`rad deploy and the program send the same: ${one.name}`, async () => {
    const file = path.join(home, `${one.name}.bicep`);
    await writeFile(file, one.file);
    const environment = await setUp(one);

    const flags = [
      ...(environment === undefined ? [] : ["-e", environment]),
      ...(one.application === undefined ? [] : ["-a", one.application]),
      ...(one.texts ?? []).flatMap((text) => ["-p", text]),
    ];
    await rad("deploy", file, "-g", one.name, ...flags);
    const sentByRad = takeWrites(ofRad);
    const deployment = sentByRad.at(-1);
    await runProgram(file, {
      GROUP: one.name,
      DEPLOYMENT: /\/deployments\/([^/?]+)/.exec(deployment?.path ?? "")?.[1],
      ENVIRONMENT: environment,
      APPLICATION: one.application,
      PARAMETERS: JSON.stringify(one.values ?? {}),
    });
    const sentByProgram = takeWrites(ofProgram);

    assert.deepEqual(sentByProgram, sentByRad);
    assert.deepEqual(
      sentByRad
        .slice(0, -1)
        .map((write) => /([^/]+\/)?[^/]+\/[^/?]+(?=\?)/.exec(write.path)?.[0].replace(/^local\//, "")),
      one.writes ?? [],
    );
    assert.match(deployment?.body.toString() ?? "", one.sends);
  });
}

it("the program is printed in docs/deploying.md as it is", async () => {
  const page = await readFile(path.join(root, "docs/deploying.md"), "utf8");

  const [, printed] = /```ts\n(.*?)```/s.exec(page) ?? [];

  assert.equal(printed, await readFile(path.join(root, program), "utf8"));
});

async function startSide(): Promise<Side> {
  const server = await startDeployServer();
  const proxy = await startRecordingProxy(server.url);
  return {
    server,
    proxy,
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Creates the group, and the environment if there is to be one; gives what the environment is called. */
async function setUp({ name, environment, byId }: Case): Promise<string | undefined> {
  let id: string | undefined;
  for (const { server } of [ofRad, ofProgram]) {
    const { scope } = await DeployGroup.create(server.client, name);
    if (environment !== undefined) {
      const { family, properties } = environment;
      id = `${scope}/providers/${family}/environments/prod`;
      const apiVersion = family === "Radius.Core" ? "2025-08-01-preview" : "2023-10-01-preview";
      await server.client.resources.put(id, { location: "global", properties }, { apiVersion });
    }
  }
  return id === undefined || byId === true ? id : "prod";
}

async function rad(...args: readonly string[]): Promise<void> {
  const { code, stderr } = await runRad(home, args);
  assert.equal(code, 0, stderr);
}

async function runProgram(file: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const template = `${file}.json`;
  await writeFile(template, JSON.stringify(await compile(file)));
  const { proxy, server } = ofProgram;
  const child = spawn(process.execPath, [path.join(root, program), template], {
    env: { ...env, RADIUS_URL: proxy.url, RADIUS_TOKEN: server.token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  assert.match(output, /Succeeded/, output + errors);
}

interface Write extends RecordedExchange {
  /** Paths that were read before, in no order: some are asked for at once. */
  readonly reads: readonly string[];
}

/** What was written up to the deployment, and what was read before; only who asks, and for which trace, may differ. */
function takeWrites({ proxy, server }: Side): Write[] {
  const exchanges = proxy.exchanges.splice(0);
  const last = exchanges.findIndex(({ method, path }) => method === "PUT" && path.includes("/deployments/"));
  const writes: Write[] = [];
  let reads: string[] = [];
  for (const { headers, ...exchange } of exchanges.slice(0, last + 1)) {
    const { host: _, "user-agent": __, traceparent: ___, authorization, ...rest } = headers;
    assert.equal(authorization, `Bearer ${server.token}`);
    if (exchange.method === "GET") {
      // How often an operation is looked at depends on how long it takes; types are for compiling, which `rad` does.
      const isIncidental = /\/operationStatuses\/|\/planes\/radius\/local\/providers\?/.test(exchange.path);
      reads.push(...(isIncidental ? [] : [exchange.path]));
    } else {
      writes.push({ ...exchange, headers: rest, reads: reads.sort() });
      reads = [];
    }
  }
  return writes;
}
