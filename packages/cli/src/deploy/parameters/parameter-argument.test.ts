import assert from "node:assert/strict";
import { test } from "node:test";
import { parseParameterArgument } from "./parameter-argument.ts";

const argumentTable = [
  ["port=3000", { kind: "inline", name: "port", text: "3000" }],
  ["query=a=b=c", { kind: "inline", name: "query", text: "a=b=c" }],
  ["empty=", { kind: "inline", name: "empty", text: "" }],
  ["at=@", { kind: "inline", name: "at", text: "@" }],
  ["text= two words ", { kind: "inline", name: "text", text: " two words " }],
  ["mail=me@example.com", { kind: "inline", name: "mail", text: "me@example.com" }],
  ["file=app.bicepparam", { kind: "inline", name: "file", text: "app.bicepparam" }],
  ["tags=@tags.json", { kind: "valueFile", name: "tags", file: "tags.json" }],
  ["@params.json", { kind: "file", file: "params.json" }],
  ["@a=b.json", { kind: "file", file: "a=b.json" }],
  ["@app.bicepparam", { kind: "bicepparam", file: "app.bicepparam" }],
  ["app.bicepparam", { kind: "bicepparam", file: "app.bicepparam" }],
  ["../x/App.BicepParam", { kind: "bicepparam", file: "../x/App.BicepParam" }],
] as const;

for (const [text, expected] of argumentTable) {
  test(`-p ${text} is understood as ${expected.kind}`, () => {
    assert.deepEqual(parseParameterArgument(text), expected);
  });
}

for (const text of ["", "@", "=", "=value", "  =value", "novalue", "params.json"]) {
  test(`-p "${text}" is refused and quoted`, () => {
    assert.throws(
      () => parseParameterArgument(text),
      (error: Error & { code?: string }) =>
        error.code === "InvalidParameter" && error.message.startsWith(`"${text}" is not a parameter`),
    );
  });
}
