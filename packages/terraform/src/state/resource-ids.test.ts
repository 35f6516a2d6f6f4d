import assert from "node:assert/strict";
import { it } from "node:test";
import { ResourceId } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import fc from "fast-check";
import { mergeResourceIds } from "./merge-resource-ids.ts";
import { identifiedResources, resourceIdsOf } from "./resource-ids.ts";
import { resource, stateOf } from "./state-builder.ts";

const queue = (name: string, more: JsonObject = {}): JsonObject =>
  resource("aws_sqs_queue", { arn: `arn:aws:sqs:us-west-2:1:${name}` }, { address: `aws_sqs_queue.${name}`, ...more });
const queueId = (name: string): string =>
  `/planes/aws/aws/accounts/1/regions/us-west-2/providers/AWS.sqs/queue/${name}`;

/** A state with something of every provider, three levels of modules, a data source and a deposed instance. */
const sample = stateOf({
  resources: [
    resource("azurerm_redis_cache", { id: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Cache/redis/r" }),
    resource("aws_s3_bucket", { arn: "arn:aws:s3:::b" }),
    queue("q", { deposed_key: "0badcafe" }),
    queue("q"),
    resource("aws_vpc", { arn: "arn:aws:ec2:us-west-2:1:vpc/v" }, { mode: "data" }),
  ],
  child_modules: [
    {
      address: "module.a",
      resources: [resource("kubernetes_deployment", { metadata: [{ name: "d", namespace: "n" }] })],
      child_modules: [
        {
          address: "module.a.module.b",
          resources: [
            resource("kubernetes_manifest", {
              manifest: { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "n" } },
            }),
          ],
        },
      ],
    },
    { address: "module.c", resources: [queue("last"), resource("random_password", { result: "canary" })] },
  ],
});

it("resources of a module come in file order, then those of its child modules, depth first", () => {
  const module = (name: string, ...child_modules: JsonObject[]): JsonObject => ({
    address: `module.${name}`,
    resources: [queue(`${name}1`), queue(`${name}2`)],
    child_modules,
  });
  const state = stateOf({
    child_modules: [module("a", module("b", module("c")), module("d")), module("e")],
    resources: [queue("root")],
  });

  const names = ["root", "a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1", "e2"];

  assert.deepEqual(resourceIdsOf(state, {}), names.map(queueId));
});

it("every instance of count and for_each gives its own id, whatever its key", () => {
  const keys = [0, 1, "eu", 'a.b["c"]', "ключ/🔑", ""];
  const state = stateOf({
    resources: keys.map((index, n) => queue(`q${n}`, { address: `aws_sqs_queue.q[${JSON.stringify(index)}]`, index })),
  });
  assert.deepEqual(
    resourceIdsOf(state, {}),
    keys.map((_, n) => queueId(`q${n}`)),
  );
});

it("data sources give no ids", () => {
  assert.deepEqual(resourceIdsOf(stateOf({ resources: [queue("q", { mode: "data" })] }), {}), []);
});

it("a deposed instance gives no id, and the current one at its address does", () => {
  const old = resource("aws_sqs_queue", { arn: "arn:aws:sqs:us-west-2:1:old" }, { deposed_key: "0badcafe" });
  const current = resource("aws_sqs_queue", { arn: "arn:aws:sqs:us-west-2:1:new" });
  assert.deepEqual(resourceIdsOf(stateOf({ resources: [old, current] }), {}), [queueId("new")]);
});

it("a tainted resource exists, and gives its id", () => {
  assert.deepEqual(resourceIdsOf(stateOf({ resources: [queue("q", { tainted: true })] }), {}), [queueId("q")]);
});

for (const state of [
  { format_version: "1.0" },
  stateOf({}),
  stateOf({ resources: [], child_modules: [] }),
  { values: { outputs: {} } },
] as JsonObject[]) {
  it(`a state without resources gives no ids: ${JSON.stringify(state)}`, () => {
    assert.deepEqual(resourceIdsOf(state, { onSkipped: () => assert.fail() }), []);
  });
}

for (const provider of [
  "registry.terraform.io/hashicorp/random",
  "registry.terraform.io/hashicorp/google",
  "registry.terraform.io/hashicorp/awscc",
  "registry.terraform.io/azure/azapi",
  "registry.terraform.io/-/aws",
  "registry.example.com/hashicorp/aws",
  "registry.terraform.io/example/aws",
  "terraform.io/builtin/terraform",
  "aws",
]) {
  it(`the provider ${provider} gives no ids, and is not reported`, () => {
    const state = stateOf({ resources: [queue("q", { provider_name: provider })] });
    assert.deepEqual(resourceIdsOf(state, { onSkipped: () => assert.fail() }), []);
  });
}

for (const [provider, values] of [
  ["azurerm", { id: "/providers/Microsoft.Management/managementGroups/m" }],
  ["aws", { arn: "arn:aws:sqs:us-west-2:1:q" }],
  ["kubernetes", { metadata: [{ name: "s", namespace: "n" }] }],
] as const) {
  it(`the provider ${provider} of OpenTofu's registry gives the same ids as Terraform's`, () => {
    const type = { azurerm: "azurerm_management_group", aws: "aws_sqs_queue", kubernetes: "kubernetes_secret" }[
      provider
    ];
    const ids = ["registry.terraform.io", "registry.opentofu.org"].map((host) => {
      const provider_name = `${host}/hashicorp/${provider}`;
      return resourceIdsOf(
        stateOf({ resources: [resource(type, values as unknown as JsonValue, { provider_name })] }),
        {},
      );
    });
    assert.equal(ids[0]?.length, 1);
    assert.deepEqual(ids[1], ids[0]);
  });
}

it("what cannot be given an id is told with its address, and does not stop the others", () => {
  const skipped: string[] = [];
  const broken = resource("aws_vpc", { arn: "canary" }, { address: "module.a.aws_vpc.x" });
  const state = stateOf({ resources: [broken, queue("q")] });

  const ids = resourceIdsOf(state, { onSkipped: (address, reason) => skipped.push(`${address}: ${reason}`) });

  assert.deepEqual(ids, [queueId("q")]);
  assert.deepEqual(skipped, ["module.a.aws_vpc.x: its ARN is not valid"]);
});

it("ids that a recipe lists come first and unchanged, then those of its state that are not there yet", () => {
  const listed = ["/planes/x/Y/providers/Z.z/b/B", "/planes/x/y/providers/z.z/b/a"];
  const derived = ["/planes/x/y/providers/Z.z/b/A", "/planes/x/y/providers/Z.z/c/c", "/planes/X/y/providers/Z.z/c/C"];
  assert.deepEqual(mergeResourceIds(listed, derived), [...listed, "/planes/x/y/providers/Z.z/c/c"]);
});

it("an id that is derived twice comes once", () => {
  assert.deepEqual(resourceIdsOf(stateOf({ resources: [queue("q"), queue("Q"), queue("q")] }), {}), [queueId("q")]);
});

it("any document gives ids that parse and print the same, and never an error", () => {
  const paths = leaves(sample);
  const change = fc.record({
    path: fc.constantFrom(...paths),
    length: fc.nat({ max: 12 }),
    value: fc.oneof(
      fc.jsonValue() as fc.Arbitrary<JsonValue>,
      fc.constantFrom<JsonValue>(true, "/", "providers", "arn:aws:s3:::", "a/b", "\u0000", "\udc00", "managed", [[]]),
      fc.string({ unit: "binary" }),
    ),
  });
  const property = fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
    const state = structuredClone(sample) as JsonValue;
    for (const { path, length, value } of changes) {
      replace(state, path.slice(0, Math.max(1, length)), value);
    }
    for (const id of resourceIdsOf(state, { awsScope: "/planes/aws/aws/accounts/9/regions/r" })) {
      assert.equal(ResourceId.parse(id).key, id.toLowerCase());
      assert.match(ResourceId.parse(id).kind, /^(?:resource|extensionResource)$/u);
    }
  });
  fc.assert(property, { numRuns: 1_000 });
});

it("any JSON value is a state, if an empty one", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (state) => {
      assert.deepEqual(resourceIdsOf(state as JsonValue, {}), []);
    }),
  );
});

it("modules that are nested deeper than calls can be are read to the last", () => {
  let module: JsonObject = { resources: [queue("deepest")] };
  for (let depth = 0; depth < 100_000; depth += 1) {
    module = { child_modules: [module] };
  }
  assert.deepEqual(resourceIdsOf(stateOf(module), {}), [queueId("deepest")]);
});

it("10,000 resources are mapped in well under a second of CPU time", () => {
  const modules = Array.from({ length: 100 }, (_, m) => ({
    address: `module.m${m}`,
    resources: Array.from({ length: 100 }, (_, n) =>
      queue(`q-${m}-${n}`, { values: { arn: `arn:aws:sqs:r:1:${m}-${n}` } }),
    ),
  }));
  const state = stateOf({ child_modules: modules });

  const before = process.cpuUsage();
  const ids = resourceIdsOf(state, {});
  const { user, system } = process.cpuUsage(before);

  assert.equal(ids.length, 10_000);
  assert.ok(user + system < 1_000_000, `${(user + system) / 1000} ms`);
});

it("the resources of a state are told apart by their deposed keys", () => {
  const deposed = identifiedResources(sample, {}).filter(({ address }) => address === "aws_sqs_queue.q");
  assert.deepEqual(deposed, [
    { address: "aws_sqs_queue.q", deposedKey: "0badcafe" },
    { address: "aws_sqs_queue.q", id: queueId("q") },
  ]);
});

/** The paths of all values that hold no others. */
function leaves(value: JsonValue): string[][] {
  if (typeof value !== "object" || value === null) {
    return [[]];
  }
  return Object.entries(value).flatMap(([key, member]) => leaves(member).map((path) => [key, ...path]));
}

function replace(value: JsonValue, path: readonly string[], by: JsonValue): void {
  const [key = "", ...rest] = path;
  if (typeof value !== "object" || value === null) {
    return;
  }
  const holder = value as Record<string, JsonValue>;
  if (rest.length === 0) {
    holder[key] = by;
  } else {
    replace(holder[key] ?? null, rest, by);
  }
}
