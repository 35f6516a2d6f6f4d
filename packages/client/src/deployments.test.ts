import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { createClient } from "./create-client.ts";
import type { RecordedRequest } from "./testing/test-server.ts";
import { startTestServer } from "./testing/index.ts";

const scope = "/planes/radius/local/resourceGroups/dev";
const id = `${scope}/providers/Microsoft.Resources/deployments/d1`;

type Answer = (request: RecordedRequest) => readonly [status: number, body: unknown, headers?: Record<string, string>];

/** A server that answers everything with `answer`, and a client that never waits. */
async function startFake(answer: Answer) {
  const intercept = (request: RecordedRequest, response: ServerResponse) => {
    const [status, body, headers] = answer(request);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
    return true;
  };
  const server = await startTestServer({ intercept });
  return { server, client: createClient({ endpoint: server.url, sleep: async () => {} }) };
}

test("a deployment is started without waiting for its end", async () => {
  const { server, client } = await startFake(() => [
    201,
    { id, name: "d1", properties: { provisioningState: "Accepted" } },
    { "azure-asyncoperation": "http://127.0.0.1/planes/radius/local/operationStatuses/1" },
  ]);
  await using _ = server;

  const deployment = await client.deployments.start(id, { properties: { template: {} } });

  assert.equal(deployment.state, "Accepted");
  assert.deepEqual(
    server.requests.map((request) => `${request.method} ${request.path}`),
    [`PUT ${id}?api-version=2020-10-01`],
  );
});

test("a deployment tells outputs, resources and its error with everything in it", async () => {
  const error = {
    code: "DeploymentFailed",
    message: "no",
    details: [
      {
        code: "BadRequest",
        message: "size",
        additionalInfo: [{ type: "TemplateViolation", info: { path: "$.resources.a" } }, "odd"],
      },
    ],
  };
  const properties = {
    provisioningState: "Failed",
    outputs: { a: { type: "Int", value: 1 }, secret: { type: "SecureString" }, odd: 3 },
    outputResources: [{ id: "/x" }, { odd: true }],
    error,
  };
  const { server, client } = await startFake(() => [200, { id, name: "d1", properties }]);
  await using _ = server;

  const deployment = await client.deployments.get(id);

  assert.deepEqual(deployment.outputs, {
    a: { type: "Int", value: 1 },
    secret: { type: "SecureString" },
    odd: { type: "" },
  });
  assert.deepEqual(deployment.outputResources, ["/x"]);
  assert.equal(deployment.error?.code, "DeploymentFailed");
  assert.deepEqual(deployment.error.details[0]?.additionalInfo, [
    { type: "TemplateViolation", info: { path: "$.resources.a" } },
  ]);
  assert.deepEqual(deployment.error.wire, error);
});

test("operations are read page by page", async () => {
  const operation = (operationId: string, more: object) => ({ id: "x", operationId, properties: more });
  const { server, client } = await startFake((request) =>
    request.path.includes("page=2")
      ? [200, { value: [operation("B", { statusMessage: { error: { code: "Conflict", message: "busy" } } })] }]
      : [
          200,
          {
            value: [
              operation("A", {
                provisioningOperation: "Create",
                provisioningState: "Succeeded",
                changeType: "NoChange",
                trackingId: "42",
                warnings: ["depth is unknown", 1],
                targetResource: { id: "/r", resourceType: "A.B/c", resourceName: "r" },
              }),
            ],
            nextLink: `http://${request.headers.host}/apis/api.ucp.dev/v1alpha3${id}/operations?page=2`,
          },
        ],
  );
  await using _ = server;

  const [first, second] = await client.deployments.operations(id);

  assert.deepEqual(first?.target, { id: "/r", type: "A.B/c", name: "r" });
  assert.equal(first.changeType, "NoChange");
  assert.equal(first.trackingId, "42");
  assert.deepEqual(first.warnings, ["depth is unknown"]);
  assert.deepEqual([second?.trackingId, second?.warnings], [undefined, []]);
  assert.equal(second?.error?.code, "Conflict");
  assert.equal(second.target, undefined);
});

const prediction = {
  status: "Succeeded",
  properties: {
    changes: [
      {
        resourceId: "/r",
        changeType: "Modify",
        delta: [{ path: "properties.size", propertyChangeType: "Modify", before: 1, after: 2 }],
      },
    ],
  },
};

test("a what-if that is answered at once", async () => {
  const { server, client } = await startFake(() => [200, prediction]);
  await using _ = server;

  const { changes, potentialChanges, diagnostics } = await client.deployments.whatIf(id, {});

  assert.equal(changes[0]?.changeType, "Modify");
  assert.deepEqual(changes[0].delta, [
    { path: "properties.size", changeType: "Modify", before: 1, after: 2, children: [] },
  ]);
  assert.deepEqual([potentialChanges, diagnostics], [[], []]);
});

test("a what-if that takes longer is waited for", async () => {
  let polls = 0;
  const { server, client } = await startFake((request) => {
    const location = `http://${request.headers.host}/apis/api.ucp.dev/v1alpha3${scope}/operationResults/1`;
    if (request.method === "POST") {
      return [202, undefined, { location }];
    }
    polls += 1;
    return polls < 3 ? [202, undefined, { location }] : [200, prediction];
  });
  await using _ = server;

  const { changes } = await client.deployments.whatIf(id, {});

  assert.equal(changes.length, 1);
});

test("a what-if that fails rejects with the reason", async () => {
  const error = { code: "InvalidTemplate", message: "no" };
  const { server, client } = await startFake(() => [200, { status: "Failed", error }]);
  await using _ = server;

  await assert.rejects(client.deployments.whatIf(id, {}), { code: "InvalidTemplate" });
});

test("answers that are no deployments are refused", async () => {
  const { server, client } = await startFake(() => [200, { value: [{}] }]);
  await using _ = server;

  await assert.rejects(client.deployments.get(id), { code: "UnexpectedResponse" });
  await assert.rejects(client.deployments.list(scope), { code: "UnexpectedResponse" });
  await assert.rejects(client.deployments.operations(id), { code: "UnexpectedResponse" });
});

test("the end of a deployment is heard from a control plane that waits for it", async () => {
  const states = ["Running", "Running", "Failed"];
  const { server, client } = await startFake(() => [
    200,
    { id, name: "d1", properties: { provisioningState: states.shift() } },
    { "preference-applied": "wait=20" },
  ]);
  await using _ = server;

  assert.equal(await client.deployments.waitForEnd(id), true);
  assert.equal(server.requests.length, 3);
});

test("a control plane that answers at once, though it could wait, is asked ever less often", async () => {
  const waits: number[] = [];
  const states = ["Running", "Running", "Running", "Succeeded"];
  const { server } = await startFake(() => [
    200,
    { id, name: "d1", properties: { provisioningState: states.shift() } },
    { "preference-applied": "wait=10" },
  ]);
  await using _ = server;
  const client = createClient({
    endpoint: server.url,
    now: () => 0,
    sleep: async (ms) => {
      waits.push(ms);
    },
  });

  assert.equal(await client.deployments.waitForEnd(id), true);
  assert.deepEqual(waits, [50, 75, 112.5]);
});

test("a control plane that cannot wait is not asked twice", async () => {
  const { server, client } = await startFake(() => [
    200,
    { id, name: "d1", properties: { provisioningState: "Running" } },
  ]);
  await using _ = server;

  assert.equal(await client.deployments.waitForEnd(id), false);
  assert.equal(server.requests.length, 1);
});
