// Whatever a deployment does, others on the thread get their turn, and answers stay within bounds.
import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, objectMember, ResourceId, type JsonObject, type JsonValue } from "@rad/core";
import { longestTurn } from "@rad/core/testing";
import { hostileTemplates, symbolic, thing } from "@rad/templates/testing";
import { Engine } from "./run/testing/engine-kit.ts";
import { FakeTarget, fakeHost, group, inputOf, requester } from "./what-if/testing/fake-world.ts";
import { previewDeployment } from "./what-if/preview-deployment.ts";
import { validateDeployment } from "./what-if/validate-deployment.ts";

/** Some 200 ms, see `longestTurn`. The worst of these was measured to take 60 to 100. */
const mostUnits = 25;

function inTime(units: number): void {
  assert.ok(units < mostUnits, `${units} units in one turn`);
}

const refusals: readonly (string | undefined)[] = [
  "InvalidTemplate",
  "InvalidTemplateDeployment",
  "DeploymentSizeExceeded",
];

for (const hostile of hostileTemplates) {
  it(`others get their turn during what-if: ${hostile.name}`, async () => {
    const request = requestFor(hostile.make());

    const { result, units } = await longestTurn(() =>
      outcome(() => previewDeployment(fakeHost(new FakeTarget()), request)),
    );

    inTime(units);
    assert.ok(result.length < 17 << 20 || refusals.includes(result), result.slice(0, 100));
  });
}

const loop = (count: number, properties: JsonObject, more: JsonObject = {}): JsonObject =>
  thing("[format('a{0}', copyIndex())]", { copy: { name: "a", count }, ...more }, properties);

const sharedText = symbolic({ resources: { a: loop(10_000, { note: "[string(range(0, 10000))]" }) } });

it("refuses a what-if answer of hundreds of megabytes while it is built", async () => {
  const whatIf = (resultFormat: "FullResourcePayloads" | "ResourceIdOnly") =>
    outcome(() =>
      previewDeployment(fakeHost(new FakeTarget()), { ...requestFor({ template: sharedText }), resultFormat }),
    );

  const whole = await longestTurn(() => whatIf("FullResourcePayloads"));
  const ids = await whatIf("ResourceIdOnly");

  assert.equal(whole.result, "DeploymentSizeExceeded");
  inTime(whole.units);
  assert.equal((objectMember(JSON.parse(ids) as JsonObject, "properties")["changes"] as JsonValue[]).length, 10_000);
});

it("validates what is too large to be told", async () => {
  const { result, units } = await longestTurn(() =>
    outcome(() => validateDeployment(fakeHost(new FakeTarget()), requestFor({ template: sharedText }))),
  );

  assert.match(result, /"provisioningState":"Succeeded"/);
  inTime(units);
});

const costly =
  "[length(map(range(0, reference('o').properties.version), lambda('n', map(range(0, 100), lambda('m', 1)))))]";

const runs: readonly (readonly [string, JsonObject, string])[] = [
  [
    "20 costly resources that are ready at once",
    symbolic({ resources: { o: thing("o", {}, { version: 1_000 }), a: loop(20, { x: costly }) } }),
    "Succeeded",
  ],
  [
    "outputs that are too large",
    symbolic({
      resources: {},
      outputs: Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [`o${at}`, { type: "string", value: "[padLeft('', 100000)]" }]),
      ),
    }),
    "Failed DeploymentSizeExceeded",
  ],
  ["2,000 resources", symbolic({ resources: { a: loop(2_000, { x: "[copyIndex()]" }) } }), "Succeeded"],
];

for (const [name, template, expected] of runs) {
  it(`others get their turn during a run: ${name}`, async () => {
    await using engine = await Engine.open({ concurrency: 20 });
    engine.worker();

    const { result, units } = await longestTurn(() => engine.deploy({ template }));

    assert.equal([result.state, ...(result.error === undefined ? [] : [result.error.code])].join(" "), expected);
    inTime(units);
  });
}

it("runs out of steps for the whole deployment, not for one resource", async () => {
  await using engine = await Engine.open({ concurrency: 20 });
  engine.worker();
  const template = symbolic({ resources: { o: thing("o", {}, { version: 1_000 }), a: loop(100, { x: costly }) } });

  const { state, error } = await engine.deploy({ template });

  assert.equal(state, "Failed");
  assert.match(JSON.stringify(error), /takes too many steps to evaluate/);
});

function requestFor({ template, parameters = {} }: ReturnType<(typeof hostileTemplates)[number]["make"]>) {
  return {
    id: ResourceId.parse(`${group}/providers/Microsoft.Resources/deployments/main`),
    input: { ...inputOf(template), parameters },
    requester,
    resultFormat: "FullResourcePayloads" as const,
    planRecipes: false,
    changesToIgnore: new Set<string>(),
    signal: new AbortController().signal,
  };
}

/** The answer as text, or the code of the refusal. */
async function outcome(ask: () => Promise<JsonObject>): Promise<string> {
  try {
    return JSON.stringify(await ask());
  } catch (error) {
    if (error instanceof ApiError) {
      return error.code;
    }
    throw error;
  }
}
