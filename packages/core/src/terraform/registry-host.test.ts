import assert from "node:assert/strict";
import { it } from "node:test";
import { asciiHostName, registryHostProblem } from "./registry-host.ts";

for (const host of [
  "app.terraform.io",
  "localhost",
  "my-reg.co",
  "10.0.0.1",
  "registry.example:8443",
  "bücher.example",
]) {
  it(`accepts the host ${host}`, () => {
    assert.equal(registryHostProblem(host), undefined);
  });
}

const refused = [
  "",
  ":443",
  "https://a.example",
  "a.example/path",
  "a b.example",
  "a.example:",
  "a.example:0",
  "a.example:65536",
  "a.example:http",
  "user@a.example",
  "a..example",
  "-a.example",
  'a".example',
  "a${b}.example",
  "a%2eexample",
  "[::1]",
  `${"a".repeat(64)}.example`,
];
for (const host of refused) {
  it(`refuses the host ${JSON.stringify(host)}`, () => {
    assert.equal(typeof registryHostProblem(host), "string");
  });
}

it("names are in lower case and in Punycode", () => {
  assert.equal(asciiHostName("Bücher.Example"), "xn--bcher-kva.example");
});
