// One test per rule of asynchronous operations: links, statuses, results, what workers do to them.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import type { HandlerContext, ResourceHandler } from "@rad/resources";
import { auditOf } from "../support/audit.ts";
import {
  local,
  registry,
  type Reply,
  startTestServer,
  systemVersion,
  type TestServer,
} from "../../testing/test-server.ts";

let server: TestServer;
const group = `${local}/resourcegroups/async`;
const v = "api-version=2025-01-01";
const work = (name: string): string => `${group}/providers/Test.Async/works/${name}?${v}`;
const plain = (name: string): string => `${group}/providers/Test.Async/plains/${name}?${v}`;

/** What the handler does is chosen by the resource's `does`. */
const gates = new Map<string, PromiseWithResolvers<void>>();
const attempts = new Map<string, number>();

function gate(name: string): PromiseWithResolvers<void> {
  const found = gates.get(name) ?? Promise.withResolvers<void>();
  gates.set(name, found);
  return found;
}

const handler: ResourceHandler = {
  put: async (context) => {
    const name = context.id.name;
    const attempt = (attempts.get(name) ?? 0) + 1;
    attempts.set(name, attempt);
    switch (context.properties["does"]) {
      case "wait":
        await waitAtGate(context);
        return { kind: "done", properties: { ...context.properties, host: "made.by.handler" } };
      case "fail":
        throw new ApiError("BadRequest", "the recipe said no", {
          details: [{ code: "InvalidProperties", message: "inner" }],
        });
      case "break":
        throw new Error("a bug with internals");
      case "retry":
        if (attempt === 1) {
          throw new ApiError("ServiceUnavailable", "not yet", { transient: true });
        }
        return undefined;
      case "steps":
        await context.step("first", async () => {});
        await context.step("second", async () => waitAtGate(context));
        return undefined;
      case "save":
        for (let n = 0; !context.signal.aborted; n += 1) {
          await context.save({ n });
          await sleep(1);
        }
        return undefined;
      case "leak": {
        const secret = String((await context.secrets())["/properties/password"]);
        throw new ApiError("BadRequest", `cannot log in with ${secret}`);
      }
      default:
        return undefined;
    }
  },
  delete: async (context) => {
    if (context.properties["undeletable"] === true) {
      throw new ApiError("Conflict", "still in use");
    }
  },
};

async function waitAtGate({ id, signal }: HandlerContext): Promise<void> {
  const stopped = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => stopped.reject(signal.reason));
  await Promise.race([gate(id.name).promise, stopped.promise]);
}

before(async () => {
  server = await startTestServer({
    handlers: { "Test.Async/works": handler },
    overrides: { workerServer: { maxOperationRetryCount: 1 } },
  });
  await server.register("Test.Async", {
    plains: {},
    works: { type: "object", properties: { password: { type: "string", "x-radius-sensitive": true } } },
  });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(() => server[Symbol.asyncDispose]());

const put = (name: string, properties: JsonObject): Promise<Reply> =>
  server.call("PUT", work(name), { body: { properties } });
const link = (reply: Reply, header: string): string => (reply.headers.get(header) ?? "").slice(server.url.length);
const stateOf = async (path: string): Promise<unknown> =>
  ((await server.call("GET", path)).body["properties"] as JsonObject)["provisioningState"];

function untilState(path: string, state: string): Promise<boolean> {
  return until(`the state is ${state}`, async () => (await stateOf(path)) === state);
}

it("the links are absolute, plane scoped and end in the operation's id", async () => {
  const reply = await server.call("PUT", plain("links"), { body: { properties: {} } });

  const place = `${server.url}${local}/providers/Test.Async/locations/global`;
  const [location, status] = [reply.headers.get("location") ?? "", reply.headers.get("azure-asyncoperation") ?? ""];
  assert.match(location, new RegExp(`^${RegExp.escape(place)}/operationResults/[0-9a-f-]{36}\\?${v}$`));
  assert.equal(status, location.replace("operationResults", "operationStatuses"));
  await server.settle(reply);
});

it("who waits for a type without a handler may ask after a second, others after what the type says", async () => {
  const quick = await server.call("PUT", plain("retried"), { body: { properties: {} } });
  const slow = await put("retried", { does: "wait" });
  const running = await server.call("GET", link(slow, "location"));
  gate("retried").resolve();

  assert.deepEqual(
    [quick, slow, running].map(({ headers }) => headers.get("retry-after")),
    ["1", "5", "5"],
  );
  await server.settle(quick);
  await server.settle(slow);
});

it("a status has id, name, times and, when ended, an end", async () => {
  const reply = await put("timed", { does: "wait" });
  const path = link(reply, "azure-asyncoperation");
  await untilState(work("timed"), "Updating");

  const running = (await server.call("GET", path)).body;
  gate("timed").resolve();
  const ended = await server.settle(reply);

  const name = path.split("/").at(-1)?.split("?")[0];
  const id = `${local}/providers/test.async/locations/global/operationstatuses/${name}`;
  assert.partialDeepStrictEqual(running, { id, name, status: "Updating" });
  assert.equal(running["endTime"], undefined);
  assert.match(String(ended["startTime"]), /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.ok(String(ended["endTime"]) >= String(ended["startTime"]));
});

it("both the status and the resource go Accepted, Updating, Succeeded", async () => {
  const reply = await put("states", { does: "wait" });
  assert.equal((reply.body["properties"] as JsonObject)["provisioningState"], "Accepted");

  await untilState(work("states"), "Updating");
  gate("states").resolve();
  const ended = await server.settle(reply);

  assert.equal(ended["status"], "Succeeded");
  const { properties } = (await server.call("GET", work("states"))).body;
  assert.deepEqual(properties, { does: "wait", host: "made.by.handler", provisioningState: "Succeeded" });
});

it("results are 202 with a link while running and 204 at the end, also after a failure", async () => {
  const reply = await put("results", { does: "wait" });
  const path = link(reply, "location");

  const running = await server.call("GET", path);
  gate("results").resolve();
  await server.settle(reply);
  const failed = await put("resultsFailed", { does: "fail" });
  await server.settle(failed);

  assert.deepEqual([running.status, running.headers.get("retry-after")], [202, "5"]);
  assert.equal(running.headers.get("location"), `${server.url}${path}`);
  assert.equal((await server.call("GET", path)).status, 204);
  assert.equal((await server.call("GET", link(failed, "location"))).status, 204);
});

for (const [what, path] of [
  ["the status", (reply: Reply) => link(reply, "azure-asyncoperation")],
  ["the results", (reply: Reply) => link(reply, "location")],
  ["the resource", () => work("waited")],
] as const) {
  it(`RFC 7240: with "Prefer: wait", ${what} is told when the operation has ended`, { timeout: 20_000 }, async () => {
    gates.delete("waited");
    const reply = await put("waited", { does: "wait" });
    const waiting = server.call("GET", path(reply), { headers: { prefer: "respond-async, wait=30" } });
    const first = await Promise.race([waiting, sleep(50, "still waiting")]);
    gate("waited").resolve();
    const ended = await waiting;

    assert.equal(first, "still waiting");
    assert.equal(ended.headers.get("preference-applied"), "wait=30");
    assert.match(
      ended.status === 204 ? "Succeeded" : ended.text,
      /"(?:status|provisioningState)": ?"Succeeded"|^Succeeded$/,
    );
  });
}

it("RFC 7240: an operation that takes longer than the caller wants to wait is told as it is", async () => {
  const reply = await put("patience", { does: "wait" });
  const path = link(reply, "azure-asyncoperation");
  await untilState(work("patience"), "Updating");

  const prefer = async (value: string): Promise<unknown> =>
    (await server.call("GET", path, { headers: { prefer: value } })).body["status"];
  const states = [await prefer("wait=0"), await prefer("wait=1"), await prefer("wait=soon")];
  gate("patience").resolve();
  await server.settle(reply);

  assert.deepEqual(states, ["Updating", "Updating", "Updating"]);
});

it("RFC 7240: nobody is kept waiting who may not read", async () => {
  const reply = await put("secret", { does: "wait" });
  const path = link(reply, "azure-asyncoperation");

  const refused = await server.call("GET", path, { headers: { prefer: "wait=30" }, token: "wrong" });
  gate("secret").resolve();
  await server.settle(reply);

  assert.equal(refused.status, 401);
});

it("RFC 7240: a request that is to be refused is not kept waiting", { timeout: 20_000 }, async () => {
  const reply = await put("refused", { does: "wait" });
  const path = work("refused").replace(v, "api-version=1999-01-01");

  const refused = await server.call("GET", path, { headers: { prefer: "wait=30" } });
  gate("refused").resolve();
  await server.settle(reply);

  assert.equal(refused.status, 400);
});

it("an unknown operation, or one of another namespace or plane, is not found", async () => {
  const reply = await server.call("PUT", plain("foreign"), { body: { properties: {} } });
  await server.settle(reply);
  const path = link(reply, "azure-asyncoperation");

  for (const wrong of [
    path.replace(/[0-9a-f-]{36}/, "00000000-0000-4000-8000-000000000000"),
    path.replace("Test.Async", "Test.Other"),
    path.replace("radius/local", "radius/other"),
  ]) {
    const missing = await server.call("GET", wrong);
    assert.deepEqual([missing.status, missing.code], [404, "NotFound"]);
  }
});

it("a handler's own error keeps its code; both end Failed", async () => {
  const status = await server.settle(await put("failing", { does: "fail" }));

  assert.equal(status["status"], "Failed");
  assert.deepEqual(status["error"], {
    code: "BadRequest",
    message: "the recipe said no",
    details: [{ code: "InvalidProperties", message: "inner" }],
  });
  assert.equal(await stateOf(work("failing")), "Failed");
});

it("any other error becomes Internal and tells nothing about the inside", async () => {
  const status = await server.settle(await put("breaking", { does: "break" }));

  assert.equal((status["error"] as JsonObject)["code"], "Internal");
  assert.doesNotMatch(JSON.stringify(status), /internals/);
});

it("a failed attempt that may pass is tried again", async () => {
  const status = await server.settle(await put("retried", { does: "retry" }));

  assert.equal(status["status"], "Succeeded");
  assert.equal(attempts.get("retried"), 2);
});

it("a secret in an error is hidden", async () => {
  const status = await server.settle(await put("leaking", { does: "leak", password: "canary-in-error" }));

  assert.equal(status["status"], "Failed");
  assert.doesNotMatch(JSON.stringify(status), /canary-in-error/);
  assert.match(JSON.stringify(status), /cannot log in with/);
});

it("steps are progress that the status shows", async () => {
  const reply = await put("stepping", { does: "steps" });
  const path = link(reply, "azure-asyncoperation");
  const steps = async (): Promise<unknown[]> =>
    (((await server.call("GET", path)).body["properties"] as JsonObject | undefined)?.["steps"] as JsonObject[]) ?? [];
  await until("the second step has begun", async () => (await steps()).length === 2);

  const [first, second] = (await steps()) as JsonObject[];
  gate("stepping").resolve();
  const ended = await server.settle(reply);

  assert.deepEqual([first?.["name"], first?.["state"]], ["first", "Succeeded"]);
  assert.deepEqual([second?.["name"], second?.["state"]], ["second", "Running"]);
  const last = ((ended["properties"] as JsonObject)["steps"] as JsonObject[])[1];
  assert.equal(last?.["state"], "Succeeded");
});

it("a busy resource is 409 on PUT and DELETE, with the operation's id", async () => {
  const reply = await put("busy", { does: "wait" });
  const operationId = /[0-9a-f-]{36}/.exec(link(reply, "location"))?.[0] ?? "";

  for (const refused of [await put("busy", {}), await server.call("DELETE", work("busy"))]) {
    assert.deepEqual([refused.status, refused.code], [409, "Conflict"]);
    assert.ok(refused.text.includes(operationId));
  }
  gate("busy").resolve();
  assert.equal((await server.settle(reply))["status"], "Succeeded");
});

it("force=true on DELETE wins over an operation that writes on and on", async () => {
  for (let round = 0; round < 15; round += 1) {
    await put("saving", { does: "save" });
    await untilState(work("saving"), "Updating");
    await sleep(5);

    const deleted = await server.call("DELETE", `${work("saving")}&force=true`);

    assert.equal(deleted.status, 202, deleted.text);
    assert.equal((await server.settle(deleted))["status"], "Succeeded");
  }
});

it("force=true on DELETE cancels and fences off the running operation", async () => {
  const running = await put("forced", { does: "wait" });
  await untilState(work("forced"), "Updating");

  const deleted = await server.call("DELETE", `${work("forced")}&force=true`);

  assert.equal(deleted.status, 202);
  assert.equal((await server.settle(deleted))["status"], "Succeeded");
  const cancelled = await server.settle(running);
  assert.deepEqual(
    [cancelled["status"], (cancelled["error"] as JsonObject)["code"]],
    ["Canceled", "OperationCanceled"],
  );
  gate("forced").resolve();
  await sleep(20);
  assert.equal((await server.call("GET", work("forced"))).status, 404);
});

it("an operation that force=true cut off has its outcome in the audit, like any other", async () => {
  const running = await server.call("PUT", work("cut"), {
    body: { properties: { does: "wait" } },
    headers: { "x-ms-correlation-request-id": "cut-off" },
  });
  await untilState(work("cut"), "Updating");

  await server.settle(await server.call("DELETE", `${work("cut")}&force=true`));

  const operationId = /[0-9a-f-]{36}/.exec(link(running, "location"))?.[0];
  const records = (await auditOf(server, "cut-off")).filter((record) => record["operationId"] === operationId);
  assert.deepEqual(
    records.map(({ phase, action, result }) => [phase, action, result]),
    [
      ["intent", "Test.Async/works/write", undefined],
      ["outcome", "Test.Async/works/write", "Canceled"],
    ],
  );
});

it("force=true still checks the etag", async () => {
  await server.settle(await server.call("PUT", plain("forcedTag"), { body: { properties: {} } }));

  const refused = await server.call("DELETE", `${plain("forcedTag")}&force=true`, { headers: { "if-match": "32-0" } });

  assert.equal(refused.status, 412);
});

it("a failed DELETE leaves the resource, Failed", async () => {
  await server.settle(await put("undeletable", { undeletable: true }));

  const status = await server.settle(await server.call("DELETE", work("undeletable")));

  assert.deepEqual([status["status"], (status["error"] as JsonObject)["code"]], ["Failed", "Conflict"]);
  assert.equal(await stateOf(work("undeletable")), "Failed");
});

it("a deleted resource's operation can still be looked up", async () => {
  await server.settle(await server.call("PUT", plain("lookedUp"), { body: { properties: {} } }));
  const deleted = await server.call("DELETE", plain("lookedUp"));
  await server.settle(deleted);

  assert.equal((await server.call("GET", link(deleted, "azure-asyncoperation"))).body["status"], "Succeeded");
});

it("every change leaves an intent and exactly one outcome in the audit, refusals included", async () => {
  const headers = { "x-ms-correlation-request-id": "audited" };
  await server.settle(await server.call("PUT", plain("audited"), { body: { properties: {} }, headers }));
  await server.call("PUT", plain("audited"), { body: { wrong: true }, headers });
  await server.call("PUT", plain("audited"), { body: { properties: {} }, headers, token: "rad_wrong" });

  const lines = (await server.call("GET", "/audit")).text.trim().split("\n");
  const records = lines.map((line) => JSON.parse(line) as JsonObject).filter((it) => it["correlationId"] === "audited");

  assert.deepEqual(
    records.map((record) => [record["phase"], record["caller"], record["result"], record["status"]]),
    [
      ["intent", "local-admin", undefined, undefined],
      ["outcome", "local-admin", "Succeeded", undefined],
      ["refusal", "local-admin", "HttpRequestPayloadAPISpecValidationFailed", 400],
      ["refusal", "anonymous", "InvalidAuthenticationInfo", 401],
    ],
  );
  const [accepted, ended] = records;
  assert.equal(accepted?.["operationId"], ended?.["operationId"]);
  assert.equal(accepted?.["action"], "Test.Async/plains/write");
});

it("a type can be changed while it is used: a stale registration is noticed and read again", async () => {
  const version = `${registry}/Test.Async/resourcetypes/plains/apiversions/2025-01-01?${systemVersion}`;
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const before = await server.call("PUT", plain("schema"), { body: { properties: {} } });
  await server.settle(before);

  await server.settle(await server.call("PUT", version, { body: { properties: { schema } } }));
  const after = await server.call("PUT", plain("schema"), { body: { properties: {} } });
  await server.settle(await server.call("PUT", version, { body: { properties: {} } }));

  assert.deepEqual([before.status, after.status], [201, 400]);
});
