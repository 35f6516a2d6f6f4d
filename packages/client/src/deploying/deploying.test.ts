import assert from "node:assert/strict";
import { test } from "node:test";
import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import { createClient } from "../create-client.ts";
import { startTestServer } from "../testing/index.ts";
import { deploy } from "./deploy.ts";
import type { DeployingError } from "./deploying-error.ts";
import { parseTemplate } from "./parse-template.ts";
import { type DeploymentInput, prepareDeployment } from "./prepare-deployment.ts";
import { type DeployingStep, startDeployment } from "./start-deployment.ts";

const scope = "/planes/radius/local/resourceGroups/dev";
const environment = `${scope}/providers/Radius.Core/environments/prod`;

/** What a look at the deployment finds, one after the other; the last one stays. */
type Look = { readonly state: string } | { readonly status: number };

/** A control plane with the environment `prod`, on which deployments go as the looks say. */
async function setUp(looks: readonly Look[] = [{ state: "Succeeded" }], refusal?: (id: string) => JsonObject) {
  let count = 0;
  let silentFrom = Number.POSITIVE_INFINITY;
  let onSilence = () => {};
  const server = await startTestServer({
    intercept: ({ method, path }, response) => {
      if (server.requests.length >= silentFrom) {
        onSilence();
        return true; // and never answers
      }
      const [id = "", query] = path.split("?");
      if (!id.includes("/deployments/") || query === undefined) {
        return false;
      }
      const send = (status: number, body: JsonObject) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
        return true;
      };
      const resource = (state: string) => ({ id, name: "d", properties: { provisioningState: state } });
      if (method === "PUT") {
        return refusal === undefined ? send(201, resource("Accepted")) : send(409, { error: refusal(id) });
      }
      const look = looks[Math.min(count, looks.length - 1)] ?? { state: "Succeeded" };
      count += 1;
      return "state" in look
        ? send(200, resource(look.state))
        : send(look.status, { error: { code: "Unavailable", message: "not now" } });
    },
  });
  const client = createClient({
    endpoint: server.url,
    requestTimeoutMs: 5_000,
    sleep: async (_, signal) => signal?.throwIfAborted(),
  });
  await client.resources.put(environment, { properties: { providers: { aws: { accountId: "1", region: "r" } } } });
  const setUpRequests = server.requests.length;
  return {
    client,
    /** Leaves the request of this number without an answer. */
    fallSilent: (last: number, then: () => void) => {
      silentFrom = setUpRequests + last;
      onSilence = then;
    },
    requests: () => server.requests.slice(setUpRequests),
    written: () => server.requests.slice(setUpRequests).flatMap(({ method, path }) => (method === "PUT" ? [path] : [])),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A template with everything that makes work: parameters, an environment without packs, one in a module. */
const template = (): JsonObject => ({
  parameters: { environment: { type: "string" }, Application: { type: "string" }, size: { type: "int" } },
  resources: {
    env: { type: "Radius.Core/environments@2025-08-01-preview", properties: { name: "own", properties: {} } },
    module: {
      type: "Microsoft.Resources/deployments",
      properties: { template: { resources: [{ type: "Radius.Core/environments", properties: {} }] } },
    },
    packed: { type: "Radius.Core/environments", properties: { RecipePacks: "[parameters('size')]" } },
  },
});

const full = (): DeploymentInput => ({
  scope,
  template: template(),
  environment: "prod",
  application: "shop",
  parameters: [{ kind: "texts", texts: { SIZE: "3" } }],
});

test("preparing changes nothing, neither on the control plane nor in what it is given", async () => {
  await using lab = await setUp();
  const input = deepFreeze(full());

  const prepared = await prepareDeployment(lab.client, input);

  assert.deepEqual(lab.written(), []);
  assert.deepEqual(input.template, template());
  assert.match(prepared.name, /^rad-deploy-[0-9a-f-]{36}$/);
  assert.equal(prepared.id, `${scope}/providers/Microsoft.Resources/deployments/${prepared.name}`);
  assert.equal(prepared.needsDefaultRecipePack, true);
  const packs = JSON.stringify(prepared.body).match(/"recipePacks":\["[^"]*\/recipePacks\/default"\]/g);
  assert.equal(packs?.length, 2);
  assert.partialDeepStrictEqual(prepared.body, {
    properties: {
      parameters: {
        size: { value: 3 },
        environment: { value: environment },
        Application: { value: `${scope}/providers/Radius.Core/applications/shop` },
      },
      providerconfig: { aws: { type: "AWS", value: { scope: "/planes/aws/aws/accounts/1/regions/r" } } },
    },
  });
});

test("a template in which no environment lacks packs is sent as the object that it is", async () => {
  await using lab = await setUp();
  const plain = { resources: [{ type: "Applications.Core/environments" }] };

  const { body, needsDefaultRecipePack } = await prepareDeployment(lab.client, { scope, template: plain });

  assert.equal((body["properties"] as JsonObject)["template"], plain);
  assert.equal(needsDefaultRecipePack, false);
});

test("a provider config is sent as it is, and says where the deployment goes", async () => {
  await using lab = await setUp();
  const providerConfig = {
    deployments: { type: "Microsoft.Resources", value: { scope: `${scope}/` } },
    kubernetes: { type: "Kubernetes", value: { scope: "default" } },
  };

  const prepared = await prepareDeployment(lab.client, {
    providerConfig,
    template: { resources: [] },
    environment: "prod",
    name: "deploymenttemplate-1",
  });

  assert.equal(prepared.id, `${scope}/providers/Microsoft.Resources/deployments/deploymenttemplate-1`);
  assert.equal(prepared.environment?.id, environment);
  assert.deepEqual((prepared.body["properties"] as JsonObject)["providerconfig"], providerConfig);
});

/** Modules in modules, with an environment in the innermost. */
function nestedModules(depth: number): JsonObject {
  let nested: JsonObject = { resources: [{ type: "Radius.Core/environments", properties: {} }] };
  for (let level = 0; level < depth; level += 1) {
    nested = { resources: [{ type: "Microsoft.Resources/deployments", properties: { template: nested } }] };
  }
  return nested;
}

test("modules in modules are looked through as far as a control plane can take them", async () => {
  await using lab = await setUp();

  const { needsDefaultRecipePack } = await prepareDeployment(lab.client, { scope, template: nestedModules(240) });

  assert.equal(needsDefaultRecipePack, true);
  for (const depth of [260, 50_000]) {
    await assert.rejects(prepareDeployment(lab.client, { scope, template: nestedModules(depth) }), {
      code: "InvalidTemplate",
    });
  }
});

const wrongInputs: readonly (readonly [code: string, input: Partial<DeploymentInput>])[] = [
  ["InvalidScope", { scope: "dev" }],
  ["InvalidScope", { scope: "/planes/radius/local" }],
  ["InvalidScope", { scope: environment }],
  ["InvalidProviderConfig", { scope: undefined, providerConfig: {} }],
  ["InvalidProviderConfig", { scope: undefined, providerConfig: { deployments: { value: { scope: "" } } } }],
  ["InvalidScope", { scope: undefined, providerConfig: { deployments: { value: { scope: "/subscriptions/s" } } } }],
  ["InvalidDeploymentName", { name: "a/b" }],
  ["InvalidDeploymentName", { name: "" }],
  ["InvalidEnvironment", { environment: "a/b" }],
  ["EnvironmentNotFound", { environment: "none" }],
  ["EnvironmentNotFound", { environment: `${scope}/providers/Radius.Core/environments/none` }],
  ["NoEnvironment", { environment: undefined, template: { resources: [] } }],
  ["InvalidApplicationName", { application: "1shop" }],
  ["UnknownParameter", { parameters: [{ kind: "values", values: { depth: 1 } }] }],
  ["InvalidParameterValue", { parameters: [{ kind: "texts", texts: { size: "big" } }] }],
  ["MissingParameters", { parameters: [] }],
];

test("what is wrong has a code of its own, and a text that knows of no command line", async (t) => {
  await using lab = await setUp();
  for (const [code, input] of wrongInputs) {
    await t.test(`${code}: ${JSON.stringify(input)}`, async () => {
      await assert.rejects(
        prepareDeployment(lab.client, { ...full(), ...input } as DeploymentInput),
        (error: DeployingError) => error.code === code && !/--|\brad\b/.test(error.message),
      );
    });
  }
  assert.deepEqual(lab.written(), []);
});

test("an environment of both families has to be named by its id", async () => {
  await using lab = await setUp();
  await lab.client.resources.put(`${scope}/providers/Applications.Core/environments/prod`, {});

  await assert.rejects(prepareDeployment(lab.client, full()), { code: "AmbiguousEnvironment" });

  assert.equal((await prepareDeployment(lab.client, { ...full(), environment })).environment?.id, environment);
});

test("a template comes as text, in which no integer may be lost", () => {
  assert.deepEqual(parseTemplate('\uFEFF{"resources": []}'), { resources: [] });
  assert.throws(() => parseTemplate("{"), { code: "InvalidTemplate" });
  assert.throws(() => parseTemplate("[]"), { code: "InvalidTemplate" });
  assert.throws(() => parseTemplate('{"a": 9007199254740993}'), { code: "IntegerTooLarge" });
});

/** Longer than a single call puts up with. */
const outage = Array.from({ length: 6 }, () => ({ status: 503 }));

test("deploying creates what is missing, sends, and waits for the end", async () => {
  await using lab = await setUp([{ state: "Running" }, ...outage, { state: "Running" }, { state: "Failed" }]);
  const steps: DeployingStep["kind"][] = [];
  const prepared = await prepareDeployment(lab.client, full());

  const { state } = await deploy(lab.client, prepared, { onProgress: ({ kind }) => steps.push(kind) });

  assert.equal(state, "Failed");
  assert.deepEqual(steps, ["applicationCreated", "sending"]);
  assert.deepEqual(
    lab.written().map((path) => path.replace(/.*\/(\w+\/[^/?]+)\?.*/, "$1")),
    ["applications/shop", "resourceGroups/default", "recipePacks/default", `deployments/${prepared.name}`],
  );
});

test("what exists is left alone", async () => {
  await using lab = await setUp();
  const prepared = await prepareDeployment(lab.client, full());
  await deploy(lab.client, prepared);
  const before = lab.written().length;

  await startDeployment(lab.client, prepared);

  assert.deepEqual(
    lab
      .written()
      .slice(before)
      .filter((path) => !path.includes("/deployments/")),
    ["/planes/radius/local/resourceGroups/default?api-version=2023-10-01-preview"],
  );
});

test("a control plane that stays away is not waited for", async () => {
  await using lab = await setUp([{ status: 503 }]);
  const prepared = await prepareDeployment(lab.client, { scope, template: {} });

  await assert.rejects(deploy(lab.client, prepared), { status: 503 });
});

test("a running deployment of the same name is a conflict, unless the name can only be ours", async () => {
  await using lab = await setUp(undefined, (id) => ({ code: "DeploymentActive", message: "running", target: id }));
  const named = await prepareDeployment(lab.client, { scope, template: {}, name: "d" });
  const unique = await prepareDeployment(lab.client, { scope, template: {} });

  await assert.rejects(startDeployment(lab.client, named), { code: "DeploymentActive" });

  assert.equal((await startDeployment(lab.client, unique)).state, "Succeeded");
});

test("an abort ends it wherever it is, and nothing more is asked for", async () => {
  const run = async (lab: Awaited<ReturnType<typeof setUp>>, signal: AbortSignal) =>
    deploy(lab.client, await prepareDeployment(lab.client, { ...full(), environment, signal }), { signal });
  await using whole = await setUp([{ state: "Running" }, { state: "Running" }, { state: "Succeeded" }]);
  await run(whole, new AbortController().signal);
  const all = whole.requests().length;

  for (let last = 1; last <= all; last += 1) {
    await using lab = await setUp([{ state: "Running" }, { state: "Running" }, { state: "Succeeded" }]);
    const abort = new AbortController();
    const reason = new Error("enough");
    lab.fallSilent(last, () => abort.abort(reason));

    await assert.rejects(run(lab, abort.signal), reason);

    assert.equal(lab.requests().length, last);
  }
  assert.ok(all > 10, String(all));
});

function deepFreeze<T>(value: T): T {
  if (isJsonObject(value) || Array.isArray(value)) {
    Object.values<JsonValue>(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
