import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunningInstallerJob } from "@rad/client";
import { progressLine } from "./progress-text.ts";
import { TransferMeter } from "./transfer-rate.ts";

const job: RunningInstallerJob = {
  operationId: "op-1",
  operation: "install",
  product: "terraform",
  version: "1.6.4",
  startedAt: "2025-10-10T10:29:00Z",
  step: "download",
  bytes: 13_100_000,
  totalBytes: 26_200_000,
};

for (const [name, line, running, rate] of [
  [
    "a download",
    "Terraform 1.6.4: downloading [##########----------] 50%  13.1 of 26.2 MB  5.2 MB/s  3s left",
    job,
    { bytesPerSecond: 5_200_000, secondsLeft: 2.5 },
  ],
  [
    "a slow one",
    "Terraform 1.6.4: downloading [##########----------] 50%  13.1 of 26.2 MB  0.1 MB/s  2m 11s left",
    job,
    { bytesPerSecond: 100_000, secondsLeft: 131 },
  ],
  [
    "one without a size",
    "Terraform 1.6.4: downloading  13.1 MB  5.2 MB/s",
    { ...job, totalBytes: undefined },
    { bytesPerSecond: 5_200_000, secondsLeft: undefined },
  ],
  ["another step", "Terraform 1.6.4: checking that it runs", { ...job, step: "prove", bytes: 0 }, undefined],
  ["an unknown step", "Terraform 1.6.4: polish", { ...job, step: "polish" }, undefined],
] as const) {
  test(`the progress of ${name}`, () => {
    assert.equal(progressLine(running, rate), line);
  });
}

test("speed is smoothed, ignores looks without news, and starts again with the download", () => {
  const meter = new TransferMeter();

  assert.equal(meter.sample(0, 4000, 0), undefined);
  assert.deepEqual(meter.sample(1000, 4000, 1000), { bytesPerSecond: 1000, secondsLeft: 3 });
  assert.deepEqual(meter.sample(1000, 4000, 1500), { bytesPerSecond: 1000, secondsLeft: 3 });
  assert.deepEqual(meter.sample(3000, 4000, 2000), { bytesPerSecond: 1300, secondsLeft: 1000 / 1300 });
  assert.equal(meter.sample(500, 4000, 3000), undefined);
});
