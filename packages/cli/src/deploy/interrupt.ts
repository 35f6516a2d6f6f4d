import type { CommandContext } from "../command-context.ts";
import { sayItGoesOn } from "./follow-up.ts";
import type { CommandDeployment } from "./prepare-from-command.ts";

/**
 * After Ctrl+C the deployment goes on without us: says so and, at a terminal, offers to cancel it. The second Ctrl+C
 * ends the program wherever it is, so what there is to know is said before anything is asked.
 */
export async function afterInterrupt(context: CommandContext, prepared: CommandDeployment): Promise<void> {
  const { output, host } = context;
  sayItGoesOn(context, prepared);
  const byHand = host.signal.reason instanceof Error && host.signal.reason.message === "SIGINT";
  if (!context.interactive || !byHand || !(await wantsCancel(context))) {
    return;
  }
  const client = await context.client(prepared.workspace, { signal: new AbortController().signal });
  await client.deployments.cancel(prepared.id);
  output.note("Asked for its end: nothing more is started, and what is under way finishes.");
}

async function wantsCancel(context: CommandContext): Promise<boolean> {
  const { select } = await import("@clack/prompts");
  const answer = await select({
    message: "Cancel the deployment?",
    options: [
      { value: "detach", label: "No, let it go on" },
      { value: "cancel", label: "Yes, cancel it" },
    ],
    input: context.host.stdin,
    output: context.host.stderr,
  });
  return answer === "cancel"; // Ctrl+C is neither of them
}
