import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compile } from "./testing/compile.ts";
import type { CompileOptions, Json } from "./testing/compile.ts";

function resourceOf(source: string, options?: CompileOptions): Json {
  return compile(source, options).resources.at(-1);
}

describe("resources", () => {
  it("have their members in a fixed order, whatever the source's", () => {
    const resource = resourceOf(`
@description('about')
resource r 'My.Rp/a@2020-01-01' = [for i in range(0, 2): if (i == 0) {
  tags: {}
  dependsOn: []
  properties: {}
  name: 'r\${i}'
}]
`);
    assert.deepEqual(Object.keys(resource), [
      "copy",
      "condition",
      "type",
      "apiVersion",
      "name",
      "tags",
      "properties",
      "metadata",
    ]);
    assert.deepEqual(resource.copy, { name: "r", count: "[length(range(0, 2))]" });
    assert.equal(resource.condition, "[equals(range(0, 2)[copyIndex()], 0)]");
    assert.equal(resource.name, "[format('r{0}', range(0, 2)[copyIndex()])]");
    assert.deepEqual(resource.metadata, { description: "about" });
  });

  it("keep conditions that are literals", () => {
    assert.equal(resourceOf("resource r 'My.Rp/a@2020-01-01' = if (true) {\n  name: 'r'\n}\n").condition, true);
    assert.equal(resourceOf("resource r 'My.Rp/a@2020-01-01' = if (false) {\n  name: 'r'\n}\n").condition, false);
  });

  it("come nested ones first, inner before outer, then the others in source order", () => {
    const template = compile(`
resource last 'My.Rp/z@2020-01-01' = {
  name: 'z'
}
resource p 'My.Rp/a@2020-01-01' = {
  name: 'p'
  resource c 'b' = {
    name: 'c'
    resource g 'c' = {
      name: 'g'
    }
  }
  resource d 'b@2021-01-01' = {
    name: 'd'
  }
}
`);
    assert.deepEqual(
      template.resources.map((resource: Json) => [resource.type, resource.apiVersion, resource.name]),
      [
        ["My.Rp/a/b/c", "2020-01-01", "[format('{0}/{1}/{2}', 'p', 'c', 'g')]"],
        ["My.Rp/a/b", "2020-01-01", "[format('{0}/{1}', 'p', 'c')]"],
        ["My.Rp/a/b", "2021-01-01", "[format('{0}/{1}', 'p', 'd')]"],
        ["My.Rp/z", "2020-01-01", "z"],
        ["My.Rp/a", "2020-01-01", "p"],
      ],
    );
  });

  it("inherit the conditions of the resources that they stand in", () => {
    const template = compile(`
param a bool
param b bool
resource p 'My.Rp/a@2020-01-01' = if (a) {
  name: 'p'
  resource c 'b' = if (b) {
    name: 'c'
    resource g 'c' = {
      name: 'g'
    }
  }
}
`);
    const conditions = template.resources.map((resource: Json) => resource.condition);
    const both = "[and(parameters('a'), parameters('b'))]";
    assert.deepEqual(conditions, [both, both, "[parameters('a')]"]);
  });

  it("are named after the item of a collection that is their parent", () => {
    const resource = resourceOf(`
resource ps 'My.Rp/a@2020-01-01' = [for x in range(0, 2): {
  name: 'p\${x}'
}]
resource cs 'My.Rp/a/b@2020-01-01' = [for y in range(0, 2): {
  parent: ps[y]
  name: 'c\${y}'
}]
`);
    assert.equal(
      resource.name,
      "[format('{0}/{1}', format('p{0}', range(0, 2)[range(0, 2)[copyIndex()]]), format('c{0}', range(0, 2)[copyIndex()]))]",
    );
  });

  const underParents: readonly (readonly [parents: string, child: string, name: string])[] = [
    [
      "resource p 'My.Rp/a/b@2020-01-01' existing = {\n  name: 'x/y'\n}",
      "resource c 'My.Rp/a/b/c@2020-01-01' = {\n  parent: p\n  name: 'z'\n}",
      "[format('{0}/{1}/{2}', split('x/y', '/')[0], split('x/y', '/')[1], 'z')]",
    ],
    [
      "param n string\nresource p 'My.Rp/a/b/c@2020-01-01' = {\n  name: '${n}/y/${n}'\n}",
      "resource c 'My.Rp/a/b/c/d@2020-01-01' = {\n  parent: p\n  name: '${n}-z'\n}",
      `[format('{0}/{1}/{2}/{3}', ${[0, 1, 2].map((part) => `split(format('{0}/y/{1}', parameters('n'), parameters('n')), '/')[${part}]`).join(", ")}, format('{0}-z', parameters('n')))]`,
    ],
    [
      "resource p 'My.Rp/a/b@2020-01-01' = {\n  name: 'x/y'\n}\nresource m 'My.Rp/a/b/c@2020-01-01' = {\n  parent: p\n  name: 'm'\n}",
      "resource c 'My.Rp/a/b/c/d@2020-01-01' = {\n  parent: m\n  name: 'z'\n}",
      "[format('{0}/{1}/{2}/{3}', split('x/y', '/')[0], split('x/y', '/')[1], 'm', 'z')]",
    ],
    [
      "resource ps 'My.Rp/a/b@2020-01-01' = [for i in range(0, 2): {\n  name: 'x/y${i}'\n}]",
      "resource c 'My.Rp/a/b/c@2020-01-01' = {\n  parent: ps[1]\n  name: 'z'\n}",
      "[format('{0}/{1}/{2}', split(format('x/y{0}', range(0, 2)[1]), '/')[0], split(format('x/y{0}', range(0, 2)[1]), '/')[1], 'z')]",
    ],
    [
      "resource p 'My.Rp/a@2020-01-01' = {\n  name: 'x'\n}",
      "resource c 'My.Rp/a/b@2020-01-01' = {\n  parent: p\n  name: 'z'\n}",
      "[format('{0}/{1}', 'x', 'z')]",
    ],
  ];
  for (const [parents, child, name] of underParents) {
    it(`take a parent's name apart by its segments: ${name}`, () => {
      assert.equal(resourceOf(`${parents}\n${child}\n`).name, name);
    });
  }

  it("take the name of an enclosing resource apart by its segments", () => {
    const template = compile(
      "resource p 'My.Rp/a/b@2020-01-01' = {\n  name: 'x/y'\n  resource c 'c' = {\n    name: 'z'\n  }\n}\n",
    );
    assert.deepEqual(
      template.resources.map((resource: Json) => resource.name),
      ["[format('{0}/{1}/{2}', split('x/y', '/')[0], split('x/y', '/')[1], 'z')]", "x/y"],
    );
  });

  it("put loops of properties before the other members of the same object", () => {
    const resource = resourceOf(`
param list array
resource r 'My.Rp/a@2020-01-01' = {
  name: 'r'
  properties: {
    first: 1
    loop: [for (x, i) in list: { x: x, i: i }]
    texts: [for x in list: 'same']
    numbers: [for x in list: 5]
    flags: [for x in list: true]
    arrays: [for x in list: [x]]
    merged: [for x in list: { ...x }]
  }
}
`);
    const at = (name: string) => `parameters('list')[copyIndex('${name}')]`;
    assert.deepEqual(Object.keys(resource.properties), ["copy", "first"]);
    assert.deepEqual(
      resource.properties.copy.map((copy: Json) => [copy.name, copy.input]),
      [
        ["loop", { x: `[${at("loop")}]`, i: "[copyIndex('loop')]" }],
        ["texts", "same"],
        ["numbers", "[int(5)]"],
        ["flags", "[true()]"],
        ["arrays", `[createArray(${at("arrays")})]`],
        ["merged", `[shallowMerge(createArray(${at("merged")}))]`],
      ],
    );
    assert.equal(resource.properties.copy[0].count, "[length(parameters('list'))]");
  });

  it("put loops of their own members beside the others, or into expressions when they are looped themselves", () => {
    const single = resourceOf("resource r 'My.Rp/a@2020-01-01' = {\n  name: 'r'\n  zones: [for z in [1]: z]\n}\n");
    assert.deepEqual(Object.keys(single), ["type", "apiVersion", "name", "copy"]);
    assert.equal(single.copy[0].name, "zones");
    const looped = resourceOf(
      "resource r 'My.Rp/a@2020-01-01' = [for i in range(0, 2): {\n  name: 'r${i}'\n  zones: [for z in [1]: '${z}${i}']\n}]\n",
    );
    assert.equal(
      looped.zones,
      "[map(range(0, length(createArray(1))), lambda('__turn', format('{0}{1}', createArray(1)[lambdaVariables('__turn')], range(0, 2)[copyIndex()])))]",
    );
  });

  it("carry batch sizes, options and patches", () => {
    const batched = resourceOf(
      "@batchSize(3)\nresource r 'My.Rp/a@2020-01-01' = [for i in range(0, 9): {\n  name: 'r${i}'\n}]\n",
    );
    assert.deepEqual(batched.copy, { name: "r", count: "[length(range(0, 9))]", mode: "serial", batchSize: 3 });

    const retried = compile(
      "@retryOn(['Busy'], 2)\n@onlyIfNotExists()\nresource r 'My.Rp/a@2020-01-01' = {\n  name: 'r'\n}\n",
    );
    assert.equal(retried.languageVersion, "2.0");
    assert.deepEqual(retried.resources.r["@options"], { retryOn: [["Busy"], 2], onlyIfNotExists: [] });

    const absent = compile("@nullIfNotFound()\nresource r 'My.Rp/a@2020-01-01' existing = {\n  name: 'r'\n}\n");
    assert.equal(absent.languageVersion, "2.1-experimental");
    assert.deepEqual(Object.keys(absent.resources.r), ["existing", "@options", "type", "apiVersion", "name"]);

    const patched = resourceOf("@patch()\nresource r 'My.Rp/a@2020-01-01' = {\n  name: 'r'\n}\n", {
      features: ["patch"],
    });
    assert.deepEqual(Object.keys(patched), ["method", "type", "apiVersion", "name"]);
    assert.equal(patched.method, "PATCH");

    const waiting = compile(
      "@waitUntil(x => x.name == 'r', 'PT5M')\nresource r 'My.Rp/a@2020-01-01' = {\n  name: 'r'\n}\n",
      {
        features: ["waitUntil"],
      },
    );
    assert.deepEqual(waiting.resources.r["@options"], {
      waitUntil: ["[lambda('x', equals(lambdaVariables('x').name, 'r'))]", "PT5M"],
    });
  });
});

describe("scopes", () => {
  const scoped = (targetScope: string, scope: string, prologue = "") =>
    compile(
      `targetScope = '${targetScope}'\nparam p string\n${prologue}\nresource e 'My.Rp/a@2020-01-01' existing = {\n  scope: ${scope}\n  name: 'e'\n}\noutput id string = e.id\n`,
      { features: ["symbolicNameCodegen"] },
    );

  const table: readonly (readonly [target: string, scope: string, members: Json, id: string])[] = [
    ["resourceGroup", "tenant()", { scope: "/" }, "[tenantResourceId('My.Rp/a', 'e')]"],
    ["tenant", "tenant()", {}, "[tenantResourceId('My.Rp/a', 'e')]"],
    ["resourceGroup", "resourceGroup()", {}, "[resourceId('My.Rp/a', 'e')]"],
    [
      "resourceGroup",
      "resourceGroup(p)",
      { resourceGroup: "[parameters('p')]" },
      "[extensionResourceId(format('/subscriptions/{0}/resourceGroups/{1}', subscription().subscriptionId, parameters('p')), 'My.Rp/a', 'e')]",
    ],
    [
      "subscription",
      "resourceGroup('s', 'g')",
      { subscriptionId: "s", resourceGroup: "g" },
      "[extensionResourceId(format('/subscriptions/{0}/resourceGroups/{1}', 's', 'g'), 'My.Rp/a', 'e')]",
    ],
    [
      "resourceGroup",
      "subscription()",
      { subscriptionId: "[subscription().subscriptionId]" },
      "[subscriptionResourceId('My.Rp/a', 'e')]",
    ],
    ["subscription", "subscription()", {}, "[subscriptionResourceId('My.Rp/a', 'e')]"],
    ["tenant", "subscription('s')", { subscriptionId: "s" }, "[subscriptionResourceId('s', 'My.Rp/a', 'e')]"],
    ["managementGroup", "managementGroup()", {}, "[extensionResourceId(managementGroup().id, 'My.Rp/a', 'e')]"],
    [
      "tenant",
      "managementGroup('m')",
      { scope: "[format('Microsoft.Management/managementGroups/{0}', 'm')]" },
      "[extensionResourceId(tenantResourceId('Microsoft.Management/managementGroups', 'm'), 'My.Rp/a', 'e')]",
    ],
    [
      "resourceGroup",
      "managementGroup('m')",
      { scope: "[tenantResourceId('Microsoft.Management/managementGroups', 'm')]" },
      "[extensionResourceId(tenantResourceId('Microsoft.Management/managementGroups', 'm'), 'My.Rp/a', 'e')]",
    ],
  ];
  for (const [target, scope, members, id] of table) {
    it(`emits ${scope} in a ${target} file`, () => {
      const template = scoped(target, scope);
      const { existing: _, type: __, apiVersion: ___, name: ____, ...rest } = template.resources.e;
      assert.deepEqual(rest, members);
      assert.equal(template.outputs.id.value, id);
    });
  }

  it("take resource groups, management groups and other resources for scopes", () => {
    const group = scoped(
      "subscription",
      "g",
      "resource g 'Microsoft.Resources/resourceGroups@2021-01-01' existing = {\n  scope: subscription('s')\n  name: 'g'\n}",
    );
    assert.equal(group.resources.e.subscriptionId, "s");
    assert.equal(group.resources.e.resourceGroup, "g");

    const management = scoped(
      "tenant",
      "g",
      "resource g 'Microsoft.Management/managementGroups@2021-01-01' existing = {\n  name: 'g'\n}",
    );
    assert.equal(management.resources.e.scope, "[format('Microsoft.Management/managementGroups/{0}', 'g')]");

    const extension = scoped(
      "resourceGroup",
      "x[1]",
      "resource x 'My.Rp/x@2021-01-01' = [for i in range(0, 2): {\n  name: 'x${i}'\n}]",
    );
    assert.equal(extension.resources.e.scope, "[resourceId('My.Rp/x', format('x{0}', range(0, 2)[1]))]");
  });

  it("are those of the outermost parent", () => {
    const template = compile(
      "resource p 'My.Rp/a@2020-01-01' existing = {\n  scope: tenant()\n  name: 'p'\n}\nresource c 'My.Rp/a/b@2020-01-01' existing = {\n  parent: p\n  name: 'c'\n}\noutput id string = c.id\n",
    );
    assert.equal(template.outputs.id.value, "[tenantResourceId('My.Rp/a/b', 'p', 'c')]");
  });

  const schemas: readonly (readonly [target: string, schema: RegExp])[] = [
    ["tenant", /2019-08-01\/tenantDeploymentTemplate\.json#$/],
    ["managementGroup", /2019-08-01\/managementGroupDeploymentTemplate\.json#$/],
    ["subscription", /2018-05-01\/subscriptionDeploymentTemplate\.json#$/],
    ["resourceGroup", /2019-04-01\/deploymentTemplate\.json#$/],
  ];
  for (const [target, schema] of schemas) {
    it(`decide the schema: ${target}`, () => {
      assert.match(compile(`targetScope = '${target}'\n`).$schema, schema);
    });
  }
});

describe("extension resources", () => {
  const source = `
extension radius
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'demo'
  properties: {
    environment: environment
  }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = [for i in range(0, 2): {
  name: 'web-\${i}'
  properties: {
    application: app.id
  }
}]
output first string = web[0].id
output maybe string? = app.?tag
output all array = map(web, x => x.name)
`;

  it("are data as a whole, with the type's version in the type", () => {
    const template = compile(source);
    assert.deepEqual(template.imports, { radius: { provider: "Radius", version: template.imports.radius.version } });
    assert.deepEqual(template.resources.app, {
      import: "radius",
      type: "Applications.Core/applications@2023-10-01-preview",
      properties: { name: "demo", properties: { environment: "[parameters('environment')]" } },
    });
    assert.equal(template.resources.web.properties.properties.application, "[reference('app').id]");
    assert.deepEqual(template.resources.web.dependsOn, ["app"]);
    assert.equal(template.outputs.first.value, "[reference(format('web[{0}]', 0)).id]");
    assert.equal(template.outputs.maybe.value, "[tryGet(reference('app'), 'tag')]");
    assert.match(template.outputs.all.value, /^\[map\(references\('web'\), /);
  });

  it("carry the configuration of their extension", () => {
    const kubernetes = "extension kubernetes with {\n  namespace: 'ns'\n  kubeConfig: ''\n} as k8s\n";
    const pod = "resource pod 'core/Pod@v1' = {\n  metadata: {\n    name: 'x'\n  }\n}\noutput o object = pod\n";
    const template = compile(kubernetes + pod);
    assert.deepEqual(template.imports.k8s, {
      provider: "Kubernetes",
      version: "1.0.0",
      config: { namespace: "ns", kubeConfig: "" },
    });
    assert.equal(template.resources.pod.import, "k8s");
    assert.equal(template.outputs.o.value, "[reference('pod')]");

    const later = compile(kubernetes + pod, { features: ["moduleExtensionConfigs"] });
    assert.equal(later.languageVersion, "2.2-experimental");
    assert.deepEqual(later.extensions.k8s.config, {
      namespace: { defaultValue: "ns" },
      kubeConfig: { defaultValue: "" },
    });
    assert.deepEqual(Object.keys(later.resources.pod), ["extension", "type", "apiVersion", "properties"]);
    assert.equal(later.resources.pod.apiVersion, "v1");
  });
});
