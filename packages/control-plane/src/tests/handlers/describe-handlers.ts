import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { ApiError, type JsonObject, systemClock } from "@rad/core";
import { until } from "@rad/core/testing";
import type { HandlerResult } from "@rad/resources";
import { deploymentsVersion, radiusResource, radiusTemplate } from "../../testing/templates.ts";
import type { TestServer, TestServerOptions } from "../../testing/test-server.ts";
import {
  apiVersion,
  groupId,
  idOf,
  pathOf,
  prepare,
  propertiesOf,
  hurriedModule,
  hurriedType,
  ScriptedType,
  settled,
  type,
} from "./scripted-types.ts";

export interface HandlersFixture {
  readonly server: TestServer;
  /** Everything that is stored, as the disk has it. */
  stored(): Promise<string>;
  close(): PromiseLike<void>;
}

/** What the server promises to handlers, whichever database it stands on. */
export function describeHandlers(name: string, open: (options: TestServerOptions) => Promise<HandlersFixture>): void {
  const scripted = new ScriptedType();
  let fixture: HandlersFixture;
  let server: TestServer;
  const put = (resource: string, properties: JsonObject = {}) =>
    server.call("PUT", pathOf(resource), { body: { properties } });
  const remove = (resource: string) => server.call("DELETE", pathOf(resource));

  before(async () => {
    fixture = await open({
      handlers: { [type]: scripted.handler },
      modules: [{ name: "hurried", create: () => hurriedModule(scripted.handler) }],
      overrides: { workerServer: { maxOperationConcurrency: 2, maxOperationRetryCount: 1 } },
    });
    server = fixture.server;
    await prepare(server);
  });
  after(() => fixture.close());

  it(`${name}: sensitive values are sealed, whether the client sent them or the handler made them`, async () => {
    const seen: unknown[] = [];
    scripted.script("sealed", {
      put: async (context) => {
        seen.push(await context.secrets());
        return {
          kind: "done",
          properties: { ...context.properties, host: "h", token: "canary-token", keys: [{ value: "canary-key" }] },
        };
      },
    });

    const first = await settled(server, put("sealed", { password: "canary-password" }));
    const shown = await propertiesOf(server, "sealed");
    const second = await settled(server, put("sealed", { password: "canary-password", size: 2 }));

    assert.equal(first["status"], "Succeeded", JSON.stringify(first));
    assert.deepEqual(shown, {
      password: null,
      host: "h",
      token: null,
      keys: [{ value: null }],
      provisioningState: "Succeeded",
    });
    assert.equal(second["status"], "Succeeded");
    assert.deepEqual(seen, [
      { "/properties/password": "canary-password" },
      {
        "/properties/password": "canary-password",
        "/properties/token": "canary-token",
        "/properties/keys/0/value": "canary-key",
      },
    ]);
    assert.doesNotMatch(await fixture.stored(), /canary-/);
  });

  it(`${name}: what a handler saves as a secret, or where the schema marks one, is shown by nothing it says later`, async () => {
    scripted.script("talkative", {
      put: async (context) => {
        await context.save({ phase: 1, rootKey: "canary-talk-root" }, { "/own": "canary-talk-own" });
        await context.step("trying canary-talk-own", async (step) => step.detail("canary-talk-root"));
        throw new ApiError("BadRequest", "neither canary-talk-root nor canary-talk-own works");
      },
    });

    const failed = await settled(server, put("talkative"));

    const { status } = await propertiesOf(server, "talkative");
    assert.equal((failed["error"] as JsonObject)["message"], "neither [redacted] nor [redacted] works");
    assert.doesNotMatch(JSON.stringify(failed), /canary/);
    assert.deepEqual(status, { phase: 1, rootKey: null, own: null });
    assert.doesNotMatch(await fixture.stored(), /canary-talk/);
  });

  it(`${name}: saved work and its secrets are seen by later attempts, a failure, the next PUT and a DELETE`, async () => {
    const seen: unknown[] = [];
    const note = async (context: { status: JsonObject; secrets(): Promise<object> }): Promise<void> => {
      const secrets = Object.entries(await context.secrets()).filter(([pointer]) => pointer.includes("status"));
      seen.push({ status: context.status, secrets: Object.fromEntries(secrets) });
    };
    scripted.script("saved", {
      put: async (context, attempt) => {
        await note(context);
        await context.save({ made: attempt, admin: { name: "root" } }, { "/admin/password": `canary-save-${attempt}` });
        if (attempt === 1) {
          throw new Error("an error that may pass");
        }
        throw new ApiError("BadRequest", "an error that does not");
      },
      delete: note,
    });

    const failed = await settled(server, put("saved"));
    const shown = await propertiesOf(server, "saved");
    await settled(server, put("saved"));
    const removed = await settled(server, remove("saved"));

    assert.equal(failed["status"], "Failed");
    assert.deepEqual(shown["status"], { made: 2, admin: { name: "root", password: null } });
    assert.equal(removed["status"], "Succeeded");
    const after = (attempt: number) => ({
      status: { made: attempt, admin: { name: "root", password: null } },
      secrets: { "/properties/status/admin/password": `canary-save-${attempt}` },
    });
    assert.deepEqual(seen, [{ status: {}, secrets: {} }, after(1), after(2), after(3)]);
    assert.doesNotMatch(await fixture.stored(), /canary-save/);
  });

  it(`${name}: an ordinary error is tried again, an ApiError only when it is transient`, async () => {
    scripted.script("ordinary", { put: () => Promise.reject(new Error("with internals")) });
    scripted.script("refused", { put: () => Promise.reject(new ApiError("BadRequest", "no")) });
    scripted.script("passing", {
      put: async (_, attempt) => {
        if (attempt === 1) {
          throw new ApiError("ServiceUnavailable", "not yet", { transient: true });
        }
      },
    });

    const [ordinary, refused, passing] = await Promise.all(
      ["ordinary", "refused", "passing"].map((resource) => settled(server, put(resource))),
    );

    assert.deepEqual([ordinary?.["status"], scripted.attempts("ordinary")], ["Failed", 2]);
    assert.doesNotMatch(JSON.stringify(ordinary), /internals/);
    assert.deepEqual([refused?.["status"], scripted.attempts("refused")], ["Failed", 1]);
    assert.deepEqual([passing?.["status"], scripted.attempts("passing")], ["Succeeded", 2]);
  });

  it(`${name}: a handler waits for a child of the same queue without holding a slot`, async () => {
    const parents = Array.from({ length: 30 }, (_, index) => `parent-${index}`);
    for (const parent of parents) {
      scripted.script(parent, {
        put: async ({ resources }) => {
          const id = idOf(parent.replace("parent", "child"));
          const child = await resources.asRequester.get(id);
          if (child === undefined) {
            const operation = await resources.put({ id, apiVersion, body: { properties: {} } });
            return { kind: "waiting", for: operation === undefined ? [] : [operation] };
          }
          return child.operationId === undefined ? undefined : { kind: "waiting", for: [child.operationId] };
        },
      });
    }

    const ended = await Promise.all(parents.map((parent) => settled(server, put(parent))));

    assert.deepEqual(
      ended.filter((status) => status["status"] !== "Succeeded"),
      [],
    );
    const states = await Promise.all(parents.map((one) => propertiesOf(server, one.replace("parent", "child"))));
    assert.ok(states.every((properties) => properties["provisioningState"] === "Succeeded"));
  });

  it(`${name}: a handler that puts and deletes again after a crash finds what it has started`, async () => {
    const gate = Promise.withResolvers<void>();
    const started: (string | undefined)[] = [];
    scripted.script("slow-part", { put: () => gate.promise, delete: () => gate.promise });
    scripted.script("crashing", {
      put: async ({ resources, properties }, attempt) => {
        const part = { id: idOf("slow-part"), apiVersion };
        const isDelete = properties["size"] !== undefined;
        const operation = await (isDelete
          ? resources.delete(part)
          : resources.put({ ...part, body: { properties: {} } }));
        started.push(operation);
        if (attempt % 3 === 1) {
          throw new Error("as if it had crashed here");
        }
        gate.resolve();
        return operation === undefined ? undefined : { kind: "waiting", for: [operation] };
      },
    });

    const made = await settled(server, put("crashing"));
    const removed = await settled(server, put("crashing", { size: 1 }));

    assert.deepEqual([made["status"], removed["status"]], ["Succeeded", "Succeeded"], JSON.stringify([made, removed]));
    assert.deepEqual([scripted.attempts("slow-part"), scripted.attempts("slow-part", "delete")], [1, 1]);
    const [first, again, none] = started;
    assert.ok(first !== undefined && first === again && none === undefined, JSON.stringify(started));
  });

  it(`${name}: a handler that asks again for what failed is told why, until another operation asks`, async () => {
    scripted.script("failing-part", {
      put: async (_, attempt) => {
        if (attempt === 1) {
          throw new ApiError("BadRequest", "the part said no");
        }
      },
    });
    scripted.script("asking", {
      put: async ({ resources }) => {
        const body = { properties: {} };
        const operation = await resources.put({ id: idOf("failing-part"), apiVersion, body });
        return operation === undefined ? undefined : { kind: "waiting", for: [operation] };
      },
    });

    const failed = await settled(server, put("asking"));
    const repaired = await settled(server, put("asking"));

    assert.deepEqual([failed["status"], repaired["status"]], ["Failed", "Succeeded"]);
    assert.match(JSON.stringify(failed["error"]), /BadRequest.*the part said no/);
    assert.equal(scripted.attempts("failing-part"), 2);
  });

  it(`${name}: a handler deploys a template on behalf of its caller and goes on with the outputs`, async () => {
    scripted.script("deployer", {
      put: async ({ deployments, properties, requester }) => {
        const template = radiusTemplate({
          resources: { part: radiusResource(`${type}@${apiVersion}`, "part", { properties: { size: 7 } }) },
          outputs: { size: { type: "int", value: "[reference('part').properties.size]" } },
        });
        const result = await deployments.run({ name: "parts", template });
        if (result.kind === "waiting") {
          return result;
        }
        assert.equal(requester.caller.groups.length, 0);
        const size = (result.outputs["size"] as JsonObject)["value"] ?? null;
        return {
          kind: "done",
          properties: { ...properties, host: `${requester.caller.subject} ${JSON.stringify(size)}` },
        };
      },
    });

    const ended = await settled(server, put("deployer"));

    assert.equal(ended["status"], "Succeeded", JSON.stringify(ended));
    assert.match(JSON.stringify((await propertiesOf(server, "deployer"))["host"]), / 7"$/);
    assert.equal((await propertiesOf(server, "part"))["size"], 7);
  });

  it(`${name}: a deployment that fails fails the handler with its error`, async () => {
    scripted.script("broken-part", { put: () => Promise.reject(new ApiError("BadRequest", "the part said no")) });
    scripted.script("unlucky", {
      put: async ({ deployments }) => {
        const template = radiusTemplate({
          resources: { part: radiusResource(`${type}@${apiVersion}`, "broken-part") },
        });
        const result = await deployments.run({ name: "parts", template });
        return result.kind === "waiting" ? result : undefined;
      },
    });

    const ended = await settled(server, put("unlucky"));

    assert.equal(ended["status"], "Failed");
    assert.match(JSON.stringify(ended["error"]), /the part said no/);
    assert.equal((await settled(server, remove("unlucky")))["status"], "Succeeded");
  });

  for (const [what, suffix, ownerId] of [
    ["is superseded", "cut", idOf("owner-cut")],
    ["runs out of time", "late", `${groupId}/providers/${hurriedType}/owner-late`],
  ] as const) {
    it(`${name}: an operation that ${what} cancels the deployment that it waits for, which ends gently`, async () => {
      const gate = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const [first, second] = [`first-${suffix}`, `second-${suffix}`];
      scripted.script(first, {
        put: async () => {
          begun.resolve();
          await gate.promise;
        },
      });
      const deployments: string[] = [];
      scripted.script(`owner-${suffix}`, {
        put: async (context) => {
          const template = radiusTemplate({
            resources: {
              first: radiusResource(`${type}@${apiVersion}`, first),
              second: radiusResource(`${type}@${apiVersion}`, second, { dependsOn: ["first"] }),
            },
          });
          const result = await context.deployments.run({ name: "parts", template });
          if (result.kind === "done") {
            return undefined;
          }
          deployments.push(...result.for);
          return result;
        },
      });
      const owner = `${ownerId}?api-version=${apiVersion}`;
      const reply = await server.call("PUT", owner, { body: { properties: {} } });
      await Promise.race([begun.promise, server.settle(reply)]);

      if (suffix === "cut") {
        await settled(server, server.call("DELETE", `${owner}&force=true`));
      }
      const cut = await server.settle(reply);
      gate.resolve();
      const status = `/planes/radius/local/providers/Microsoft.Resources/locations/global/operationStatuses`;
      const ended = await until("the deployment has ended", async () => {
        const { body } = await server.call("GET", `${status}/${deployments[0]}?${deploymentsVersion}`);
        return body["status"] === "Running" || body["status"] === "Updating" ? undefined : body;
      });

      assert.equal(cut["status"], "Canceled");
      assert.equal(ended["status"], "Canceled", JSON.stringify(ended));
      assert.match(JSON.stringify(ended["error"]), /operation that started the deployment was canceled/);
      assert.equal((await propertiesOf(server, first))["provisioningState"], "Succeeded");
      assert.equal((await server.call("GET", pathOf(second))).status, 404);
    });
  }

  const misbehaving: readonly (readonly [string, string, RegExp])[] = [
    ["throws", "throws", /log has the cause/],
    ["returns too much", "too-much", /returned \d+ characters; at most \d+ can be stored/],
    ["returns members that the schema does not have", "unknown-members", /what its schema does not allow: .*extra/],
    ["returns something else", "something-else", /returned a result of an unknown kind/],
    ["fails while it saves", "hasty", /gave up half-way/],
    ["gives a deployment a name that is too long", "long-winded", /The name of a deployment has 1 to 64/],
    ["waits for itself", "narcissus", /would wait for itself: .*narcissus → .*narcissus/],
  ];
  for (const [what, resource, message] of misbehaving) {
    it(`${name}: a handler that ${what} fails its operation clearly, and the resource can be changed again`, async () => {
      let isBroken = true;
      scripted.script(resource, {
        put: async (context): Promise<HandlerResult> => {
          if (!isBroken) {
            return undefined;
          }
          switch (resource) {
            case "throws":
              throw new Error("canary-internals");
            case "too-much":
              return { kind: "done", properties: { host: "x".repeat(5_000_000) } };
            case "unknown-members":
              return { kind: "done", properties: { extra: "canary-extra" } };
            case "long-winded":
              await context.deployments.run({ name: "n".repeat(51), template: radiusTemplate() });
              return undefined;
            case "something-else":
              return { kind: "wait" } as unknown as HandlerResult; // as a module in JavaScript might
            case "hasty":
              await Promise.all([
                ...[1, 2, 3].map((n) => context.save({ n })),
                Promise.reject(new ApiError("BadRequest", "gave up half-way")),
              ]);
              return undefined;
            default: {
              const own = await context.resources.asServer.get(context.id.toString());
              return { kind: "waiting", for: [own?.operationId ?? ""] };
            }
          }
        },
      });

      const failed = await settled(server, put(resource));
      isBroken = false;
      const repaired = await settled(server, put(resource, { size: 1 }));
      const removed = await settled(server, remove(resource));

      assert.equal(failed["status"], "Failed");
      assert.match(JSON.stringify(failed["error"]), message);
      assert.doesNotMatch(JSON.stringify(failed), /canary-/);
      assert.equal(repaired["status"], "Succeeded");
      assert.equal(removed["status"], "Succeeded");
    });
  }

  it(`${name}: a save that a handler does not wait for and that fails harms nothing`, async () => {
    scripted.script("careless", {
      put: async (context) => {
        setTimeout(() => void context.save({ late: true }), 20); // the operation has ended by then
      },
    });

    const ended = await settled(server, put("careless"));
    await systemClock.sleep(60);

    assert.equal(ended["status"], "Succeeded");
    assert.equal((await propertiesOf(server, "careless"))["status"], undefined);
  });

  it(`${name}: a handler that hangs and ignores its signal does not keep its resource from being deleted`, async () => {
    const begun = Promise.withResolvers<void>();
    const hanging = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    scripted.script("deaf", {
      put: async (context) => {
        begun.resolve();
        await hanging.promise;
        late.resolve(context.save({ late: true }));
      },
    });
    const reply = await put("deaf");
    await begun.promise;

    const removed = await settled(server, server.call("DELETE", `${pathOf("deaf")}&force=true`));
    const cut = await server.settle(reply);
    hanging.resolve();

    assert.equal(removed["status"], "Succeeded");
    assert.equal(cut["status"], "Canceled");
    // What it saves after it lost its lease is refused.
    await assert.rejects(late.promise, { code: "LeaseLost" });
    assert.equal((await server.call("GET", pathOf("deaf"))).status, 404);
  });

  it(`${name}: two handlers that wait for each other are told the circle`, async () => {
    const operationOf = async (resource: string): Promise<string> =>
      await until(`${resource} is there`, async () => {
        const document = await server.call("GET", pathOf(resource));
        return document.status === 200 ? operations.get(resource) : undefined;
      });
    const operations = new Map<string, string>();
    for (const [one, other] of [
      ["left", "right"],
      ["right", "left"],
    ] as const) {
      scripted.script(one, {
        put: async (_, attempt) => (attempt === 1 ? { kind: "waiting", for: [await operationOf(other)] } : undefined),
      });
    }
    const start = async (resource: string) => {
      const reply = await put(resource);
      operations.set(
        resource,
        /operationStatuses\/([^?]+)/.exec(reply.headers.get("azure-asyncoperation") ?? "")?.[1] ?? "",
      );
      return await server.settle(reply);
    };

    const [left, right] = await Promise.all([start("left"), start("right")]);

    // One closes the circle and is refused; the other waited for it and goes on.
    const failed = [left, right].filter((status) => status["status"] === "Failed");
    assert.equal(failed.length, 1, JSON.stringify([left, right]));
    assert.match(JSON.stringify(failed), /left/);
    assert.match(JSON.stringify(failed), /right/);
  });

  it(`${name}: a resource that waits for the deployment which deploys it is told the circle`, async () => {
    const deployment = `${groupId}/providers/Microsoft.Resources/deployments/snake`;
    scripted.script("tail", {
      put: async ({ resources }) => {
        const running = await resources.asServer.get(deployment);
        return { kind: "waiting", for: [running?.operationId ?? ""] };
      },
    });
    const template = radiusTemplate({ resources: { tail: radiusResource(`${type}@${apiVersion}`, "tail") } });

    const reply = await server.call("PUT", `${deployment}?${deploymentsVersion}`, {
      body: { properties: { mode: "Incremental", template } },
    });
    const ended = await server.settle(reply);

    assert.equal(ended["status"], "Failed");
    assert.match(JSON.stringify(ended["error"]), /would wait for itself: .*tail.*snake/);
    assert.equal((await settled(server, remove("tail")))["status"], "Succeeded");
  });

  it(`${name}: waiting for what has ended or is unknown goes on at once`, async () => {
    scripted.script("patient", {
      put: async (_, attempt) =>
        attempt === 1 ? { kind: "waiting", for: ["00000000-0000-4000-8000-000000000000"] } : undefined,
    });

    assert.equal((await settled(server, put("patient")))["status"], "Succeeded");
    assert.equal(scripted.attempts("patient"), 2);
  });

  it(`${name}: steps nest and show their detail and share while the handler works`, async () => {
    const gate = Promise.withResolvers<void>();
    scripted.script("stepping", {
      put: async (context) => {
        await context.step("outer", async (outer) => {
          await outer.step("inner", async (inner) => {
            inner.detail("half way");
            inner.share(0.5);
            await gate.promise;
          });
        });
      },
    });
    const reply = await put("stepping");
    const link = (reply.headers.get("azure-asyncoperation") ?? "").slice(server.url.length);

    const running = await until("the share is stored", async () => {
      const { body } = await server.call("GET", link);
      return JSON.stringify(body).includes("half way") ? body : undefined;
    });
    gate.resolve();
    const ended = await server.settle(reply);

    assert.partialDeepStrictEqual(running["properties"], {
      steps: [
        {
          name: "outer",
          state: "Running",
          steps: [{ name: "inner", state: "Running", detail: "half way", share: 0.5 }],
        },
      ],
    });
    assert.partialDeepStrictEqual(ended["properties"], {
      steps: [{ name: "outer", state: "Succeeded", steps: [{ name: "inner", state: "Succeeded" }] }],
    });
  });
}
