// The preflight reads from every kind of backend with the credentials of a run, and leaves neither a state nor a lock.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { testCluster } from "@rad/kubernetes/testing";
import { startPostgres } from "@rad/store/testing";
import { startBlobStorage, startS3Storage } from "@rad/terraform/testing/storage";
import { Client } from "pg";
import { createPlatform, openRecipeRig, putSecret, type RecipeRig } from "../recipes/recipe-rig.ts";
import { request } from "../support/api.ts";
import { databases } from "../support/database.ts";
import type { TestDatabase } from "../support/database.ts";
import type { ServerProcess } from "../support/server-process.ts";

let rig: RecipeRig;
let database: TestDatabase;
let server: ServerProcess;
before(async () => {
  [rig, database] = await Promise.all([openRecipeRig(), databases.sqlite()]);
  server = await database.startServer(rig.config(database.folder));
  await rig.prepare(server);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

interface CheckedBackend extends AsyncDisposable {
  /** @param isRight whether the credentials are those that it takes */
  config(isRight: boolean): Promise<JsonObject>;
  readonly env?: Readonly<Record<string, string>>;
  /** What a run would leave. */
  contents(): Promise<readonly unknown[]>;
}

const backends: Readonly<Record<string, () => Promise<CheckedBackend>>> = {
  kubernetes: async () => {
    const cluster = await testCluster();
    const namespace = await cluster.namespace("looked-at");
    const names = async (path: string): Promise<readonly string[]> => {
      const { items } = (await cluster.request("GET", path)) as unknown as {
        items: readonly { metadata: { name: string } }[];
      };
      return items.map(({ metadata }) => metadata.name);
    };
    return {
      config: (isRight) => Promise.resolve({ namespace, configPath: isRight ? cluster.kubeConfig : "/nowhere" }),
      contents: async () => [
        ...(await names(`/api/v1/namespaces/${namespace}/secrets`)),
        ...(await names(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`)),
      ],
      [Symbol.asyncDispose]: async () => {},
    };
  },
  pg: async () => {
    const started = await startPostgres();
    const url = await started.createDatabase();
    return {
      config: async (isRight) => {
        const named = isRight ? url : url.replace(/[^/]+$/u, "missing");
        const secretId = await putSecret(server, `pg-${isRight}`, { url: `${named}?sslmode=disable` });
        return { connStr: { secretId, key: "url" } };
      },
      contents: async () => {
        const client = new Client(url);
        await client.connect();
        const { rows } = await client.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'terraform%'");
        await client.end();
        return rows;
      },
      [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
    };
  },
  s3: async () => {
    const storage = await startS3Storage({ ca: rig.ca });
    return {
      config: async (isRight) => {
        const { accessKeyId: id, secretAccessKey } = storage;
        const secret = isRight ? secretAccessKey : "wrong-key-of-the-bucket";
        const secretId = await putSecret(server, `s3-${isRight}`, { id, secret });
        return {
          ...storage.backend,
          maxRetries: 1,
          accessKey: { secretId, key: "id" },
          secretKey: { secretId, key: "secret" },
        };
      },
      contents: () => storage.keys(),
      [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
    };
  },
  azurerm: async () => {
    const storage = await startBlobStorage({ ca: rig.ca });
    return {
      config: async (isRight) => {
        const key = isRight ? storage.key : Buffer.from("wrong key").toString("base64");
        const secretId = await putSecret(server, `azurerm-${isRight}`, { key });
        return {
          storageAccountName: storage.account,
          containerName: storage.container,
          key: "recipes",
          accessKey: { secretId, key: "key" },
        };
      },
      env: { HTTPS_PROXY: storage.proxyUrl },
      contents: () => storage.blobs(),
      [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
    };
  },
};

for (const [type, start] of Object.entries(backends)) {
  it(`the preflight reads from the backend ${type} and leaves nothing there; wrong credentials fail its line (S000-214)`, async () => {
    await using backend = await start();
    const { env } = backend;
    const environments = await Promise.all(
      [true, false].map(async (isRight) =>
        createPlatform(rig, server, {
          name: `${type}-${isRight}`,
          backend: { type, config: await backend.config(isRight) },
          ...(env === undefined ? {} : { env }),
        }),
      ),
    );
    const before = await backend.contents();

    const [right, wrong] = await Promise.all(environments.map((environmentId) => backendLine(type, environmentId)));

    assert.equal(right?.["status"], "passed", JSON.stringify(right));
    assert.equal(wrong?.["status"], "failed", JSON.stringify(wrong));
    assert.match(String(wrong["message"]), /\w{3}/u);
    assert.deepEqual(await backend.contents(), before);
  });
}

async function backendLine(type: string, environmentId: string): Promise<JsonObject | undefined> {
  const { body } = await request(server, "POST", "/installer/terraform/validate", { environmentId });
  const { checks } = body as unknown as { readonly checks: readonly JsonObject[] };
  const others = checks.filter(({ name, status }) => name !== `backend ${type}` && status !== "passed");
  assert.deepEqual(others, []);
  return checks.find(({ name }) => name === `backend ${type}`);
}
