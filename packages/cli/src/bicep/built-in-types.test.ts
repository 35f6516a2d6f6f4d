import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { PackageType } from "@rad/resource-types/bicep";
import { createSandbox } from "../testing/sandbox.ts";

const redis = "Applications.Datastores/redisCaches";
const types: readonly PackageType[] = [
  {
    name: redis,
    versions: {
      "2023-10-01-preview": {
        type: "object",
        properties: {
          environment: { type: "string", description: "Where it runs." },
          resourceProvisioning: { type: "string", enum: ["recipe", "manual"], default: "recipe" },
          host: { type: "string", readOnly: true },
          port: { type: "integer", minimum: 1, maximum: 65535 },
          secrets: { type: "object", properties: { password: { type: "string", "x-radius-sensitive": true } } },
        },
        required: ["environment"],
      },
    },
  },
];

const cache = (properties: string, more = "") => `extension radius
resource cache '${redis}@2023-10-01-preview' = {
  name: 'cache'
  properties: {
    environment: 'e'
    ${properties}
  }
}
${more}`;

async function build(source: string, radiusTypes: (() => Promise<readonly PackageType[]>) | undefined) {
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.home, "main.bicep"), source);
  const { code, stdout, stderr } = await sandbox.rad(["bicep", "build", "main.bicep", "--stdout"], { radiusTypes });
  const found = stderr.match(/(?:Error|Warning) BCP\d+/g) ?? [];
  return { code, stdout, found };
}

for (const [name, source, expected] of [
  ["a misspelled property", cache("secretz: {}"), ["Error BCP089"]],
  ["a property that the type lacks", cache("colour: 'red'"), ["Error BCP037"]],
  ["a value of the wrong type", cache("port: 'x'"), ["Warning BCP036"]],
  ["a number out of range", cache("port: 0"), ["Warning BCP328"]],
  ["a value that the enumeration lacks", cache("resourceProvisioning: 'other'"), ["Warning BCP036"]],
  ["a read-only property", cache("host: 'h'"), ["Warning BCP073"]],
  ["a name that the control plane refuses", cache("").replace("'cache'", "'my_cache'"), ["Warning BCP416"]],
  ["a method that the type lacks", cache("", "output o object = cache.getGraph()\n"), ["Error BCP109"]],
  [
    "a member that its method does not return",
    cache("", "output o string = cache.listSecrets().key\n"),
    ["Error BCP053"],
  ],
] as const) {
  test(`rad bicep build reports ${name} of a Radius type`, async () => {
    const { found } = await build(source, async () => types);

    assert.deepEqual(found, expected);
  });
}

test("a property can be read at the top of a resource, and the template is the same with and without types", async () => {
  const source = cache(
    "port: 6379",
    "output host string = cache.properties.host\noutput url string = cache.listSecrets().url\n",
  );

  const typed = await build(source, async () => types);

  assert.deepEqual([typed.code, typed.found], [0, []]);
  assert.equal(typed.stdout, (await build(source, undefined)).stdout);
  assert.equal((await build(cache("", "output port int = cache.port\n"), async () => types)).code, 0);
});

test("types are loaded only for files that declare the extension radius", async () => {
  let loads = 0;
  const load = async () => {
    loads += 1;
    return types;
  };

  await build("output a int = 1\n", load);
  assert.equal(loads, 0);
  await build(cache(""), load);
  assert.equal(loads, 1);
});
