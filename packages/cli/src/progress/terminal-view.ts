import type { CommandContext } from "../command-context.ts";
import { stderrColors } from "../output/colors.ts";
import { listLines } from "./list-lines.ts";
import type { ProgressItem } from "./progress-item.ts";
import type { ProgressView } from "./progress-view.ts";

const tickMs = 500;
/** Of a terminal that does not say how high it is. */
const defaultRows = 24;
/** Lines that are not part of the list: the heading, and where the cursor stands. */
const otherLines = 3;

/** A list that is redrawn in place, on stderr. */
export async function createTerminalView(context: CommandContext, heading: string): Promise<ProgressView> {
  const { host } = context;
  const colors = stderrColors(context);
  const { DefaultRenderer, Listr, ListrLogger, ProcessOutput } = await import("listr2");
  // The library looks at stdout to see whether there is a terminal, but that may well be a pipe.
  class Renderer extends DefaultRenderer {
    static override nonTTY = true;
  }
  const stream = host.stderr as NodeJS.WriteStream;
  const ended = Promise.withResolvers<void>();
  let items: readonly ProgressItem[] = [];
  let tick = 0;
  let isAway = false;
  const startedAt = performance.now();
  let draw = () => {};
  const list = new Listr<object, typeof Renderer>(
    {
      title: heading,
      // One task whose title is the whole list: which resources there are turns out only while they are deployed.
      task: (_, task) => {
        draw = () => {
          const rows = (stream.rows ?? defaultRows) - otherLines;
          const elapsed = `${Math.round((performance.now() - startedAt) / 1000)}s`;
          const counts = items.length < 2 ? "" : countsOf(items);
          const title = isAway ? colors.yellow("The control plane does not answer; waiting for it...") : heading;
          const lines = listLines(items, { rows, tick, colors });
          task.title = [`${title} ${colors.dim(`(${elapsed}${counts})`)}`, ...lines].join("\n");
        };
        draw();
        return ended.promise;
      },
    },
    {
      renderer: Renderer,
      registerSignalListeners: false,
      rendererOptions: {
        formatOutput: "truncate",
        color: { PENDING: colors.yellow },
        // Whether it went well is said below, once that is known.
        icon: { COMPLETED: "" },
        logger: new ListrLogger({ processOutput: new ProcessOutput(stream, stream) }),
      },
    },
  );
  const running = list.run();
  const timer = setInterval(() => {
    tick += 1;
    draw();
  }, tickMs);
  return {
    update: (next) => {
      items = next;
      draw();
    },
    away: (next) => {
      isAway = next;
      draw();
    },
    end: async () => {
      clearInterval(timer);
      ended.resolve();
      await running;
    },
  };
}

/** How many there will be in the end turns out only while they are deployed. */
function countsOf(items: readonly ProgressItem[]): string {
  const running = items.filter(({ state }) => state === "Running").length;
  const completed = items.filter(({ state }) => state === "Completed").length;
  return `, ${completed} completed, ${running} running`;
}
