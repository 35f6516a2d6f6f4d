import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { EndedBy } from "../journal/journal-entry.ts";
import { isUnanswered } from "../journal/creations.ts";
import { JournalWriter, type NewEntry } from "../journal/journal-writer.ts";
import { identify, processesIn } from "../processes.ts";
import type { PatternTrie } from "../redaction/pattern-trie.ts";
import { secretPatterns } from "../redaction/stream-redactor.ts";
import type { RunEvent, RunLine } from "../run-event.ts";
import type { CommandOrder, FromSupervisor, ToSupervisor } from "./messages.ts";
import { readOutput } from "./output-reader.ts";
import { openPlanFile } from "./plan-file.ts";

/** Sends a message to the server, and resolves when the channel has taken it, or is gone. */
export type Send = (message: FromSupervisor) => Promise<void>;

/** A process that was forked elsewhere at the wrong moment may hold a new binary open for writing until its own exec. */
const busyRetries = 20;
const busyRetryMs = 25;

/** How long stdin, stdout and stderr may stay open after Terraform has ended and its group was killed, and how long providers. */
const closeMs = 5_000;
const lookEveryMs = 5;

/**
 * Looks after the Terraform processes of one run, one at a time. It outlives the server: when the channel breaks, it
 * interrupts Terraform, waits as long as it may, and writes down how it ended.
 *
 * `running` is `undefined` between commands. `ending` is set once nothing more may be started.
 */
export class Supervisor {
  readonly #send: Send;
  #journal: JournalWriter | undefined;
  #secrets: readonly string[] = [];
  /** What they look like; worked out when there is output, while Terraform is at work already. */
  #patterns: PatternTrie | undefined;
  #folder = "";
  #graceMs = 0;
  #isRecorded = true;
  #planFile: number | undefined;
  #running: RunningCommand | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isEnding = false;
  /** Why the next command, which is being started, is to be interrupted at once. */
  #pendingInterrupt: string | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  async handle(message: ToSupervisor): Promise<void> {
    switch (message.kind) {
      case "open":
        this.#folder = message.folder;
        this.#graceMs = message.graceMs;
        this.#isRecorded = message.isRecorded;
        this.#open(message.folder);
        await this.#note({ kind: "opened", runId: message.runId, resourceId: message.resourceId });
        return;
      case "hide":
        this.#secrets = message.secrets;
        this.#patterns = undefined;
        return;
      case "run":
        this.#ended = this.#run(message.order);
        await this.#ended;
        return;
      case "interrupt":
        await this.#interrupt(message.reason);
        return;
      case "close":
        await this.end("closed");
        return;
      default:
        message satisfies never;
    }
  }

  /** Ends Terraform, if it runs, and resolves when it has ended and the journal says so. */
  async end(reason: string): Promise<void> {
    this.#isEnding = true;
    await this.#interrupt(reason);
    await this.#ended;
    this.#journal?.[Symbol.dispose]();
    this.#journal = undefined;
  }

  /** The server is gone. A run that changed nothing leaves nothing; of any other, the next server reads the journal. */
  async abandon(reason: string): Promise<void> {
    await this.end(reason);
    if (!this.#isRecorded && this.#folder !== "") {
      await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  #open(folder: string): void {
    try {
      this.#journal = new JournalWriter(folder);
    } catch (error) {
      void this.#send({ kind: "journal-failed", code: codeOf(error) });
    }
  }

  async #run(order: CommandOrder): Promise<void> {
    this.#pendingInterrupt = undefined;
    if (this.#isEnding) {
      await this.#send({ kind: "ended", exitCode: null, signal: "SIGINT", by: "itself" });
      return;
    }
    const startedAt = new Date().toISOString(); // no lock of it is older
    const started = await this.#start(order);
    if (typeof started === "string") {
      await this.#send({ kind: "ended", exitCode: null, signal: null, by: "itself", spawnCode: started });
      return;
    }
    await this.#attend(order, started, startedAt);
  }

  /** @returns the code of the reason why it could not be started */
  async #start(order: CommandOrder): Promise<ChildProcess | string> {
    let planFile: number[] = [];
    try {
      planFile = order.usesPlanFile === true ? [(this.#planFile ??= openPlanFile())] : [];
    } catch (error) {
      return codeOf(error);
    }
    for (let busy = 0; ; busy += 1) {
      const child = spawn(order.file, order.args, {
        cwd: this.#workFolder,
        env: order.env,
        stdio: ["pipe", "pipe", "pipe", ...planFile],
        detached: true, // a process group, so that providers end with it
      });
      if (child.pid !== undefined) {
        return child;
      }
      const code = await new Promise<string>((resolve) => {
        child.once("error", (error) => resolve(codeOf(error)));
      });
      if (code !== "ETXTBSY" || busy >= busyRetries) {
        return code;
      }
      await delay(busyRetryMs);
    }
  }

  get #workFolder(): string {
    return join(this.#folder, "work");
  }

  async #attend(order: CommandOrder, child: ChildProcess, startedAt: string): Promise<void> {
    const pid = child.pid ?? 0;
    const running: RunningCommand = { pid, by: undefined, graceTimer: undefined };
    this.#running = running;
    if (this.#pendingInterrupt !== undefined) {
      void this.#interrupt(this.#pendingInterrupt);
    }
    const exited = new Promise<[number | null, string | null]>((resolve) => {
      child.once("exit", (code, signal) => resolve([code, signal]));
    });
    child.stdin?.on("error", () => {}); // it has ended without reading all of it
    child.stdin?.end(order.input ?? "");
    // Both before anything else can happen: Node throws the output of a process away that ends before anybody reads.
    const noted = this.#note({ kind: "command", command: order.command, startedAt });
    const reading = this.#readAll(order, child);
    await noted;
    const identity = await identify(pid);
    if (identity !== undefined) {
      await this.#note({ kind: "process", process: identity });
      await this.#send({ kind: "started", process: identity });
    }
    const [exitCode, signal] = await exited;
    clearTimeout(running.graceTimer);
    const leavesProviders = killGroup(pid); // those of a killed Terraform; they may keep its output open
    await Promise.race([reading, delay(closeMs, undefined, { ref: false })]);
    if (leavesProviders) {
      await untilNobodyIsIn(this.#workFolder);
    }
    this.#running = undefined;
    const by: EndedBy = running.by ?? (signal === null || signal === "SIGINT" ? "itself" : "signal");
    await this.#note({ kind: "ended", exitCode, signal, by });
    await this.#send({ kind: "ended", exitCode, signal, by });
  }

  async #readAll(order: CommandOrder, { stdout, stderr }: ChildProcess): Promise<void> {
    const readers = [this.#readLines(stderr, "stderr", false)];
    if (order.output === "value") {
      readers.push(this.#readValue(stdout));
    } else {
      readers.push(this.#readLines(stdout, "stdout", order.output === "events"));
    }
    await Promise.all(readers);
  }

  async #readLines(source: Readable | null, stream: RunLine["stream"], isJson: boolean): Promise<void> {
    if (source === null) {
      return;
    }
    let isWorking = false;
    await readOutput(source, {
      stream,
      isJson,
      patterns: (this.#patterns ??= secretPatterns(this.#secrets)),
      onWorking: () => {
        if (!isWorking) {
          isWorking = true;
          void this.#note({ kind: "working" });
        }
      },
      onOutput: async (lines, events) => {
        for (const event of events) {
          await this.#noteEvent(event);
        }
        await this.#send({ kind: "output", lines, events });
      },
    });
  }

  /** The server needs the values as they are, and nobody else gets them. */
  async #readValue(source: Readable | null): Promise<void> {
    if (source !== null) {
      for await (const piece of source as AsyncIterable<Uint8Array>) {
        await this.#send({ kind: "value", piece });
      }
    }
  }

  async #noteEvent(event: RunEvent): Promise<void> {
    if (event.kind === "planned") {
      const { address, type, action } = event;
      await this.#note({ kind: "planned", address, type, action });
    } else if (event.kind === "diagnostic" && isUnanswered(event.diagnostic)) {
      await this.#note({ kind: "unanswered", resource: event.diagnostic.address ?? "" });
    } else if (event.kind === "resource" && event.state !== "progress") {
      const { state, address, type, action, id } = event;
      await this.#note({ kind: state, address, type, action, ...(id === undefined ? {} : { id }) });
    }
  }

  /** A full disk stops no run: the server hears of everything too, and the record has what is planned. */
  async #note(entry: NewEntry): Promise<void> {
    try {
      this.#journal?.add(entry);
    } catch (error) {
      await this.#send({ kind: "journal-failed", code: codeOf(error) });
    }
  }

  /** Once: a second SIGINT would make Terraform leave without saving. */
  async #interrupt(reason: string): Promise<void> {
    const running = this.#running;
    if (running === undefined || running.graceTimer !== undefined) {
      this.#pendingInterrupt ??= reason;
      return;
    }
    running.graceTimer = setTimeout(() => {
      running.by = "grace";
      killGroup(running.pid);
    }, this.#graceMs);
    await this.#note({ kind: "interrupted", reason });
    try {
      process.kill(running.pid, "SIGINT");
    } catch {
      // It has ended by itself.
    }
  }
}

interface RunningCommand {
  readonly pid: number;
  /** Who ended it, where it was not Terraform itself. */
  by: EndedBy | undefined;
  graceTimer: NodeJS.Timeout | undefined;
}

/** @returns whether anything was left of it */
function killGroup(pid: number): boolean {
  try {
    return process.kill(-pid, "SIGKILL");
  } catch {
    return false;
  }
}

/** A process that is killed goes on until the system has come to it, and a command has ended when nothing of it runs. */
async function untilNobodyIsIn(folder: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < closeMs && (await processesIn(folder)).length > 0; waitedMs += lookEveryMs) {
    await delay(lookEveryMs);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
