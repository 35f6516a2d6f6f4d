import assert from "node:assert/strict";
import { test } from "node:test";
import type { WhatIfChange } from "@rad/client";
import pc from "picocolors";
import { whatIfText } from "./what-if-text.ts";

const scope = "/planes/radius/local/resourceGroups/dev";

function change(name: string, changeType: string, more: Partial<WhatIfChange> = {}): WhatIfChange {
  const nothing = { unsupportedReason: undefined, before: undefined, after: undefined, delta: [] };
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
