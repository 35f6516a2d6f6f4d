import type { CommandContext } from "../command-context.ts";
import type { ProgressItem } from "./progress-item.ts";

/** How progress is shown. Gets all items each time, in the order to show them in. */
export interface ProgressView {
  update(items: readonly ProgressItem[]): void;
  /** Says that the control plane is away and waited for, or that it is back; the same twice is said once. */
  away(isAway: boolean): void;
  /** Leaves the last state on the screen. Once is enough, twice does no harm. */
  end(): Promise<void>;
}

/**
 * Redrawn lines on a terminal, below `heading`; one line per event elsewhere: JSON for programs, text for people who
 * read logs.
 */
export async function createProgressView(context: CommandContext, heading: string): Promise<ProgressView> {
  const { host, output } = context;
  const now = () => new Date();
  if (output.format === "json") {
    const { createJsonView } = await import("./json-view.ts");
    return createJsonView(output, now);
  }
  const { isTTY, columns } = host.stderr;
  if (isTTY === true && columns !== 0 && !output.quiet && host.env["TERM"] !== "dumb") {
    const { createTerminalView } = await import("./terminal-view.ts");
    return createTerminalView(context, heading);
  }
  const { createPlainView } = await import("./plain-view.ts");
  return createPlainView(output, now);
}

/** For whatever is followed: shows progress and outages until the signal. */
export function watcherOf(view: ProgressView, signal?: AbortSignal): ViewWatcher {
  return { onProgress: (items) => view.update(items), onOutage: (isAway) => view.away(isAway), signal };
}

interface ViewWatcher {
  readonly onProgress: (items: readonly ProgressItem[]) => void;
  readonly onOutage: (isAway: boolean) => void;
  readonly signal: AbortSignal | undefined;
}

/** Calls back when the state is another one than before. */
export function createOutageFilter(say: (isAway: boolean) => void): (isAway: boolean) => void {
  let wasAway = false;
  return (isAway) => {
    if (isAway !== wasAway) {
      wasAway = isAway;
      say(isAway);
    }
  };
}

/** Keeps what was shown last, to tell what is new. */
export function createChangeFilter(): (items: readonly ProgressItem[]) => ProgressItem[] {
  const shown = new Map<string, string>();
  return (items) =>
    items.filter((item) => {
      const isNew = shown.get(item.key) !== item.state;
      shown.set(item.key, item.state);
      return isNew;
    });
}
