import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { type JsonObject, objectMember, ResourceId, systemClock } from "@rad/core";
import { openTemporaryStore } from "@rad/store/testing";
import type { ResourcePreview } from "@rad/resources";
import type { PreviewOrder } from "../deployment-target.ts";
import { recordAfterwards } from "../record-afterwards.ts";
import { BoxProcess } from "../testing/boxes/box-process.ts";
import { BoxTarget } from "../testing/boxes/box-target.ts";
import { box, boxTemplate } from "../testing/boxes/box-template.ts";
import { FakeTarget, fakeHost, group, inputOf, requester, thing } from "./testing/fake-world.ts";
import { list, preview } from "./testing/preview.ts";
import { validateDeployment } from "./validate-deployment.ts";

const canary = "canary-2f9e";

let provider: BoxProcess;
before(async () => {
  provider = await BoxProcess.start();
  const properties = { title: "there", size: 1, token: canary };
  const body = JSON.stringify({ key: "k", method: "PUT", onlyIfAbsent: false, properties });
  await fetch(`${provider.url}/boxes`, { method: "POST", body });
});
after(async () => {
  await provider[Symbol.asyncDispose]();
});

const parameters = { account: "a", s: canary };
const template = boxTemplate(
  {
    fresh: box({ size: 1, token: "[parameters('s')]" }),
    same: box({ title: "there", size: 1, token: "[parameters('s')]" }),
    other: box({ title: "there", size: 2, token: "[parameters('s')]" }),
    found: box({ title: "there" }, { existing: true }),
    after: box({ size: "[reference('fresh').properties.size]", of: "[reference('fresh').id]" }),
    known: thing("known", { id: "[reference('found').id]", size: "[reference('other').properties.size]" }),
  },
  { parameters: { s: { type: "securestring" } } },
);

async function targets() {
  const store = await openTemporaryStore();
  const other = recordAfterwards(new BoxTarget(provider), { store, clock: systemClock });
  return { targets: { radius: new FakeTarget(), other }, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

it("what-if asks the provider about resources that have no id yet", async () => {
  await using host = await targets();

  const told = await preview(new FakeTarget(), template, parameters, {}, { targets: host.targets });

  const changes = new Map(list(told, "changes").map((change) => [change["symbolicName"], change]));
  assert.deepEqual(
    [...changes].map(([name, change]) => `${String(name)} ${String(change["changeType"])}`),
    ["fresh Create", "same NoChange", "other Modify", "found Ignore", "after Create", "known Create"],
  );
  const properties = (name: string): JsonObject =>
    objectMember(objectMember(changes.get(name) ?? {}, "after"), "properties");
  assert.deepEqual(properties("after"), { size: 1, of: "[reference('fresh').id]" });
  const { id } = (await provider.ledger()).boxes[0] ?? assert.fail("there is no box");
  assert.partialDeepStrictEqual(properties("known"), { id, size: 2 });
  assert.doesNotMatch(JSON.stringify(told), /canary/);
  assert.equal((await provider.ledger()).boxes.length, 1, "nothing was made");
});

it("what-if hides a value that was made of a secret also where the target repeats it", async () => {
  class Echoing extends BoxTarget {
    override async preview({ body }: PreviewOrder): Promise<ResourcePreview> {
      return { before: undefined, after: {}, changedSecrets: [], warnings: [`Got ${JSON.stringify(body)}.`] };
    }
  }
  await using store = await openTemporaryStore();
  const other = recordAfterwards(new Echoing(provider), { store, clock: systemClock });
  const made = boxTemplate(
    { made: box({ token: "[toUpper(parameters('s'))]" }) },
    { parameters: { s: { type: "securestring" } } },
  );

  const told = await preview(new FakeTarget(), made, parameters, {}, { targets: { other } });

  assert.match(JSON.stringify(told), /Got /);
  assert.doesNotMatch(JSON.stringify(told), /canary/i);
});

it("validation finds a resource that is to be there and is not", async () => {
  await using host = await targets();
  const request = (resources: JsonObject) => ({
    id: ResourceId.parse(`${group}/providers/Microsoft.Resources/deployments/main`),
    input: inputOf(boxTemplate(resources), { account: "a" }),
    requester,
    signal: new AbortController().signal,
  });
  const user = box({ of: "[reference('b').id]" });

  await validateDeployment(
    fakeHost(new FakeTarget(), host),
    request({ b: box({ title: "there" }, { existing: true }), user }),
  );
  const missing = validateDeployment(
    fakeHost(new FakeTarget(), host),
    request({ b: box({ title: "not there" }, { existing: true }), user }),
  );

  await assert.rejects(missing, { code: "InvalidTemplateDeployment", message: /"b" does not exist/ });
});
