import type { ForwardEvent, Pods } from "@rad/kubernetes";
import { ReportedFailure } from "../cli-error.ts";
import type { LineWriter } from "../cluster/line-writer.ts";
import { createLineWriter } from "../cluster/line-writer.ts";
import type { CommandContext } from "../command-context.ts";
import { printableLine } from "../output/printable.ts";

export interface RunningApplication {
  readonly name: string;
  readonly namespaces: readonly string[];
}

/** Logs of the last two days are printed first. */
const sinceSeconds = 48 * 60 * 60;

const dashboard = {
  namespace: "radius-system",
  selector: "app.kubernetes.io/name=dashboard,app.kubernetes.io/part-of=radius",
} as const;

/**
 * Follows the logs of an application and forwards its ports, and those of the dashboard, until Ctrl+C. What fails is
 * reported and the rest goes on. @throws ReportedFailure when nothing is left that could go on
 */
export async function attach(context: CommandContext, pods: Pods, application: RunningApplication): Promise<void> {
  const { host, output } = context;
  const { signal } = host;
  const writer = createLineWriter(context);
  const selector = `radapp.io/application=${application.name.toLowerCase()}`;
  const report = (event: ForwardEvent) => void writer.write(event.pod, prefixOf(event), forwardText(event));
  const orReport = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) {
        output.note(printableLine(error instanceof Error ? error.message : String(error)));
        return false;
      }
    }
    return true;
  };
  const [, ...ended] = await Promise.all([
    orReport(() => forwardDashboard(context, pods, report)),
    ...application.namespaces.flatMap((namespace) => [
      orReport(() => pods.forwardPorts({ namespace, selector, report, signal })),
      orReport(() =>
        printLogs(context, writer, pods.followLogs({ namespace, selector, sinceSeconds, follow: true, signal })),
      ),
    ]),
  ]);
  if (!signal.aborted && !ended.includes(true)) {
    throw new ReportedFailure(`Nothing of the application "${application.name}" can be followed.`);
  }
}

async function printLogs(
  { output }: CommandContext,
  writer: LineWriter,
  entries: ReturnType<Pods["followLogs"]>,
): Promise<void> {
  for await (const entry of entries) {
    if (entry.kind === "line") {
      await writer.write(`${entry.pod}/${entry.container}`, prefixOf(entry), entry.line);
    } else {
      output.note(printableLine(`${prefixOf(entry)}${entry.note}`));
    }
  }
}

function prefixOf({ pod, resource }: { readonly pod: string; readonly resource: string }): string {
  return `${pod} ${resource} `;
}

/** Upstream's texts: scripts look for them. */
function forwardText(event: ForwardEvent): string {
  return event.kind === "note"
    ? `[port-forward] ${event.note}`
    : `[port-forward] ${event.kind} from localhost:${event.localPort} -> ::${event.remotePort}`;
}

async function forwardDashboard(
  { host, output }: CommandContext,
  pods: Pods,
  report: (event: ForwardEvent) => void,
): Promise<void> {
  const { signal } = host;
  const running = await pods.running({ ...dashboard, signal }).catch(() => []);
  if (running.length > 0) {
    await pods.forwardPorts({ ...dashboard, report, signal });
  } else if (!signal.aborted) {
    output.note("There is no Radius dashboard in this cluster, so none is forwarded.");
  }
}
