import type { Client } from "@rad/client";
import { ClientError } from "@rad/client";
import { isTerminal } from "@rad/core";
import type { CommandContext } from "../command-context.ts";
import { askYesOrNo } from "../prompts.ts";
import { sayItGoesOn } from "./follow-up.ts";
import type { CommandDeployment } from "./prepare-from-command.ts";

/**
 * After Ctrl+C the deployment goes on without us: says so and, at a terminal, offers to cancel it. The second Ctrl+C
 * ends the program wherever it is, so what there is to know is said before anything is asked.
 * @returns a client to read the result with, when there is nothing left to cancel
 */
export async function afterInterrupt(
  context: CommandContext,
  prepared: CommandDeployment,
): Promise<Client | undefined> {
  const { output, host } = context;
  sayItGoesOn(context, prepared);
  const byHand = host.signal.reason instanceof Error && host.signal.reason.message === "SIGINT";
  if (!context.interactive || !byHand || !(await wantsCancel(context))) {
    return undefined;
  }
  // The host's signal has been used up by the interrupt.
  const client = await context.client(prepared.workspace, { signal: new AbortController().signal });
  try {
    await client.deployments.cancel(prepared.id);
  } catch (error) {
    if (error instanceof ClientError && error.status === 409 && (await hasEnded(client, prepared.id))) {
      output.note("The deployment has ended already, so there is nothing to cancel.");
      return client;
    }
    throw error;
  }
  output.note("Cancellation requested. Resources in progress will finish; no new ones start.");
  return undefined;
}

/** Ctrl+C is neither Yes nor No: the deployment goes on. */
async function wantsCancel(context: CommandContext): Promise<boolean> {
  const question = { message: "Cancel the deployment?", yes: "Yes, cancel it", no: "No, let it go on" };
  return (await askYesOrNo(context, question)) === true;
}

async function hasEnded(client: Client, id: string): Promise<boolean> {
  return isTerminal((await client.deployments.get(id)).state);
}
