import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { it } from "node:test";
import { createClient } from "@rad/client";
import { startTestServer } from "@rad/control-plane/testing";
import type { JsonObject } from "@rad/core";
import type { JourneyPlace } from "./describe-journey.ts";

const version = { apiVersion: "2023-10-01-preview" };

/** Two gateways that lead to one Service share the HTTPProxy of that Service. */
export function describeSharedObjects(name: string, open: () => Promise<JourneyPlace>): void {
  it(`${name}: an HTTPProxy of two gateways goes with the last of them`, async () => {
    await using place = await open();
    const directory = await mkdtemp(path.join(tmpdir(), "shared-"));
    await using _folder = { [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
    await using server = await startTestServer({ directory, overrides: { kubernetes: place.kubernetes } });
    const { groups, resources } = createClient({ endpoint: server.url, token: server.token });
    await groups.put("shared");
    const idOf = (resource: string): string =>
      `/planes/radius/local/resourceGroups/shared/providers/Applications.Core/${resource}`;
    const put = async (resource: string, properties: JsonObject): Promise<unknown> =>
      await resources.put(idOf(resource), { location: "global", properties }, version);
    const remove = async (gateway: string): Promise<unknown> =>
      await resources.delete(idOf(`gateways/${gateway}`), version);
    const gateway = async (gatewayName: string, service: string): Promise<unknown> =>
      await put(`gateways/${gatewayName}`, {
        application: idOf("applications/shop"),
        routes: [{ path: "/", destination: `http://${service}:3000` }],
      });
    const proxies = async (): Promise<string> => (await place.objects(`${place.namespace}-shop`)).join(" ");
    await put("environments/dev", { compute: { kind: "kubernetes", namespace: place.namespace } });
    await put("applications/shop", { environment: idOf("environments/dev") });

    await Promise.all([gateway("one", "web"), gateway("two", "web")]);
    assert.equal(await proxies(), "HTTPProxy/one HTTPProxy/two HTTPProxy/web");
    await remove("one");
    assert.equal(await proxies(), "HTTPProxy/two HTTPProxy/web");

    await gateway("one", "web");
    await gateway("two", "api");
    assert.equal(await proxies(), "HTTPProxy/api HTTPProxy/one HTTPProxy/two HTTPProxy/web");
    await gateway("one", "api");
    assert.equal(await proxies(), "HTTPProxy/api HTTPProxy/one HTTPProxy/two");

    // One goes while the other comes: the shared object has to survive.
    await Promise.all([remove("one"), gateway("three", "api")]);
    assert.equal(await proxies(), "HTTPProxy/api HTTPProxy/three HTTPProxy/two");
    await Promise.all([remove("two"), remove("three")]);
    assert.equal(await proxies(), "");
  });
}
