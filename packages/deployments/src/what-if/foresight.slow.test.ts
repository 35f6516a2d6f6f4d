import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import fc from "fast-check";
import { deploy, FakeTarget, inputOf } from "./testing/fake-world.ts";
import { preview } from "./testing/preview.ts";
import { drawTemplate, parameterValues, templateSketch, type TemplateSketch } from "./testing/random-templates.ts";

interface Foresight {
  readonly certain: ReadonlySet<string>;
  readonly possible: ReadonlySet<string>;
  readonly unsupported: readonly JsonObject[];
}

async function foresee(target: FakeTarget, template: JsonObject, parameters: JsonObject): Promise<Foresight> {
  const answer = await preview(target, template, parameters);
  assert.doesNotMatch(JSON.stringify(answer), /canary/);
  // What is derived from a secret is none where it is stored: what was there before may be shown.
  const coming = JSON.stringify(answer, (name, value: unknown) => (name === "before" ? undefined : value));
  assert.doesNotMatch(coming, /canary/i);
  const { changes, potentialChanges, diagnostics } = answer as Record<string, JsonObject[]>;
  assert.deepEqual(
    diagnostics?.filter(({ level }) => level === "Error"),
    [],
    "announced as a failure, but all of these deployments succeed",
  );
  const idsOf = (kinds: readonly string[], list: readonly JsonObject[] = []): Set<string> =>
    new Set(list.filter((one) => kinds.includes(String(one["changeType"]))).map((one) => String(one["resourceId"])));
  return {
    certain: idsOf(["Create", "Modify"], changes),
    possible: idsOf(["Create", "Modify"], potentialChanges),
    unsupported: (changes ?? []).filter(({ changeType }) => changeType === "Unsupported"),
  };
}

/** Whether a change without a known name, or a module that cannot be looked into, can be about the resource with this id. */
function isAbout({ symbolicName, resourceId }: JsonObject, id: string): boolean {
  const symbol = id.split("/").at(-1)?.split("-")[0] ?? "";
  const isModule = String(resourceId).includes("/Microsoft.Resources/deployments/");
  return symbol === symbolicName || (isModule && symbol.startsWith(`${String(symbolicName)}x`));
}

/** What is announced happens, what happens was announced, and afterwards there is nothing to do. */
async function checkForesight(target: FakeTarget, template: JsonObject, parameters: JsonObject): Promise<void> {
  const { certain, possible, unsupported } = await foresee(target, template, parameters);
  const { changed } = await deploy(target, inputOf(template, parameters));
  const after = await foresee(target, template, parameters);

  const happened = new Set(changed);
  assert.deepEqual([...certain.difference(happened)], [], "announced as certain, but nothing changed");
  const surprises = [...happened.difference(certain).difference(possible)];
  assert.deepEqual(
    surprises.filter((id) => !unsupported.some((change) => isAbout(change, id))),
    [],
    "changed without being announced",
  );
  assert.deepEqual(after, { certain: new Set(), possible: new Set(), unsupported: [] });
}

/** Somebody else changes one resource, or deletes it. */
async function disturb(target: FakeTarget, choice: number): Promise<void> {
  const [id, body] = [...target.resources][choice % Math.max(target.resources.size, 1)] ?? [];
  if (id === undefined || body === undefined) {
    return;
  }
  if (choice % 2 === 0) {
    target.resources.delete(id);
    target.passwords.delete(id);
  } else {
    await target.put({ id: String(body["id"]), body: { properties: { size: 9, extra: "drift" } } });
  }
}

/** The same template with other values in one place. */
function changed(sketch: TemplateSketch, choice: number): TemplateSketch {
  const at = choice % sketch.resources.length;
  return {
    ...sketch,
    resources: sketch.resources.map((resource, index) =>
      index === at
        ? {
            ...resource,
            literal: resource.literal + 1,
            ...(resource.inner === undefined ? {} : { inner: changed(resource.inner, choice) }),
          }
        : resource,
    ),
  };
}

it("announces what a deployment changes, be it new, changed, or out of step with the world", async () => {
  const property = fc.asyncProperty(
    templateSketch(),
    parameterValues,
    parameterValues,
    fc.nat(9),
    async (sketch, first, second, choice) => {
      const target = new FakeTarget();
      await checkForesight(target, drawTemplate(sketch), first);
      await checkForesight(target, drawTemplate(changed(sketch, choice)), first);
      await disturb(target, choice);
      await checkForesight(target, drawTemplate(changed(sketch, choice)), second);
    },
  );

  await fc.assert(property, { numRuns: 60 });
});
