import assert from "node:assert/strict";
import { it } from "node:test";
import { openTemporaryStore } from "@rad/store/testing";
import { resourceAccess } from "./resource-access.ts";

const group = "/planes/radius/local/resourceGroups/g/providers";
const mine = `${group}/Test.Access/things/mine`;
const other = `${group}/Test.Access/others/other`;

it("reads on behalf of the requester what they may read, and on the server's own behalf everything", async () => {
  await using store = await openTemporaryStore();
  for (const [id, type] of [
    [mine, "Test.Access/things"],
    [other, "Test.Access/others"],
  ] as const) {
    const input = { id, type, apiVersion: "1", body: { id }, secrets: { "/properties/key": `secret of ${type}` } };
    await store.write({ document: { kind: "put", input, expect: "absent" } });
  }
  const hidden: string[] = [];
  const permissions = { allows: (_: unknown, permission: string) => permission === "Test.Access/things/read" };
  const access = resourceAccess(store, permissions, {
    caller: { kind: "token", subject: "token:ci", groups: [] },
    correlationId: "c",
    traceparent: undefined,
    hide: (values) => hidden.push(...values),
  });

  assert.equal((await access.asRequester.get(mine))?.id, mine);
  await assert.rejects(access.asRequester.get(other), {
    code: "Forbidden",
    message: /token:ci.*Test\.Access\/others\/read/,
  });
  await assert.rejects(access.asRequester.secrets(mine), { code: "Forbidden", message: /listSecrets\/action/ });
  const listed = await access.asRequester.list({ under: "/planes" });
  assert.deepEqual(
    listed.items.map(({ id }) => id),
    [mine],
  );
  assert.deepEqual(await access.asServer.secrets(other), { "/properties/key": "secret of Test.Access/others" });
  assert.deepEqual(hidden, ["secret of Test.Access/others"]);
});
