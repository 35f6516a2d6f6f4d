import type { LogEntry, RunningPod } from "@rad/kubernetes";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { printableLine } from "../output/printable.ts";
import type { ContainerOptions, ContainerTarget } from "./container-target.ts";
import { findContainer, podsOfContainer } from "./container-target.ts";
import { createLineWriter } from "./line-writer.ts";
import { clusterOf, openPodsOf } from "./workspace-cluster.ts";

export interface LogsOptions extends ContainerOptions {
  readonly container?: string;
  readonly follow?: boolean;
}

/** Prints the logs of a container's replicas, each line with its pod. Ctrl+C ends following, which is no failure. */
export async function showLogs(
  context: CommandContext,
  type: string,
  name: string,
  options: LogsOptions,
): Promise<void> {
  const { host, output } = context;
  const { signal } = host;
  const cluster = await clusterOf(context, await context.workspace());
  const target = await findContainer(context, type, name, options);
  using pods = await openPodsOf(cluster);
  const [first] = await podsOfContainer(pods, target, { replica: options.replica, cluster: cluster.context, signal });
  const entries = pods.followLogs({
    namespace: target.namespace,
    selector: target.selector,
    container: chooseContainer(target, first, options.container),
    follow: options.follow === true,
    signal,
  });
  if (options.follow === true) {
    output.note(`Following the logs of ${target.display} in the cluster "${cluster.context}". Press Ctrl+C to end.`);
  }
  const print = output.format === "json" ? printJson(context) : printText(context);
  for await (const entry of entries) {
    if (options.replica === undefined || entry.pod === options.replica) {
      await print(entry);
    }
  }
  // Without following, Ctrl+C cuts the output short.
  if (options.follow !== true) {
    signal.throwIfAborted();
  }
}

/** The older family names the container after the resource; pods of the newer one may have several. */
function chooseContainer({ isNewer, name, display }: ContainerTarget, pod: RunningPod, given?: string): string {
  const { containers } = pod;
  const only = containers.length === 1 ? containers[0] : undefined;
  const chosen = given ?? (isNewer ? only : name);
  if (chosen === undefined) {
    throw new CliError(
      "ContainerRequired",
      `${display} has several containers. Choose one with \`--container\`: ${containers.join(", ")}.`,
    );
  }
  if (!containers.includes(chosen)) {
    throw new CliError(
      "ContainerNotFound",
      `${display} has no container "${chosen}". Choose one with \`--container\`: ${containers.join(", ")}.`,
    );
  }
  return chosen;
}

function printText(context: CommandContext): (entry: LogEntry) => Promise<void> {
  const writer = createLineWriter(context);
  return async (entry) => {
    if (entry.kind === "line") {
      await writer.write(entry.pod, `[${entry.pod}] `, entry.line);
    } else {
      context.output.note(printableLine(`[${entry.pod}] ${entry.note}`));
    }
  };
}

/** A document a line. */
function printJson({ output }: CommandContext): (entry: LogEntry) => Promise<void> {
  return async (entry) => {
    const { pod, container } = entry;
    if (entry.kind === "line") {
      output.write(`${JSON.stringify({ pod, container, line: entry.line })}\n`);
    } else {
      output.note(JSON.stringify({ pod, container, note: entry.note }));
    }
  };
}
