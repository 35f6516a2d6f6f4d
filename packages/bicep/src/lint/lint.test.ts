import assert from "node:assert/strict";
import { it } from "node:test";
import { modelOf } from "../limits/testing/limits-of.ts";
import { defaultLinterConfiguration } from "./configuration.ts";
import type { LinterConfiguration, RuleConfiguration } from "./configuration.ts";
import { lint } from "./lint.ts";
import { defaultLevel } from "./rule.ts";
import { rules } from "./rules.ts";

function configured(name: string, rule: Partial<RuleConfiguration>): LinterConfiguration {
  return { enabled: true, rules: new Map([[name, { level: undefined, options: new Map(), ...rule }]]) };
}

const unused = "param a string\n";

it("findings carry the name of the rule and its level", () => {
  const [finding] = lint(modelOf(unused), defaultLinterConfiguration);

  assert.deepEqual([finding?.code, finding?.level], ["no-unused-params", "warning"]);
});

it("a level of the configuration replaces the default one", () => {
  const [finding] = lint(modelOf(unused), configured("no-unused-params", { level: "error" }));

  assert.equal(finding?.level, "error");
});

it("a rule that is switched off says nothing, and the others go on", () => {
  const source = `${unused}var b = 1\n`;

  const found = lint(modelOf(source), configured("no-unused-params", { level: "off" }));

  assert.deepEqual(
    found.map(({ code }) => code),
    ["no-unused-vars"],
  );
});

it("a rule that is off by default can be switched on", () => {
  const found = lint(
    modelOf("param a object\noutput o object = a\n"),
    configured("use-user-defined-types", { level: "info" }),
  );

  assert.deepEqual(
    found.map(({ code, level }) => `${code} ${level}`),
    ["use-user-defined-types info", "use-user-defined-types info"],
  );
});

it("nothing is found when the linter is not enabled", () => {
  assert.deepEqual(lint(modelOf(unused), { enabled: false, rules: new Map() }), []);
});

it("options of the wrong kind are as good as none", () => {
  const options = new Map<string, unknown>([["maximum", "many"]]);

  assert.deepEqual(lint(modelOf("param a string\noutput o string = a\n"), configured("max-params", { options })), []);
});

it("text that did not parse has no style", () => {
  const found = lint(modelOf("var a = {\n  'b' 'c': 'd'\n  &&\n"), defaultLinterConfiguration);

  assert.deepEqual(
    found.map(({ code }) => code),
    ["no-unused-vars"],
  );
});

it("every rule has a name of its own", () => {
  const names = rules.map(({ name }) => name);

  assert.equal(new Set(names).size, names.length);
});

it("categories decide about levels where a rule does not", () => {
  const levels = new Map(rules.map((rule) => [rule.name, defaultLevel(rule)]));

  assert.equal(levels.get("max-params"), "error");
  assert.equal(levels.get("no-hardcoded-location"), "off");
  assert.equal(levels.get("stacks-extensibility-compat"), "info");
  assert.equal(levels.get("use-recognized-resource-type"), "warning");
});
