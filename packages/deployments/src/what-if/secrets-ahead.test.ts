import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, objectMember, type JsonObject } from "@rad/core";
import type { PreviewOrder } from "../deployment-target.ts";
import { deploy, FakeTarget, idOf, inputOf, module, symbolic, thing } from "./testing/fake-world.ts";
import { list, preview, summary } from "./testing/preview.ts";

const credentials = (pin: number): JsonObject => ({ pin, admin: true, short: "xy", text: "canary-text", canaryKey: 1 });

const secureObject = { parameters: { c: { type: "secureObject" } } };

/** Uses every kind of value that a secure object can hold. */
const users = {
  number: thing("number", { extra: "[parameters('c').pin]", size: 3 }),
  flag: thing("flag", { extra: "[parameters('c').admin]" }),
  short: thing("short", { extra: "[parameters('c').short]" }),
  keys: thing("keys", { extra: "[objectKeys(parameters('c'))]" }),
  whole: thing("whole", { deep: { extra: "[parameters('c')]" } }),
  derived: thing("derived", { extra: "[toUpper(parameters('c').text)]" }),
  keyed: thing("keyed", { extra: "[createObject(parameters('c').text, 1)]" }),
};

const plain = symbolic(users, { parameters: { c: { type: "object" } } });

const throughModule = symbolic({ mod: module("mod", plain, { c: { value: "[parameters('c')]" } }) }, secureObject);

for (const [where, template] of [
  ["of its own", symbolic(users, secureObject)],
  ["of a module that knows nothing of secrets", throughModule],
] as const) {
  it(`shows nothing of a secure object in the resources ${where}`, async () => {
    const target = new FakeTarget();

    const first = await preview(target, template, { c: credentials(48_151) });
    await deploy(target, inputOf(template, { c: credentials(48_151) }));
    const same = await preview(target, template, { c: credentials(48_151) });
    const other = await preview(target, template, { c: credentials(62_342) });

    assert.doesNotMatch(JSON.stringify([first, same, other]), /48151|62342|true|"xy"|canary/i);
    assert.deepEqual(new Set(summary(same).map((line) => line.split(" ")[0])), new Set(["NoChange"]));
    assert.deepEqual(summary(other), [
      "Modify number",
      "NoChange flag",
      "NoChange short",
      "NoChange keys",
      "Modify whole",
      "NoChange derived",
      "NoChange keyed",
    ]);
    const [number] = list(other, "changes");
    assert.deepEqual(list(number ?? {}, "delta"), [
      { path: "properties.extra", propertyChangeType: "Modify", before: null, after: null },
    ]);
    assert.deepEqual(objectMember(number ?? {}, "after")["properties"], { size: 3, extra: null });
  });
}

it("shows no secret that another resource passes on, and all that has nothing to do with one", async () => {
  const template = symbolic(
    {
      a: thing("a", { size: "[parameters('c').pin]", list: [1, "[parameters('c').pin]"], open: 7 }),
      b: thing("b", {
        size: "[reference('a').properties.size]",
        list: "[reference('a').properties.list]",
        open: "[reference('a').properties.open]",
        at: "[reference('a').id]",
      }),
    },
    secureObject,
  );
  const target = new FakeTarget();

  const first = await preview(target, template, { c: credentials(48_151) });
  await deploy(target, inputOf(template, { c: credentials(48_151) }));
  const same = await preview(target, template, { c: credentials(48_151) });

  for (const changes of [first, same]) {
    const [a, b] = list(changes, "changes").map(({ after }) => objectMember(after as JsonObject, "properties"));
    assert.deepEqual(a, { size: null, list: [1, null], open: 7 });
    assert.deepEqual(b, { size: null, list: null, open: 7, at: idOf("a") });
  }
});

it("shows what the server says of a resource that has a secret and stays as it is", async () => {
  const template = symbolic(
    {
      a: thing("a", { password: "[parameters('p')]" }),
      b: thing("b", { at: "[reference('a').properties.status.address]" }),
    },
    { parameters: { p: { type: "securestring" } } },
  );
  const target = new FakeTarget();
  await deploy(target, inputOf(template, { p: "canary" }));

  const changes = await preview(target, template, { p: "canary" });

  const [, b] = list(changes, "changes");
  assert.equal(objectMember(objectMember(b ?? {}, "after"), "properties")["at"], `${idOf("a").toLowerCase()}:1`);
});

it("shows no number that an action tells, nor one that is a secret to a module only", async () => {
  const secure = symbolic(
    { x: thing("x", { extra: "[parameters('c').pin]" }) },
    { ...secureObject, outputs: { o: { type: "secureObject", value: { pin: 62_342 } } } },
  );
  const template = symbolic({
    a: thing("a", { password: 48_151 }),
    b: thing("b", { extra: "[listSecrets('a', '2025-01-01').password]" }, { dependsOn: ["a"] }),
    mod: module("mod", secure, { c: { value: { pin: 71_717 } } }),
    c: thing("c", { extra: "[listOutputsWithSecureValues('mod', '2025-04-01').o.pin]" }, { dependsOn: ["mod"] }),
  });
  const target = new FakeTarget();
  await target.put({ id: idOf("a"), body: { properties: { password: 48_151 } } });

  const changes = await preview(target, template);

  assert.deepEqual(summary(changes), ["NoChange a", "Create b", "Create x", "Create c"]);
  assert.doesNotMatch(JSON.stringify(changes), /48151|62342|71717/);
});

it("tells a target what is made of a secret, also where the parameter of a module does not say so", async () => {
  const told = new Map<string, readonly string[]>();
  class Listening extends FakeTarget {
    override preview(order: PreviewOrder): ReturnType<FakeTarget["preview"]> {
      const name = order.id?.split("/").at(-1) ?? "";
      told.set(name, told.get(name) ?? order.secrets); // the first to ask knows the secrets
      return super.preview(order);
    }
  }
  const inner = symbolic(
    { b: thing("b", { list: ["open", "[parameters('plain')]"] }) },
    { parameters: { plain: { type: "string" } } },
  );
  const template = symbolic(
    {
      a: thing("a", { open: 7, env: { PIN: "[string(parameters('c').pin)]" } }),
      mod: module("mod", inner, { plain: { value: "[parameters('c').text]" } }),
    },
    secureObject,
  );

  await preview(new Listening(), template, { c: credentials(48_151) });

  assert.deepEqual(Object.fromEntries(told), { a: ["/properties/env/PIN"], b: ["/properties/list/1"] });
});

it("refuses a resource whose name is made of a secret", async () => {
  const template = symbolic({ a: thing("[format('n{0}', parameters('c').short)]", { open: 7 }) }, secureObject);

  await assert.rejects(preview(new FakeTarget(), template, { c: credentials(48_151) }), { code: "InvalidTemplate" });
});

it("shows no former value where the next one is not known, since it may have been a secret", async () => {
  const template = (open: number): JsonObject =>
    symbolic(
      {
        a: thing("a", { extra: "[parameters('c').pin]", open }),
        b: thing("b", { all: "[string(reference('a').properties)]", open: 7 }),
      },
      secureObject,
    );
  const target = new FakeTarget();
  await deploy(target, inputOf(template(1), { c: credentials(48_151) }));

  const changes = await preview(target, template(2), { c: credentials(48_151) });

  const [b] = list(changes, "potentialChanges");
  assert.deepEqual(objectMember(b ?? {}, "before")["properties"], { size: 1, all: null, open: 7 });
  assert.deepEqual(list(b ?? {}, "delta"), [
    {
      path: "properties.all",
      propertyChangeType: "Modify",
      before: null,
      after: "[string(reference('a').properties)]",
    },
  ]);
  assert.doesNotMatch(JSON.stringify(changes), /48151/);
});

it("says of a failure that rests on a secret where it is, and not what it is about", async () => {
  const failing = (expression: string): JsonObject => ({
    outputs: { o: { type: "string", value: `[fail(string(${expression}))]` } },
  });
  const plain = symbolic({}, { parameters: { n: { type: "int" } }, ...failing("parameters('n')") });
  const template = symbolic(
    {
      a: thing("a", { extra: "[parameters('c').pin]" }),
      b: thing("b", { extra: "[fail(string(reference('a').properties.extra))]" }),
      mod: module("mod", plain, { n: { value: "[parameters('c').pin]" } }),
    },
    secureObject,
  );
  const onlyOutput = symbolic({}, { ...secureObject, ...failing("parameters('c').pin") });

  const changes = await preview(new FakeTarget(), template, { c: credentials(48_151) });
  const output = await preview(new FakeTarget(), onlyOutput, { c: credentials(48_151) });

  assert.deepEqual(summary(changes), ["Create a", "Unsupported b", "Unsupported mod"]);
  const diagnostics = [...list(changes, "diagnostics"), ...list(output, "diagnostics")];
  assert.deepEqual(
    diagnostics.map(({ code, additionalInfo }) => [code, (additionalInfo as JsonObject[])[0]?.["info"]]),
    [
      ["InvalidTemplate", { path: "$.resources.b.properties.properties.extra", position: 1 }],
      ["InvalidTemplate", { path: "$.resources.mod.properties.template.outputs.o.value", position: 1 }],
      ["InvalidTemplate", { path: "$.outputs.o.value", position: 1 }],
    ],
  );
  assert.doesNotMatch(JSON.stringify([changes, output]), /48151/);
});

it("says why a resource with a secret is refused, unless a secret is the name of what is wrong", async () => {
  class Strict extends FakeTarget {
    override async preview(order: PreviewOrder): ReturnType<FakeTarget["preview"]> {
      const { settings } = objectMember(order.body, "properties");
      for (const name of Object.keys(settings ?? {}).filter((key) => key.startsWith("CANARY"))) {
        throw new ApiError("BadRequest", `$.properties.settings.${name}: there is no such property.`);
      }
      return super.preview(order);
    }
  }
  const template = symbolic(
    {
      other: thing("other", { password: "[parameters('c').text]", count: "many" }),
      named: thing("named", { settings: "[createObject(toUpper(parameters('c').text), 1)]" }),
    },
    secureObject,
  );

  const changes = await preview(new Strict(), template, { c: credentials(48_151) });

  assert.deepEqual(summary(changes), ["Unsupported other", "Unsupported named"]);
  const [other] = list(changes, "changes");
  assert.equal(other?.["unsupportedReason"], "count must be a number.");
  assert.doesNotMatch(JSON.stringify(changes), /canary/i);
});

it("shows nothing of a body in which a secret is the name of a member", async () => {
  const template = symbolic(
    {
      a: {
        ...thing("a"),
        properties: { name: "a", properties: { open: 7 }, "[parameters('c').text]": "[parameters('c').pin]" },
      },
    },
    secureObject,
  );
  const target = new FakeTarget();
  await deploy(target, inputOf(symbolic({ a: thing("a", { open: 7 }) })));

  const changes = await preview(target, template, { c: credentials(48_151) });

  assert.deepEqual(summary(changes), ["Modify a"]);
  assert.doesNotMatch(JSON.stringify(changes), /canary|48151/);
});
