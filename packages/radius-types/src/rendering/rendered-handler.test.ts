import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { it } from "node:test";
import { ApiError, isJsonObject, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { type KubernetesObject, type ObjectTarget, openObjectTarget } from "@rad/kubernetes";
import type { ResourceHandler } from "@rad/resources";
import { renderedHandler } from "./rendered-handler.ts";
import type { Part, Renderer } from "./renderer.ts";
import { ids, RenderingWorld } from "./testing/rendering-world.ts";

/** Renders a ConfigMap for each of `parts`, `name` or `name: [names before it]`, and what else the resource says. */
const renderer: Renderer = {
  dependencies: ({ uses }) => (typeof uses === "string" ? [uses] : []),
  render: ({ properties }, { namespace, dependencies }) => ({
    parts: Object.entries(objectMember(properties, "parts")).map(([name, before]): Part => ({
      platform: "kubernetes",
      localId: name,
      dependsOn: Array.isArray(before) ? before.map(String) : [],
      object: object(name, namespace, { value: String(properties["value"] ?? "") }),
    })),
    ...objectMember(properties, "gives"),
    properties: {
      seen: [...dependencies.values()].map(({ values, secretValues }) => ({
        values,
        secretValues: { ...secretValues },
      })),
    },
  }),
};

function object(name: string, namespace: string, data: Record<string, string>): KubernetesObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data };
}

function parts(...names: readonly string[]): { readonly parts: JsonObject } {
  return { parts: Object.fromEntries(names.map((name) => [name, []])) };
}

it("objects are applied in the namespace of the application, recorded, and deleted in the end", async () => {
  await using world = await FolderWorld.open();
  const handler = renderedHandler(renderer, world.deps);

  const result = await world.put(handler, { parts: { b: ["c"], c: [], a: ["b"] } });

  assert.equal(result?.kind, "done");
  assert.deepEqual(world.recorded(), ["c", "b", "a"]);
  assert.deepEqual(
    await world.files(),
    ["a", "b", "c"].map((name) => `dev-shop/configmap-${name}.yaml`),
  );
  await world.delete(handler);
  assert.deepEqual(await world.files(), []);
});

it("what is no longer rendered is deleted after the new objects are there", async () => {
  const deleted: string[] = [];
  await using world = await FolderWorld.open((target) => ({
    ...methodsOf(target),
    delete: async (name, options) => {
      deleted.push(name.name);
      await target.delete(name, options);
    },
  }));
  const handler = renderedHandler(renderer, world.deps);

  await world.put(handler, { parts: { a: [], b: ["a"], c: ["b"] } });
  await world.put(handler, parts("b", "d"));

  assert.deepEqual(deleted, ["c", "a"]);
  assert.deepEqual(world.recorded(), ["b", "d"]);
  assert.deepEqual(
    await world.files(),
    ["b", "d"].map((name) => `dev-shop/configmap-${name}.yaml`),
  );
});

it("an object is recorded before it is created, and a later PUT or DELETE finds it", async () => {
  let isBroken = true;
  const seen: string[][] = [];
  await using world = await FolderWorld.open((target) => ({
    ...methodsOf(target),
    apply: async (wanted, options) => {
      seen.push(world.recorded());
      const applied = await target.apply(wanted, options);
      if (isBroken && wanted.metadata.name === "b") {
        throw new Error("the process dies");
      }
      return applied;
    },
  }));
  const handler = renderedHandler(renderer, world.deps);
  await world.put(handler, parts("old"));
  seen.length = 0;

  await assert.rejects(world.put(handler, { parts: { a: [], b: ["a"], c: ["b"] } }), /the process dies/);

  assert.deepEqual(seen, [
    ["old", "a", "b", "c"],
    ["old", "a", "b", "c"],
  ]);
  assert.deepEqual(
    await world.files(),
    ["a", "b", "old"].map((name) => `dev-shop/configmap-${name}.yaml`),
  );
  isBroken = false;
  await world.put(handler, parts("c"));
  assert.deepEqual(await world.files(), ["dev-shop/configmap-c.yaml"]);
});

it("an object that was refused is not recorded, so that nobody else's is deleted", async () => {
  await using world = await FolderWorld.open();
  const handler = renderedHandler(renderer, world.deps);
  await world.put(handler, parts("a"));
  const foreign = path.join(world.manifests, "dev-shop", "configmap-b.yaml");
  await writeFile(foreign, "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b, namespace: dev-shop }\n");

  await assert.rejects(world.put(handler, { ...parts("a", "b", "c"), value: "new" }), { code: "Conflict" });

  assert.deepEqual(world.recorded(), ["a", "c"]);
  await world.delete(handler);
  assert.deepEqual(await world.files(), ["dev-shop/configmap-b.yaml"]);
});

it("an object in the cluster that we never applied is left alone", async () => {
  const managers = new Map([["theirs", "kubectl"]]);
  await using world = await FolderWorld.open((target) => ({
    ...methodsOf(target),
    kind: "cluster",
    read: async (name, options) => {
      const found = await target.read(name, options);
      const manager = managers.get(name.name) ?? "radius-rp";
      return found && { ...found, metadata: { ...found.metadata, managedFields: [{ manager }] } };
    },
  }));
  const handler = renderedHandler(renderer, world.deps);
  await world.put(handler, parts("ours", "theirs"));

  await world.delete(handler);

  assert.deepEqual(await world.files(), ["dev-shop/configmap-theirs.yaml"]);
});

it("what does not go is named, and the rest goes", async () => {
  const stuck = ["b", "c"];
  await using world = await FolderWorld.open((target) => ({
    ...methodsOf(target),
    delete: async (name, options) => {
      if (stuck.includes(name.name)) {
        throw new ApiError("Conflict", `ConfigMap '${name.name}' has a finalizer.`);
      }
      await target.delete(name, options);
    },
  }));
  const handler = renderedHandler(renderer, world.deps);
  await world.put(handler, parts("a", "b", "c", "d"));

  await assert.rejects(world.delete(handler), {
    code: "Conflict",
    message: /'c' has a finalizer.*'b' has a finalizer/,
  });

  assert.deepEqual(
    await world.files(),
    stuck.map((name) => `dev-shop/configmap-${name}.yaml`),
  );
});

it("a target that is away is tried again without using up the attempts, for ten minutes", async () => {
  await using world = await FolderWorld.open((target) => ({
    ...methodsOf(target),
    apply: async () => {
      throw new ApiError("ServiceUnavailable", "The cluster is away.", { transient: true });
    },
  }));
  const handler = renderedHandler(renderer, world.deps);

  assert.equal((await world.put(handler, parts("a")))?.kind, "again");
  world.startedAt = new Date(Date.now() - 11 * 60_000);
  await assert.rejects(world.put(handler, parts("a")), { transient: true });
});

it("awaited objects are waited for with the time that is left, and the reason becomes the error", async () => {
  const waits: { name: string; timeoutMs: number | undefined; waitedMs: number | undefined }[] = [];
  await using world = await FolderWorld.open((target) => ({
    ...methodsOf(target),
    kind: "cluster",
    ready: async (wanted, { timeoutMs, waitedMs }) => {
      waits.push({ name: wanted.metadata.name, timeoutMs, waitedMs });
      throw new ApiError("BadRequest", "Container state is 'Waiting' Reason: ErrImagePull");
    },
  }));
  const awaiting: Renderer = {
    ...renderer,
    render: (resource, context) => ({
      parts: renderer.render(resource, context).parts.map((part) => ({ ...part, awaited: part.localId === "b" })),
    }),
  };
  world.startedAt = new Date(Date.now() - 9 * 60_000);

  await assert.rejects(world.put(renderedHandler(awaiting, world.deps), parts("a", "b")), /ErrImagePull/);

  assert.deepEqual(
    waits.map(({ name }) => name),
    ["b"],
  );
  const [{ timeoutMs = 0, waitedMs = 0 } = {}] = waits;
  assert.ok(timeoutMs > 30_000 && timeoutMs <= 60_000, String(timeoutMs));
  assert.equal(waitedMs + timeoutMs, 10 * 60_000);
  assert.deepEqual(world.steps.slice(1), ["Wait for ConfigMap 'b'"]);
  assert.deepEqual(world.recorded(), ["a", "b"]);
});

it("a simulated environment gets a record and no objects, which nothing deletes later", async () => {
  await using world = await FolderWorld.open();
  const handler = renderedHandler(renderer, world.deps);
  await world.put(handler, parts("real"));
  world.add(ids.environment, { compute: { kind: "kubernetes", namespace: "dev" }, simulated: true });

  await world.put(handler, { ...parts("a"), gives: { values: { host: "h" } } });

  assert.deepEqual(world.recorded(), ["real", "(a)"]);
  assert.equal(world.status["computedValues"], undefined);
  assert.deepEqual(await world.files(), ["dev-shop/configmap-real.yaml"]);
  assert.deepEqual((await world.preview(handler, parts("b")))?.changes, []);
});

it("what the author brought along is recorded and never deleted", async () => {
  await using world = await FolderWorld.open();
  const handler = renderedHandler(renderer, world.deps);
  const id = "/planes/kubernetes/local/namespaces/dev-shop/providers/core/ConfigMap/own";
  await world.put(handler, parts("own"));
  const kept = await readFile(path.join(world.manifests, "dev-shop", "configmap-own.yaml"), "utf8");

  await world.put(handler, { gives: { references: [id] } });
  await world.delete(handler);

  assert.deepEqual(world.recorded(), [`(${id})`]);
  assert.equal(await readFile(path.join(world.manifests, "dev-shop", "configmap-own.yaml"), "utf8"), kept);
});

it("values are shown to those who connect, secret ones are sealed and hidden", async () => {
  await using world = await FolderWorld.open();
  const handler = renderedHandler(renderer, world.deps);

  const result = await world.put(handler, {
    gives: { values: { host: "h", port: 1 }, secretValues: { "p/w": "hush" } },
  });

  assert.ok(result?.kind === "done");
  assert.deepEqual(world.status["computedValues"], { host: "h", port: 1, "p/w": null });
  assert.deepEqual(result.secrets, { "/properties/status/computedValues/p~1w": "hush" });
  assert.ok(world.hidden.includes("hush"));
});

it("dependencies give their values; types without code of ours give their sealed properties, too", async () => {
  await using world = await FolderWorld.open();
  const handler = renderedHandler(renderer, world.deps);
  const scope = "/planes/radius/local/resourceGroups/test/providers";
  const builtIn = `${scope}/Applications.Datastores/redisCaches/cache`;
  const other = `${scope}/My.Types/caches/cache`;
  const properties = { secret: null, status: { computedValues: { host: "h", password: null } } };
  const sealed = {
    "/properties/status/computedValues/password": "hush",
    "/properties/secret": "own",
    "/properties/a/b": "c",
  };
  world.add(builtIn, properties, sealed);
  world.add(other, properties, sealed);

  const seen = async (id: string): Promise<JsonObject> => {
    const result = await world.put(handler, { uses: id });
    const { seen: list } = result?.kind === "done" ? result.properties : {};
    const [first = null] = Array.isArray(list) ? list : [];
    return isJsonObject(first) ? first : {};
  };

  assert.deepEqual(await seen(builtIn), { values: { host: "h" }, secretValues: { password: "hush" } });
  assert.deepEqual(await seen(other), { values: { host: "h" }, secretValues: { password: "hush", secret: "own" } });
});

const refused: readonly (readonly [what: string, properties: JsonObject, message: string])[] = [
  [
    "a dependency that is not there",
    { uses: "/planes/radius/local/x/y" },
    'resource "/planes/radius/local/x/y" does not exist',
  ],
  [
    "an application that is not there",
    { application: `${ids.application}2` },
    `resource "${ids.application}2" does not exist`,
  ],
  ["no application", { application: "" }, `application ID is not set for the resource "${ids.thing}"`],
  [
    "a missing local id",
    { parts: { a: ["x", "y"] } },
    "the dependency graph has references to the following missing items 'x, y'",
  ],
  ["a circle", { parts: { a: ["b"], b: ["a"] } }, "a dependency cycle was detected"],
  [
    "Azure",
    { gives: { parts: [{ platform: "azure", localId: "i", type: "Microsoft.X/ids", body: {} }] } },
    "provider azure is not configured. Cannot support resource type Microsoft.X/ids",
  ],
];

for (const [what, properties, message] of refused) {
  it(`refuses ${what} before anything is applied`, async () => {
    await using world = await FolderWorld.open();
    const handler = renderedHandler(renderer, world.deps);

    await assert.rejects(world.put(handler, { ...parts("first"), ...properties }), { code: "BadRequest", message });
    await assert.rejects(world.preview(handler, { ...parts("first"), ...properties }) ?? [], { message });

    assert.deepEqual([await world.files(), world.recorded()], [[], []]);
  });
}

it("a preview tells what would be created, changed and deleted, without values of Secrets", async () => {
  await using world = await FolderWorld.open();
  const secret: KubernetesObject = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s", namespace: "dev-shop" },
    data: { key: "Y2FuYXJ5", more: "Y2FuYXJ5" },
  };
  const handler = renderedHandler(
    {
      ...renderer,
      render: (resource, context) => ({
        parts: [...renderer.render(resource, context).parts, { platform: "kubernetes", localId: "S", object: secret }],
      }),
    },
    world.deps,
  );

  const created = await world.preview(handler, parts("a", "b", "c"));
  await world.put(handler, parts("a", "b", "c"));
  const same = await world.preview(handler, parts("a", "b", "c"));
  const changed = await world.preview(handler, { ...parts("a", "b"), value: "new" }, ["x"]);

  const summary = (preview: typeof created) =>
    preview?.changes.map(({ id, change }) => `${change} ${id.split("/").at(-1)}`);
  assert.deepEqual(
    summary(created),
    ["create S", "create a", "create b", "create c"].map((text) => text.replace("S", "s")),
  );
  assert.deepEqual(summary(same), []);
  assert.deepEqual(summary(changed), ["modify a", "modify b", "delete c"]);
  assert.deepEqual(created?.changes[0]?.after?.["data"], { key: null, more: null });
  assert.deepEqual(
    created?.changes[0]?.changedSecrets.map(({ pointer, change }) => `${change} ${pointer}`),
    ["create /data/key", "create /data/more"],
  );
  assert.doesNotMatch(JSON.stringify([created, changed]), /Y2FuYXJ5/);
  assert.deepEqual(await world.files(), [
    ...["a", "b", "c"].map((name) => `dev-shop/configmap-${name}.yaml`),
    "dev-shop/secret-s.yaml",
  ]);
});

it("a preview says which values only the deployment gives, and when the cluster is away", async () => {
  let isAway = false;
  await using world = await FolderWorld.open((target) => ({
    ...methodsOf(target),
    preview: async (wanted, options) => {
      if (isAway) {
        throw new ApiError("ServiceUnavailable", "The cluster is away.", { transient: true });
      }
      return await target.preview(wanted, options);
    },
  }));
  const handler = renderedHandler(renderer, world.deps);

  const expected = await world.preview(handler, { ...parts("a"), uses: ids.application }, [ids.application]);
  isAway = true;
  const away = await world.preview(handler, parts("a"));

  assert.match(expected?.warnings.join() ?? "", /without values that only the deployment of .*\/shop' gives/);
  assert.deepEqual(away, {
    changes: [],
    warnings: ["The objects that would change cannot be told now: The cluster is away."],
  });
});

const sharing: Renderer = { ...renderer, sharedKinds: ["ConfigMap"] };
const file = (name: string): string => `dev-shop/configmap-${name}.yaml`;

it("an object of two resources stays until the last of them is deleted or stops rendering it", async () => {
  await using first = await FolderWorld.open();
  const second = await first.neighbour("api");
  const handler = renderedHandler(sharing, first.deps);
  await first.put(handler, parts("first", "both", "also"));
  await second.put(handler, parts("second", "both", "also"));

  const preview = await first.preview(handler, parts("both"));
  await first.put(handler, parts("both"));

  assert.deepEqual(
    preview?.changes.map(({ id, change }) => `${change} ${id.split("/").at(-1)}`),
    ["delete first"],
  );
  assert.deepEqual(await first.files(), ["also", "both", "second"].map(file));
  assert.deepEqual([first.recorded(), first.status["releasing"]], [["both"], undefined]);
  await first.delete(handler);
  assert.deepEqual(await first.files(), ["also", "both", "second"].map(file));
  await second.delete(handler);
  assert.deepEqual(await first.files(), []);
});

it("two resources that are deleted at once take the object they share along", async () => {
  const reached = Promise.withResolvers<void>();
  let saves = 0;
  await using first = await FolderWorld.open();
  const second = await first.neighbour("api");
  const handler = renderedHandler(sharing, first.deps);
  await first.put(handler, parts("both"));
  await second.put(handler, parts("both"));
  // Both have said what they release before either looks for the other.
  const together: ResourceHandler = {
    delete: async (context) =>
      await handler.delete({
        ...context,
        save: async (status) => {
          await context.save(status);
          saves += 1;
          if (saves === 2) {
            reached.resolve();
          }
          await reached.promise;
        },
      }),
  };

  await Promise.all([first.delete(together), second.delete(together)]);

  assert.deepEqual(await first.files(), []);
});

it("a resource waits with an object that another one is deleting, but not for a deletion that failed", async () => {
  const deleting = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  await using first = await FolderWorld.open((target) => ({
    ...methodsOf(target),
    delete: async (name, options) => {
      deleting.resolve();
      await proceed.promise;
      await target.delete(name, options);
      throw new ApiError("Conflict", "It has a finalizer.");
    },
  }));
  const second = await first.neighbour("api");
  const handler = renderedHandler(sharing, first.deps);
  await first.put(handler, parts("both"));

  const deleted = first.delete(handler).catch((error: unknown) => error);
  await deleting.promise;
  assert.equal((await second.put(handler, parts("both")))?.kind, "again");
  proceed.resolve();
  assert.ok((await deleted) instanceof ApiError);

  assert.equal((await second.put(handler, parts("both")))?.kind, "done");
  assert.deepEqual(await first.files(), [file("both")]);
  // Rendered once more, it is not released any longer.
  await first.put(handler, parts("both"));
  await second.put(handler, {});
  assert.deepEqual(await first.files(), [file("both")]);
});

/** The world with a folder of manifests as its target. */
class FolderWorld extends RenderingWorld implements AsyncDisposable {
  readonly manifests: string;

  static async open(wrap: (target: ObjectTarget) => ObjectTarget = (target) => target): Promise<FolderWorld> {
    const manifests = await mkdtemp(path.join(tmpdir(), "manifests-"));
    return new FolderWorld(manifests, wrap(await openObjectTarget({ kind: "folder", path: manifests })));
  }

  private constructor(manifests: string, target: ObjectTarget) {
    super(target);
    this.manifests = manifests;
  }

  /** All files but those of namespaces. */
  async files(): Promise<string[]> {
    const entries = await readdir(this.manifests, { recursive: true });
    return entries.filter((entry) => entry.endsWith(".yaml") && !entry.startsWith("_cluster")).toSorted();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.manifests, { recursive: true, force: true });
  }
}

/** A target of one's own that behaves like another one. */
function methodsOf(target: ObjectTarget): ObjectTarget {
  return {
    kind: target.kind,
    description: target.description,
    apply: (wanted, options) => target.apply(wanted, options),
    preview: (wanted, options) => target.preview(wanted, options),
    read: (name, options) => target.read(name, options),
    delete: (name, options) => target.delete(name, options),
    ready: (wanted, options) => target.ready(wanted, options),
    serves: (group, kind, options) => target.serves(group, kind, options),
  };
}

it("a resource that is too large for Kubernetes is refused", async () => {
  await using world = await FolderWorld.open();
  const handler = renderedHandler(renderer, world.deps);
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 1]));

  await assert.rejects(world.put(handler, { parts: {}, many }), { code: "RequestEntityTooLarge" });
});
