import type { Client } from "@rad/client";
import { ClientError } from "@rad/client";
import { CliError } from "../cli-error.ts";
import type { LogsOptions } from "../cluster/resource-logs.ts";
import type { CommandContext } from "../command-context.ts";
import { printable } from "../output/printable.ts";

interface LogTarget {
  readonly client: Client;
  readonly id: string;
  readonly apiVersion: string | undefined;
  /** `Namespace/type/name`. */
  readonly display: string;
}

/** @throws CliError for flags that only the logs of containers have */
export function refuseContainerFlags(options: LogsOptions): void {
  const flag = (["application", "container", "replica", "follow"] as const).find((name) => options[name] !== undefined);
  if (flag !== undefined) {
    throw new CliError(
      "InvalidUsage",
      `\`--${flag}\` is for the logs of containers. The log of a recipe is that of its last run; \`rad deploy\` shows a run while it goes on.`,
    );
  }
}

/** Prints the log of the last run of a resource's recipe, also after the resource is gone. @throws CliError `NoRecipeLog` */
export async function printRecipeLog({ output }: CommandContext, target: LogTarget): Promise<void> {
  const { client, id, apiVersion, display } = target;
  const log = await orUndefined(client.recipes.lastLog(id));
  if (log === undefined) {
    const exists = (await orUndefined(client.resources.get(id, { apiVersion }))) !== undefined;
    throw exists
      ? new CliError("NoRecipeLog", `No recipe has run for ${display}.`)
      : new CliError("NotFound", `${display} does not exist, and no recipe has run for it.`);
  }
  const lines = printable(log.text).replace(/\n$/, "").split("\n");
  for (const line of lines) {
    output.write(output.format === "json" ? `${JSON.stringify({ run: log.runId, line })}\n` : `${line}\n`);
  }
}

async function orUndefined<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ClientError && error.isNotFound) {
      return undefined;
    }
    throw error;
  }
}
