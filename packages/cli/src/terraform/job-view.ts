import type { RunningInstallerJob } from "@rad/client";
import type { CommandContext } from "../command-context.ts";
import { createOutageFilter } from "../progress/progress-view.ts";
import { downloadShare, megabytes, progressLine, stepText } from "./progress-text.ts";
import { nameOf } from "./texts.ts";
import { TransferMeter } from "./transfer-rate.ts";

/** Shows what the installer is doing, on stderr. */
export interface JobView {
  /** How long to wait between two looks at most. */
  readonly longestPollMs: number;
  update(job: RunningInstallerJob | undefined): void;
  /** Says that the control plane is away and waited for, or that it is back. */
  readonly away: (isAway: boolean) => void;
  /** Removes what is redrawn, before other lines and at the end. */
  clear(): void;
}

const away = "The control plane does not answer; waiting for it...";

/** One line that is redrawn on a terminal; elsewhere a line for each step and each tenth of a download. */
export function createJobView(context: CommandContext): JobView {
  const { host, output } = context;
  const { isTTY, columns } = host.stderr;
  const isLive = isTTY === true && columns !== 0 && !output.quiet && host.env["TERM"] !== "dumb";
  return isLive ? createLiveView(context) : createPlainView(context);
}

function createLiveView({ host }: CommandContext): JobView {
  const meters = new Map<string, TransferMeter>();
  let isDrawn = false;
  const draw = (text: string) => {
    isDrawn = true;
    host.stderr.write(`\r${text.slice(0, (host.stderr.columns ?? 80) - 1)}\u001b[K`);
  };
  return {
    longestPollMs: 500,
    update: (job) => {
      if (job !== undefined) {
        const meter = meters.get(keyOf(job)) ?? new TransferMeter();
        meters.set(keyOf(job), meter);
        const { step, bytes, totalBytes } = job;
        const isDownload = step === "download" && bytes !== undefined;
        draw(progressLine(job, isDownload ? meter.sample(bytes, totalBytes, performance.now()) : undefined));
      }
    },
    away: (isAway) => {
      if (isAway) {
        draw(away);
      }
    },
    clear: () => {
      if (isDrawn) {
        host.stderr.write("\r\u001b[K");
        isDrawn = false;
      }
    },
  };
}

function createPlainView({ output }: CommandContext): JobView {
  let shown = "";
  return {
    longestPollMs: 2000,
    update: (job) => {
      const line = job === undefined ? shown : plainLine(job);
      if (line !== shown) {
        shown = line;
        output.note(line);
      }
    },
    away: createOutageFilter((isAway) => output.note(isAway ? away : "The control plane is back.")),
    clear: () => {},
  };
}

/** Changes with the step, and ten times during a download. */
function plainLine(job: RunningInstallerJob): string {
  const share = downloadShare(job);
  const size = share === undefined ? "" : ` ${Math.floor(share * 10) * 10}% of ${megabytes(job.totalBytes ?? 0)}`;
  return `${nameOf(job)}: ${stepText(job)}${size}`;
}

function keyOf({ operationId, operation }: RunningInstallerJob): string {
  return operationId ?? operation;
}
