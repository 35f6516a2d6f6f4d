import assert from "node:assert/strict";
import { it } from "node:test";
import { objectMember, ResourceId, type ApiError, type JsonObject } from "@rad/core";
import {
  FakeTarget,
  fakeHost,
  group,
  idOf,
  inputOf,
  module,
  requester,
  symbolic,
  thing,
} from "./testing/fake-world.ts";
import { validateDeployment } from "./validate-deployment.ts";

const id = `${group}/providers/Microsoft.Resources/deployments/main`;

function validate(template: JsonObject, parameters: JsonObject = {}, target = new FakeTarget()): Promise<JsonObject> {
  return validateDeployment(fakeHost(target), {
    id: ResourceId.parse(id),
    input: inputOf(template, parameters),
    requester,
    signal: new AbortController().signal,
  });
}

it("answers with what it has looked at, and writes nothing", async () => {
  const inner = symbolic({ x: thing("x") });
  const template = symbolic(
    { a: thing("a"), mod: module("mod", inner), b: thing("b", { n: "[reference('a').properties.status]" }) },
    { parameters: { p: { type: "string" }, secret: { type: "securestring" } } },
  );
  const target = new FakeTarget();

  const answer = await validate(template, { p: "v", secret: "canary" }, target);

  const properties = objectMember(answer, "properties");
  assert.deepEqual([answer["id"], answer["name"], answer["type"]], [id, "main", "Microsoft.Resources/deployments"]);
  assert.deepEqual(properties["validatedResources"], [{ id: idOf("a") }, { id: idOf("x") }, { id: idOf("b") }]);
  assert.deepEqual(properties["parameters"], { p: { type: "String", value: "v" }, secret: { type: "SecureString" } });
  assert.deepEqual(
    [properties["provisioningState"], properties["mode"], properties["correlationId"]],
    ["Succeeded", "Incremental", "c1"],
  );
  assert.equal(target.resources.size, 0);
});

it("reports every body that its type refuses, with its id and its place in the outermost template", async () => {
  const inner = symbolic({ x: thing("x", { count: "one" }) });
  const template = symbolic({ a: thing("a", { count: "two" }), fine: thing("fine"), mod: module("mod", inner) });

  await assert.rejects(validate(template), (error: ApiError) => {
    assert.equal(error.code, "InvalidTemplateDeployment");
    assert.deepEqual(
      error.details.map(({ code, target, additionalInfo }) => [code, target, additionalInfo?.[0]?.info]),
      [
        ["BadRequest", idOf("a"), { path: "$.resources.a" }],
        ["BadRequest", idOf("x"), { path: "$.resources.mod.properties.template.resources.x" }],
      ],
    );
    return true;
  });
});

it("leaves for the run what is not known yet", async () => {
  const template = symbolic({
    a: thing("a"),
    b: thing("b", { count: "[reference('a').properties.status.number]" }, { dependsOn: ["a"] }),
  });

  await assert.doesNotReject(validate(template));
});

it("refuses wrong templates and providers that are not available", async () => {
  const pod = { import: "k8s", type: "core/Pod@v1", properties: { metadata: { name: "pod" } } };
  const kubernetes = { provider: "Kubernetes", version: "1.0.0", config: { namespace: "x", kubeConfig: "" } };

  await assert.rejects(validate(symbolic({ a: thing("[nothing()]") })), { code: "InvalidTemplate" });
  await assert.rejects(validate(symbolic({ pod }, { imports: { k8s: kubernetes } })), {
    code: "InvalidTemplateDeployment",
  });
});

it("says of a failure that rests on a secret where it is, and not what it is about", async () => {
  const template = symbolic(
    {
      a: thing("a", { extra: "[parameters('c').pin]" }),
      b: thing("b", { extra: "[fail(string(reference('a').properties.extra))]" }),
    },
    { parameters: { c: { type: "secureObject" } } },
  );

  await assert.rejects(validate(template, { c: { pin: 48_151 } }), (error: ApiError) => {
    assert.deepEqual(
      error.details?.map(({ code, target }) => [code, target]),
      [["InvalidTemplate", idOf("b")]],
    );
    assert.doesNotMatch(JSON.stringify(error.toDetail()), /48151/);
    return true;
  });
});
