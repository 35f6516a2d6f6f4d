import assert from "node:assert/strict";
import { it } from "node:test";
import { lockedProviders } from "./lock-file.ts";

it("reads providers, versions and hashes of a lock file", () => {
  const text = `# This file is maintained automatically by "terraform init".

provider "registry.terraform.io/hashicorp/random" {
  version     = "3.7.1"
  constraints = "~> 3.0"
  hashes = [
    "h1:abc=",
    "zh:0123",
  ]
}

provider "registry.opentofu.org/acme/other" {
  version = "1.0.0"
}
`;

  assert.deepEqual(lockedProviders(text), [
    {
      address: "registry.terraform.io/hashicorp/random",
      version: "3.7.1",
      hashes: ["h1:abc="],
      archiveHashes: ["zh:0123"],
    },
    { address: "registry.opentofu.org/acme/other", version: "1.0.0", hashes: [], archiveHashes: [] },
  ]);
});

for (const [what, text] of [
  ["an address that leads elsewhere", 'provider "../../etc/x" {\n  version = "1.0.0"\n}\n'],
  ["a version that leads elsewhere", 'provider "a.b/c/d" {\n  version = "../1"\n}\n'],
  ["nothing", ""],
] as const) {
  it(`finds no provider in ${what}`, () => {
    assert.deepEqual(lockedProviders(text), []);
  });
}
