import assert from "node:assert/strict";
import { test } from "node:test";
import type { Value } from "@rad/templates";
import { buildConfiguration, defaultConfiguration } from "./configuration.ts";
import { readJson } from "./json-document.ts";
import { artifactFolder, parseReference } from "./references.ts";

const digest = `sha256:${"0a".repeat(32)}`;
const guid = "00000000-0000-0000-0000-000000000001";

function problemOf(text: string): string | undefined {
  const parsed = parseReference(text, configured);
  return "problem" in parsed ? parsed.problem.code : undefined;
}

const document = readJson(`{
  "moduleAliases": {
    "br": {
      "team": { "registry": "example.org:5000", "modulePath": "shared/bicep" },
      "empty": { "modulePath": "x" }
    },
    "ts": {
      "specs": { "subscription": "${guid}", "resourceGroup": "group" },
      "noSubscription": { "resourceGroup": "group" },
      "noGroup": { "subscription": "${guid}" }
    }
  }
}`);
const layer = "value" in document ? (document.value as ReadonlyMap<string, Value>) : new Map<string, Value>();
const configured = buildConfiguration([{ path: "/bicepconfig.json", folder: "/", document: layer }], []);

for (const [text, code] of [
  ["", "BCP050"],
  ["/abs.bicep", "BCP051"],
  ["a|b.bicep", "BCP085"],
  ["a*.bicep", "BCP085"],
  ["ends.", "BCP086"],
  ["ends ", "BCP086"],
  ["a\\b.bicep", "BCP098"],
  ["a\tb.bicep", "BCP111"],
  ["file://x.bicep", "BCP189"],
  ["C:/x.bicep", "BCP189"],
  ["br:", "BCP193"],
  ["br:example.org", "BCP193"],
  ["br:exa mple.org/a:1", "BCP193"],
  ["br:example.org/A:1", "BCP195"],
  ["br:example.org/a//b:1", "BCP195"],
  ["br:example.org/a", "BCP196"],
  ["br:example.org/a:", "BCP196"],
  [`br:example.org/a:${"x".repeat(129)}`, "BCP197"],
  ["br:example.org/a:-x", "BCP198"],
  [`br:example.org/${"a".repeat(256)}:1`, "BCP199"],
  [`br:${"a".repeat(256)}/a:1`, "BCP200"],
  ["br/b@d:a:1", "BCP211"],
  ["br/nobody:a:1", "BCP213"],
  ["br/empty:a:1", "BCP216"],
  ["br:example.org/a@sha256:12", "BCP224"],
  ["ts:only/two:1", "BCP194"],
  ["ts/nobody:a:1", "BCP212"],
  ["ts/noSubscription:a:1", "BCP214"],
  ["ts/noGroup:a:1", "BCP215"],
  ["ts:not-a-guid/group/name:1", "BCP217"],
  [`ts:${guid}/${"g".repeat(91)}/name:1`, "BCP218"],
  [`ts:${guid}/g?/name:1`, "BCP219"],
  [`ts:${guid}/group/${"n".repeat(91)}:1`, "BCP220"],
  [`ts:${guid}/group/n*:1`, "BCP221"],
  [`ts:${guid}/group/name:${"1".repeat(91)}`, "BCP222"],
  [`ts:${guid}/group/name:1*`, "BCP223"],
] as const) {
  test(`the reference ${JSON.stringify(text.slice(0, 40))} is refused with ${code}`, () => {
    assert.equal(problemOf(text), code);
  });
}

test("local paths, registry modules and template specs are told apart", () => {
  assert.deepEqual(parseReference("../a/b c.bicep", configured), { value: { kind: "local", path: "../a/b c.bicep" } });
  assert.deepEqual(parseReference("br:localhost:5000/a/b:v1", configured), {
    value: {
      kind: "registry",
      text: "br:localhost:5000/a/b:v1",
      registry: "localhost:5000",
      repository: "a/b",
      tag: "v1",
      digest: undefined,
    },
  });
  assert.deepEqual(parseReference(`br:example.org/a@${digest}`, configured), {
    value: {
      kind: "registry",
      text: `br:example.org/a@${digest}`,
      registry: "example.org",
      repository: "a",
      tag: undefined,
      digest,
    },
  });
  assert.deepEqual(parseReference("ts/specs:name:1.0", configured), {
    value: {
      kind: "templateSpec",
      text: `ts:${guid}/group/name:1.0`,
      subscription: guid,
      resourceGroup: "group",
      name: "name",
      version: "1.0",
    },
  });
});

test("aliases stand for a registry and a path; `public` needs no configuration", () => {
  const team = parseReference("br/team:net/vnet:1", configured);
  const shared = parseReference("br/public:avm/x:1", defaultConfiguration);

  assert.equal(
    "value" in team && team.value.kind === "registry" && team.value.text,
    "br:example.org:5000/shared/bicep/net/vnet:1",
  );
  assert.equal("value" in shared && shared.value.kind === "registry" && shared.value.repository, "bicep/avm/x");
});

for (const [text, folder] of [
  ["br:Example.org:5000/a/b:v1", "br/example.org$5000/a$b/v1$"],
  ["br:example.org/a:testLATEST", "br/example.org/a/testLATEST$3F0"],
  [`br:example.org/a@${digest}`, `br/example.org/a/${digest.replace(":", "#")}`],
  [`ts:${guid}/Group/Name:V1`, `ts/${guid}/group/name/v1`],
] as const) {
  test(`${text.slice(0, 30)} is kept in its own folder`, () => {
    const parsed = parseReference(text, configured);

    assert.equal("value" in parsed && parsed.value.kind !== "local" && artifactFolder(parsed.value), folder);
  });
}
