import assert from "node:assert/strict";
import { it } from "node:test";
import { mirrorUrlProblem, normalMirrorUrl } from "./mirror-url.ts";

const accepted = [
  ["https://mirror.corp.example.com/terraform/providers", "https://mirror.corp.example.com/terraform/providers/"],
  ["https://mirror.example/", "https://mirror.example/"],
  ["HTTPS://Mirror.Example:8443", "https://mirror.example:8443/"],
  ["https://[::1]:8443/x", "https://[::1]:8443/x/"],
  ['https://mirror.example/a"b${c}', "https://mirror.example/a%22b$%7Bc%7D/"],
] as const;
for (const [url, normal] of accepted) {
  it(`the mirror ${url} is ${normal}`, () => {
    assert.equal(mirrorUrlProblem(url), undefined);
    assert.equal(normalMirrorUrl(url), normal);
  });
}

const refused = [
  "",
  "mirror.example",
  "/providers",
  "http://mirror.example/",
  "https:mirror.example",
  "https://",
  "https://user:password@mirror.example/",
  "https://token@mirror.example/",
  "https://mirror.example/?token=1",
  "https://mirror.example/#x",
  'https://mirror".example/',
  "https://${host}/",
];
for (const url of refused) {
  it(`refuses the mirror ${JSON.stringify(url)}`, () => {
    assert.equal(typeof mirrorUrlProblem(url), "string");
  });
}
