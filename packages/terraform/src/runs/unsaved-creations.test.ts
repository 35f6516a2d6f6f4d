import assert from "node:assert/strict";
import { it } from "node:test";
import { unsavedCreations } from "./unsaved-creations.ts";

const shown = {
  format_version: "1.0",
  values: {
    root_module: {
      child_modules: [
        {
          resources: [{ address: "module.a.x", values: { id: "1" } }],
          child_modules: [{ resources: [{ address: "module.a.module.b.y", values: {} }] }],
        },
      ],
    },
  },
};

it("tells creations that a state does not have, in any module, or has with another id", () => {
  const creations = [
    { address: "module.a.x", type: "t", state: "completed", id: "1" },
    { address: "module.a.x", type: "t", state: "completed", id: "2" },
    { address: "module.a.x", type: "t", state: "begun" },
    { address: "module.a.module.b.y", type: "t", state: "completed", id: "3" },
    { address: "module.a.z", type: "t", state: "begun" },
  ] as const;

  assert.deepEqual(
    unsavedCreations(creations, shown).map(({ address, id }) => [address, id]),
    [
      ["module.a.x", "2"],
      ["module.a.z", undefined],
    ],
  );
  assert.equal(unsavedCreations(creations, { format_version: "1.0" }).length, creations.length);
});
