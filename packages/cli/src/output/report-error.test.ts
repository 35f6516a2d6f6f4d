import assert from "node:assert/strict";
import { test } from "node:test";
import { CliError } from "../cli-error.ts";
import { describeError, errorDocument } from "./report-error.ts";

function apiError(code: string, message: string, more: object = {}): Error {
  return Object.assign(new Error(message), { name: "ClientError", code, wire: { code, message }, ...more });
}

test("an error about a type or an api-version says how to see those that are registered", () => {
  const text = describeError(apiError("BadRequest", "The api-version '1' is not registered."), "t");

  assert.match(
    text,
    /^Error: The api-version .*\nCode: {2}BadRequest\n`rad resource-type list`.*\n\nTraceId: {2}t\n\n$/,
  );
});

test("a code without advice, also one named like a member of every object, gets none", () => {
  for (const code of ["NotFound", "constructor"]) {
    assert.equal(describeError(apiError(code, "no"), "t"), `Error: no\nCode:  ${code}\n\nTraceId:  t\n\n`);
  }
});

test("nobody listening on this machine says how to start a control plane, elsewhere it does not", () => {
  const refused = (address: string) => Object.assign(new Error("refused"), { code: "ECONNREFUSED", address });
  const advice = (cause: Error) =>
    /`rad server start`/.test(describeError(apiError("ConnectionFailed", "", { cause }), "t"));

  assert.equal(advice(refused("127.0.0.1")), true);
  assert.equal(advice(new AggregateError([refused("::1"), refused("127.0.0.1")])), true);
  assert.equal(advice(refused("10.0.0.7")), false);
});

test("targets and places in the template are shown where the message does not have them", () => {
  const details = [
    { code: "A", message: "a", target: "/planes/radius/local/resourceGroups/g/providers/N.T/things/x" },
    { code: "B", message: "b is wrong", target: "b is" },
    { code: "C", message: "c", additionalInfo: [{ type: "TemplateViolation", info: { path: "$.outputs.c" } }] },
  ];

  const text = describeError(apiError("Outer", "outer", { details }), "t");

  assert.match(text, /\n {2}- A: a \(N\.T\/things\/x\)\n {2}- B: b is wrong\n {2}- C: c \(at \$\.outputs\.c\)\n/);
});

test("an error that the one around it ends with is its code alone", () => {
  const details = [{ code: "InvalidProperties", message: "title is too long", target: "b" }];

  const text = describeError(apiError("Invalid", "Schema validation failed: title is too long", { details }), "t");

  assert.match(text, /^Error: .*title is too long\nCode: {2}Invalid\n {2}- InvalidProperties \(b\)\n/);
});

test("an answer that no control plane gives leads to the URL of the workspace", () => {
  const text = describeError(apiError("UnexpectedResponse", "The answer is not a list."), "t");

  assert.match(text, /\nCode: {2}UnexpectedResponse\n.*`rad workspace list`\.\n\nTraceId/);
});

test("a token that is refused says how to get another", () => {
  const text = describeError(apiError("InvalidAuthenticationInfo", "The bearer token is not known here."), "t");

  assert.match(
    text,
    /\n.*`rad workspace create server .* --token-file <file> --force`.*`rad server token --renew`.*\n\nTraceId/,
  );
});

test("the document of an error is the control plane's own, or has the same form", () => {
  assert.deepEqual(errorDocument(apiError("A", "a")), { error: { code: "A", message: "a" } });
  assert.deepEqual(errorDocument(new CliError("B", "b")), { error: { code: "B", message: "b" } });
  assert.deepEqual(errorDocument("c"), { error: { code: "Internal", message: "c" } });
});
