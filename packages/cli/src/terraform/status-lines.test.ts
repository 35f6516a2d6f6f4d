import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndedInstallerJob, InstallerStatus, RunningInstallerJob } from "@rad/client";
import { statusLines } from "./status-lines.ts";

const nothing: InstallerStatus = {
  body: {},
  state: "not-installed",
  product: "terraform",
  currentVersion: undefined,
  installedAt: undefined,
  health: undefined,
  lastError: undefined,
  lastUpdated: undefined,
  pending: 0,
  inProgress: undefined,
  history: [],
};
const ready: InstallerStatus = {
  ...nothing,
  state: "ready",
  currentVersion: "1.6.4",
  installedAt: "2025-10-10T10:30:00Z",
  health: "healthy",
};
const running: RunningInstallerJob = {
  operationId: "op-2",
  operation: "install",
  product: "terraform",
  version: "1.7.0",
  startedAt: "2025-10-10T11:02:59Z",
  step: undefined,
  bytes: undefined,
  totalBytes: undefined,
};
const failed: EndedInstallerJob = {
  operationId: "op-2",
  operation: "install",
  product: "terraform",
  version: "1.7.0",
  state: "failed",
  startedAt: "2025-10-10T11:02:00Z",
  completedAt: "2025-10-10T11:05:59Z",
  error: "checksum mismatch.",
};
const installed = { ...failed, version: "1.6.4", state: "succeeded", error: undefined };
const uninstalling = { ...running, operation: "uninstall", version: undefined };

for (const [name, status, lines] of [
  ["ready", ready, ["Terraform 1.6.4 ready (installed 2025-10-10T10:30Z)"]],
  [
    "an OpenTofu that is ready",
    { ...ready, product: "opentofu", currentVersion: "1.10.10" },
    ["OpenTofu 1.10.10 ready (installed 2025-10-10T10:30Z)"],
  ],
  [
    "ready after a failed upgrade",
    { ...ready, history: [failed, installed] },
    [
      "Terraform 1.6.4 ready (installed 2025-10-10T10:30Z)",
      "Terraform 1.7.0 install failed 2025-10-10T11:05Z: checksum mismatch; 1.6.4 still active",
    ],
  ],
  [
    "ready, and the failure is older",
    { ...ready, history: [installed, failed] },
    ["Terraform 1.6.4 ready (installed 2025-10-10T10:30Z)"],
  ],
  [
    "ready after an uninstall that was refused",
    { ...ready, history: [{ ...failed, operation: "uninstall", version: "1.6.4", error: "Terraform is in use." }] },
    [
      "Terraform 1.6.4 ready (installed 2025-10-10T10:30Z)",
      "Terraform 1.6.4 uninstall failed 2025-10-10T11:05Z: Terraform is in use; 1.6.4 still active",
    ],
  ],
  [
    "ready with jobs to come",
    { ...ready, pending: 2 },
    ["Terraform 1.6.4 ready (installed 2025-10-10T10:30Z); 2 queued"],
  ],
  ["nothing installed", nothing, ["Terraform is not installed. Run 'rad terraform install' to install Terraform."]],
  [
    "the first install",
    { ...nothing, state: "installing", inProgress: running },
    ["Terraform 1.7.0 installing (started 2025-10-10T11:02Z)"],
  ],
  [
    "an upgrade with others behind it",
    { ...ready, state: "installing", inProgress: running, pending: 2 },
    ["Terraform 1.7.0 installing (started 2025-10-10T11:02Z); 1.6.4 still active; 2 queued"],
  ],
  [
    "a change of product",
    { ...ready, state: "installing", inProgress: { ...running, product: "opentofu", version: "1.10.10" } },
    ["OpenTofu 1.10.10 installing (started 2025-10-10T11:02Z); Terraform 1.6.4 still active"],
  ],
  [
    "the drain before an uninstall",
    { ...ready, state: "pending-deletion", inProgress: uninstalling },
    ["Terraform 1.6.4 pending-deletion (uninstall started 2025-10-10T11:02Z; no new executions start)"],
  ],
  [
    "an uninstall",
    { ...ready, state: "uninstalling", inProgress: uninstalling, pending: 1 },
    ["Terraform 1.6.4 uninstalling (started 2025-10-10T11:02Z); 1 queued"],
  ],
  [
    "a first install that failed",
    { ...nothing, state: "failed", history: [failed] },
    ["Terraform 1.7.0 install failed 2025-10-10T11:05Z: checksum mismatch; no version is active"],
  ],
  [
    "a binary that is gone",
    { ...nothing, state: "failed", health: "missing", history: [failed, installed] },
    ["Terraform 1.6.4 failed: its binary is missing. Run 'rad terraform install --version 1.6.4' to repair it."],
  ],
] as const satisfies readonly (readonly [string, InstallerStatus, readonly string[]])[]) {
  test(`the status says: ${name}`, () => {
    assert.deepEqual(statusLines(status), lines);
  });
}
