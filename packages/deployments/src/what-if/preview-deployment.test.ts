import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { it } from "node:test";
import { ApiError, objectMember, type JsonObject } from "@rad/core";
import { openTemporaryStore } from "@rad/store/testing";
import type { DeploymentHost } from "../deployment-host.ts";
import { deploy, FakeTarget, group, idOf, inputOf, module, symbolic, thing } from "./testing/fake-world.ts";
import { list, preview, summary } from "./testing/preview.ts";

/**
 * What-if, deploy, compare; then what-if again, which must find nothing to do. What may change is announced apart from
 * what does.
 */
async function checkExact(target: FakeTarget, template: JsonObject, parameters: JsonObject = {}): Promise<JsonObject> {
  const before = await preview(target, template, parameters);
  const { changed } = await deploy(target, inputOf(template, parameters));
  const after = await preview(target, template, parameters);

  const certain = changing(before, "changes");
  const possible = new Set(changing(before, "potentialChanges"));
  assert.deepEqual(new Set(certain), new Set(changed.filter((id) => !possible.has(id))));
  assert.deepEqual([...changing(after, "changes"), after["potentialChanges"], after["diagnostics"]], [[], []]);
  return before;
}

function changing(of: JsonObject, name: string): string[] {
  const changes = list(of, name).filter(({ changeType }) => changeType !== "NoChange" && changeType !== "Ignore");
  return changes.map(({ resourceId }) => String(resourceId));
}

it("announces what a deployment creates, and afterwards that there is nothing to do", async () => {
  const template = symbolic({
    a: thing("a", { size: 2 }),
    b: thing(
      "b",
      { of: "[reference('a').id]", at: "[reference('a').properties.status.address]" },
      { dependsOn: ["a"] },
    ),
  });

  const before = await checkExact(new FakeTarget(), template);

  assert.deepEqual(summary(before), ["Create a", "Create b"]);
  const [, b] = list(before, "changes");
  assert.deepEqual(b, {
    resourceId: idOf("b"),
    deploymentId: `${group}/providers/Microsoft.Resources/deployments/main`,
    symbolicName: "b",
    changeType: "Create",
    after: {
      location: "global",
      properties: { size: 1, of: idOf("a"), at: "[reference('a').properties.status.address]" },
    },
  });
});

it("warns of what the deployment would warn of", async () => {
  const answer = await preview(new FakeTarget(), symbolic({ a: thing("a", { warn: true }), b: thing("b", {}) }));

  const diagnostic = { code: "ResourceWarning", level: "Warning", message: "Heed this.", target: idOf("a") };
  assert.deepEqual(answer["diagnostics"], [diagnostic]);
});

it("follows values through modules, loops, conditions, secure outputs and actions", async () => {
  const inner = symbolic(
    { db: thing("[parameters('name')]", { password: "[parameters('password')]" }) },
    {
      parameters: { name: { type: "string" }, password: { type: "securestring" } },
      outputs: {
        address: { type: "string", value: "[reference('db').properties.status.address]" },
        key: { type: "securestring", value: "[listSecrets('db', '2025-01-01').password]" },
      },
    },
  );
  const outer = symbolic(
    { inner: module("inner", inner, { name: { value: "db" }, password: { value: "[parameters('password')]" } }) },
    {
      parameters: { password: { type: "securestring" } },
      outputs: {
        address: { type: "string", value: "[reference('inner').outputs.address.value]" },
        key: {
          type: "securestring",
          value: "[listOutputsWithSecureValues('inner', '2025-04-01').key]",
        },
      },
    },
  );
  const template = symbolic(
    {
      outer: module("outer", outer, { password: { value: "[parameters('password')]" } }),
      web: thing(
        "[format('web{0}', copyIndex())]",
        {
          address: "[reference('outer').outputs.address.value]",
          password: "[listOutputsWithSecureValues('outer', '2025-04-01').key]",
        },
        { copy: { name: "web", count: 2 }, dependsOn: ["outer"] },
      ),
      never: thing("never", {}, { condition: "[parameters('never')]" }),
    },
    { parameters: { password: { type: "securestring" }, never: { type: "bool", defaultValue: false } } },
  );
  const target = new FakeTarget();

  const first = await checkExact(target, template, { password: "canary-1" });
  const second = await checkExact(target, template, { password: "canary-2" });

  assert.deepEqual(summary(first), ["Create db", "Create web0", "Create web1"]);
  assert.deepEqual(summary(second), ["Modify db"]);
  assert.deepEqual(summary(second, "potentialChanges"), ["Modify web0", "Modify web1"]);
  assert.doesNotMatch(JSON.stringify([first, second]), /canary/);
  assert.deepEqual(list(list(second, "changes")[0] ?? {}, "delta"), [
    { path: "properties.password", propertyChangeType: "Modify", before: null, after: null },
  ]);
  assert.deepEqual(target.resources.get(idOf("web1").toLowerCase())?.["properties"], {
    size: 1,
    address: `${idOf("db").toLowerCase()}:1`,
    password: null,
    status: { address: `${idOf("web1").toLowerCase()}:1` },
  });
});

it("shows what is modified by property, and leaves alone what only refers to it", async () => {
  const template = (size: number): JsonObject =>
    symbolic({
      a: thing("a", { size }),
      b: thing("b", { of: "[reference('a').id]" }, { dependsOn: ["a"] }),
    });
  const target = new FakeTarget();
  await deploy(target, inputOf(template(1)));

  const changes = await preview(target, template(2));

  assert.deepEqual(summary(changes), ["Modify a", "NoChange b"]);
  assert.deepEqual(list(list(changes, "changes")[0] ?? {}, "delta"), [
    { path: "properties.size", propertyChangeType: "Modify", before: 1, after: 2 },
  ]);
});

it("says that a resource may change where it depends on what the server will say", async () => {
  const template = (size: number, more: JsonObject = {}): JsonObject =>
    symbolic({
      a: thing("a", { size }),
      b: thing("b", { at: "[reference('a').properties.status.address]", ...more }, { dependsOn: ["a"] }),
    });
  const target = new FakeTarget();
  await deploy(target, inputOf(template(1)));

  const possible = await preview(target, template(2));
  const certain = await preview(target, template(2, { more: true }));

  assert.deepEqual(summary(possible), ["Modify a"]);
  assert.deepEqual(summary(possible, "potentialChanges"), ["Modify b"]);
  assert.equal(list(possible, "diagnostics")[0]?.["target"], idOf("b"));
  assert.deepEqual(summary(certain), ["Modify a", "Modify b"]);
  assert.deepEqual(list(list(certain, "changes")[1] ?? {}, "delta"), [
    {
      path: "properties.at",
      propertyChangeType: "Modify",
      before: `${idOf("a").toLowerCase()}:1`,
      after: "[reference('a').properties.status.address]",
    },
    { path: "properties.more", propertyChangeType: "Create", after: true },
  ]);
});

it("knows no more of a resource than it knows of what the resource is made of", async () => {
  const template = (size: number): JsonObject =>
    symbolic({
      a: thing("a", { size }),
      b: thing("b", { at: "[reference('a').properties.status.address]" }, { dependsOn: ["a"] }),
      c: thing("c", { at: "[reference('b').properties.at]" }, { dependsOn: ["b"] }),
    });
  const target = new FakeTarget();
  await deploy(target, inputOf(template(1)));

  const changes = await preview(target, template(2));

  assert.deepEqual(summary(changes), ["Modify a"]);
  assert.deepEqual(summary(changes, "potentialChanges"), ["Modify b", "Modify c"]);
});

it("does not take the outputs of an earlier run for those of the next one", async () => {
  await using store = await openTemporaryStore();
  const id = `${group}/providers/Microsoft.Resources/deployments/mod`;
  const body = { id, name: "mod", properties: { outputs: { o: { type: "String", value: "old" } } } };
  const input = { id, type: "Microsoft.Resources/deployments", apiVersion: "2025-04-01", body, secrets: {} };
  await store.write({ document: { kind: "put", input: { ...input, operationId: undefined }, expect: "absent" } });
  const inner = symbolic(
    { x: thing("[parameters('name')]") },
    { parameters: { name: { type: "string" } }, outputs: { o: { type: "string", value: "[parameters('name')]" } } },
  );
  const template = symbolic({
    a: thing("a"),
    mod: module("mod", inner, { name: { value: "[reference('a').properties.status.address]" } }, { dependsOn: ["a"] }),
    b: thing("b", { o: "[reference('mod').outputs.o.value]" }, { dependsOn: ["mod"] }),
  });

  const changes = await preview(new FakeTarget(), template, {}, {}, { store });

  assert.deepEqual(summary(changes), ["Create a", "Unsupported [parameters('name')]", "Create b"]);
  assert.deepEqual(objectMember(list(changes, "changes")[2] ?? {}, "after")["properties"], {
    size: 1,
    o: "[reference('mod').outputs.o.value]",
  });
});

it("does not take an output that is not known for one that is not there", async () => {
  const inner = symbolic(
    { x: thing("x", { size: "[parameters('size')]" }) },
    {
      parameters: { size: { type: "int" } },
      outputs: {
        plain: { type: "int", value: "[parameters('size')]" },
        server: { type: "string", value: "[reference('x').properties.status.address]" },
        off: { type: "string", condition: false, value: "off" },
        nothing: { type: "string", nullable: true, value: null },
      },
    },
  );
  const output = (name: string): string => `[tryGet(tryGet(reference('mod').outputs, '${name}'), 'value')]`;
  const reader = (name: string): JsonObject => thing(name, { o: output(name) }, { dependsOn: ["mod"] });
  const template = symbolic(
    {
      mod: module("mod", inner, { size: { value: "[parameters('size')]" } }),
      plain: reader("plain"),
      server: reader("server"),
      off: reader("off"),
      nothing: reader("nothing"),
    },
    { parameters: { size: { type: "int" } } },
  );
  const target = new FakeTarget();

  await checkExact(target, template, { size: 1 });
  const changes = await checkExact(target, template, { size: 2 });

  assert.deepEqual(summary(changes), ["Modify x", "Modify plain", "NoChange off", "NoChange nothing"]);
  assert.deepEqual(summary(changes, "potentialChanges"), ["Modify server"]);
});

it("does not claim a change where what is not known may be what is there, be it nothing", async () => {
  const template = (size: number): JsonObject =>
    symbolic({
      a: thing("a", { size }),
      b: thing("b", { maybe: "[tryGet(reference('a').properties, 'nobody')]" }, { dependsOn: ["a"] }),
    });
  const target = new FakeTarget();
  await deploy(target, inputOf(template(1)));

  const changes = await preview(target, template(2));
  const { changed } = await deploy(target, inputOf(template(2)));

  assert.deepEqual(summary(changes), ["Modify a"]);
  assert.deepEqual(summary(changes, "potentialChanges"), ["Modify b"]);
  assert.deepEqual(changed, [idOf("a")]);
});

it("sees a resource that one module reads and another changes as each of them will", async () => {
  const read = (name: string): JsonObject =>
    symbolic({
      a: thing("a", {}, { existing: true }),
      [name]: thing(name, { size: "[reference('a').properties.size]" }, { dependsOn: ["a"] }),
    });
  const template = symbolic({
    early: module("early", read("before")),
    a: thing("a", { size: 2 }, { dependsOn: ["early"] }),
    late: module("late", read("after"), {}, { dependsOn: ["a"] }),
  });
  const target = new FakeTarget();
  await target.put({ id: idOf("a"), body: { properties: { size: 1 } } });

  const changes = await preview(target, template);

  assert.deepEqual(summary(changes), ["Modify a", "Create before", "Create after"]);
  const sizes = list(changes, "changes").map(({ after }) => objectMember(after as JsonObject, "properties")["size"]);
  assert.deepEqual(sizes, [2, 1, 2]);
});

it("lists a resource that several modules write once, unless they write different things", async () => {
  const writing = (...sizes: number[]): JsonObject =>
    symbolic(
      Object.fromEntries(
        sizes.map((size, index) => [`m${index}`, module(`m${index}`, symbolic({ x: thing("x", { size }) }))]),
      ),
    );

  assert.deepEqual(summary(await preview(new FakeTarget(), writing(2, 2, 2))), ["Create x"]);
  assert.deepEqual(summary(await preview(new FakeTarget(), writing(2, 3))), ["Create x", "Create x"]);
});

it("finds what fails for certain beside what is not known", async () => {
  const template = symbolic({
    a: thing("a"),
    b: thing(
      "b",
      { later: "[reference('a').properties.status.address]", wrong: "[int(reference('a').name)]" },
      { dependsOn: ["a"] },
    ),
  });

  const changes = await preview(new FakeTarget(), template);

  assert.deepEqual(summary(changes), ["Create a", "Unsupported b"]);
  assert.equal(list(changes, "diagnostics")[0]?.["code"], "InvalidTemplate");
});

/** Serves these documents on this machine for as long as the test runs. */
async function serve(
  documents: Readonly<Record<string, JsonObject>>,
): Promise<AsyncDisposable & { host: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end(JSON.stringify(documents[request.url ?? ""] ?? null));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return Object.assign(server, { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked });
}

function linkedModule(properties: JsonObject, more: JsonObject = {}): JsonObject {
  const { template: _, ...own } = objectMember(module("linked", {}), "properties");
  return { ...module("linked", {}), properties: { ...own, ...properties }, ...more };
}

const linkedTemplate = symbolic(
  { x: thing("[parameters('name')]") },
  {
    parameters: { name: { type: "string" } },
    outputs: { o: { type: "string", value: "[reference('x').id]" } },
  },
);

it("looks into templates and parameters behind links to hosts that are allowed", async () => {
  await using server = await serve({ "/t.json": linkedTemplate, "/p.json": { parameters: { name: { value: "x" } } } });
  const at = (path: string): JsonObject => ({ uri: `http://${server.host}${path}` });
  const reader = thing("reader", { of: "[reference('linked').outputs.o.value]" }, { dependsOn: ["linked"] });
  const given = linkedModule({ templateLink: at("/t.json"), parameters: { name: { value: "y" } } });
  const both = linkedModule({ templateLink: at("/t.json"), parametersLink: at("/p.json"), parameters: {} });
  const host = { linkHosts: [server.host] };

  const first = await preview(new FakeTarget(), symbolic({ linked: given, reader }), {}, {}, host);
  const second = await preview(new FakeTarget(), symbolic({ linked: both, reader }), {}, {}, host);

  assert.deepEqual(summary(first), ["Create y", "Create reader"]);
  assert.deepEqual(summary(second), ["Create x", "Create reader"]);
  const { after } = list(second, "changes")[1] ?? {};
  assert.equal(objectMember(after as JsonObject, "properties")["of"], idOf("x"));
});

it("fetches what is behind a link once, also further in and behind what only the world can tell", async () => {
  const documents: Record<string, JsonObject> = { "/p.json": { parameters: { name: { value: "x" } } } };
  await using server = await serve(documents);
  const at = (path: string): JsonObject => ({ uri: `http://${server.host}${path}` });
  documents["/inner.json"] = linkedTemplate;
  documents["/outer.json"] = symbolic({
    linked: linkedModule({ templateLink: at("/inner.json"), parametersLink: at("/p.json") }, { name: "inner" }),
  });
  const template = symbolic({
    a: thing("a", { uri: `http://${server.host}/late.json` }),
    linked: linkedModule({ templateLink: at("/outer.json") }),
    late: linkedModule(
      { templateLink: { uri: "[reference('a').properties.uri]" } },
      { name: "late", dependsOn: ["a"] },
    ),
  });
  documents["/late.json"] = symbolic({ y: thing("y") });

  const changes = await preview(new FakeTarget(), template, {}, {}, { linkHosts: [server.host] });

  assert.deepEqual(summary(changes), ["Create a", "Create x", "Create y"]);
  assert.deepEqual(server.asked.toSorted(), ["/inner.json", "/late.json", "/outer.json", "/p.json"]);
});

it("refuses links to other hosts, and treats those that resources tell as a run would", async () => {
  await using server = await serve({ "/t.json": linkedTemplate });
  const uri = `http://${server.host}/t.json`;
  const linkTo = (address: string): JsonObject => ({
    a: thing("a", { uri }),
    linked: linkedModule(
      { templateLink: { uri: address }, parameters: { name: { value: "x" } } },
      { dependsOn: ["a"] },
    ),
  });
  const sent = symbolic(linkTo("[reference('a').properties.uri]"));
  const notKnown = symbolic(linkTo("[reference('a').properties.status.address]"));
  const host = { linkHosts: [server.host] };

  await assert.rejects(preview(new FakeTarget(), symbolic(linkTo(uri))), { code: "InvalidContentLink" });
  const followed = await preview(new FakeTarget(), sent, {}, {}, host);
  const refused = await preview(new FakeTarget(), sent);
  const unclear = await preview(new FakeTarget(), notKnown);

  assert.deepEqual(summary(followed), ["Create a", "Create x"]);
  assert.deepEqual(summary(refused), ["Create a", "Unsupported linked"]);
  assert.equal(list(refused, "diagnostics")[0]?.["code"], "InvalidContentLink");
  assert.deepEqual(summary(unclear), ["Create a", "Unsupported linked"]);
  assert.equal(list(unclear, "diagnostics")[0]?.["code"], "Unsupported");
});

it("announces a resource whose body cannot be checked yet without showing it", async () => {
  const template = symbolic({
    a: thing("a"),
    b: thing("b", { count: "[reference('a').properties.status.number]", password: "canary" }, { dependsOn: ["a"] }),
  });

  const changes = await preview(new FakeTarget(), template);

  assert.deepEqual(summary(changes), ["Create a", "Create b"]);
  assert.equal(list(changes, "changes")[1]?.["after"], undefined);
  assert.equal(list(changes, "diagnostics")[0]?.["code"], "ValueNotKnownYet");
  assert.doesNotMatch(JSON.stringify(changes), /canary/);
});

it("ignores what is only read and what is created only once", async () => {
  const target = new FakeTarget();
  await target.put({ id: idOf("a"), body: {} });
  const once = { "@options": { onlyIfNotExists: [] } };
  const template = symbolic({
    a: thing("a", {}, { existing: true }),
    gone: thing("gone", {}, { existing: true, "@options": { nullIfNotFound: [] } }),
    b: thing("b", { of: "[reference('a').id]", gone: "[coalesce(reference('gone'), 'none')]" }, once),
  });

  const first = await checkExact(target, template);
  const second = await preview(target, template);

  assert.deepEqual(summary(first), ["Ignore a", "Create b"]);
  assert.deepEqual(summary(second), ["Ignore a", "Ignore b"]);
});

it("lists what would be refused with the reason, and what depends on it", async () => {
  const template = symbolic({
    good: thing("good"),
    bad: thing("bad", { count: "many" }),
    after: thing("after", {}, { dependsOn: ["bad"] }),
    lost: thing("lost", {}, { existing: true }),
    reader: thing("reader", { of: "[reference('lost').id]" }, { dependsOn: ["lost"] }),
    wrong: thing("wrong", { x: "[reference('good').properties.size.nothing]" }, { dependsOn: ["good"] }),
  });
  const target = new FakeTarget();
  await target.put({ id: idOf("good"), body: {} });

  const changes = await preview(target, template);

  assert.deepEqual(summary(changes), [
    "NoChange good",
    "Unsupported bad",
    "Unsupported after",
    "Unsupported lost",
    "Unsupported reader",
    "Unsupported wrong",
  ]);
  const errors = list(changes, "diagnostics").filter(({ level }) => level === "Error");
  assert.deepEqual(
    errors.map(({ code, target: at }) => [code, at]),
    [
      ["BadRequest", idOf("bad")],
      ["NotFound", idOf("lost")],
      ["InvalidTemplate", idOf("wrong")],
    ],
  );
});

it("lists a module that cannot be looked into", async () => {
  const inner = symbolic(
    { x: thing("[parameters('name')]"), y: thing("y", { of: "[resourceInfo('x').id]" }) },
    { parameters: { name: { type: "string" } } },
  );
  const template = symbolic({
    a: thing("a"),
    mod: module("mod", inner, { name: { value: "[reference('a').properties.status.address]" } }, { dependsOn: ["a"] }),
  });

  const changes = await preview(new FakeTarget(), template);

  assert.deepEqual(
    list(changes, "changes").map(({ changeType, symbolicName }) => [changeType, symbolicName]),
    [
      ["Create", "a"],
      ["Unsupported", "mod"],
    ],
  );
});

it("calls only actions that list or get something, and only of what stays as it is", async () => {
  const template = symbolic({
    a: thing("a", { password: "canary" }),
    b: thing(
      "b",
      { copied: "[listSecrets('a', '2025-01-01').password]", done: "[invokeResourceMethod('a', 'restart').x]" },
      { dependsOn: ["a"] },
    ),
  });
  const target = new FakeTarget();

  await preview(target, template);
  assert.deepEqual(target.actions, []);

  await target.put({ id: idOf("a"), body: { properties: { password: "canary" } } });
  await target.put({ id: idOf("b"), body: { properties: { copied: "canary" } } });
  const changes = await preview(target, template);

  assert.deepEqual(target.actions, ["listSecrets"]);
  assert.doesNotMatch(JSON.stringify(changes), /canary/);
});

it("does not call a method that may have effects: what uses its answer may change", async () => {
  const template = (size: number): JsonObject =>
    symbolic({
      a: thing("a"),
      user: thing("user", { size, done: "[invokeResourceMethod('a', 'restart').x]" }, { dependsOn: ["a"] }),
      fresh: thing("fresh", { done: "[invokeResourceMethod('a', 'restart').x]" }, { dependsOn: ["a"] }),
    });
  const target = new FakeTarget();
  await target.put({ id: idOf("a"), body: {} });
  await target.put({ id: idOf("user"), body: { properties: { size: 1, done: "yes" } } });

  const same = await preview(target, template(1));
  const other = await preview(target, template(2));

  assert.deepEqual(summary(same), ["NoChange a", "Create fresh"]);
  assert.deepEqual(summary(same, "potentialChanges"), ["Modify user"]);
  assert.deepEqual(summary(other), ["NoChange a", "Modify user", "Create fresh"]);
  assert.deepEqual(target.actions, []);
});

it("leaves out bodies and kinds of changes on request", async () => {
  const template = symbolic({ a: thing("a"), b: thing("b", { size: 2 }) });
  const target = new FakeTarget();
  await target.put({ id: idOf("a"), body: {} });

  const changes = await preview(
    target,
    template,
    {},
    {
      resultFormat: "ResourceIdOnly",
      changesToIgnore: new Set(["nochange"]),
    },
  );

  assert.deepEqual(list(changes, "changes"), [
    {
      resourceId: idOf("b"),
      deploymentId: `${group}/providers/Microsoft.Resources/deployments/main`,
      symbolicName: "b",
      changeType: "Create",
    },
  ]);
});

it("refuses what would not even begin: wrong templates, missing providers, callers who may not", async () => {
  const pod = { import: "k8s", type: "core/Pod@v1", properties: { metadata: { name: "pod" } } };
  const kubernetes = { provider: "Kubernetes", version: "1.0.0", config: { namespace: "x", kubeConfig: "" } };
  const broken = symbolic({ a: thing("[nothing()]") });
  const authorize: DeploymentHost["authorize"] = (_caller, permission) => {
    if (permission === "Test.Things/things/write") {
      throw new ApiError("Forbidden", "No.");
    }
  };

  await assert.rejects(preview(new FakeTarget(), broken), { code: "InvalidTemplate" });
  await assert.rejects(preview(new FakeTarget(), symbolic({ pod }, { imports: { k8s: kubernetes } })), {
    code: "InvalidTemplateDeployment",
  });
  await assert.rejects(preview(new FakeTarget(), symbolic({ a: thing("a") }), {}, {}, { authorize }), {
    code: "Forbidden",
  });
});

it("stops when nobody waits any more", async () => {
  const signal = AbortSignal.abort();

  await assert.rejects(preview(new FakeTarget(), symbolic({ a: thing("a") }), {}, { signal }), { name: "AbortError" });
});
