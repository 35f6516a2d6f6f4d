import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestServer } from "@rad/control-plane/testing";
import type { JsonObject } from "@rad/core";
import { readSessions } from "../scripts/conformance/replay/recording.ts";
import { replay } from "../scripts/conformance/replay/replay.ts";
import { readCase } from "./deploy/case.ts";
import { startDeployServer } from "./deploy/deploy-server.ts";
import type { DeployServer } from "./deploy/deploy-server.ts";

// What upstream's `rad deploy` sends, letter for letter: the path in lower case, `providerconfig` in lower case, tags
// that are null, and an api-version of its own; what it reads of the answers decides about the assertions.

/** Upstream reaches the control plane through the aggregated API of Kubernetes, or directly. */
const basePaths = ["/apis/api.ucp.dev/v1alpha3", ""];
const apiVersion = "api-version=2020-10-01";

let server: DeployServer;

before(async () => {
  server = await startDeployServer();
  await server.client.groups.put("dev");
});

after(() => server[Symbol.asyncDispose]());

for (const base of basePaths) {
  const through = base === "" ? "directly" : `through ${base}`;

  it(`a deployment is started, polled and read as upstream's client does it, ${through}`, async () => {
    const { deployment, put } = await start(base, "modules-three-deep");

    assert.equal(put.status, 201);
    const accepted = await json(put);
    assert.equal(member(accepted, "properties")["provisioningState"], "Accepted");
    const { status, error } = await pollAsyncOperation(put);
    assert.equal(status, "Succeeded", JSON.stringify(error));
    const final = await json(await send("GET", deployment));
    const properties = member(final, "properties");
    assert.equal(final["type"], "Microsoft.Resources/deployments");
    assert.equal(properties["provisioningState"], "Succeeded");
    const resources = (properties["outputResources"] as { id: string }[]).map(({ id }) => id.split("/").at(-1) ?? "");
    assert.deepEqual(resources.sort(), ["atlas", "back", "back-app", "front", "front-app"]);
    assert.deepEqual(member(properties, "outputs")["summary"], {
      type: "String",
      value: "atlas: https://front.test, https://back.test",
    });
  });

  it(`the result's location leads to the end too, ${through}`, async () => {
    const { put } = await start(base, "module");

    const location = put.headers.get("location") ?? "";
    assert.ok(location.startsWith(`${server.url}${base}/planes/`), location);
    let answer = await send("GET", location);
    for (; answer.status === 202; answer = await send("GET", location)) {
      assert.ok(Number(answer.headers.get("retry-after")) > 0, "no Retry-After while it runs");
      assert.equal(answer.headers.get("location"), location);
      await sleep(10);
    }
    assert.ok([200, 204].includes(answer.status), `${answer.status}`);
  });

  it(`operations are followed into modules by their bare names, ${through}`, async () => {
    const { deployment, put } = await start(base, "modules-three-deep");
    await pollAsyncOperation(put);

    const seen = await followOperations(base, nameOf(deployment));

    assert.deepEqual(Object.fromEntries(seen), {
      [nameOf(deployment)]: ["Microsoft.Resources/deployments/platform"],
      platform: [
        "Microsoft.Resources/deployments/back-team",
        "Microsoft.Resources/deployments/front-team",
        "Radius.Core/environments/atlas",
      ],
      "front-team": ["Microsoft.Resources/deployments/front-service", "Radius.Core/applications/front-app"],
      "front-service": ["Radius.Test/widgets/front"],
      "back-team": ["Microsoft.Resources/deployments/back-service", "Radius.Core/applications/back-app"],
      "back-service": ["Radius.Test/widgets/back"],
    });
  });

  it(`a failure arrives as an error tree that names the resource, ${through}`, async () => {
    const { put } = await start(base, "fails-in-handler");

    const { status, error } = await pollAsyncOperation(put);

    assert.equal(status, "Failed");
    assert.equal(error?.code, "DeploymentFailed");
    const failures = (error?.details ?? []).filter(({ code }) => code !== "OK");
    assert.deepEqual(
      failures.map(({ code, target }) => [code, target?.split("/").at(-1)]),
      [["ResourceDeploymentFailure", "broken"]],
    );
    assert.equal(failures[0]?.details?.[0]?.code, "BadRequest");
  });

  it(`a template error is answered at once, ${through}`, async () => {
    const { put } = await start(base, "user-types-refused");

    assert.equal(put.status, 400);
    const error = member(await json(put), "error");
    assert.equal(error["code"], "InvalidTemplate");
    assert.match(String(error["message"]), /^Deployment template validation failed:/); // its tests look for this
  });

  it(`a deployment is deleted, and deleting it again is no error, ${through}`, async () => {
    const { deployment, put } = await start(base, "only-outputs");
    await pollAsyncOperation(put);

    const deleted = await send("DELETE", deployment);
    if (deleted.status === 202) {
      await pollAsyncOperation(deleted);
    }
    const again = await send("DELETE", deployment);

    assert.ok([200, 202, 204].includes(deleted.status), `${deleted.status}`);
    assert.ok([200, 202, 204, 404].includes(again.status), `${again.status}`);
    assert.equal((await send("GET", deployment)).status, 404);
  });
}

interface WireError {
  readonly code: string;
  readonly target?: string;
  readonly details?: readonly WireError[];
}

/** Step 11 of upstream's `rad deploy`. */
async function start(base: string, caseName: string): Promise<{ deployment: string; put: Response }> {
  const { versions, parameters } = await readCase(caseName);
  const scope = "/planes/radius/local/resourceGroups/dev";
  const body = {
    properties: {
      template: versions[0]?.template,
      parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, { value }])),
      mode: "Incremental",
      providerconfig: {
        radius: { type: "Radius", value: { scope } },
        deployments: { type: "Microsoft.Resources", value: { scope } },
      },
    },
    tags: null,
  };
  const collection = `${server.url}${base}/planes/radius/local/resourcegroups/dev/providers/Microsoft.Resources/deployments`;
  const deployment = `${collection}/rad-deploy-${randomUUID()}?${apiVersion}`;
  return { deployment, put: await send("PUT", deployment, body) };
}

/** As the pollers of generated clients do it: until the status is one of three words, in any case. */
async function pollAsyncOperation(response: Response): Promise<{ status: string; error?: WireError }> {
  const link = response.headers.get("azure-asyncoperation");
  assert.ok(link !== null, "no Azure-AsyncOperation");
  for (;;) {
    const answer = await send("GET", link);
    assert.equal(answer.status, 200);
    const operation = (await answer.json()) as { status: string; error?: WireError };
    if (["succeeded", "failed", "canceled"].includes(operation.status.toLowerCase())) {
      return operation;
    }
    await sleep(10);
  }
}

/** The targets of each deployment's operations, nested ones found by name in the group of the first. */
async function followOperations(base: string, first: string): Promise<Map<string, string[]>> {
  const collection = `${server.url}${base}/planes/radius/local/resourceGroups/dev/providers/Microsoft.Resources/deployments`;
  const seen = new Map<string, string[]>();
  const waiting = [first];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const answer = await send("GET", `${collection}/${name}/operations?${apiVersion}`);
    assert.equal(answer.status, 200);
    const { value } = (await answer.json()) as { value: { properties: OperationProperties }[] };
    const targets = value.flatMap(({ properties }) => {
      assert.equal(properties.provisioningState, "Succeeded");
      return properties.targetResource ?? [];
    });
    seen.set(name, targets.map(({ id }) => id.slice(id.indexOf("/providers/") + "/providers/".length)).sort());
    for (const { id, resourceType, resourceName } of targets) {
      if (resourceType === "Microsoft.Resources/deployments") {
        assert.equal(resourceName, id.split("/").at(-1));
        waiting.push(resourceName);
      }
    }
  }
  return seen;
}

function nameOf(deployment: string): string {
  return new URL(deployment).pathname.split("/").at(-1) ?? "";
}

interface OperationProperties {
  readonly provisioningState: string;
  readonly targetResource?: { readonly id: string; readonly resourceType: string; readonly resourceName: string };
}

function send(method: string, url: string, body?: unknown): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${server.token}`,
      accept: "application/json",
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function json(response: Response): Promise<JsonObject> {
  return (await response.json()) as JsonObject;
}

function member(value: JsonObject, name: string): JsonObject {
  return value[name] as JsonObject;
}

it("every recorded session of upstream's client gets the answers that it needs", async () => {
  await using fresh = await startTestServer();

  const differences = await replay(await readSessions(join(import.meta.dirname, "upstream-client")), fresh);

  assert.deepEqual(differences, []);
});
