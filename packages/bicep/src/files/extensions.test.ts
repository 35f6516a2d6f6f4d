import assert from "node:assert/strict";
import { test } from "node:test";
import { Compilation } from "./compilation.ts";
import { createMemoryHost } from "./host.ts";
import type { MemoryHostOptions } from "./host.ts";

type Files = Readonly<Record<string, string>>;

function compile(files: Files, more: Partial<MemoryHostOptions> = {}): Compilation {
  return new Compilation({ host: createMemoryHost({ ...more, files: new Map(Object.entries(files)) }) });
}

function codes(compilation: Compilation): string[] {
  return compilation
    .diagnostics("/main.bicep")
    .flatMap(({ diagnostics, lineMap }) =>
      diagnostics.map(({ code, span }) => `${lineMap.position(span.start).line} ${code}`),
    );
}

function template(compilation: Compilation): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const text = compilation.emitTemplate("/main.bicep", { generatorVersion: "1" })?.text;
  assert.ok(text !== undefined, codes(compilation).join(", "));
  return JSON.parse(text);
}

const app = `extension radius
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'app'
  properties: {
    anything: [1, 'goes']
  }
}
output id string = app.id
output secret string = app.listSecrets().password
`;

const upstreamConfig = `{
  "experimentalFeaturesEnabled": { "extensibility": true },
  "extensions": {
    "radius": "br:biceptypes.azurecr.io/radius:latest",
    "aws": "br:biceptypes.azurecr.io/aws:latest"
  }
}`;

test("radius, aws and kubernetes compile without a configuration", () => {
  const result = template(
    compile({
      "/main.bicep": `${app}
extension aws
extension kubernetes with {
  namespace: 'default'
  kubeConfig: ''
} as k8s
resource bucket 'AWS.S3/Bucket@default' = {
  alias: 'b'
  properties: { BucketName: 'b' }
}
resource secret 'core/Secret@v1' = {
  metadata: { name: 's' }
  stringData: { a: 'b' }
}
`,
    }),
  );

  assert.deepEqual(result["imports"], {
    radius: { provider: "Radius", version: "latest" },
    aws: { provider: "AWS", version: "latest" },
    k8s: { provider: "Kubernetes", version: "1.0.0", config: { namespace: "default", kubeConfig: "" } },
  });
  const { app: radius, bucket, secret } = result["resources"] as Record<string, { import: string; type: string }>;
  assert.deepEqual([radius?.import, bucket?.import, secret?.import], ["radius", "aws", "k8s"]);
  assert.equal(secret?.type, "core/Secret@v1");
});

test("kubernetes needs its configuration, radius takes none", () => {
  assert.deepEqual(codes(compile({ "/main.bicep": "extension kubernetes\n" })), ["1 BCP206"]);
  assert.deepEqual(codes(compile({ "/main.bicep": "extension radius with {\n  a: 1\n}\n" })), ["1 BCP205"]);
});

test("an extension that nobody knows is BCP204, one that is not built in BCP398, one not restored BCP190", () => {
  const config = `{ "extensions": { "mine": "builtin:", "theirs": "br:example.org/theirs:1", "there": "./nobody" } }`;
  const found = (name: string) => codes(compile({ "/main.bicep": `extension ${name}\n`, "/bicepconfig.json": config }));

  assert.deepEqual(found("nobody"), ["1 BCP204"]);
  assert.deepEqual(found("mine"), ["1 BCP398"]);
  assert.deepEqual(found("theirs"), ["1 BCP190"]);
  assert.deepEqual(found("there"), ["1 BCP091"]);
});

const index = {
  resources: {
    "Contoso.Data/queues@2025-01-01": { $ref: "types/types.json#/5" },
  },
  settings: {
    name: "Contoso",
    version: "0.0.1",
    isSingleton: true,
    configurationType: { $ref: "types/types.json#/9" },
  },
  fallbackResourceType: undefined,
};
const types = [
  { $type: "StringType" },
  { $type: "StringLiteralType", value: "small" },
  { $type: "StringLiteralType", value: "large" },
  { $type: "UnionType", elements: [{ $ref: "#/1" }, { $ref: "#/2" }] },
  {
    $type: "ObjectType",
    name: "Queue",
    properties: {
      name: { type: { $ref: "#/0" }, flags: 25, description: "its name" },
      id: { type: { $ref: "#/0" }, flags: 10 },
      properties: { type: { $ref: "#/6" }, flags: 1 },
    },
  },
  {
    $type: "ResourceType",
    name: "Contoso.Data/queues@2025-01-01",
    body: { $ref: "#/4" },
    functions: { describe: { type: { $ref: "#/8" } } },
  },
  {
    $type: "ObjectType",
    name: "QueueProperties",
    properties: {
      size: { type: { $ref: "#/3" }, flags: 1 },
      next: { type: { $ref: "#/6" }, flags: 0 },
      count: { type: { $ref: "#/7" }, flags: 0 },
    },
  },
  { $type: "IntegerType", minValue: 1, maxValue: 5 },
  { $type: "FunctionType", parameters: [{ name: "kind", type: { $ref: "#/0" } }], output: { $ref: "#/0" } },
  { $type: "ObjectType", name: "config", properties: { token: { type: { $ref: "#/10" }, flags: 1 } } },
  { $type: "StringType", sensitive: true },
];

const queue = (properties: string) => `extension contoso with {
  token: 'x'
} as contoso
resource q 'contoso.data/QUEUES@2025-01-01' = {
  name: 'q'
  properties: ${properties}
}
`;

function withPackage(source: string, kind: "folder" | "archive" | "registry"): Compilation {
  const entries = new Map([
    ["index.json", new TextEncoder().encode(JSON.stringify(index))],
    ["types/types.json", new TextEncoder().encode(JSON.stringify(types))],
  ]);
  const value = { folder: "./pkg", archive: "./pkg/types.tgz", registry: "br:example.org/contoso:1" }[kind];
  const files: Record<string, string> = {
    "/main.bicep": source,
    "/bicepconfig.json": JSON.stringify({ extensions: { contoso: value } }),
  };
  if (kind === "folder") {
    files["/pkg/index.json"] = JSON.stringify(index);
    files["/pkg/types/types.json"] = JSON.stringify(types);
  }
  const path = kind === "archive" ? "/pkg/types.tgz" : "/cache/types.tgz";
  return compile(files, {
    packages: new Map([[path, entries]]),
    artifacts: new Map([["br:example.org/contoso:1", "/cache/types.tgz"]]),
  });
}

for (const kind of ["folder", "archive", "registry"] as const) {
  test(`a type package from a ${kind} types resources, whose spelling is the package's`, () => {
    const compilation = withPackage(queue("{ size: 'small', next: { size: 'large' } }"), kind);

    const result = template(compilation);

    const { q } = result["resources"] as Record<string, unknown>;
    assert.deepEqual(q, {
      import: "contoso",
      type: "Contoso.Data/queues@2025-01-01",
      properties: { name: "q", properties: { size: "small", next: { size: "large" } } },
    });
    assert.deepEqual(result["imports"], {
      contoso: { provider: "Contoso", version: "0.0.1", config: { token: "x" } },
    });
  });
}

for (const [name, source, expected] of [
  ["a property that the type lacks", queue("{ size: 'small', colour: 1 }"), ["6 BCP037"]],
  ["a value that does not fit", queue("{ size: 'medium' }"), ["6 BCP036"]],
  ["a missing property", queue("{ }"), ["6 BCP035"]],
  ["a missing property of a type inside of itself", queue("{ size: 'small', next: { } }"), ["6 BCP035"]],
  ["a number out of range", queue("{ size: 'small', count: 6 }"), ["6 BCP327"]],
  ["a read-only property", queue("{ size: 'small' }\n  id: 'x'"), ["7 BCP073"]],
  ["an unknown method", `${queue("{ size: 'small' }")}output o string = q.nobody()\n`, ["8 BCP109"]],
  ["a method with a wrong argument", `${queue("{ size: 'small' }")}output o string = q.describe(1)\n`, ["8 BCP070"]],
  [
    "a singleton declared twice",
    `${queue("{ size: 'small' }")}extension contoso with { token: 'x' } as other\n`,
    ["1 BCP207", "4 BCP264", "8 BCP207"],
  ],
] as const) {
  test(`with a type package, ${name} is reported`, () => {
    assert.deepEqual(codes(withPackage(source, "folder")), expected);
  });
}

test("of an existing resource only the identifiers can be written", () => {
  const source = (body: string) =>
    `extension contoso with {\n  token: 'x'\n}\nresource q 'Contoso.Data/queues@2025-01-01' existing = {\n${body}}\noutput o string = q.properties.size\n`;

  assert.deepEqual(codes(withPackage(source("  name: 'q'\n"), "folder")), []);
  assert.deepEqual(codes(withPackage(source("  name: 'q'\n  properties: { size: 'small' }\n"), "folder")), [
    "6 BCP173",
  ]);
});

test("a package without a readable index, or without settings, is BCP396", () => {
  const broken = (text: string) =>
    codes(
      compile({
        "/main.bicep": "extension mine\n",
        "/bicepconfig.json": `{ "extensions": { "mine": "pkg" } }`,
        "/pkg/index.json": text,
      }),
    );

  assert.deepEqual(broken("{"), ["1 BCP396"]);
  assert.deepEqual(broken("[]"), ["1 BCP396"]);
  assert.deepEqual(broken(`{ "resources": {} }`), ["1 BCP396"]);
});

test("references that lead nowhere make a type any, not a crash", () => {
  const compilation = compile({
    "/main.bicep": "extension mine\nresource a 'A.B/c@1' = {\n  name: 'a'\n  x: 1\n}\n",
    "/bicepconfig.json": `{ "extensions": { "mine": "pkg" } }`,
    "/pkg/index.json": JSON.stringify({
      resources: { "A.B/c@1": { $ref: "t.json#/0" }, "A.B/d@1": { $ref: "nobody.json#/0" }, broken: 1 },
      settings: { name: "Mine", version: "1", configurationType: { $ref: "t.json#/99" } },
    }),
    "/pkg/t.json": JSON.stringify([{ $type: "ResourceType", body: { $ref: "#/1" } }]),
  });

  assert.deepEqual(
    codes(compilation).filter((line) => line.endsWith("BCP081")),
    [],
  );
});

test("of packages that the configuration names and nobody restored, only that of radius has a stand-in", () => {
  const found = (source: string) => {
    const compilation = compile({ "/main.bicep": source, "/bicepconfig.json": upstreamConfig });
    return compilation.fileDiagnostics("/main.bicep").diagnostics.map(({ code, level }) => `${level} ${code}`);
  };

  assert.deepEqual(found("extension radius\n"), ["warning BCP190"]);
  assert.deepEqual(found("extension aws\n"), ["error BCP190"]);
  const implicitRadius = upstreamConfig.replace("{", '{ "implicitExtensions": ["radius"],');
  assert.deepEqual(codes(compile({ "/main.bicep": "", "/bicepconfig.json": implicitRadius })), ["1 BCP190"]);
});

const board = (version = "2025-01-01", extension = "radius") => `extension ${extension}
resource b 'example.boards/messageBoards@${version}' = {
  name: 'b'
  properties: { size: 'medium' }
}
`;

/** Types of an own namespace as a control plane has registered them. */
function boards(settings: object = { name: "Radius", version: "latest" }): (path: string) => unknown {
  const resources = { "Example.Boards/messageBoards@2025-01-01": { $ref: "types/types.json#/5" } };
  return (path) => ({ "index.json": { resources, settings }, "types/types.json": types })[path];
}

for (const [name, files] of [
  ["built in", {}],
  [
    "from a package",
    {
      "/bicepconfig.json": `{ "extensions": { "radius": "./pkg" } }`,
      "/pkg/index.json": `{ "resources": {}, "settings": { "name": "Radius", "version": "latest" } }`,
    },
  ],
] as const) {
  test(`the extension radius, ${name}, has the types that a control plane has registered`, () => {
    const compilation = compile(
      { "/main.bicep": board(), ...files },
      { registeredTypes: boards(), builtInTypes: { radius: (path) => builtInDocuments[path] } },
    );

    assert.deepEqual(codes(compilation), ["4 BCP036"]);
    assert.deepEqual(template(compilation)["resources"]?.["b"], {
      import: "radius",
      type: "Example.Boards/messageBoards@2025-01-01",
      properties: { name: "b", properties: { size: "medium" } },
    });
    assert.deepEqual(compilation.registeredTypesUsed, ["Example.Boards/messageBoards@2025-01-01"]);
  });
}

test("a registered type takes any method, because the registry describes none", () => {
  const describeless = (path: string) =>
    path === "types/types.json"
      ? types.map((type) => ("functions" in type ? { ...type, functions: {} } : type))
      : boards()(path);
  const source = `${board().replace("medium", "small")}output o string = b.listSecrets().key\n`;

  assert.deepEqual(codes(compile({ "/main.bicep": source }, { registeredTypes: describeless })), [
    "6 outputs-should-not-contain-secrets",
  ]);
});

test("a package of the file comes before what a control plane has registered", () => {
  const compilation = compile(
    {
      "/main.bicep": `extension mine\n${board()}`,
      "/bicepconfig.json": `{ "extensions": { "mine": "./manifests" } }`,
      "/manifests/boards.yaml": "",
    },
    {
      registeredTypes: boards(),
      manifestTypes: new Map([["/manifests", { documents: boards({ name: "radiusexampleboards", version: "1" }) }]]),
    },
  );

  assert.deepEqual(compilation.manifestFolders("/main.bicep"), ["/manifests"]);
  assert.deepEqual(codes(compilation), ["5 BCP036"]);
  assert.deepEqual(compilation.registeredTypesUsed, []);
  const { b } = template(compilation)["resources"] as Record<string, { import: string }>;
  assert.equal(b?.import, "mine");
});

test("a folder whose manifests have errors is no package", () => {
  const compilation = compile(
    {
      "/main.bicep": "extension mine\n",
      "/bicepconfig.json": `{ "extensions": { "mine": "manifests" } }`,
      "/manifests/boards.yaml": "",
    },
    { manifestTypes: new Map([["/manifests", { error: "Its manifests have errors." }]]) },
  );

  assert.deepEqual(codes(compilation), ["1 BCP396"]);
});

test("an unknown type says what it could be: a version, a spelling, or one to register", () => {
  const advice = (type: string) =>
    compile(
      { "/main.bicep": `extension radius\nresource r '${type}' = {\n  name: 'r'\n}\n` },
      { registeredTypes: boards(), builtInTypes: { radius: (path) => builtInDocuments[path] } },
    )
      .fileDiagnostics("/main.bicep")
      .diagnostics.map(({ code, level, message }) => `${level} ${code} ${message.split(". ").slice(1).join(". ")}`);

  assert.deepEqual(advice("Example.Boards/messageBoards@2024-01-01"), [
    `warning BCP081 The type has these versions: "2025-01-01".`,
  ]);
  assert.deepEqual(advice("Radius.Data/queue@2025-01-01"), [`warning BCP081 Did you mean "Radius.Data/queues"?`]);
  assert.deepEqual(advice("Radius.Dada/queues@2025-01-01"), [`warning BCP081 Did you mean "Radius.Data/queues"?`]);
  assert.deepEqual(
    advice("Radius.Data/stacks@2025-01-01").map((text) => text.slice(0, 20)),
    ["warning BCP081 If it"],
  );
  assert.deepEqual(advice("Contoso.Other/things@2025-01-01"), [
    `warning BCP081 If it is a type of your own, register it with "rad resource-type create -f <manifest>"; if it is registered, "rad bicep restore" fetches it.`,
  ]);
  assert.deepEqual(advice("Microsoft.Storage/things@2025-01-01"), ["warning BCP081 "]);
});

test("the version of a type that is both built in and registered is listed once", () => {
  const compilation = compile(
    { "/main.bicep": "extension radius\nresource q 'Radius.Data/queues@2024-01-01' = {\n  name: 'q'\n}\n" },
    {
      registeredTypes: (path) => builtInDocuments[path],
      builtInTypes: { radius: (path) => builtInDocuments[path] },
    },
  );

  const messages = compilation.fileDiagnostics("/main.bicep").diagnostics.map(({ message }) => message);

  assert.match(messages.join("\n"), /The type has these versions: "2025-01-01"\.$/);
});

const builtInDocuments: Readonly<Record<string, unknown>> = {
  "index.json": {
    resources: { "Radius.Data/queues@2025-01-01": { $ref: "types/types.json#/5" } },
    settings: { name: "Radius", version: "latest" },
  },
  "types/types.json": types,
};

function withBuiltInTypes(source: string, more: Files = {}): { compilation: Compilation; read: string[] } {
  const read: string[] = [];
  const radius = (path: string) => {
    read.push(path);
    return builtInDocuments[path];
  };
  return { compilation: compile({ "/main.bicep": source, ...more }, { builtInTypes: { radius } }), read };
}

const radiusQueue = (properties: string, type = "Radius.Data/queues@2025-01-01") => `extension radius
resource q '${type}' = {
  name: 'q'
  properties: ${properties}
}
`;

for (const [name, source, expected] of [
  ["an unknown property", radiusQueue("{ size: 'small', colour: 1 }"), ["4 error BCP037"]],
  ["a wrong value", radiusQueue("{ size: 'medium' }"), ["4 warning BCP036"]],
  ["a missing property", radiusQueue("{ }"), ["4 warning BCP035"]],
  ["an unknown member of the resource", radiusQueue("{ size: 'small' }\n  scope: 1"), ["5 error BCP037"]],
  ["an unknown method", `${radiusQueue("{ size: 'small' }")}output o string = q.nobody()\n`, ["6 error BCP109"]],
  ["an unknown type", radiusQueue("{ any: 1 }", "Radius.Data/others@2025-01-01"), ["2 warning BCP081"]],
  ["an unknown version", radiusQueue("{ any: 1 }", "Radius.Data/queues@2026-01-01"), ["2 warning BCP081"]],
  ["a type of an unknown namespace", radiusQueue("{ any: 1 }", "Applications.Core/a@2025-01-01"), ["2 warning BCP081"]],
] as const) {
  test(`with types from the host, ${name} is reported by the extension radius`, () => {
    const { compilation } = withBuiltInTypes(source);

    const found = compilation.fileDiagnostics("/main.bicep").diagnostics.map(({ code, level, span }) => {
      const { line } = compilation.fileDiagnostics("/main.bicep").lineMap.position(span.start);
      return `${line} ${level} ${code}`;
    });
    assert.deepEqual(found, expected);
  });
}

test("types from the host change nothing about the template", () => {
  const source = radiusQueue("{ size: 'small', next: { size: 'large' } }");

  assert.deepEqual(template(withBuiltInTypes(source).compilation), template(compile({ "/main.bicep": source })));
});

test("types from the host are read when a resource of theirs is declared", () => {
  const { compilation, read } = withBuiltInTypes(radiusQueue("{ any: 1 }", "Radius.Data/others@2025-01-01"));
  compilation.diagnostics("/main.bicep");

  assert.deepEqual(read, ["index.json"]);
});

test("a package that the configuration names wins over the types from the host", () => {
  const files = {
    "/bicepconfig.json": JSON.stringify({ extensions: { radius: "./pkg" } }),
    "/pkg/index.json": JSON.stringify({ resources: {}, settings: { name: "Radius", version: "2" } }),
  };
  const { compilation, read } = withBuiltInTypes("extension radius as platform\n", files);

  assert.deepEqual(template(compilation)["imports"], { platform: { provider: "Radius", version: "2" } });
  assert.deepEqual(read, []);
  assert.deepEqual(compilation.builtInExtensions("/main.bicep"), []);
});

test("a compilation tells which built-in extensions its files take types from", () => {
  const files = {
    "/main.bicep": "module m 'part.bicep' = {}\n",
    "/part.bicep": "extension radius\nextension theirs\nextension aws\n",
    "/bicepconfig.json": upstreamConfig.replace("{", '{ "implicitExtensions": ["az", "kubernetes"],'),
  };
  const restored = new Map([["br:biceptypes.azurecr.io/aws:latest", "/cache/aws.tgz"]]);

  assert.deepEqual(compile(files, { artifacts: restored }).builtInExtensions("/main.bicep"), ["radius", "kubernetes"]);
});

const implicit = (names: readonly string[], extensions: Readonly<Record<string, string>> = {}) =>
  JSON.stringify({ implicitExtensions: names, extensions });
const undeclaredApp = app.replace("extension radius\n", "");

test("an implicit extension counts as declared: its types are found and it is emitted", () => {
  const files = { "/main.bicep": undeclaredApp, "/bicepconfig.json": implicit(["az", "radius"]) };

  const result = template(compile(files));

  assert.deepEqual(result["imports"], { radius: { provider: "Radius", version: "latest" } });
  assert.equal((result["resources"] as Record<string, { import: string }>)["app"]?.import, "radius");
  assert.deepEqual(codes(compile({ ...files, "/main.bicep": "param radius string\noutput o string = radius\n" })), [
    "1 BCP084",
  ]);
});

test("declaring an extension that is implicit too does no harm", () => {
  const result = template(compile({ "/main.bicep": app, "/bicepconfig.json": implicit(["az", "radius"]) }));

  assert.deepEqual(Object.keys(result["imports"] ?? {}), ["radius"]);
});

test("without az among the implicit extensions a file has neither its functions nor its types, unless it asks", () => {
  const source = "output id string = resourceGroup().id\nresource r 'My.Rp/a@2020-01-01' = {\n  name: 'r'\n}\n";
  const found = (text: string) => codes(compile({ "/main.bicep": text, "/bicepconfig.json": implicit([]) }));

  assert.deepEqual(found(source), ["1 BCP057", "2 BCP029"]);
  assert.deepEqual(found(source.replace("'My", "'az:My")), ["1 BCP057", "2 BCP208"]);
  assert.deepEqual(found(`extension az\n${source}`), ["3 BCP081"]);
});

test("an implicit extension that is not restored is needed, and said so at the start of the file", () => {
  const config = implicit(["az", "theirs"], { theirs: "br:example.org/theirs:1" });
  const compilation = compile({ "/main.bicep": "", "/bicepconfig.json": config });

  assert.deepEqual(codes(compilation), ["1 BCP190"]);
  assert.deepEqual(
    compilation.artifacts("/main.bicep").map(({ reference }) => reference.text),
    ["br:example.org/theirs:1"],
  );
});
