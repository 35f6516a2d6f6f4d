import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { it } from "node:test";
import fc from "fast-check";
import { secretPatterns, StreamRedactor } from "./stream-redactor.ts";

const secret = `pa"ss\\wörd <&> \${x} %{y} /+?=`;

function redact(secrets: readonly string[], pieces: readonly string[]): string {
  const redactor = new StreamRedactor(secretPatterns(secrets));
  return pieces.map((piece) => redactor.push(piece)).join("") + redactor.end();
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const spellings: readonly (readonly [string, string])[] = [
  ["as it is", secret],
  ["quoted in JSON", JSON.stringify(secret).slice(1, -1)],
  [
    "quoted in JSON by Go",
    JSON.stringify(secret)
      .slice(1, -1)
      .replaceAll(/[<>&]/gu, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
  ],
  ["quoted twice", JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ["quoted in HCL", JSON.stringify(secret).slice(1, -1).replaceAll("${", "$${").replaceAll("%{", "%%{")],
  ["quoted in JSON of ASCII alone", JSON.stringify(secret).slice(1, -1).replaceAll("ö", "\\u00f6")],
  ["quoted in JSON with escaped slashes", JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/")],
  ["in XML", secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")],
  [
    "in XML by Go",
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&#34;"),
  ],
  [
    "in XML that is quoted",
    JSON.stringify(secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")).slice(1, -1),
  ],
  ["in the path of a URL", "pa%22ss%5Cw%C3%B6rd%20%3C&%3E%20$%7Bx%7D%20%25%7By%7D%20/+%3F="],
  ["in the user info of a URL", "pa%22ss%5Cw%C3%B6rd%20%3C&%3E%20$%7Bx%7D%20%25%7By%7D%20%2F+%3F="],
  ["as Python quotes it for a URL", "pa%22ss%5Cw%C3%B6rd%20%3C%26%3E%20%24%7Bx%7D%20%25%7By%7D%20/%2B%3F%3D"],
  ["as a component of a URL", encodeURIComponent(secret)],
  ["as a value of a form", new URLSearchParams([["", secret]]).toString().slice(1)],
  ["in a URL with lower-case digits", encodeURIComponent(secret).replaceAll(/%../gu, (c) => c.toLowerCase())],
  ["in hexadecimal digits", Buffer.from(secret).toString("hex")],
];

for (const [name, spelling] of spellings) {
  it(`hides a secret ${name}`, () => {
    assert.equal(redact([secret], [`before ${spelling} after`]), "before [redacted] after");
  });
}

for (const before of ["", "u", "us", "user:"]) {
  it(`hides a secret in base64 after ${before.length} other bytes`, () => {
    const text = base64(`${before}${secret}@host`);

    const redacted = redact([secret], [`Authorization: Basic ${text}\n`]);

    const shown = redacted.replace("[redacted]", "");
    assert.match(redacted, /\[redacted\]/u);
    assert.ok(shown.length < text.length, redacted);
    assert.ok(!Buffer.from(text, "base64").toString().includes(shown), redacted);
  });
}

// As Go's strconv.Quote and HCL print them.
for (const [value, go, hcl] of [
  ["key\u00a0of 👩\u200d💻", String.raw`key\u00a0of 👩\u200d💻`, String.raw`key\u00a0of 👩\u200d💻`],
  ["bell\u0007back\bform\fend", String.raw`bell\aback\bform\fend`, String.raw`bell\u0007back\u0008form\u000cend`],
  ["del\u007ftag\u{e0041}end", String.raw`del\x7ftag\U000e0041end`, String.raw`del\u007ftag\U000e0041end`],
  [String.raw`a\b${"\t"}\u0007`, String.raw`a\\b\t\\u0007`, String.raw`a\\b\t\\u0007`],
] as const) {
  it(`hides a secret of which some characters are escaped, as they are not seen: ${go}`, () => {
    assert.equal(redact([value], [`<${go}> <${hcl}> <${value}>`]), "<[redacted]> <[redacted]> <[redacted]>");
  });
}

it("hides a secret that line breaks and the frame of a message divide", () => {
  const redacted = redact(["correct horse battery staple"], ["│ Error: correct horse\n│ battery\n│ staple is wrong\n"]);

  assert.equal(redacted, "│ Error: [redacted] is wrong\n");
});

it("hides every line of a secret of several lines that a log prints one by one", () => {
  const key = "-----BEGIN KEY-----\nMIIBOgIBAAJBAK\nq8hRtZ\n-----END KEY-----\n";

  const redacted = redact(
    [key],
    key.split("\n").map((line) => `2024-01-01 [TRACE] provider: ${line}\n`),
  );

  for (const line of key.trim().split("\n")) {
    assert.ok(!redacted.includes(line), redacted);
  }
});

it("hides a long secret whole, and the beginning of one that is cut off", () => {
  const long = Array.from({ length: 500 }, (_, index) => `part${index}`).join("-");

  assert.equal(redact([long], [`<${long}>`]), "<[redacted]>");
  assert.equal(redact([long], [`<${long.slice(0, 300)}>`]), "<[redacted]>");
});

it("leaves what only looks like a secret", () => {
  assert.equal(redact(["abcd", "secret-value"], ["ab cd secret-valve abc"]), "ab cd secret-valve abc");
});

it("does not hold back lines that no secret can begin in", () => {
  const redactor = new StreamRedactor(secretPatterns(["hunter22"]));

  assert.equal(redactor.push("creating...\n"), "creating...\n");
  assert.equal(redactor.push("the password is hun"), "the password is ");
  assert.equal(redactor.push("ter22!\n"), "[redacted]!\n");
});

it("hides any secret in any spelling, wherever the text is divided", () => {
  const secrets = fc
    .string({ minLength: 4, maxLength: 90, unit: "grapheme" })
    .filter((text) => text.trim().length >= 4);
  const spell = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => JSON.stringify(text).slice(1, -1),
    (text) => encodeURIComponent(text.toWellFormed()),
    (text) => Buffer.from(text).toString("hex"),
    base64,
  );
  const property = fc.property(
    fc.array(secrets, { minLength: 1, maxLength: 4 }),
    spell,
    fc.array(fc.nat(400), { maxLength: 8 }),
    fc.string({ maxLength: 30 }),
    (values, spelling, cuts, around) => {
      const spelled = values.map((value) => spelling(value));
      const text = spelled.map((value) => `${around}${value}${around}`).join("\n");
      const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length].sort((a, b) => a - b);
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));

      const redacted = redact(values, pieces);

      assert.equal(redacted, redact(values, [text])); // the same for any division
      const shown = redacted.replaceAll("[redacted]", "\u0000");
      for (const value of spelled.filter(
        (value) => value.replaceAll(/\s/gu, "").length >= 4 && !around.includes(value),
      )) {
        assert.ok(!shown.includes(value.replaceAll(/=+$/gu, "")), JSON.stringify({ value, redacted }));
      }
    },
  );
  fc.assert(property, { numRuns: 500 });
});

it("keeps a text without secrets as it is", () => {
  const property = fc.property(fc.array(fc.string({ unit: fc.constantFrom("a", "b", "\n", " ") })), (pieces) => {
    assert.equal(redact(["xyz-secret"], pieces), pieces.join(""));
  });
  fc.assert(property);
});
