import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { StoredDocument } from "@rad/store";
import { inGroup } from "../../../testing/ids.ts";
import { validateContainer } from "./validate.ts";

const id = ResourceId.parse(inGroup("Applications.Core/containers/Web"));
const baseTarget = "$.properties.runtimes.kubernetes.base";
const podTarget = "$.properties.runtimes.kubernetes.pod";

function validate(properties: JsonObject, current?: JsonObject): JsonObject | undefined {
  const stored = current === undefined ? undefined : ({ body: { properties: current } } as unknown as StoredDocument);
  const validated = validateContainer({
    id,
    properties: { container: { image: "web:1" }, ...properties },
    current: stored,
  });
  return validated?.properties;
}

function problemsOf(base: string): string[] {
  try {
    validate({ runtimes: { kubernetes: { base } } });
    return [];
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, "InvalidRequestContent");
    assert.equal(error.target, baseTarget);
    assert.equal(error.message, "The manifest includes invalid resources.");
    assert.ok(error.details.every(({ code, target }) => code === "InvalidRequestContent" && target === baseTarget));
    return error.details.map(({ message }) => message);
  }
}

it("refuses an identity from users, and takes back the one that it gave out", () => {
  const identity = { kind: "azure.com.workload", oidcIssuer: "https://i.example", resource: "/subscriptions/s" };
  const refused = {
    code: "BadRequest",
    message: "User-defined identity in Applications.Core/containers is not supported.",
  };

  assert.throws(() => validate({ identity }), refused);
  assert.throws(() => validate({ identity: { kind: "undefined" } }, { identity }), refused);
  assert.deepEqual(validate({ identity, restartPolicy: "Always" }, { identity }), {
    container: { image: "web:1" },
    restartPolicy: "Always",
  });
  assert.equal(validate({}, { identity }), undefined);
});

for (const [what, variable] of [
  ["neither", {}],
  ["both", { value: "v", valueFrom: { secretRef: { source: "s", key: "k" } } }],
] as const) {
  it(`refuses a variable with ${what} of value and valueFrom`, () => {
    assert.throws(() => validate({ container: { image: "web:1", env: { MODE: variable } } }), {
      code: "BadRequest",
      message: /^failed to convert environment variable: MODE, both value and valueFrom cannot be /,
    });
  });
}

const object = (kind: string, name: string, more = ""): string =>
  `{apiVersion: ${kind === "Deployment" ? "apps/v1" : "v1"}, kind: ${kind}, metadata: {name: ${name}}${more}}`;

const manifests: readonly (readonly [what: string, base: string, problems: readonly string[]])[] = [
  ["an empty text", "", []],
  ["nothing but comments", "# nothing\n---\n", []],
  [
    "one object of each kind",
    ["Deployment", "Service", "ServiceAccount"].map((kind) => object(kind, "web")).join("\n---\n"),
    [],
  ],
  [
    "any number of ConfigMaps and Secrets",
    [object("ConfigMap", "a"), object("ConfigMap", "b"), object("Secret", "a"), object("Secret", "b")].join("\n---\n"),
    [],
  ],
  [
    "other kinds",
    "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: web}}\n---\n{apiVersion: apps/v1beta1, kind: Deployment, metadata: {name: web}}",
    [
      "apps/v1, Kind=StatefulSet is not supported.",
      "/v1, Kind=Pod is not supported.",
      "apps/v1beta1, Kind=Deployment is not supported.",
    ],
  ],
  [
    "a namespace",
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: prod}}",
    ["namespace is not allowed in resources: prod."],
  ],
  [
    "two Deployments",
    [object("Deployment", "web"), object("Deployment", "web")].join("\n---\n"),
    ["only one Deployment is allowed, but the manifest includes 2 resources."],
  ],
  [
    "objects with other names",
    [object("Deployment", "a"), object("Service", "b"), object("ServiceAccount", "c")].join("\n---\n"),
    [
      "Deployment name a in manifest does not match resource name web.",
      "Service name b in manifest does not match resource name web.",
      "ServiceAccount name c in manifest does not match resource name web.",
    ],
  ],
  [
    "another ServiceAccount in the Deployment",
    [
      object("Deployment", "web", ", spec: {template: {spec: {serviceAccountName: other}}}"),
      object("ServiceAccount", "web"),
    ].join("\n---\n"),
    ["ServiceAccount name other in PodSpec does not match the name web of the ServiceAccount."],
  ],
  [
    "one ConfigMap twice",
    [object("ConfigMap", "a"), object("Secret", "a"), object("ConfigMap", "a")].join("\n---\n"),
    ["ConfigMap name a is there more than once."],
  ],
  [
    "documents that are no objects",
    "just text",
    ["every document has to be an object with apiVersion, kind and metadata.name."],
  ],
  [
    "an object without a name",
    "{apiVersion: v1, kind: ConfigMap, metadata: {}}",
    ["every document has to be an object with apiVersion, kind and metadata.name."],
  ],
  ["a list instead of an object", object("Deployment", "web", ", spec: []"), ["Deployment spec has to be an object."]],
  [
    "an object instead of a list",
    object("Deployment", "web", ", spec: {template: {spec: {containers: {name: web}}}}"),
    ["Deployment spec.template.spec.containers has to be a list of objects."],
  ],
  [
    "a container without text for a name",
    object("Deployment", "web", ", spec: {template: {spec: {containers: [{name: 1}]}}}"),
    ["Deployment spec.template.spec.containers[0].name has to be text."],
  ],
  [
    "labels that are not text",
    "{apiVersion: v1, kind: Service, metadata: {name: web, labels: {a: yes}}}",
    ["Service metadata.labels has to have members whose values are text; put them in quotes."],
  ],
];
for (const [what, base, problems] of manifests) {
  it(`${problems.length === 0 ? "accepts" : "refuses"} a base manifest with ${what}`, () => {
    assert.deepEqual(problemsOf(base), problems);
  });
}

it("says where a base manifest is not YAML", () => {
  const [problem] = problemsOf("kind: Deployment\nmetadata: [");

  assert.match(problem ?? "", /^line 2, column \d+: /);
});

it("refuses aliases that explode", () => {
  const lists = Array.from({ length: 20 }, (_, n) => `- &a${n + 1} [${`*a${n},`.repeat(10)}]`).join("\n");

  assert.match(problemsOf(`- &a0 x\n${lists}`).join("\n"), /too many values/);
});

for (const [what, pod, message] of [
  ["a text for containers", { containers: "web" }, "Invalid PodSpec for patching: containers has to be a list."],
  ["a text for a flag", { hostNetwork: "yes" }, "Invalid PodSpec for patching: hostNetwork has to be true or false."],
  [
    "a container without a name",
    { containers: [{ image: "log" }] },
    /^Invalid PodSpec for patching: every item of containers/,
  ],
  ["an unknown directive", { containers: [{ name: "a", $patch: "merge" }] }, /^Invalid PodSpec for patching: /],
] as const) {
  it(`refuses a pod patch with ${what}`, () => {
    assert.throws(() => validate({ runtimes: { kubernetes: { pod: pod as JsonObject } } }), {
      code: "InvalidRequestContent",
      target: podTarget,
      message,
    });
  });
}

it("accepts pod patches with members that are newer than this program", () => {
  validate({ runtimes: { kubernetes: { pod: { unheardOf: 1, nodeSelector: null, priority: 5 } } } });
});
