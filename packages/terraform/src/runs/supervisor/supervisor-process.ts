/**
 * A process that the server forks for each run, and that outlives it: Terraform's output always has a reader, and its end
 * is always written down. It loads little, because a run waits for it.
 */
import type { FromSupervisor, ToSupervisor } from "./messages.ts";
import { Supervisor } from "./supervisor.ts";

const supervisor = new Supervisor(send);
process.on("message", (message) => receive(message as ToSupervisor));
process.once("disconnect", () => void supervisor.abandon("the server is gone").finally(() => process.exit(0)));
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.on(signal, () => void endAndExit(`the supervisor got ${signal}`));
}

async function endAndExit(reason: string): Promise<void> {
  await supervisor.end(reason);
  process.exit(0);
}

function receive(message: ToSupervisor): void {
  if (message.kind === "open") {
    process.chdir(message.folder); // where it is looked for; without it nothing can be run
  }
  void supervisor.handle(message).then(() => {
    if (message.kind === "close") {
      process.exit(0);
    }
  });
}

async function send(message: FromSupervisor): Promise<void> {
  await new Promise<void>((resolve) => {
    if (process.send === undefined || !process.connected) {
      resolve();
      return;
    }
    process.send(message, undefined, undefined, () => resolve()); // an error means that the server is gone
  });
}
