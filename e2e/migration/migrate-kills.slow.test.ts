// `rad terraform migrate --apply` is killed after each of its writes, before it hears of the answer. The next run converges.
import assert from "node:assert/strict";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { it } from "node:test";
import { startTestServer } from "@rad/control-plane/testing";
import type { JsonObject } from "@rad/core";
import { createRadHome } from "../kubernetes/rad-home.ts";
import { put } from "../recipes/recipe-rig.ts";
import { clientOf, group } from "../support/api.ts";
import { legacyVersion, putLogin } from "./legacy-rig.ts";

it("a migration that is killed after any of its writes is completed by the next run (S000-215)", async () => {
  await using server = await startTestServer();
  await clientOf(server).groups.put("test");
  await putLogin(server);
  let writes = 0;
  let onWrite: (count: number) => boolean = () => true;
  await using proxy = await startProxy(server.url, (method) => {
    writes += method === "PUT" ? 1 : 0;
    return method !== "PUT" || onWrite(writes);
  });
  await using home = await createRadHome({ server: { ...server, url: proxy.url }, group: "test" });

  for (const killAfter of [1, 2, 3]) {
    const name = `killed-${killAfter}`;
    const recipeConfig = {
      env: { A: "1" },
      bicep: { authentication: { "ghcr.io": { secret: `${group}/providers/Applications.Core/secretStores/login` } } },
    };
    const properties: JsonObject = { compute: { kind: "kubernetes", namespace: name }, recipeConfig };
    const environment = await put(server, `Applications.Core/environments/${name}`, properties, legacyVersion);
    writes = 0;
    const killed = home.start("terraform", "migrate", "-e", name, "--no-preview", "--apply");
    onWrite = (count) => {
      if (count === killAfter) {
        killed.child.kill("SIGKILL");
      }
      return count < killAfter;
    };
    const { code } = await killed.ended;
    onWrite = () => true;

    const next = await home.start("terraform", "migrate", "-e", name, "--no-preview", "--apply").ended;
    const after = await clientOf(server).resources.getWithEtag(environment, { apiVersion: legacyVersion });
    const last = await home.rad("terraform", "migrate", "-e", name, "--no-preview", "--apply", "-o", "json");
    const unchanged = await clientOf(server).resources.getWithEtag(environment, { apiVersion: legacyVersion });

    assert.equal(code, null, "it was killed");
    assert.equal(writes >= killAfter, true);
    assert.equal(next.code, 0, next.stderr);
    const { terraformSettings, bicepSettings } = after.resource["properties"] as JsonObject;
    assert.match(String(terraformSettings), new RegExp(`/terraformSettings/${name}$`, "u"));
    assert.match(String(bicepSettings), new RegExp(`/bicepSettings/${name}$`, "u"));
    assert.equal((JSON.parse(last.stdout) as JsonObject)["migrated"], false);
    assert.equal(unchanged.etag, after.etag);
  }
});

/** Passes requests on; an answer is withheld when `answers` says so, though the request has had its effect. */
async function startProxy(target: string, answers: (method: string) => boolean) {
  const server = createServer((asked, answer) => {
    const { method = "", url = "", headers } = asked;
    const passOn = (body: Buffer): void => {
      const passed = httpRequest(new URL(url, target), { method, headers }, (response) => {
        buffer(response).then(
          (content) => {
            if (answers(method)) {
              answer.writeHead(response.statusCode ?? 502, response.rawHeaders).end(content);
            }
          },
          () => answer.destroy(),
        );
      });
      passed.on("error", () => answer.destroy());
      passed.end(body);
    };
    buffer(asked).then(passOn, () => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
