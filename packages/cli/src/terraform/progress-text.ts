import type { RunningInstallerJob } from "@rad/client";
import { printableLine } from "../output/printable.ts";
import { nameOf } from "./texts.ts";
import type { TransferRate } from "./transfer-rate.ts";

const stepTexts: Readonly<Record<string, string>> = {
  repair: "cleaning up",
  look: "looking on the volume",
  resolve: "looking up the release",
  download: "downloading",
  unpack: "unpacking",
  prove: "checking that it runs",
  place: "putting it in place",
  activate: "activating",
  count: "counting executions",
  drain: "waiting for executions to end",
  "count again": "counting executions again",
  remove: "removing",
};

const barWidth = 20;
const megabyte = 1e6;

/** What a job is doing, in words. */
export function stepText({ step, operation }: RunningInstallerJob): string {
  return printableLine(stepTexts[step ?? ""] ?? step ?? `${operation} started`);
}

/** A bar, how much is there, how fast it comes and how long it takes still; the step alone where no bytes are counted. */
export function progressLine(job: RunningInstallerJob, rate: TransferRate | undefined): string {
  const { bytes, totalBytes } = job;
  const parts = [`${nameOf(job)}: ${stepText(job)}`];
  const share = downloadShare(job);
  if (job.step === "download" && bytes !== undefined) {
    if (share !== undefined) {
      const filled = Math.floor(share * barWidth);
      parts[0] += ` [${"#".repeat(filled)}${"-".repeat(barWidth - filled)}] ${Math.floor(share * 100)}%`;
    }
    parts.push(totalBytes === undefined ? megabytes(bytes) : `${inMegabytes(bytes)} of ${megabytes(totalBytes)}`);
    if (rate !== undefined) {
      parts.push(`${megabytes(rate.bytesPerSecond)}/s`);
    }
    if (rate?.secondsLeft !== undefined) {
      parts.push(`${timeText(rate.secondsLeft)} left`);
    }
  }
  return parts.join("  ");
}

/** How much of the download is there, from 0 to 1; `undefined` for other steps and for sizes that nobody knows. */
export function downloadShare({ step, bytes, totalBytes }: RunningInstallerJob): number | undefined {
  if (step !== "download" || bytes === undefined || totalBytes === undefined || totalBytes === 0) {
    return undefined;
  }
  return Math.min(1, bytes / totalBytes);
}

export function megabytes(bytes: number): string {
  return `${inMegabytes(bytes)} MB`;
}

function inMegabytes(bytes: number): string {
  return (bytes / megabyte).toFixed(1);
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m ${whole % 60}s`;
}
