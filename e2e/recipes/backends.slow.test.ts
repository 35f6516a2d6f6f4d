// One recipe with each backend, from its first run to its deletion, and a second control plane that adopts the state.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@rad/core";
import { testCluster } from "@rad/kubernetes/testing";
import { startPostgres } from "@rad/store/testing";
import { startBlobStorage, startS3Storage } from "@rad/terraform/testing/storage";
import type { Server } from "../support/api.ts";
import { databases } from "../support/database.ts";
import {
  createPlatform,
  deleteBucket,
  deployBucket,
  failureOf,
  openRecipeRig,
  outputResourcesOf,
  putSecret,
} from "./recipe-rig.ts";
import type { Product, RecipeRig } from "./recipe-rig.ts";

let rig: RecipeRig;
before(async () => {
  rig = await openRecipeRig();
});
after(async () => {
  await rig[Symbol.asyncDispose]();
});

/** A backend of settings, and how to look whether it holds anything. */
interface StartedBackend extends AsyncDisposable {
  /** Creates the secrets that it refers to. @returns `backend` of the settings */
  settings(server: Server): Promise<JsonObject | undefined>;
  readonly env?: Readonly<Record<string, string>>;
  /** Names of states; undefined where the control plane has them itself. */
  states?(): Promise<readonly string[]>;
}

const backends: Readonly<Record<string, () => Promise<StartedBackend>>> = {
  http: () => Promise.resolve({ settings: () => Promise.resolve(undefined), [Symbol.asyncDispose]: async () => {} }),
  kubernetes: async () => {
    const cluster = await testCluster();
    const namespace = await cluster.namespace("states");
    return {
      settings: () =>
        Promise.resolve({
          type: "kubernetes",
          config: { namespace, secretSuffix: "shop", configPath: cluster.kubeConfig },
        }),
      states: async () => {
        const list = (await cluster.request("GET", `/api/v1/namespaces/${namespace}/secrets`)) as unknown as {
          items: readonly { metadata: { name: string } }[];
        };
        return list.items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith("tfstate-"));
      },
      [Symbol.asyncDispose]: async () => {},
    };
  },
  pg: async () => {
    const server = await startPostgres();
    const url = await server.createDatabase();
    return {
      settings: async (controlPlane) => {
        const secretId = await putSecret(controlPlane, "pg", { url: `${url}?sslmode=disable` });
        return { type: "pg", config: { connStr: { secretId, key: "url" } } };
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
  s3: async () => {
    const storage = await startS3Storage({ ca: rig.ca });
    return {
      settings: async (server) => {
        const { accessKeyId, secretAccessKey } = storage;
        const secretId = await putSecret(server, "s3", { id: accessKeyId, secret: secretAccessKey });
        return {
          type: "s3",
          config: {
            ...storage.backend,
            accessKey: { secretId, key: "id" },
            secretKey: { secretId, key: "secret" },
          },
        };
      },
      states: () => storage.keys(),
      [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
    };
  },
  azurerm: async () => {
    const storage = await startBlobStorage({ ca: rig.ca });
    return {
      settings: async (server) => {
        const secretId = await putSecret(server, "azurerm", { key: storage.key });
        return {
          type: "azurerm",
          config: {
            storageAccountName: storage.account,
            containerName: storage.container,
            key: "recipes",
            accessKey: { secretId, key: "key" },
          },
        };
      },
      env: { HTTPS_PROXY: storage.proxyUrl },
      states: () => storage.blobs(),
      [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
    };
  },
};

const journeys: readonly (readonly [backend: string, product: Product])[] = [
  ["http", "terraform"],
  ["kubernetes", "terraform"],
  ["pg", "terraform"],
  ["s3", "terraform"],
  ["azurerm", "terraform"],
  ["http", "opentofu"],
  ["s3", "opentofu"],
];
for (const [kind, product] of journeys) {
  it(`${product} with the backend ${kind}: apply, re-apply, update, replace, adoption and delete`, async () => {
    const name = `${product}-${kind}`;
    const own = new RegExp(`^${name}`, "u");
    const counts = () => (["create", "update", "delete"] as const).map((action) => rig.cloud.count(action, own));
    await using backend = await (backends[kind] ?? assert.fail)();
    await using first = await openServer(product, name, backend);

    const created = await first.deploy({ bucketName: name });
    assert.equal(created["arn"], `arn:aws:s3:::${name}`);
    assert.deepEqual(counts(), [1, 0, 0]);
    const idOf = (bucket: string) =>
      `/planes/aws/aws/accounts/123456789012/regions/global/providers/AWS.s3/bucket/${bucket}`;
    assert.deepEqual(outputResourcesOf(created), [idOf(name)]);

    await first.deploy({ bucketName: name });
    assert.deepEqual(counts(), [1, 0, 0], "an unchanged recipe changes nothing");
    await first.deploy({ bucketName: name, team: "blue" });
    assert.deepEqual(counts(), [1, 1, 0]);
    const replaced = await first.deploy({ bucketName: `${name}-2`, team: "blue" });
    assert.equal(replaced["arn"], `arn:aws:s3:::${name}-2`);
    assert.deepEqual(counts(), [2, 1, 1]);
    assert.deepEqual(outputResourcesOf(replaced), [idOf(`${name}-2`)]);

    if (kind === "http") {
      await first.remove();
    } else {
      // Another control plane with the same resource finds the state, and owns what is in it.
      await using second = await openServer(product, name, backend);
      await second.deploy({ bucketName: `${name}-2`, team: "blue" });
      assert.deepEqual(counts(), [2, 1, 1], "a state that is there is adopted");
      await second.remove();
    }
    assert.deepEqual(counts(), [2, 1, 2]);
    assert.deepEqual(
      rig.cloud.objects().filter(({ id }) => own.test(id)),
      [],
    );
  });
}

it("two control planes with one state run one after the other, and the second changes nothing", async () => {
  const name = "twice";
  await using backend = await (backends["pg"] ?? assert.fail)();
  await using first = await openServer("terraform", name, backend);
  await using second = await openServer("terraform", name, backend);
  // The other one has to wait for the lock meanwhile.
  const slowly = () => sleep(2_000);
  using slow = rig.cloud.fault(/^create aws_s3_bucket twice/u, { kind: "call", when: "before", call: slowly });

  const [one, two] = await Promise.all([first.deploy({ bucketName: name }), second.deploy({ bucketName: name })]);
  await first.remove();
  await second.remove();

  assert.deepEqual(one["arn"], two["arn"]);
  assert.deepEqual([slow.met, rig.cloud.count("create", /^twice/u), rig.cloud.count("delete", /^twice/u)], [1, 1, 1]);
});

it("a secret that leads to another database stops the run, and nothing is created twice", async () => {
  const name = "elsewhere";
  await using postgres = await startPostgres();
  const [here, there] = [await postgres.createDatabase(), await postgres.createDatabase()];
  const lead = async (server: Server, url: string): Promise<JsonObject> => {
    const secretId = await putSecret(server, "pg", { url: `${url}?sslmode=disable` });
    return { type: "pg", config: { connStr: { secretId, key: "url" } } };
  };
  await using platform = await openServer("terraform", name, {
    settings: (server) => lead(server, here),
    [Symbol.asyncDispose]: async () => {},
  });
  await platform.deploy({ bucketName: name });

  await lead(platform.server, there);
  const refused = await failureOf(() => platform.deploy({ bucketName: name, team: "blue" }));
  assert.equal(refused.code, "RecipeConfigurationFailure");
  assert.match(refused.message, /another backend .*terraform state/su);
  assert.equal(rig.cloud.count("create", /^elsewhere/u), 1);

  await lead(platform.server, here);
  await platform.remove();
  assert.equal(rig.cloud.count("delete", /^elsewhere/u), 1);
});

async function openServer(product: Product, name: string, backend: StartedBackend) {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await databases.sqlite());
  const server = stack.use(await database.startServer(rig.config(database.folder)));
  await rig.prepare(server, product);
  const settings = await backend.settings(server);
  const environment = await createPlatform(rig, server, {
    name,
    ...(settings === undefined ? {} : { backend: settings }),
    ...(backend.env === undefined ? {} : { env: backend.env }),
  });
  const owned = stack.move();
  return {
    server,
    deploy: (properties: JsonObject) => deployBucket(server, name, { environment, ...properties }),
    remove: () => deleteBucket(server, name),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
