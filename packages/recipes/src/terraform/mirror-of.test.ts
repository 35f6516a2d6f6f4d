import assert from "node:assert/strict";
import { it } from "node:test";
import { mirrorOf } from "./mirror-of.ts";

const url = "https://mirror.example/providers";
const aws = "registry.terraform.io/hashicorp/aws";
const own = "registry.corp.example/platform/dns";

const table: readonly [string, Parameters<typeof mirrorOf>[0], Readonly<Record<string, boolean>>][] = [
  ["no mirror", undefined, { [aws]: false }],
  ["a mirror for everything", { networkMirror: { url } }, { [aws]: true, [own]: true }],
  ["the pattern *", { networkMirror: { url, include: ["*"] } }, { [aws]: true, [own]: true }],
  [
    "a namespace of the public registry",
    { networkMirror: { url, include: ["hashicorp/*"] } },
    { [aws]: true, [own]: false },
  ],
  ["one host", { networkMirror: { url, include: ["registry.corp.example/*/*"] } }, { [aws]: false, [own]: true }],
  ["what is excluded", { networkMirror: { url, exclude: ["hashicorp/aws"] } }, { [aws]: false, [own]: true }],
  [
    "the registry of OpenTofu",
    { networkMirror: { url, include: ["hashicorp/aws"] } },
    { "registry.opentofu.org/hashicorp/aws": true, "registry.opentofu.org/hashicorp/null": false },
  ],
];

for (const [name, installation, expected] of table) {
  it(`providers come from the mirror or from their registry: ${name}`, () => {
    const find = mirrorOf(installation);

    for (const [address, isMirrored] of Object.entries(expected)) {
      assert.equal(find(address), isMirrored ? `${url}/` : undefined, address);
    }
  });
}
