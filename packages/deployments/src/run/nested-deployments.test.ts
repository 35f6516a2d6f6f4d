import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { it } from "node:test";
import { type JsonObject, objectMember } from "@rad/core";
import { until } from "@rad/core/testing";
import { deploymentId, Engine, thingId } from "./testing/engine-kit.ts";
import { module, outputOf, propertyOf, template, thing } from "./testing/templates.ts";

const echo = (resources: JsonObject, value: string): JsonObject =>
  template(resources, {
    parameters: { p: { type: "string" } },
    outputs: { o: { type: "string", value } },
  });

it("runs modules three deep and hands outputs up and down", async () => {
  await using engine = await Engine.open();
  engine.worker();
  const inner = echo({ t: thing("three", { v: "[concat(parameters('p'), '3')]" }) }, propertyOf("t", "v"));
  const middle = echo({ m: module("inner", inner, { p: "[concat(parameters('p'), '2')]" }) }, outputOf("m", "o"));
  const outer = echo({ m: module("middle", middle, { p: "[concat(parameters('p'), '1')]" }) }, outputOf("m", "o"));

  const { state } = await engine.deploy({
    template: template(
      { m: module("outer", outer, { p: "0" }), last: thing("last", { v: outputOf("m", "o") }) },
      { outputs: { o: { type: "string", value: outputOf("m", "o") } } },
    ),
  });

  assert.equal(state, "Succeeded");
  assert.equal((await engine.thing("last"))?.["v"], "0123");
  for (const name of ["outer", "middle", "inner"]) {
    const { provisioningState, outputs, outputResources } = await engine.properties(name);
    assert.deepEqual(
      [provisioningState, outputs, outputResources],
      ["Succeeded", { o: { type: "String", value: "0123" } }, [{ id: thingId("three") }]],
    );
    assert.equal((await engine.store.get(deploymentId(name)))?.operationId, undefined);
  }
  assert.deepEqual((await engine.properties())["outputResources"], [{ id: thingId("three") }, { id: thingId("last") }]);
  assert.deepEqual(await engine.recordLines(), [
    "Create deployment outer Succeeded",
    "Create thing last Succeeded Create",
  ]);
  assert.deepEqual(await engine.recordLines("middle"), ["Create deployment inner Succeeded"]);
});

it("runs a loop of modules, more than fit at once, and reads all of their outputs", async () => {
  await using engine = await Engine.open({ concurrency: 2 });
  engine.worker();
  const inner = echo({ t: thing("[parameters('p')]", { slow: true }) }, "[parameters('p')]");

  const { state } = await engine.deploy({
    template: template(
      {
        mods: module(
          "[concat('mod', copyIndex())]",
          inner,
          { p: "[concat('t', copyIndex())]" },
          {
            copy: { name: "mods", count: 7 },
          },
        ),
      },
      {
        outputs: {
          all: {
            type: "array",
            value: "[map(references('mods'), lambda('m', lambdaVariables('m').outputs.o.value))]",
          },
        },
      },
    ),
  });

  assert.equal(state, "Succeeded");
  const { all } = objectMember(await engine.properties(), "outputs");
  assert.deepEqual(objectMember({ all: all ?? null }, "all")["value"], ["t0", "t1", "t2", "t3", "t4", "t5", "t6"]);
  assert.equal(engine.target.most, 2);
});

it("nests the errors of a module that failed, with paths from the outermost template", async () => {
  await using engine = await Engine.open();
  engine.worker();
  const inner = template({ bad: thing("bad", { refuse: "no" }), fine: thing("fine") });
  const middle = template({ deep: module("deep", inner) });

  const { error } = await engine.deploy({ template: template({ mid: module("mid", middle) }) });

  const middleFailure = error?.details?.[0];
  const deepFailure = middleFailure?.details?.[0]?.details?.[0];
  const bad = deepFailure?.details?.[0]?.details?.[0];
  assert.deepEqual(
    [middleFailure, middleFailure?.details?.[0], deepFailure, deepFailure?.details?.[0], bad].map((part) => [
      part?.code,
      part?.target,
    ]),
    [
      ["ResourceDeploymentFailure", deploymentId("mid")],
      ["DeploymentFailed", deploymentId("mid")],
      ["ResourceDeploymentFailure", deploymentId("deep")],
      ["DeploymentFailed", deploymentId("deep")],
      ["BadRequest", thingId("bad")],
    ],
  );
  assert.deepEqual(bad?.additionalInfo, [
    {
      type: "TemplateViolation",
      info: { path: "$.resources.mid.properties.template.resources.deep.properties.template.resources.bad" },
    },
  ]);
  assert.equal((await engine.properties("mid"))["provisioningState"], "Failed");
  assert.deepEqual((await engine.properties())["outputResources"], [{ id: thingId("fine") }]);
});

it("gives secure outputs to the deployment around alone", async () => {
  await using engine = await Engine.open();
  engine.worker();
  const inner = template(
    {},
    {
      outputs: { secret: { type: "securestring", value: "hidden-value" }, plain: { type: "string", value: "shown" } },
    },
  );
  const secret = "[listOutputsWithSecureValues('m', '2025-04-01').secret]";

  const { state } = await engine.deploy({
    template: template({ m: module("m", inner), t: thing("t", { length: `[length(${secret.slice(1, -1)})]` }) }),
  });
  const stranger = await engine.deploy({
    name: "stranger",
    template: template({
      t: thing("u", { v: `[listOutputsWithSecureValues('${deploymentId("m")}', '2025-04-01').secret]` }),
    }),
  });

  assert.equal(state, "Succeeded");
  assert.equal((await engine.thing("t"))?.["length"], null);
  assert.deepEqual(await engine.store.secrets(thingId("t")), { "/properties/length": 12 });
  assert.deepEqual((await engine.properties("m"))["outputs"], {
    secret: { type: "SecureString" },
    plain: { type: "String", value: "shown" },
  });
  assert.deepEqual(Object.keys(await engine.store.secrets(deploymentId("m"))), ["/template"]);
  assert.equal(stranger.error?.details?.[0]?.code, "Forbidden");
});

it("refuses a name that runs, also the name of a module of another deployment", async () => {
  await using engine = await Engine.open();
  engine.worker();
  const held = template({ t: thing("held", { hold: true }) });
  const first = await engine.submit({ name: "first", template: template({ m: module("shared", held) }) });
  await until("the thing was sent", () => engine.target.puts.length === 1);

  await assert.rejects(engine.submit({ name: "first", template: template({}) }), {
    code: "DeploymentActive",
    target: deploymentId("first"),
  });
  await assert.rejects(engine.submit({ name: "shared", template: template({}) }), {
    code: "DeploymentActive",
    target: deploymentId("first"),
  });
  const second = await engine.deploy({ name: "second", template: template({ m: module("shared", template({})) }) });

  assert.deepEqual(
    second.error?.details?.map(({ code }) => code),
    ["DeploymentActive"],
  );
  assert.match(second.error?.details?.[0]?.message ?? "", /deployments\/first'/);
  engine.target.release("held");
  assert.equal((await engine.ended(first)).state, "Succeeded");
  assert.equal((await engine.deploy({ name: "shared", template: template({}) })).state, "Succeeded");
});

it("refuses a module name that another module of the same tree needs, and not one that is free again", async () => {
  await using engine = await Engine.open();
  engine.worker();
  const inner = (name: string): JsonObject =>
    template({
      same: module("same", template({ [`t${name}`]: thing(`t${name}`) })),
      wait: thing(`wait-${name}`, { hold: true }),
    });
  const atOnce = await engine.submit({
    name: "at-once",
    template: template({ a: module("a", inner("1")), b: module("b", inner("2")) }),
  });
  await until("both were sent", () => engine.target.puts.filter((name) => name.startsWith("wait")).length === 2);
  engine.target.release("wait-1");
  engine.target.release("wait-2");

  const { error } = await engine.ended(atOnce);
  const oneAfterTheOther = await engine.deploy({
    name: "in-order",
    template: template({ a: module("a", inner("1")), b: module("b", inner("2"), {}, { dependsOn: ["a"] }) }),
  });

  const clash = error?.details?.[0]?.details?.[0]?.details?.[0];
  assert.equal(clash?.code, "DeploymentActive");
  assert.match(clash?.message ?? "", /deployments\/[ab]'/);
  assert.equal(oneAfterTheOther.state, "Succeeded");
  assert.deepEqual(await engine.recordLines("same"), ["Create thing t2 Succeeded Create"]);
});

it("refuses a module that turns out to have the name of a deployment around it", async () => {
  await using engine = await Engine.open();
  engine.worker();
  const inner = template(
    { n: module("[parameters('name')]", template({})) },
    { parameters: { name: { type: "string" } } },
  );

  const { error } = await engine.deploy({
    template: template({ a: thing("a", { v: "main" }), m: module("mid", inner, { name: propertyOf("a", "v") }) }),
  });

  const [failed] = error?.details ?? [];
  assert.equal(failed?.details?.[0]?.details?.[0]?.code, "DeploymentActive");
  assert.equal((await engine.properties())["provisioningState"], "Failed");
});

it("reads the outputs of a finished module again after a restart", async () => {
  await using engine = await Engine.open();
  const first = engine.worker();
  const inner = template(
    { t: thing("t") },
    {
      outputs: { plain: { type: "string", value: "p" }, secret: { type: "securestring", value: "s" } },
    },
  );
  const id = await engine.submit({
    template: template(
      {
        m: module("m", inner),
        held: thing("held", { slow: true, holdEnd: true }, { dependsOn: ["m"] }),
        after: thing(
          "after",
          {
            plain: outputOf("m", "plain"),
            length: "[length(listOutputsWithSecureValues('m', '2025-04-01').secret)]",
          },
          { dependsOn: ["held"] },
        ),
      },
      { outputs: { o: { type: "string", value: outputOf("m", "plain") } } },
    ),
  });
  await until("the first is finished", () => engine.target.finishes.length === 1);

  await first.drain();
  engine.target.release("held");
  engine.worker();
  await engine.ended(id);

  assert.deepEqual(await engine.thing("after"), { plain: "p", length: null, provisioningState: "Succeeded" });
  assert.deepEqual(await engine.store.secrets(thingId("after")), { "/properties/length": 1 });
  const { outputs, outputResources } = await engine.properties();
  assert.deepEqual(outputs, { o: { type: "String", value: "p" } });
  assert.deepEqual(
    outputResources,
    ["t", "held", "after"].map((name) => ({ id: thingId(name) })),
  );
});

it("follows the link to a nested template where the host is allowed, and not in circles", async () => {
  const linked = echo({ t: thing("[parameters('p')]") }, "[parameters('p')]");
  const link = (uri: string): JsonObject => ({
    type: "Microsoft.Resources/deployments",
    apiVersion: "2025-04-01",
    name: "linked",
    properties: {
      mode: "Incremental",
      expressionEvaluationOptions: { scope: "inner" },
      templateLink: { uri },
      parameters: { p: { value: "x" } },
    },
  });
  const served: Record<string, (own: string) => JsonObject> = {
    "/t.json": () => linked,
    "/circle.json": (own) => template({ again: link(own) }, { parameters: { p: { type: "string" } } }),
  };
  await using server = createServer((request, response) => {
    const own = `http://${request.headers.host}${request.url}`;
    response.end(JSON.stringify(served[request.url ?? ""]?.(own) ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  await using engine = await Engine.open({ linkHosts: [host] });
  engine.worker();

  const { state } = await engine.deploy({
    template: template(
      { m: link(`http://${host}/t.json`) },
      { outputs: { o: { type: "string", value: outputOf("m", "o") } } },
    ),
  });
  const circle = engine.submit({ name: "circle", template: template({ m: link(`http://${host}/circle.json`) }) });

  assert.equal(state, "Succeeded");
  assert.deepEqual((await engine.properties())["outputs"], { o: { type: "String", value: "x" } });
  await assert.rejects(circle, { code: "InvalidTemplate" });
});
