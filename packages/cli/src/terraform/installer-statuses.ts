import type { Client, InstallerStatus } from "@rad/client";
import { isOutage, longestOutageMs } from "@rad/client";

export interface PollOptions {
  readonly client: Client;
  /** Ends the iteration by throwing its reason. */
  readonly signal: AbortSignal;
  /** Ends the iteration when it is over; forever by default. */
  readonly timeoutMs?: number;
  readonly longestPollMs: number;
  /** Told when the control plane is away, and when it is back. */
  readonly onOutage: (isAway: boolean) => void;
}

const firstPollMs = 100;
const pollGrowth = 1.5;
/** Beyond it a timer would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The installer's status, again and again. Outages are waited for, since jobs survive them.
 * @throws ClientError when the control plane refuses or stays away
 */
export async function* installerStatuses(options: PollOptions): AsyncGenerator<InstallerStatus> {
  const { client, signal, timeoutMs = Number.POSITIVE_INFINITY, longestPollMs, onOutage } = options;
  const endsAt = performance.now() + timeoutMs;
  let delayMs = firstPollMs;
  let awaySince: number | undefined;
  for (;;) {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) {
      return;
    }
    const status = await ask(leftMs);
    if (status !== undefined) {
      yield status;
    }
    await client.sleep(Math.max(0, Math.min(delayMs, endsAt - performance.now())), signal);
    delayMs = Math.min(delayMs * pollGrowth, longestPollMs);
  }

  async function ask(leftMs: number): Promise<InstallerStatus | undefined> {
    const timeout = AbortSignal.timeout(Math.min(Math.ceil(leftMs), longestTimerMs));
    try {
      const status = await client.installer.status({ signal: timeout });
      awaySince = undefined;
      onOutage(false);
      return status;
    } catch (error) {
      if (error === timeout.reason) {
        return undefined;
      }
      awaySince ??= performance.now();
      if (!isOutage(error) || performance.now() - awaySince > longestOutageMs) {
        throw error;
      }
      onOutage(true);
      return undefined;
    }
  }
}
