import { once } from "node:events";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { printableLine } from "../output/printable.ts";
import type { ContainerOptions } from "./container-target.ts";
import { findContainer, podsOfContainer } from "./container-target.ts";
import { clusterOf, openPodsOf } from "./workspace-cluster.ts";

export interface ExposeOptions extends ContainerOptions {
  readonly port: string;
  readonly remotePort?: string;
}

/** Forwards a port of localhost to one replica of a container, until Ctrl+C, which is no failure. */
export async function exposeResource(
  context: CommandContext,
  type: string,
  name: string,
  options: ExposeOptions,
): Promise<void> {
  const { host, output } = context;
  const { signal } = host;
  const localPort = parsePort("--port", options.port);
  const remotePort = options.remotePort === undefined ? localPort : parsePort("--remote-port", options.remotePort);
  const cluster = await clusterOf(context, await context.workspace());
  const target = await findContainer(context, type, name, options);
  using pods = await openPodsOf(cluster);
  const choose = async (): Promise<string> => {
    const [newest] = await podsOfContainer(pods, target, {
      replica: options.replica,
      cluster: cluster.context,
      signal,
    });
    return newest.name;
  };
  const { namespace } = target;
  await using forward = await pods.forwardPort({
    namespace,
    pod: await choose(),
    localPort,
    remotePort,
    note: (text) => {
      output.note(printableLine(text));
      void moveOn();
    },
    signal,
  });
  announce(forward.pod);
  if (!signal.aborted) {
    await once(signal, "abort");
  }

  function announce(pod: string): void {
    output.done(`Exposing replica ${pod}`, { pod, namespace, localPort, remotePort });
    output.note(`Forwarding localhost:${localPort} to port ${remotePort}. Press Ctrl+C to end.`);
  }

  /** A replica that was replaced does not answer any more: the next connection goes to its successor. */
  async function moveOn(): Promise<void> {
    try {
      const next = await choose();
      if (next !== forward.pod) {
        forward.pod = next;
        output.note(`Exposing replica ${next}`);
      }
    } catch (error) {
      if (!signal.aborted) {
        output.note(printableLine(error instanceof Error ? error.message : String(error)));
      }
    }
  }
}

const maxPort = 65_535;

function parsePort(flag: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > maxPort) {
    throw new CliError("InvalidUsage", `\`${flag} ${text}\` is not a port: a number from 1 to ${maxPort}.`);
  }
  return port;
}
