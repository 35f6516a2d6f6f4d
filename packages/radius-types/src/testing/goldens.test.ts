import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { it } from "node:test";
import { atOnce } from "@rad/core";
import { compileSchema } from "@rad/resource-types";
import { stringify } from "yaml";
import type { Part, Rendering } from "../rendering/renderer.ts";
import { goldenContext, goldenResource } from "./golden-type.ts";
import type { GoldenCase, GoldenType } from "./golden-type.ts";
import { goldenTypes } from "./golden-types.ts";
import { declaredMembers, walkBody } from "./walk-body.ts";

// RAD_UPDATE_GOLDENS=1 node --test packages/radius-types/src/testing/goldens.test.ts
//
// writes the files anew and removes those that no case names any more. Read what has changed before you commit it.
const isUpdating = process.env["RAD_UPDATE_GOLDENS"] === "1";

it("shares folders between types only if their cases have different names", () => {
  const files = goldenTypes.flatMap((golden) => golden.cases.map((one) => fileOf(golden, one).href));
  assert.deepEqual(
    files.filter((file, index) => files.indexOf(file) !== index),
    [],
  );
});

it("keeps no result without a case", () => {
  const files = new Set(goldenTypes.flatMap((golden) => golden.cases.map((one) => fileOf(golden, one).href)));
  const folders = new Set(goldenTypes.map(({ folder }) => folder.href));
  const stale = [...folders].flatMap((folder) => filesIn(new URL(folder)).filter((file) => !files.has(file.href)));
  if (isUpdating) {
    stale.forEach((file) => rmSync(file));
  } else {
    assert.deepEqual(stale.map(String), []);
  }
});

for (const golden of goldenTypes) {
  const { type, renderer, cases } = golden;

  for (const one of cases) {
    it(`renders ${type.name}: ${one.name}`, () => {
      const resource = goldenResource(golden, one);
      const context = goldenContext(one);

      const rendering = renderer.render(resource, context);

      const before = JSON.stringify(rendering);
      assert.equal(JSON.stringify(renderer.render(resource, context)), before, "the second result is another one");
      assertOrdered(rendering.parts);
      assertLoadsWhatItUses(golden, one);
      const file = fileOf(golden, one);
      const text = printed(one, rendering);
      if (isUpdating) {
        mkdirSync(golden.folder, { recursive: true });
        writeFileSync(file, text);
      }
      assert.equal(readFileSync(file, "utf8"), text);
    });
  }

  it(`sets every member of ${type.name} in some case, as its schema allows`, () => {
    for (const [version, schema] of Object.entries(type.versions)) {
      const compiled = compileSchema(schema);
      for (const one of cases) {
        assert.deepEqual(atOnce(compiled.validate(one.properties)), [], `${version} ${one.name}`);
      }
      const used = new Set(
        cases.flatMap((one) => [...walkBody(schema, one.properties)].map(({ schema: member }) => member)),
      );
      const missing = [...declaredMembers(schema)].filter((member) => !used.has(member.schema));
      const unset = Object.keys(golden.unset ?? {});
      assert.deepEqual(
        missing
          .map(({ path }) => path)
          .filter((path) => !unset.some((one) => path === one || path.startsWith(`${one}.`))),
        [],
      );
    }
  });
}

/** Every part comes after those that have to be there first, and local ids name one part each. */
function assertOrdered(parts: readonly Part[]): void {
  const seen = new Set<string>();
  for (const { localId, dependsOn = [] } of parts) {
    assert.ok(!seen.has(localId), `${localId} names two parts`);
    assert.deepEqual(
      dependsOn.filter((one) => !seen.has(one)),
      [],
      `${localId} comes before what it depends on`,
    );
    seen.add(localId);
  }
}

/** A case gives exactly those resources that the engine would load. */
function assertLoadsWhatItUses({ renderer }: GoldenType, one: GoldenCase): void {
  const asked = new Set(renderer.dependencies(one.properties).map((id) => id.toLowerCase()));
  assert.deepEqual(asked, new Set((one.dependencies ?? []).map(({ id }) => id.toLowerCase())));
}

function printed({ name }: GoldenCase, rendering: Rendering): string {
  const body = stringify(rendering, { aliasDuplicateObjects: false, lineWidth: 0 });
  return `# ${name}\n${body}`;
}

function fileOf({ folder }: GoldenType, { name }: GoldenCase): URL {
  return new URL(`${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.yaml`, folder);
}

function filesIn(folder: URL): URL[] {
  return readdirSync(folder).map((name) => new URL(name, folder));
}
