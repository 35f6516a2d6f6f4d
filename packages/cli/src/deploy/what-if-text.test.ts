import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientError, type WhatIfChange, type WhatIfPlan, type WhatIfRecipe } from "@rad/client";
import pc from "picocolors";
import { whatIfText } from "./what-if-text.ts";

const scope = "/planes/radius/local/resourceGroups/dev";

function change(name: string, changeType: string, more: Partial<WhatIfChange> = {}): WhatIfChange {
  const nothing = {
    unsupportedReason: undefined,
    before: undefined,
    after: undefined,
    delta: [],
    nestedChanges: [],
    recipe: undefined,
  };
  return { ...nothing, resourceId: `${scope}/providers/Radius.Test/widgets/${name}`, changeType, ...more };
}

test("what changes only perhaps is told from what does for certain", () => {
  const changes = [change("sure", "Create")];
  const potentialChanges = [change("maybe", "Create"), change("there", "Modify")];

  const text = whatIfText({ changes, potentialChanges, diagnostics: [], body: {} }, pc.createColors(false));

  assert.equal(
    text,
    `Scope: ${scope}

  + Radius.Test/widgets/sure
  + Radius.Test/widgets/maybe (perhaps)
  ~ Radius.Test/widgets/there (perhaps)

Resource changes: 1 to create, 1 perhaps to create, 1 perhaps to change.
`,
  );
});

test("created and changed resources list their properties in one form, and secrets by name only", () => {
  const hidden = { before: null, after: null, children: [] };
  const plain = { children: [], before: undefined, after: undefined };
  const changes = [
    change("new", "Create", {
      after: {
        location: "global",
        tags: { team: "a" },
        properties: { size: 3, key: null, none: null, list: [{ port: 1 }, "x"], empty: {} },
      },
      delta: [{ path: "properties.key", changeType: "Create", ...hidden }],
    }),
    change("old", "Modify", {
      delta: [
        { ...plain, path: "properties.size", changeType: "Modify", before: 1, after: 2 },
        { ...plain, path: "properties.none", changeType: "Modify", before: 1, after: null },
        { path: "properties.key", changeType: "Modify", ...hidden },
        { path: "properties.more", changeType: "Create", ...hidden },
        { path: "properties.less", changeType: "Delete", ...hidden },
      ],
    }),
  ];

  const text = whatIfText({ changes, potentialChanges: [], diagnostics: [], body: {} }, pc.createColors(false));

  assert.equal(
    text,
    `Scope: ${scope}

  + Radius.Test/widgets/new
      + tags.team: "a"
      + properties.size: 3
      + properties.key: (secret)
      + properties.none: null
      + properties.list.0.port: 1
      + properties.list.1: "x"
      + properties.empty: {}
  ~ Radius.Test/widgets/old
      ~ properties.size: 1 => 2
      ~ properties.none: 1 => null
      ~ properties.key: (secret) => (secret, changed)
      + properties.more: (secret)
      - properties.less: (secret)

Resource changes: 1 to create, 1 to change.
`,
  );
});

test("objects that are made of a resource are listed below it", () => {
  const object = (name: string, changeType: string, more: Partial<WhatIfChange> = {}): WhatIfChange => ({
    ...change("", changeType, more),
    resourceId: `/planes/kubernetes/local/namespaces/dev-shop/providers/${name}`,
  });
  const delta = [{ path: "spec.replicas", changeType: "Modify", before: 1, after: 2, children: [] }];
  const secret = [{ path: "data.KEY", changeType: "Modify", before: null, after: null, children: [] }];
  const changes = [
    change("web", "NoChange", {
      nestedChanges: [
        object("core/Service/web", "Create", { after: { spec: {} } }),
        object("apps/Deployment/web", "Modify", { delta }),
        object("core/Secret/web", "Modify", { delta: secret }),
        object("core/ConfigMap/web", "Delete"),
      ],
    }),
  ];

  const text = whatIfText({ changes, potentialChanges: [], diagnostics: [], body: {} }, pc.createColors(false));

  assert.equal(
    text,
    `Scope: ${scope}

  = Radius.Test/widgets/web
      + core/Service/web in dev-shop
      ~ apps/Deployment/web in dev-shop
          ~ spec.replicas: 1 => 2
      ~ core/Secret/web in dev-shop
          ~ data.KEY: (secret) => (secret, changed)
      - core/ConfigMap/web in dev-shop

Resource changes: 1 without change.
`,
  );
});

test("what perhaps changes says why nobody can tell how", () => {
  const potentialChanges = [change("maybe", "Unsupported", { unsupportedReason: "no Azure" })];

  const text = whatIfText({ changes: [], potentialChanges, diagnostics: [], body: {} }, pc.createColors(false));

  assert.match(text, /widgets\/maybe \(perhaps: no Azure\)$/m);
});

test("a resource whose name is not known yet goes by the expression for it", () => {
  const changes = [change("[parameters('name')]", "Unsupported", { unsupportedReason: "not known yet" })];

  const text = whatIfText({ changes, potentialChanges: [], diagnostics: [], body: {} }, pc.createColors(false));

  assert.match(text, /^ {2}x Radius\.Test\/widgets\/\[parameters\('name'\)\] \(not known yet\)$/m);
});

const recipe: WhatIfRecipe = {
  name: "default",
  kind: "terraform",
  source: "acme/db/aws",
  version: "1.0.0",
  action: "run",
  reasons: ["changedProperties"],
  plan: undefined,
};

function planned(plan: Partial<WhatIfPlan>): WhatIfRecipe {
  const empty = { status: "Succeeded", changes: [], omittedChanges: 0, unknown: [], notes: [], error: undefined };
  return { ...recipe, plan: { ...empty, ...plan } };
}

test("a recipe is shown below its resource, with what its plan changes and without values", () => {
  const attribute = { changed: true, sensitive: false, unknown: false };
  const changes = [
    change("new", "Create", { recipe: { ...recipe, reasons: ["newResource"] } }),
    change("old", "Modify", {
      recipe: planned({
        changes: [
          {
            address: "module.default.x.a",
            action: "create",
            attributes: [{ ...attribute, name: "id", unknown: true }],
          },
          { address: "module.default.x.b", action: "replace", attributes: [{ ...attribute, name: "bucket" }] },
          {
            address: "module.default.x.c",
            action: "update",
            attributes: [
              { ...attribute, name: "password", sensitive: true },
              { ...attribute, name: "token", sensitive: true, changed: false },
            ],
          },
          { address: "module.default.x.d", action: "delete", attributes: [] },
          { address: "module.default.x.e", action: "no-op", attributes: [] },
        ],
        unknown: [{ path: "properties.host", reason: "It is known only after other resources are deployed." }],
      }),
    }),
    change("idle", "NoChange", { recipe: planned({}) }),
    change("open", "Modify", { recipe: planned({ status: "Unknown", notes: ["Invalid count argument"] }) }),
    change("bad", "Modify", {
      recipe: planned({ status: "Failed", error: new ClientError("RecipeDownloadFailed", "no such module") }),
    }),
  ];
  const diagnostics = [{ code: "RecipeDownloadFailed", level: "Error", message: "no such module" }];

  const text = whatIfText({ changes, potentialChanges: [], diagnostics, body: {} }, pc.createColors(false));

  const heading = 'recipe "default" (terraform, acme/db/aws 1.0.0) will run';
  assert.equal(
    text,
    `Scope: ${scope}

  + Radius.Test/widgets/new
      ${heading}: the resource is new
  ~ Radius.Test/widgets/old
      ${heading}: properties of the resource change
          + module.default.x.a: id (known after apply)
          -/+ module.default.x.b: bucket
          ~ module.default.x.c: password (sensitive, changed), token (sensitive, unchanged)
          - module.default.x.d
          = module.default.x.e
          not known yet: properties.host. It is known only after other resources are deployed.
  = Radius.Test/widgets/idle
      ${heading}: properties of the resource change
          nothing would change
  ~ Radius.Test/widgets/open
      ${heading}: properties of the resource change
          what it would change is not known yet
          Invalid count argument
  ~ Radius.Test/widgets/bad
      ${heading}: properties of the resource change
          RecipeDownloadFailed: no such module

Resource changes: 1 to create, 3 to change, 1 without change.
Recipe changes: 1 to create, 1 to update, 1 to replace, 1 to delete, 1 without change, 2 recipes not planned.
`,
  );
});
