// Namespaces of environments and applications.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JsonObject, objectMember } from "@rad/core";
import { type ObjectTarget, openObjectTarget } from "@rad/kubernetes";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

const group = `${local}/resourcegroups/apps`;
const signal = AbortSignal.timeout(600_000);
const versions: Readonly<Record<string, string>> = {
  "Applications.Core": "2023-10-01-preview",
  "Radius.Core": "2025-08-01-preview",
};

let server: TestServer;
let manifests: string;
let target: ObjectTarget;
before(async () => {
  manifests = await mkdtemp(join(tmpdir(), "radius-manifests-"));
  target = await openObjectTarget({ kind: "folder", path: manifests });
  server = await startTestServer({ overrides: { kubernetes: { manifests } } });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(manifests, { recursive: true, force: true });
});

const idOf = (type: string, name: string): string => `${group}/providers/${type}/${name}`;
const send = (method: string, type: string, name: string, properties?: JsonObject): Promise<Reply> =>
  server.call(
    method,
    `${idOf(type, name)}?api-version=${versions[type.split("/")[0] ?? ""] ?? ""}`,
    properties === undefined ? {} : { body: { location: "global", properties } },
  );
const putEnvironment = (name: string, namespace: string, more: JsonObject = {}): Promise<Reply> =>
  send("PUT", "Applications.Core/environments", name, { compute: { kind: "kubernetes", namespace }, ...more });
const putApplication = (name: string, environment: string, extensions: JsonObject[] = []): Promise<Reply> =>
  send("PUT", "Applications.Core/applications", name, {
    environment: idOf("Applications.Core/environments", environment),
    extensions,
  });
const namespaceObject = (name: string): ReturnType<ObjectTarget["read"]> =>
  target.read({ group: "", kind: "Namespace", name }, { signal });
const statusesOf = (replies: readonly Reply[]): number[] =>
  replies.map(({ status }) => status).toSorted((one, other) => one - other);
const computeOf = (reply: Reply): unknown => objectMember(objectMember(reply.body, "properties"), "status")["compute"];

it("an environment gets its namespace, which stays when it goes", async () => {
  const reply = await putEnvironment("first", "first-ns");

  assert.equal(reply.status, 200, reply.text);
  assert.notEqual(await namespaceObject("first-ns"), undefined);
  assert.equal((await send("DELETE", "Applications.Core/environments", "first")).status, 200);
  assert.notEqual(await namespaceObject("first-ns"), undefined);
  assert.equal((await putEnvironment("heir", "first-ns")).status, 200);
});

it("a second environment of the same namespace is a conflict, and the first one can be written again", async () => {
  await putEnvironment("owner", "owned");

  const second = await putEnvironment("second", "owned");
  const again = await putEnvironment("owner", "owned");

  assert.deepEqual([second.status, second.code], [409, "Conflict"]);
  assert.match(
    second.text,
    /Environment \/planes\S*\/environments\/owner with the same namespace \(owned\) already exists/,
  );
  assert.equal(again.status, 200, again.text);
});

it("an environment that moves on leaves its namespace to others", async () => {
  await putEnvironment("mover", "old-home");
  await putEnvironment("mover", "new-home");

  const heir = await putEnvironment("settler", "old-home");
  const back = await putEnvironment("mover", "old-home");

  assert.equal(heir.status, 200, heir.text);
  assert.equal(back.status, 409);
});

it("of environments that ask for one namespace at once only one gets it", async () => {
  const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => putEnvironment(`racer${index}`, "race")));

  assert.deepEqual(statusesOf(replies), [200, ...Array.from({ length: 7 }, () => 409)]);
});

it("environments that are simulated, or not in Kubernetes, create no namespace", async () => {
  const simulated = await putEnvironment("simulated", "only-simulated", { simulated: true });
  const elsewhere = await send("PUT", "Applications.Core/environments", "elsewhere", {
    compute: { kind: "aci", resourceGroup: "/subscriptions/s/resourceGroups/g" },
  });
  const application = await putApplication("floating", "elsewhere");

  assert.deepEqual([simulated.status, elsewhere.status, application.status], [200, 200, 200]);
  assert.equal(await namespaceObject("only-simulated"), undefined);
  assert.equal(computeOf(application), undefined);
});

const identities: readonly (readonly [what: string, identity: JsonObject])[] = [
  ["a workload identity without an issuer", { kind: "azure.com.workload" }],
  ["a workload identity with a resource", { kind: "azure.com.workload", oidcIssuer: "https://i", resource: "/r" }],
  ["a user-assigned identity without identities", { kind: "userAssigned" }],
  ["a system-assigned identity with identities", { kind: "systemAssigned", managedIdentity: ["/i"] }],
];
for (const [what, identity] of identities) {
  it(`an environment refuses ${what}`, async () => {
    const reply = await send("PUT", "Applications.Core/environments", "identity", {
      compute: { kind: "kubernetes", namespace: "identity", identity },
    });

    assert.deepEqual([reply.status, reply.code], [400, "BadRequest"], reply.text);
  });
}

it("an application gets a namespace of its own, and says which", async () => {
  await putEnvironment("prod", "prod");

  const usual = await putApplication("Shop", "prod");
  const named = await putApplication("blog", "prod", [{ kind: "kubernetesNamespace", namespace: "the-blog" }]);

  assert.deepEqual(computeOf(usual), { kind: "kubernetes", namespace: "prod-shop" });
  assert.deepEqual(computeOf(named), { kind: "kubernetes", namespace: "the-blog" });
  assert.notEqual(await namespaceObject("prod-shop"), undefined);
  assert.notEqual(await namespaceObject("the-blog"), undefined);
});

it("an application refuses the namespace of an environment and of another application", async () => {
  await putEnvironment("staging", "staging");
  await putApplication("web", "staging");

  const asEnvironment = await putApplication("sly", "staging", [{ kind: "kubernetesNamespace", namespace: "staging" }]);
  const asOther = await putApplication("copy", "staging", [{ kind: "kubernetesNamespace", namespace: "staging-web" }]);
  const atOnce = await Promise.all(
    ["one", "two", "three"].map((name) =>
      putApplication(name, "staging", [{ kind: "kubernetesNamespace", namespace: "wanted" }]),
    ),
  );

  assert.match(asEnvironment.text, /Environment \S*\/staging with the same namespace \(staging\) already exists/);
  assert.match(asOther.text, /Application \S*\/web with the same namespace \(staging-web\) already exists/);
  assert.deepEqual([asEnvironment.status, asOther.status], [409, 409]);
  assert.deepEqual(statusesOf(atOnce), [200, 409, 409]);
});

it("an application keeps its namespace", async () => {
  await putEnvironment("stable", "stable");
  await putApplication("kept", "stable");

  const moved = await putApplication("kept", "stable", [{ kind: "kubernetesNamespace", namespace: "elsewhere" }]);

  assert.equal(moved.status, 400);
  assert.match(
    moved.text,
    /Updating an application's Kubernetes namespace from 'stable-kept' to 'elsewhere' requires the application to be deleted and redeployed/,
  );
});

it("an application refuses names that no namespace can have, and environments that do not exist", async () => {
  await putEnvironment("long", "a".repeat(60));

  const derived = await putApplication("too-long", "long");
  const named = await putApplication("odd", "long", [{ kind: "kubernetesNamespace", namespace: "Not_Valid" }]);
  const homeless = await putApplication("homeless", "nowhere");

  assert.match(derived.text, /Application namespace 'a{60}-too-long' could not be created/);
  assert.match(named.text, /kubernetesNamespace.*Not_Valid/);
  assert.match(homeless.text, /environments\/nowhere' does not exist/);
  for (const reply of [derived, named, homeless]) {
    assert.deepEqual([reply.status, reply.code], [400, "BadRequest"]);
  }
});

it("an environment of Radius.Core uses a namespace that it does not make, and shares it with no other", async () => {
  const kubernetes = { namespace: "given" };
  const put = (name: string, properties: JsonObject): Promise<Reply> =>
    send("PUT", "Radius.Core/environments", name, properties);

  const first = await put("one", { providers: { kubernetes } });
  const second = await put("two", { compute: { kind: "kubernetes", namespace: "given" } });
  const third = await put("three", { providers: { kubernetes: { namespace: "" } } });
  const fourth = await put("four", {});
  const invalid = await put("five", { providers: { kubernetes: { namespace: "Not_Valid" } } });

  assert.deepEqual(
    [first.status, second.status, third.status, fourth.status, invalid.status],
    [200, 409, 200, 200, 400],
  );
  assert.equal(await namespaceObject("given"), undefined);
});

it("a group is deleted with its environments and applications, whose namespaces are free again", async () => {
  const other = `${local}/resourcegroups/temporary`;
  const path = `${other}/providers/Applications.Core/environments/env?${systemVersion}`;
  const body = { location: "global", properties: { compute: { kind: "kubernetes", namespace: "temporary" } } };
  for (let round = 0; round < 2; round += 1) {
    await server.call("PUT", `${other}?${systemVersion}`, { body: { location: "global" } });
    assert.equal((await server.call("PUT", path, { body })).status, 200);
    assert.equal((await server.call("DELETE", `${other}?${systemVersion}`)).status, 200);
  }
  assert.ok((await readdir(manifests)).length > 0);
});

it("environments from before namespaces were claimed can be written again, and no third gets theirs", async () => {
  const directory = await mkdtemp(join(tmpdir(), "radius-test-"));
  const put = (to: TestServer, name: string): Promise<Reply> =>
    to.call("PUT", `${idOf("Applications.Core/environments", name)}?${systemVersion}`, {
      body: { location: "global", properties: { compute: { kind: "kubernetes", namespace: "shared" } } },
    });
  {
    await using before = await startTestServer({ directory, recordsOnly: true });
    await before.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
    assert.deepEqual([(await put(before, "one")).status, (await put(before, "two")).status], [200, 200]);
  }

  await using now = await startTestServer({ directory });
  const replies = [await put(now, "one"), await put(now, "two"), await put(now, "three")];

  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 409],
  );
  await rm(directory, { recursive: true, force: true });
});
