import assert from "node:assert/strict";
import { it } from "node:test";
import { hostsIn, moduleHostsIn } from "./hosts-in.ts";

it("hosts of a CLI configuration are those of its URLs", () => {
  const configuration =
    'provider_installation {\n  network_mirror {\n    url = "https://mirror.example:8443/p/"\n  }\n}\n';
  assert.deepEqual(hostsIn(configuration), ["mirror.example:8443"]);
});

const sources: readonly (readonly [source: string, hosts: readonly string[]])[] = [
  ["registry.example/acme/bucket/aws", ["registry.example"]],
  ["127.0.0.1:8443/acme/bucket/aws", ["127.0.0.1:8443"]],
  ["acme/bucket/aws", []],
  ["./module", []],
  ["../module", []],
  ["https://modules.example/bucket.zip", ["modules.example"]],
  ["git::https://user:canary@git.example/bucket.git//sub?ref=v1", ["git.example"]],
  ["s3::https://s3.example/bucket.zip", ["s3.example"]],
];
for (const [source, hosts] of sources) {
  it(`the module ${source} comes from ${hosts.join() || "no host that it names"}`, () => {
    assert.deepEqual(moduleHostsIn(JSON.stringify({ module: { default: { source } } })), hosts);
  });
}
