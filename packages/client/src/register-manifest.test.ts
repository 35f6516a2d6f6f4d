import assert from "node:assert/strict";
import { test } from "node:test";
import { objectMember } from "@rad/core";
import { createClient } from "./create-client.ts";
import type { ManifestToRegister } from "./register-manifest.ts";
import { registerManifest } from "./register-manifest.ts";
import { startTestServer } from "./testing/index.ts";

const manifest: ManifestToRegister = {
  namespace: "Contoso.Test",
  location: { name: "global" },
  types: [
    {
      name: "widgets",
      description: "A widget",
      capabilities: [],
      apiVersions: [{ name: "2025-01-01", schema: { type: "object" } }],
    },
    {
      name: "gadgets",
      capabilities: [],
      apiVersions: [
        { name: "2025-01-01", schema: {} },
        { name: "2025-02-01-preview", schema: {} },
      ],
    },
  ],
};
const sleep = async () => {};

test("a manifest is registered in the order the control plane needs", async () => {
  await using server = await startTestServer();
  const client = createClient({ endpoint: server.url, sleep });
  const steps: string[] = [];

  await registerManifest(client, manifest, { onProgress: (step) => steps.push(Object.values(step).join(" ")) });

  const writes = server.requests.filter((request) => request.method === "PUT").map((request) => request.path);
  const registry = "/planes/radius/local/providers/System.Resources/resourceproviders/Contoso.Test";
  assert.deepEqual(
    writes.map((path) => path.replace(registry, "").replace(/\?.*/, "")),
    [
      "",
      "/resourcetypes/widgets",
      "/resourcetypes/widgets/apiversions/2025-01-01",
      "/locations/global",
      "/resourcetypes/gadgets",
      "/resourcetypes/gadgets/apiversions/2025-01-01",
      "/resourcetypes/gadgets/apiversions/2025-02-01-preview",
      "/locations/global",
    ],
  );
  assert.deepEqual(steps, ["provider Contoso.Test", "type Contoso.Test widgets", "type Contoso.Test gadgets"]);
});

test("types registered before stay registered", async () => {
  await using server = await startTestServer();
  const client = createClient({ endpoint: server.url, sleep });
  const [widgets = [], gadgets = []] = manifest.types.map((type) => [type]);
  await registerManifest(client, { ...manifest, types: widgets });

  await registerManifest(client, { ...manifest, types: gadgets });

  const location = await client.providers.findLocation("Contoso.Test", "global");
  const properties = objectMember(location?.resource ?? {}, "properties");
  assert.deepEqual(properties["resourceTypes"], {
    widgets: { apiVersions: { "2025-01-01": {} } },
    gadgets: { apiVersions: { "2025-01-01": {}, "2025-02-01-preview": {} } },
  });
});

test("the location is replaced only if nobody else has changed it meanwhile", async () => {
  await using server = await startTestServer();
  const client = createClient({ endpoint: server.url, sleep });

  await registerManifest(client, manifest);

  const writes = server.requests.filter((request) => request.method === "PUT" && request.path.includes("/locations/"));
  assert.deepEqual(
    writes.map(({ headers }) => [headers["if-none-match"], headers["if-match"]]),
    [
      ["*", undefined],
      [undefined, "32-test"],
    ],
  );
});

for (const status of [409, 412]) {
  test(`a registration that meets ${status} is repeated`, async () => {
    let conflicts = 3;
    await using server = await startTestServer({
      intercept: (request, response) => {
        if (request.method !== "PUT" || conflicts === 0) {
          return false;
        }
        conflicts -= 1;
        response.writeHead(status).end(JSON.stringify({ error: { code: "Conflict", message: "busy" } }));
        return true;
      },
    });
    const client = createClient({ endpoint: server.url, sleep });

    await registerManifest(client, manifest);

    assert.equal((await client.providers.summary("Contoso.Test")).name, "Contoso.Test");
  });
}

test("a conflict that does not end is reported", async () => {
  await using server = await startTestServer({
    intercept: (request, response) => {
      if (request.method !== "PUT") {
        return false;
      }
      response.writeHead(409).end(JSON.stringify({ error: { code: "Conflict", message: "busy" } }));
      return true;
    },
  });
  const client = createClient({ endpoint: server.url, sleep });

  await assert.rejects(registerManifest(client, manifest), { code: "Conflict" });
});
