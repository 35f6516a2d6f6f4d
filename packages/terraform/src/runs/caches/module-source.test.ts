import assert from "node:assert/strict";
import { it } from "node:test";
import { type ModuleSource, moduleSourceOf } from "./module-source.ts";

const registry: ModuleSource = { kind: "registry" };
const other: ModuleSource = { kind: "other" };
const git = (url: string, ref = "HEAD"): ModuleSource => ({ kind: "git", url, ref });

const cases: readonly (readonly [source: string, version: string | undefined, expected: ModuleSource])[] = [
  ["hashicorp/consul/aws", "1.2.3", registry],
  ["registry.example.com/team/db/aws", "= 1.2.3", registry],
  ["registry.example.com:8443/team/db/aws//modules/small", "1.2.3-rc.1", registry],
  ["hashicorp/consul/aws", "~> 1.2", other],
  ["hashicorp/consul/aws", undefined, other],
  ["https://example.com/module.zip", undefined, other],
  ["s3::https://s3.amazonaws.com/bucket/module.zip", undefined, other],
  ["git::https://example.com/repo.git", undefined, git("https://example.com/repo.git")],
  [
    "git::https://example.com/repo.git//sub/folder?ref=v1&depth=1",
    undefined,
    git("https://example.com/repo.git", "v1"),
  ],
  ["git::ssh://git@example.com/repo.git?ref=main", undefined, git("ssh://git@example.com/repo.git", "main")],
  ["git::git@example.com:team/repo.git", undefined, git("git@example.com:team/repo.git")],
  ["github.com/team/repo", undefined, git("https://github.com/team/repo.git")],
  ["github.com/team/repo.git//sub?ref=v2", undefined, git("https://github.com/team/repo.git", "v2")],
  ["git::https://user:token@example.com/repo.git", undefined, other],
  ["git::--upload-pack=evil", undefined, other],
  ["git::https://example.com/repo.git?ref=--evil", undefined, other],
];

for (const [source, version, expected] of cases) {
  it(`knows how ${source}${version === undefined ? "" : ` ${version}`} is downloaded`, () => {
    assert.deepEqual(moduleSourceOf(source, version), expected);
  });
}
