import assert from "node:assert/strict";
import { it } from "node:test";
import { modelOf } from "./testing/check-source.ts";

// A chain as long as this overflows the stack of whatever goes along it by recursion.
const length = 6_000;

const declarations: Readonly<Record<string, { link: (name: string, next: string) => string; end: string }>> = {
  variables: { link: (name, next) => `var ${name} = ${next}`, end: "1" },
  "variables in arrays": { link: (name, next) => `var ${name} = [${next}]`, end: "1" },
  types: { link: (name, next) => `type ${name} = ${next}`, end: "string" },
  "types of properties": { link: (name, next) => `type ${name} = { a: ${next} }`, end: "string" },
  unions: { link: (name, next) => `type ${name} = ${next} | 'a'`, end: "'b'" },
  functions: { link: (name, next) => `func ${name}() int => ${next}()`, end: "sys.deployment" },
  parameters: { link: (name, next) => `param ${name} int = ${next}`, end: "1" },
};

for (const [name, { link, end }] of Object.entries(declarations)) {
  const chain = (last: string): string =>
    Array.from({ length }, (_, i) => link(`x${i}`, i === length - 1 ? last : `x${i + 1}`)).join("\n");

  it(`goes along a long chain of ${name}`, () => {
    const found = modelOf(chain(end)).diagnostics();
    assert.ok(found.length <= length);
  });

  it(`tells of a long circle of ${name} in few words`, () => {
    const found = modelOf(chain("x0"))
      .diagnostics()
      .filter(({ code }) => code === "BCP080" || code === "BCP299");
    assert.equal(found.length, length);
    for (const { message } of found) {
      assert.ok(message.length < 500, message);
      assert.match(message, new RegExp(`${length - 20} more -> "x\\d+"\\.$`));
    }
  });
}
