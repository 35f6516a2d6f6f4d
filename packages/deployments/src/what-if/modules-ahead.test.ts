import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, objectMember, type JsonObject } from "@rad/core";
import type { DeploymentHost } from "../deployment-host.ts";
import { deploy, FakeTarget, idOf, inputOf, module, symbolic, thing } from "./testing/fake-world.ts";
import { list, preview, summary } from "./testing/preview.ts";

/** What the server says of a resource that is created just before. */
const later = "[reference('a').properties.status.address]";

/** A module that gets this value for its parameter `p`, which is not known before the run. */
function withUnknown(inner: JsonObject, type = "string", value = later): JsonObject {
  return symbolic({
    a: thing("a"),
    mod: module("mod", { parameters: { p: { type } }, ...inner }, { p: { value } }, { dependsOn: ["a"] }),
    reader: thing("reader", { o: "[reference('mod').outputs.o.value]" }, { dependsOn: ["mod"] }),
  });
}

it("announces what a module makes by known names beside what gets its name from the run", async () => {
  const inner = symbolic(
    {
      odd: thing("[parameters('p')]", { size: 2 }),
      fixed: thing("fixed", { size: 3 }),
      user: thing("user", { of: "[reference('odd').id]", size: "[reference('fixed').properties.size]" }),
    },
    { outputs: { o: { type: "string", value: "[reference('fixed').id]" } } },
  );

  const changes = await preview(new FakeTarget(), withUnknown(inner));

  assert.deepEqual(summary(changes), [
    "Create a",
    "Unsupported [parameters('p')]",
    "Create fixed",
    "Create user",
    "Create reader",
  ]);
  const [, odd, , user, reader] = list(changes, "changes");
  assert.equal(odd?.["symbolicName"], "odd");
  assert.deepEqual(objectMember(user ?? {}, "after")["properties"], { size: 3, of: "[reference('odd').id]" });
  assert.deepEqual(objectMember(reader ?? {}, "after")["properties"], { size: 1, o: idOf("fixed") });
});

it("holds a resource for possible when the run decides about its condition", async () => {
  const condition = "[equals(parameters('p'), 'x')]";
  const inner = symbolic(
    {
      fresh: thing("fresh", {}, { condition }),
      there: thing("there", { size: 2 }, { condition }),
      same: thing("same", { size: 1 }, { condition }),
      never: thing("[parameters('p')]", {}, { condition: "[equals('a', 'b')]" }),
      deep: module("deep", symbolic({ inside: thing("inside") }), {}, { condition }),
      reader: thing("inner-reader", { size: "[if(parameters('p'), reference('there').properties.size, 1)]" }),
    },
    { outputs: { o: { type: "string", value: "o" } } },
  );
  const target = new FakeTarget();
  await target.put({ id: idOf("there"), body: { properties: { size: 1 } } });
  await target.put({ id: idOf("same"), body: { properties: { size: 1 } } });

  const changes = await preview(target, withUnknown(inner));

  assert.deepEqual(summary(changes), ["Create a", "NoChange same", "Create inner-reader", "Create reader"]);
  assert.deepEqual(summary(changes, "potentialChanges"), ["Create fresh", "Modify there", "Create inside"]);
  assert.deepEqual(list(list(changes, "potentialChanges")[1] ?? {}, "delta"), [
    { path: "properties.size", propertyChangeType: "Modify", before: 1, after: 2 },
  ]);
});

it("does not rely on what a resource would be if it were deployed", async () => {
  const inner = symbolic(
    { there: thing("there", { size: 2 }, { condition: "[equals(parameters('p'), 'x')]" }) },
    { outputs: { o: { type: "string", value: "o" } } },
  );
  const template = withUnknown(inner);
  const other = symbolic({
    there: thing("there", {}, { existing: true }),
    copied: thing("copied", { size: "[reference('there').properties.size]" }),
  });
  const resources = {
    ...objectMember(template, "resources"),
    other: module("other", other, {}, { dependsOn: ["mod"] }),
  };
  const target = new FakeTarget();
  await target.put({ id: idOf("there"), body: { properties: { size: 1 } } });
  await target.put({ id: idOf("copied"), body: { properties: { size: 1 } } });

  const changes = await preview(target, { ...template, resources });

  assert.deepEqual(summary(changes, "potentialChanges"), ["Modify there", "Modify copied"]);
});

it("fails nothing that may never be deployed", async () => {
  const inner = symbolic(
    {
      bad: thing("bad", { count: "many" }, { condition: "[equals(parameters('p'), 'x')]" }),
      after: thing("after", {}, { dependsOn: ["bad"] }),
    },
    { outputs: { o: { type: "string", value: "o" } } },
  );

  const changes = await preview(new FakeTarget(), withUnknown(inner));

  assert.deepEqual(summary(changes), ["Create a", "Unsupported bad", "Create after", "Create reader"]);
  assert.deepEqual(
    list(changes, "diagnostics").filter(({ level }) => level === "Error"),
    [],
  );
});

it("asks nobody's leave for what may never be deployed", async () => {
  const inner = symbolic(
    { secret: thing("secret", {}, { condition: "[equals(parameters('p'), 'x')]" }), fixed: thing("fixed") },
    { outputs: { o: { type: "string", value: "o" } } },
  );
  const authorize: DeploymentHost["authorize"] = (_caller, _permission, id) => {
    if (id === idOf("secret")) {
      throw new ApiError("Forbidden", "No.");
    }
  };

  const changes = await preview(new FakeTarget(), withUnknown(inner), {}, {}, { authorize });

  assert.deepEqual(summary(changes), ["Create a", "Unsupported secret", "Create fixed", "Create reader"]);
});

it("names a loop of which the run decides how long it is, and still announces what uses it", async () => {
  const inner = symbolic(
    {
      loop: thing(
        "[format('loop-{0}', copyIndex())]",
        {},
        { copy: { name: "loop", count: "[length(parameters('p'))]" } },
      ),
      one: thing("one", { of: "[reference('loop[0]').id]" }, { dependsOn: ["loop[0]"] }),
      all: thing("all", { n: "[length(references('loop'))]" }, { dependsOn: ["loop"] }),
      fixed: thing("fixed"),
    },
    { outputs: { o: { type: "int", value: "[length(references('loop'))]" } } },
  );

  const changes = await preview(new FakeTarget(), withUnknown(inner));

  assert.deepEqual(
    list(changes, "changes").map(({ changeType, symbolicName }) => [changeType, symbolicName]),
    [
      ["Create", "a"],
      ["Unsupported", "loop"],
      ["Unsupported", "one"],
      ["Unsupported", "all"],
      ["Create", "fixed"],
      ["Create", "reader"],
    ],
  );
  assert.deepEqual(
    list(changes, "diagnostics").filter(({ level }) => level === "Error"),
    [],
  );
});

it("knows nothing of an output with one item for each round of such a loop", async () => {
  const inner = symbolic(
    {
      loop: thing(
        "[format('loop-{0}', copyIndex())]",
        {},
        { copy: { name: "loop", count: "[length(parameters('p'))]" } },
      ),
      user: thing("user", {
        copy: [
          {
            name: "ids",
            count: "[length(parameters('p'))]",
            input: "[reference(format('loop[{0}]', copyIndex('ids'))).id]",
          },
        ],
      }),
    },
    {
      outputs: {
        o: {
          type: "array",
          copy: { count: "[length(parameters('p'))]", input: "[reference(format('loop[{0}]', copyIndex())).id]" },
        },
        fixed: { type: "string", value: "[reference('user').id]" },
      },
    },
  );

  const changes = await preview(new FakeTarget(), withUnknown(inner));

  assert.deepEqual(summary(changes).slice(2), ["Create user", "Create reader"]);
  const [, , user, reader] = list(changes, "changes").map(({ after }) => (after as JsonObject | undefined) ?? {});
  assert.deepEqual(user?.["properties"], { size: 1, ids: "[length(parameters('p'))]" });
  assert.deepEqual(reader?.["properties"], { size: 1, o: "[reference('mod').outputs.o.value]" });
});

it("looks into a module within a module that gets the unknown value", async () => {
  const innermost = symbolic(
    { odd: thing("[parameters('p')]"), fixed: thing("fixed", { p: "[parameters('p')]" }) },
    { parameters: { p: { type: "string" } } },
  );
  const inner = symbolic(
    { deep: module("deep", innermost, { p: { value: "[parameters('p')]" } }) },
    { outputs: { o: { type: "string", value: "[parameters('p')]" } } },
  );

  const changes = await preview(new FakeTarget(), withUnknown(inner));

  assert.deepEqual(summary(changes), ["Create a", "Unsupported [parameters('p')]", "Create fixed", "Create reader"]);
});

it("plans templates without symbolic names too", async () => {
  const inner = {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    contentVersion: "1.0.0.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    resources: [
      { ...thing("[parameters('p')]"), dependsOn: [] },
      { ...thing("fixed"), dependsOn: ["[resourceId('Test.Things/things', parameters('p'))]"] },
    ],
    outputs: { o: { type: "string", value: "o" } },
  };

  const changes = await preview(new FakeTarget(), withUnknown(inner));

  assert.deepEqual(summary(changes), ["Create a", "Unsupported [parameters('p')]", "Create fixed", "Create reader"]);
});

it("reports what is wrong with a module whatever its parameters turn out to be", async () => {
  const inner = symbolic(
    { odd: thing("[parameters('p')]"), wrong: thing("wrong", { x: "[int('many')]" }) },
    { outputs: { o: { type: "string", value: "o" } } },
  );

  const changes = await preview(new FakeTarget(), withUnknown(inner));

  const errors = list(changes, "diagnostics").filter(({ level }) => level === "Error");
  assert.deepEqual(
    errors.map(({ code }) => code),
    ["InvalidTemplate"],
  );
});

it("leaves what is only read by an unknown name out of the changes", async () => {
  const inner = symbolic(
    { odd: thing("[parameters('p')]", {}, { existing: true }), user: thing("user", { of: "[reference('odd').id]" }) },
    { outputs: { o: { type: "string", value: "o" } } },
  );

  const changes = await preview(new FakeTarget(), withUnknown(inner));

  assert.deepEqual(summary(changes), ["Create a", "Create user", "Create reader"]);
  assert.deepEqual(list(changes, "changes")[1]?.["after"], {
    location: "global",
    properties: { size: 1, of: "[reference('odd').id]" },
  });
});

it("does not care about assertions that only the run can check", async () => {
  const inner = symbolic(
    { fixed: thing("fixed") },
    {
      asserts: { fine: "[equals(parameters('p'), 'x')]" },
      outputs: { o: { type: "string", value: "o" } },
    },
  );

  const changes = await preview(new FakeTarget(), withUnknown(inner));

  assert.deepEqual(summary(changes), ["Create a", "Create fixed", "Create reader"]);
});

it("takes what the outer template cannot tell yet for what is not known", async () => {
  const inner = {
    ...symbolic({
      inside: thing("inside", { at: later }),
      fine: thing("fine", { size: 2 }),
    }),
    outputs: { o: { type: "string", value: later } },
  };
  const { properties: _, ...outer } = module("mod", {}, {}, { dependsOn: ["a"] });
  const template = (size: number): JsonObject =>
    symbolic({ a: thing("a", { size }), mod: { ...outer, properties: { mode: "Incremental", template: inner } } });
  const target = new FakeTarget();
  await deploy(target, inputOf(template(1)));

  const changes = await preview(target, template(2));

  assert.deepEqual(summary(changes), ["Modify a", "NoChange fine"]);
  assert.deepEqual(summary(changes, "potentialChanges"), ["Modify inside"]);
});
