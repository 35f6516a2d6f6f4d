import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { parse, stringify } from "yaml";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { nameOf } from "../kubernetes-object.ts";
import type { ObjectTarget } from "../object-target.ts";
import { describeObjectTarget } from "../testing/object-target-contract.ts";
import { placesOf } from "./file-names.ts";
import { openFolder } from "./open-folder.ts";

const options = { signal: new AbortController().signal };

interface TestFolder extends AsyncDisposable {
  readonly path: string;
  readonly target: ObjectTarget;
}

async function testFolder(): Promise<TestFolder> {
  const parent = await mkdtemp(join(tmpdir(), "rad-manifests-"));
  const path = join(parent, "manifests");
  return {
    path,
    target: openFolder(path),
    [Symbol.asyncDispose]: async () => await rm(parent, { recursive: true }),
  };
}

describeObjectTarget("a folder", async () => {
  const folder = await testFolder();
  let count = 0;
  return {
    target: folder.target,
    reopen: () => Promise.resolve(openFolder(folder.path)),
    namespace: () => `test-${(count += 1)}`,
    meddle: async (name, key, value) => {
      const file = join(folder.path, placesOf(name)[0]);
      const text = await readFile(file, "utf8");
      await writeFile(file, text.replace(new RegExp(`${key}: .*`), `${key}: ${value}`));
    },
    [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose](),
  };
});

const deployment: KubernetesObject = {
  kind: "Deployment",
  spec: { template: { spec: { containers: [{ image: "web:1", env: [{ value: "on", name: "A" }], name: "web" }] } } },
  metadata: { labels: { b: "2", a: "1" }, namespace: "shop", name: "web" },
  apiVersion: "apps/v1",
};

test("a manifest is readable YAML with its members in order", async () => {
  await using folder = await testFolder();

  await folder.target.apply(deployment, options);

  const text = await readFile(join(folder.path, "shop", "deployment-web.yaml"), "utf8");
  assert.match(text, /^# Written by Radius\. Checksum of the object: [0-9a-f]{16}\n/);
  assert.equal(
    text.slice(text.indexOf("\n") + 1),
    `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels:
    a: "1"
    b: "2"
spec:
  template:
    spec:
      containers:
        - name: web
          env:
            - name: A
              value: "on"
          image: web:1
`,
  );
  assert.deepEqual(parse(text, { version: "1.1" }), deployment, "also for those who read YAML 1.1");
  assert.deepEqual((await readdir(folder.path, { recursive: true })).sort(), [
    ".lock",
    "_cluster",
    join("_cluster", "namespace-shop.yaml"),
    "shop",
    join("shop", "deployment-web.yaml"),
  ]);
});

test("a Secret's file has its keys, and no value", async () => {
  await using folder = await testFolder();
  const canary = "canary-19c2-value";
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "credentials", namespace: "shop" },
    data: { password: Buffer.from(canary).toString("base64") },
    stringData: { user: canary },
  };

  await folder.target.apply(secret, options);
  await folder.target.preview(secret, options);

  const text = await readFile(join(folder.path, "shop", "secret-credentials.yaml"), "utf8");
  assert.match(text, /# The values of this Secret are left out\./);
  assert.match(text, /^data:\n {2}password: ""\n {2}user: ""\n$/m);
  for (const name of await readdir(folder.path, { recursive: true })) {
    const content = await readFile(join(folder.path, name), "latin1").catch(() => "");
    assert.ok(!content.includes(canary) && !content.includes(secret.data.password), name);
  }
});

test("the group is in the name of a file where two kinds have the same name", async () => {
  await using folder = await testFolder();
  const service = (apiVersion: string): KubernetesObject => ({
    apiVersion,
    kind: "Service",
    metadata: { name: "web", namespace: "shop" },
    spec: { of: apiVersion },
  });

  await folder.target.apply(service("v1"), options);
  await folder.target.apply(service("serving.knative.dev/v1"), options);

  assert.deepEqual((await readdir(join(folder.path, "shop"))).sort(), [
    "service-web.yaml",
    "service-web_serving.knative.dev.yaml",
  ]);
  await folder.target.delete(nameOf(service("v1")), options);
  assert.equal((await folder.target.apply(service("serving.knative.dev/v1"), options)).change, "unchanged");
  assert.equal((await folder.target.apply(service("v1"), options)).change, "created");
  assert.deepEqual((await folder.target.read(nameOf(service("serving.knative.dev/v2")), options))?.["spec"], {
    of: "serving.knative.dev/v1",
  });
});

test("names that differ in case, or that no file can have, get files of their own", () => {
  const place = (name: string): string => placesOf({ group: "rbac", kind: "ClusterRole", name })[0];

  assert.equal(place("system:node_a"), "_cluster/clusterrole-system%3anode%5fa.yaml");
  assert.notEqual(place("Admin").toLowerCase(), place("admin"));
  const [long, other] = [place(`${"x".repeat(250)}a`), place(`${"x".repeat(250)}b`)];
  assert.notEqual(long, other);
  assert.ok(long.length < 230);
});

test("deleting the last object of a namespace removes its folder", async () => {
  await using folder = await testFolder();
  await folder.target.apply(deployment, options);

  await folder.target.delete(nameOf(deployment), options);

  assert.deepEqual((await readdir(folder.path)).sort(), [".lock", "_cluster"]);
});

test("a folder is made for the first object, and not before", async () => {
  await using folder = await testFolder();

  await folder.target.read(nameOf(deployment), options);
  await folder.target.preview(deployment, options);
  await folder.target.delete(nameOf(deployment), options);

  await assert.rejects(readdir(folder.path), { code: "ENOENT" });
});

const broken: Record<string, string> = {
  "is no YAML": "a: [1,\n",
  "holds no object": "just text\n",
  "holds two documents": "a: 1\n---\nb: 2\n",
  "holds something else": stringify({ ...deployment, metadata: { name: "other", namespace: "shop" } }),
  "lacks its name": stringify({ ...deployment, metadata: {} }),
};
for (const [problem, content] of Object.entries(broken)) {
  test(`a file that ${problem} is named, and left alone`, async () => {
    await using folder = await testFolder();
    await folder.target.apply(deployment, options);
    const file = join(folder.path, "shop", "deployment-web.yaml");
    await writeFile(file, content);

    const named = (error: Error & { code?: string }): boolean =>
      error.code === "Conflict" && error.message.includes(file);
    await assert.rejects(folder.target.apply(deployment, options), named);
    await assert.rejects(folder.target.preview(deployment, options), named);
    await assert.rejects(folder.target.read(nameOf(deployment), options), named);
    await assert.rejects(folder.target.delete(nameOf(deployment), options), named);

    assert.equal(await readFile(file, "utf8"), content);
  });
}

test("a file that is only formatted differently is no conflict", async () => {
  await using folder = await testFolder();
  await folder.target.apply(deployment, options);
  const file = join(folder.path, "shop", "deployment-web.yaml");
  const text = await readFile(file, "utf8");
  await writeFile(file, `${text.replaceAll("\n", "\r\n")}# reviewed\r\n`);

  assert.equal((await folder.target.apply(deployment, options)).change, "unchanged");
  assert.equal((await folder.target.apply({ ...deployment, spec: { replicas: 2 } }, options)).change, "changed");
});

test("a folder that cannot be written is named", async () => {
  await using folder = await testFolder();
  await writeFile(folder.path, "a file where the folder should be");

  await assert.rejects(
    folder.target.apply(deployment, options),
    (error: Error) => error.name === "ApiError" && error.message.includes(folder.path),
  );
});

test("two processes write into one folder at once", async () => {
  await using folder = await testFolder();
  const program = `
    const { openFolder } = await import(${JSON.stringify(import.meta.resolve("./open-folder.ts"))});
    const target = openFolder(${JSON.stringify(folder.path)});
    const { signal } = new AbortController();
    const changes = [];
    for (let round = 0; round < 25; round += 1) {
      const metadata = { name: "shared-" + round, namespace: "shop" };
      const { change } = await target.apply({ apiVersion: "v1", kind: "ConfigMap", metadata, data: {} }, { signal });
      changes.push(change);
      await target.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "brief", namespace: "brief" } }, { signal });
      await target.delete({ group: "", kind: "ConfigMap", namespace: "brief", name: "brief" }, { signal });
    }
    console.log(JSON.stringify(changes));`;
  const run = async (): Promise<string[]> => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
    return JSON.parse(stdout) as string[];
  };

  const [one, other] = await Promise.all([run(), run()]);

  const created = one.map((change, round) => [change, other[round]].filter((each) => each === "created").length);
  assert.deepEqual(new Set(created), new Set([1]), "each file is created by one of them");
  assert.equal((await readdir(join(folder.path, "shop"))).length, 25);
  assert.deepEqual((await readdir(folder.path)).sort(), [".lock", "_cluster", "shop"]);
});

test("kubectl's copy of a Secret is not written", async () => {
  await using folder = await testFolder();
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": '{"stringData":{"token":"canary"}}' };

  await folder.target.apply(
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "tokens", namespace: "shop", annotations },
      data: { token: btoa("canary") },
    },
    options,
  );

  const text = await readFile(join(folder.path, "shop", "secret-tokens.yaml"), "utf8");
  assert.ok(!text.includes("canary"), text);
});

test("an object with thousands of values is written as JSON, which is YAML, and read back", async () => {
  await using folder = await testFolder();
  const data = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`key-${index}`, "on"]));
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "many", namespace: "shop" }, data };

  await folder.target.apply(object, options);

  const file = join(folder.path, "shop", "configmap-many.yaml");
  const text = await readFile(file, "utf8");
  assert.match(text, /^# Written by Radius\..*\n\{\n {2}"apiVersion": "v1",\n/);
  assert.equal((await folder.target.apply(object, options)).change, "unchanged");
  await writeFile(file, text.replace('"key-7": "on"', '"key-7": "off"'));
  await assert.rejects(folder.target.apply(object, options), { code: "Conflict" });
});
