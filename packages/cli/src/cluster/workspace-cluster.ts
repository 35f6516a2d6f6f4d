import { delimiter, join, resolve } from "node:path";
import type { Pods } from "@rad/kubernetes";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Workspace } from "../config/workspace.ts";
import type { CliHost } from "../host.ts";

/** A kube context, and the file that has it. */
export interface NamedCluster {
  readonly file: string;
  readonly context: string;
}

/**
 * The cluster that a workspace names. One that lies around in a kube config is not enough: nothing is ever read from a
 * cluster that nobody chose. @throws CliError `NoCluster`
 */
export async function clusterOf(context: CommandContext, workspace: Workspace): Promise<NamedCluster> {
  const { name, connection } = workspace;
  if (connection.context === "") {
    const url = connection.overrides?.ucp ?? "<url>";
    throw new CliError(
      "NoCluster",
      `The workspace "${name}" names no cluster. If its control plane deploys to one, name the kube context: \`rad workspace create server ${name} --url ${url} --context <name> --force\`. A control plane without a cluster writes manifests to a folder, and nothing runs there.`,
    );
  }
  return await findContext(context.host, connection.context);
}

/** @throws CliError `KubeContextNotFound` */
export async function findContext(host: CliHost, context: string): Promise<NamedCluster> {
  const { kubeContexts } = await import("@rad/kubernetes");
  const files = kubeConfigFiles(host);
  const known: string[] = [];
  const problems: string[] = [];
  for (const file of files) {
    try {
      const contexts = await kubeContexts(file);
      if (contexts.includes(context)) {
        return { file, context };
      }
      known.push(...contexts);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  const others = known.length === 0 ? "" : ` There are: ${known.join(", ")}.`;
  const unread = problems.map((problem) => ` ${problem}`).join("");
  throw new CliError(
    "KubeContextNotFound",
    `There is no kube context "${context}" in ${files.join(", ")}.${others}${unread}`,
  );
}

/** As for kubectl: those of `KUBECONFIG`, else the one in the home folder. */
function kubeConfigFiles({ env, home, cwd }: CliHost): string[] {
  const named = (env["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  return named.length === 0 ? [join(home, ".kube", "config")] : named.map((path) => resolve(cwd, path));
}

/** Loads what it takes to read from a cluster. No connection is made yet. */
export async function openPodsOf({ file, context }: NamedCluster): Promise<Pods> {
  const { openPods } = await import("@rad/kubernetes");
  return await openPods({ kind: "kubeConfig", file, context });
}
