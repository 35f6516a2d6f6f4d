import type { RunCommand } from "./run-event.ts";
import type { CommandOrder } from "./supervisor/messages.ts";
import { planFilePath } from "./supervisor/plan-file.ts";

export interface ArgumentOptions {
  readonly lockTimeoutSeconds?: number;
  readonly lockId?: string;
  /** Where `init` finds all providers, so that it asks nobody for them. */
  readonly pluginFolder?: string;
  /** Of `providers lock`. */
  readonly locks?: ProviderLocks;
  /** Of `plan`: what `destroy` would do. */
  readonly destroys?: boolean;
  /** Of `plan`: writes the plan for `show plan`. */
  readonly keepsPlan?: boolean;
}

/** What each command is called with. Workspaces and prompts are not used. */
export function commandArguments(
  command: RunCommand,
  options: ArgumentOptions = {},
): Pick<CommandOrder, "args" | "output" | "usesPlanFile"> {
  switch (command) {
    case "get":
      return { args: ["get", "-no-color", "-update=false"], output: "text" };
    case "init":
      return {
        args: [
          "init",
          "-no-color",
          "-input=false",
          "-backend=true",
          "-get=true",
          "-upgrade=false",
          ...pluginArguments(options),
        ],
        output: "text",
      };
    case "providers lock":
      return { args: ["providers", "lock", "-no-color", ...lockArguments(options)], output: "text" };
    case "plan":
      return {
        args: ["plan", "-json", ...planArguments(options)],
        output: "events",
        ...(options.keepsPlan === true ? { usesPlanFile: true } : {}),
      };
    case "show plan":
      return { args: ["show", "-json", "-no-color", planFilePath], output: "value", usesPlanFile: true };
    case "apply":
    case "destroy":
      return { args: [command, "-json", ...changeArguments(options)], output: "events" };
    case "show":
      return { args: ["show", "-json", "-no-color"], output: "value" };
    case "state push":
      return { args: ["state", "push", "-no-color", "-"], output: "text" };
    case "state pull":
      return { args: ["state", "pull", "-no-color"], output: "value" };
    case "workspace list":
      return { args: ["workspace", "list", "-no-color"], output: "value" };
    case "force-unlock":
      return { args: ["force-unlock", "-no-color", "-force", options.lockId ?? ""], output: "text" };
    default:
      return command satisfies never;
  }
}

/** Which packages `providers lock` hashes. */
export interface ProviderLocks {
  /** `linux_amd64` */
  readonly platform: string;
  /** Where the packages are; the registries that the addresses name when absent. */
  readonly mirror?: string | undefined;
  /** Addresses. */
  readonly providers: readonly string[];
}

function lockArguments({ locks }: ArgumentOptions): string[] {
  const { platform = "", mirror, providers = [] } = locks ?? {};
  return [`-platform=${platform}`, ...(mirror === undefined ? [] : [`-net-mirror=${mirror}`]), ...providers];
}

/** A plan changes nothing, so it takes no lock: it neither waits for others nor keeps them waiting. */
function planArguments({ destroys = false, keepsPlan = false }: ArgumentOptions): string[] {
  return [
    "-input=false",
    "-lock=false",
    "-parallelism=10",
    "-refresh=true",
    ...(destroys ? ["-destroy"] : []),
    ...(keepsPlan ? [`-out=${planFilePath}`] : []),
  ];
}

function pluginArguments({ pluginFolder }: ArgumentOptions): string[] {
  return pluginFolder === undefined ? [] : [`-plugin-dir=${pluginFolder}`];
}

function changeArguments({ lockTimeoutSeconds = 600 }: ArgumentOptions): string[] {
  return [
    "-auto-approve",
    "-input=false",
    "-lock=true",
    `-lock-timeout=${lockTimeoutSeconds}s`,
    "-parallelism=10",
    "-refresh=true",
  ];
}
