import assert from "node:assert/strict";
import { it } from "node:test";
import { normalPattern, patternProblem } from "./provider-pattern.ts";

// `terraformrc.slow.test.ts` of the package terraform gives each accepted pattern to Terraform.
const accepted = [
  "*",
  "*/*/*",
  "*/*",
  "hashicorp/*",
  "hashicorp/aws",
  "HashiCorp/AWS",
  "my-corp/big-thing2",
  "registry.example/*/*",
  "registry.example:8443/corp/*",
  "registry.example/corp/thing",
];
for (const pattern of accepted) {
  it(`accepts the pattern ${pattern}`, () => {
    assert.equal(patternProblem(pattern), undefined);
  });
}

const refused = [
  "",
  "aws",
  "**",
  "a/b/c/d",
  "*/aws",
  "*/hashicorp/aws",
  "*/*/aws",
  "*/hashicorp/*",
  "registry.example/*/aws",
  "hashicorp/",
  "/aws",
  "hashi corp/aws",
  "hashi--corp/aws",
  "hashi_corp/aws",
  "-corp/aws",
  "corp/aws-",
  "corp.example/aws",
  "https://registry.example/a/b",
  'a"/b',
  "${a}/b",
  "a\n/b",
  "registry..example/a/b",
];
for (const pattern of refused) {
  it(`refuses the pattern ${JSON.stringify(pattern)}`, () => {
    assert.equal(typeof patternProblem(pattern), "string");
  });
}

it("a lone star is every provider of every registry", () => {
  assert.equal(normalPattern("*"), "*/*/*");
  assert.equal(normalPattern("hashicorp/aws"), "hashicorp/aws");
});
