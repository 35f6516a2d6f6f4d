import assert from "node:assert/strict";
import { it } from "node:test";
import { isLeftBy, lockHolderIn } from "./state-lock.ts";

const detail = `Error message: the state is already locked by another terraform client
Lock Info:
  ID:        4ccb0d5b-7a5a-4f0e-8a30-6e2f6bb8a8b1
  Path:      radius-system/lock-tfstate-default-abc
  Operation: OperationTypeApply
  Who:       radius@pod-1
  Version:   1.11.4
  Created:   2026-03-04 05:06:07.891234567 +0000 UTC
  Info:      `;
const diagnostic = { severity: "error", summary: "Error acquiring the state lock", detail } as const;
const window = { host: "pod-1", from: "2026-03-04T05:06:07.500Z", to: "2026-03-04T05:06:08.200Z" };

it("reads who holds a lock from Terraform's message", () => {
  assert.deepEqual(lockHolderIn([{ ...diagnostic, summary: "Something else" }]), undefined);
  assert.deepEqual(lockHolderIn([diagnostic]), {
    id: "4ccb0d5b-7a5a-4f0e-8a30-6e2f6bb8a8b1",
    who: "radius@pod-1",
    operation: "apply",
    created: "2026-03-04 05:06:07.891234567 +0000 UTC",
    path: "radius-system/lock-tfstate-default-abc",
  });
});

it("does not take the http backend's description of itself for the holder's", () => {
  const own = detail.replace(/^.*$/mu, "Error message: HTTP remote state already locked: ID=other-id");

  const holder = lockHolderIn([{ ...diagnostic, detail: own }]);

  assert.deepEqual([holder?.id, holder?.who], ["other-id", ""]);
  assert.ok(holder !== undefined && !isLeftBy(holder, [window]));
});

const cases: readonly (readonly [string, boolean, Partial<typeof window>[], (text: string) => string])[] = [
  ["a lock that a dead run took when it started", true, [{}], (text) => text],
  ["a lock of a dead run whose last words are lost", true, [{ to: undefined }], (text) => text],
  ["a lock from before the dead run", false, [{ from: "2026-03-04T05:06:08.000Z" }], (text) => text],
  ["a lock from after the dead run had its own", false, [{ to: "2026-03-04T05:06:07.600Z" }], (text) => text],
  ["a lock of another machine", false, [{ host: "pod-2" }], (text) => text],
  ["a lock that does not say who took it", false, [{}], (text) => text.replace("radius@pod-1", "")],
  ["a lock that does not say when it was taken", false, [{}], (text) => text.replace(/Created:.*/u, "Created:")],
  ["any lock when no run has died", false, [], (text) => text],
];

for (const [what, expected, changes, edit] of cases) {
  it(`${expected ? "breaks" : "never breaks"} ${what}`, () => {
    const holder = lockHolderIn([{ ...diagnostic, detail: edit(detail) }]);

    assert.ok(holder !== undefined);
    assert.equal(
      isLeftBy(
        holder,
        changes.map((change) => ({ ...window, ...change })),
      ),
      expected,
    );
  });
}
