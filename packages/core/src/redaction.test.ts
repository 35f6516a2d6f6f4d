import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { Redactor } from "./redaction.ts";

it("hides a value in every spelling it travels in", () => {
  const redactor = new Redactor();
  using _hidden = redactor.add(['p@ss "word"/é']);

  const text = [
    'plain p@ss "word"/é',
    JSON.stringify({ password: 'p@ss "word"/é' }),
    `https://host/?p=${encodeURIComponent('p@ss "word"/é')}`,
    Buffer.from('p@ss "word"/é').toString("base64"),
    "<Message>p@ss &quot;word&quot;/é</Message>",
    "<Message>p@ss &#34;word&#34;/é</Message>",
  ].join("\n");

  assert.doesNotMatch(redactor.redact(text), /p@ss|p%40ss|cEBzcyAid29yZCIvw6k=/);
});

it("stops hiding once nobody needs it, and not before", () => {
  const redactor = new Redactor();
  const first = redactor.add(["canary-value"]);
  const second = redactor.add(["canary-value"]);

  first[Symbol.dispose]();
  first[Symbol.dispose]();
  assert.equal(redactor.redact("canary-value"), "[redacted]");

  second[Symbol.dispose]();
  assert.equal(redactor.redact("canary-value"), "canary-value");
});

it("leaves values alone that are too short to tell from ordinary text", () => {
  const redactor = new Redactor();
  using _hidden = redactor.add(["", "a", "42"]);

  assert.equal(redactor.redact("a 42"), "a 42");
});

it("removes a longer secret whole when it contains a shorter one", () => {
  const redactor = new Redactor();
  using _hidden = redactor.add(["canary", "canary-longer"]);

  assert.equal(redactor.redact("x canary-longer y"), "x [redacted] y");
});

it("hides values of any length and number", () => {
  const redactor = new Redactor();
  const long = "é-canary".repeat(1_000);
  using _hidden = redactor.add([long, ...Array.from({ length: 20_000 }, (_, index) => `canary-${index}-end`)]);

  assert.equal(redactor.redact("short"), "short");
  assert.equal(redactor.redact(`x ${long} canary-7-end y`), "x [redacted] [redacted] y");
  assert.equal(redactor.redact(Buffer.from(long).toString("base64")), "[redacted]");
});

it("leaves nothing of a text in which looking for what is hidden would take too long", () => {
  const redactor = new Redactor();
  const alike = (index: number): string => `aaaa${"a".repeat(index)}b${"a".repeat(3_000)}`;
  using _hidden = redactor.add(Array.from({ length: 300 }, (_, index) => alike(index)));
  const text = "a".repeat(10_000);

  assert.equal(redactor.redact(text), text);
  assert.equal(redactor.redact(`${text} ${alike(7)} ${text}`), "[redacted]");
  assert.deepEqual(redactor.redactJson({ a: [text.repeat(10)] }), { "[redacted]": ["[redacted]"] });
});

it("finds the values that a long text has, however alike they are", () => {
  const redactor = new Redactor();
  const alike = (index: number): string => `aaaa${"a".repeat(index)}b${"a".repeat(300)}`;
  using _hidden = redactor.add(Array.from({ length: 100 }, (_, index) => alike(index)));

  assert.equal(redactor.redact(`${"ac".repeat(5_000)}${alike(99)}c`), `${"ac".repeat(5_000)}[redacted]c`);
});

it("never lets a hidden value through, wherever it sits in a document", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 6 }), fc.string(), (secret, noise) => {
      fc.pre(!"[redacted]".includes(secret));
      const redactor = new Redactor();
      using _hidden = redactor.add([secret]);

      const redacted = redactor.redactJson({ [`k${noise}${secret}`]: [noise + secret, { deep: secret }], n: 1 });

      assert.equal(
        Object.keys(redacted).some((key) => key.includes(secret)),
        false,
      );
      assert.equal(JSON.stringify(Object.values(redacted)).includes(JSON.stringify(secret).slice(1, -1)), false);
    }),
  );
});

it("hides secrets wherever an error has them, but leaves ids alone", () => {
  const redactor = new Redactor();
  redactor.add(["hunter2"]);
  const inner = {
    code: "Inner",
    message: "hunter2",
    additionalInfo: [{ type: "Why", info: { hunter2: ["hunter2"] } }],
  };
  const error = { code: "Outer", message: "not hunter2", target: "parameters.hunter2", details: [inner] };

  const redacted = redactor.redactError(error);
  const { target } = redactor.redactError({ code: "Outer", message: "", target: "/planes/radius/hunter2" });

  assert.doesNotMatch(JSON.stringify(redacted), /hunter2/);
  assert.equal(redacted.details?.[0]?.code, "Inner");
  assert.equal(target, "/planes/radius/hunter2");
});

it("finds any of very many values, and nothing else", () => {
  const redactor = new Redactor();
  const values = Array.from({ length: 20_000 }, (_, index) => `value ${index};`);
  using _hidden = redactor.add(values);

  assert.equal(redactor.redact("a value 777; and value 20000; too"), "a [redacted] and value 20000; too");
  assert.equal(redactor.redact(`x${Buffer.from("value 19999;").toString("base64")}`), "x[redacted]");
  assert.deepEqual(redactor.redactJson({ "value 1;": ["value 2;", 3, null] }), {
    "[redacted]": ["[redacted]", 3, null],
  });
});

it("forgets very many values again", () => {
  const redactor = new Redactor();
  const values = Array.from({ length: 1_000 }, (_, index) => `value ${index};`);
  redactor.add(values)[Symbol.dispose]();
  redactor.add(["value 5;"]);

  assert.equal(redactor.redact("value 5; value 6;"), "[redacted] value 6;");
});
