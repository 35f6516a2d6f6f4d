import { type ChildProcess, fork } from "node:child_process";
import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { compileCacheVariable } from "../../compile-cache.ts";
import type { EndedBy } from "../journal/journal-entry.ts";
import type { ProcessIdentity } from "../processes.ts";
import type { RunEvent, RunLine } from "../run-event.ts";
import type { CommandOrder, FromSupervisor, ToSupervisor } from "./messages.ts";

/** Hears of a command while it runs. */
export interface CommandListener {
  readonly onLine: (line: RunLine) => void;
  readonly onEvent: (event: RunEvent) => void;
  readonly onJournalFailure: (code: string) => void;
}

/** How a command ended. `lost`: the supervisor died, and what became of Terraform is unknown. */
export type CommandEnd =
  | {
      readonly kind: "ended";
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly by: EndedBy;
      readonly spawnCode?: string;
      /** What it printed, where that is a value. */
      readonly value: Buffer;
    }
  | { readonly kind: "lost"; readonly reason: string };

const maxReasonLength = 500;

/** Beside the chunks of a bundle there is one file with all of it. */
const supervisorFile = import.meta.filename.endsWith(".ts")
  ? join(import.meta.dirname, "supervisor-process.ts")
  : join(import.meta.dirname, "..", "terraform-supervisor.js");

/** The supervisor as the server sees it: a process of its own, which gets orders and tells what happens. */
export class SupervisorHandle {
  readonly pid: number;
  /** The Terraform process that runs, or ran last. */
  terraform: ProcessIdentity | undefined;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #firstStarted = Promise.withResolvers<void>();
  #reason = "";
  #listener: ((message: FromSupervisor) => void) | undefined;

  constructor() {
    this.#child = fork(supervisorFile, [], {
      cwd: dirname(supervisorFile), // it goes to the folder of its run
      detached: true, // signals for the server's group are not for it
      env: compileCacheVariable(), // the server's own has secrets
      execArgv: ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=1"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.pid = this.#child.pid ?? 0;
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#reason = `${this.#reason}${chunk.toString("utf8")}`.slice(0, maxReasonLength);
    });
    this.#child.stderr?.on("error", () => {}); // its exit tells enough
    this.#child.on("message", (message) => this.#listener?.(message as FromSupervisor));
    this.#exited = new Promise((resolve) => {
      this.#child.once("exit", () => resolve());
      // For every error, not just the first: one that nobody hears ends the server.
      this.#child.on("error", (error) => {
        this.#reason ||= error.message;
        if (this.#child.pid === undefined) {
          resolve();
        }
      });
    });
  }

  /** Whether this process stays for it. */
  keepAlive(isNeeded: boolean): void {
    const { channel, stderr } = this.#child;
    for (const handle of [this.#child, channel, stderr as Socket | null]) {
      handle?.[isNeeded ? "ref" : "unref"]();
    }
  }

  /** Resolves when the first Terraform process has started; never, if none does. */
  get firstStarted(): Promise<void> {
    return this.#firstStarted.promise;
  }

  /** Resolves when the process is gone. */
  get exited(): Promise<void> {
    return this.#exited;
  }

  send(message: ToSupervisor): void {
    if (this.#child.connected) {
      this.#child.send(message, () => {}); // a failure shows as its exit
    }
  }

  /** @throws what the listener throws, once Terraform, which is interrupted then, has ended */
  async run(order: CommandOrder, listener: CommandListener): Promise<CommandEnd> {
    const pieces: Uint8Array[] = [];
    const failures: unknown[] = [];
    const ended = new Promise<CommandEnd>((resolve) => {
      this.#listener = (message) => {
        switch (message.kind) {
          case "started":
            this.terraform = message.process;
            this.#firstStarted.resolve();
            break;
          case "value":
            pieces.push(message.piece);
            break;
          case "output":
          case "journal-failed":
            try {
              tell(listener, message);
            } catch (error) {
              failures.push(error);
              this.send({ kind: "interrupt", reason: "the server could not follow" });
            }
            break;
          case "ended":
            resolve({ ...message, value: Buffer.concat(pieces) });
            break;
          default:
            message satisfies never;
        }
      };
    });
    this.send({ kind: "run", order });
    const lost = this.#exited.then((): CommandEnd => ({ kind: "lost", reason: this.#reason.trim() }));
    const end = await Promise.race([ended, lost]);
    if (failures.length > 0 && end.kind !== "lost") {
      throw failures[0];
    }
    return end;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

function tell(
  { onLine, onEvent, onJournalFailure }: CommandListener,
  message: Extract<FromSupervisor, { readonly kind: "output" | "journal-failed" }>,
): void {
  if (message.kind === "output") {
    message.lines.forEach(onLine);
    message.events.forEach(onEvent);
  } else {
    onJournalFailure(message.code);
  }
}
