import type { Buffer } from "node:buffer";
import { rm, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, inSlices, type JsonValue, type Logger, readOwnJson, type Tracing } from "@rad/core";
import type { Store } from "@rad/store";
import { readText, removeText } from "../sealed-text/sealed-text.ts";
import { type ArgumentOptions, commandArguments } from "./command-arguments.ts";
import type { LockedProvider } from "./caches/lock-file.ts";
import { moduleDependencies, packagesFor, selectedProviders, withPackages } from "./dependencies.ts";
import { describeErrors, diagnosticsIn } from "./diagnostics.ts";
import { endProcessesIn } from "./end-processes.ts";
import { Creations, isUnanswered } from "./journal/creations.ts";
import { readJournal } from "./journal/read-journal.ts";
import { isOutdated } from "./is-outdated.ts";
import { isLeftBy, lockHolderIn } from "./locks/state-lock.ts";
import { unsavedStateName } from "./records/dead-run.ts";
import type { HeldRecord } from "./records/held-record.ts";
import { type RunRecords, unsavedStateId } from "./records/run-records.ts";
import { recordOf, runRecordId } from "./records/run-record.ts";
import { moduleSourceOf } from "./caches/module-source.ts";
import type { ProviderOffer, ProviderUse } from "./caches/provider-cache.ts";
import type { RunCaches } from "./caches/run-caches.ts";
import { requireGit } from "./git-program.ts";
import { RunError } from "./run-error.ts";
import type { RunCommand, RunDiagnostic, RunEvent, RunLine } from "./run-event.ts";
import { removeRunFolder, type RunFolder, writeRunFiles } from "./run-folder.ts";
import type { RunMetrics } from "./run-metrics.ts";
import type { RunSignal } from "./run-signal.ts";
import { hasMemoryForPlans } from "./supervisor/plan-file.ts";
import type { CommandEnd, SupervisorHandle } from "./supervisor/supervisor-handle.ts";
import { logLevelOf } from "./supervisor/terraform-line.ts";
import type { BegunCreation, RunDependencies, RunOrder, TerraformRun } from "./terraform-run.ts";

export interface SupervisedRunOptions {
  readonly order: RunOrder;
  readonly folder: RunFolder;
  readonly supervisor: SupervisorHandle;
  readonly records: RunRecords;
  /** Absent for a run without a state. */
  readonly held: HeldRecord | undefined;
  readonly access: TerraformRun["stateAccess"];
  readonly over: RunSignal;
  /** Called at the end: gives back the slot, and the right to read a state. */
  readonly release: () => void;
  readonly caches: RunCaches;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tracing: Tracing;
  readonly metrics: RunMetrics;
  readonly graceMs: number;
  readonly lockTimeoutSeconds: number;
}

/** What a command of ours printed and how it ended. */
interface Finished {
  readonly value: Buffer;
}

/** What a supervisor may need besides the time that Terraform gets. */
const marginMs = 15_000;
/** Of stderr, for commands that print errors as text. */
const maxErrorLines = 500;
/** Of errors and of warnings. Nobody reads more, and all are kept in memory. */
const maxDiagnostics = 200;

export class SupervisedRun implements TerraformRun {
  readonly stateAccess: TerraformRun["stateAccess"];
  readonly #options: SupervisedRunOptions;
  readonly #creations: Creations;
  readonly #log: Logger;
  #env: Readonly<Record<string, string>>;
  #secrets: readonly string[];
  #planned: BegunCreation[] = [];
  /** Whether the supervisor has died, with which nothing more can be run. */
  #isLost = false;
  #isSettled = false;
  #disposed: Promise<void> | undefined;
  /** What an `init` came to that fetched the module. */
  #initWithModule: { readonly packages: Promise<void> } | RunError | undefined;
  /** What goes on beside the commands, and ends before the folder goes. It never rejects. */
  readonly #beside: Promise<void>[] = [];

  constructor(options: SupervisedRunOptions) {
    this.#options = options;
    const { order, held, access, folder } = options;
    this.stateAccess = access;
    this.#creations = new Creations(held?.current.creations);
    this.#log = options.log;
    this.#env = { ...order.env, ...ownVariables(order, folder) };
    this.#secrets = [...order.secrets, access.password];
    options.supervisor.send({ kind: "hide", secrets: this.#secrets });
  }

  get folder(): string {
    return this.#options.folder.work;
  }

  get inherited(): readonly BegunCreation[] {
    return this.#options.held?.current.creations ?? [];
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    await writeRunFiles(this.folder, files);
  }

  async extend({ env = {}, secrets = [] }: Parameters<TerraformRun["extend"]>[0]): Promise<void> {
    this.#env = { ...this.#env, ...env, ...ownVariables(this.#options.order, this.#options.folder) };
    this.#secrets = [...this.#secrets, ...secrets];
    this.#options.supervisor.send({ kind: "hide", secrets: this.#secrets });
  }

  async get(module: Parameters<TerraformRun["get"]>[0]): Promise<void> {
    await this.#useModule(module, async () => {
      await this.#run("get");
    });
  }

  async getByInit(module: Parameters<TerraformRun["get"]>[0], onFetch: () => void): Promise<void> {
    await this.#useModule(module, async () => {
      const { supervisor, caches } = this.#options;
      void supervisor.firstStarted.then(onFetch); // it would take CPU time from the supervisor's start
      try {
        await caches.providers.useWithModules(this.#providerUse(), (offer) => this.#init(offer));
        this.#initWithModule = { packages: this.#goOn(caches.providers.keepPackages(this.#providerUse())) };
      } catch (error) {
        if (!(error instanceof RunError && error.code === "CommandFailed")) {
          throw error;
        }
        this.#initWithModule = error;
        await this.#run("get"); // if it is about the module, this says so
      }
    });
  }

  async #useModule(module: Parameters<TerraformRun["get"]>[0], fetch: () => Promise<void>): Promise<void> {
    const { caches, folder, over } = this.#options;
    const use = { work: folder.work, env: this.#env, secrets: this.#secrets, signal: over.signal };
    if (usesGit(module, this.#env)) {
      await requireGit(this.#env);
    }
    const keep = await caches.modules.use({ ...use, ...module }, fetch);
    void this.#goOn(keep());
  }

  #goOn(work: Promise<void>): Promise<void> {
    this.#beside.push(work);
    return work;
  }

  async getModules(): Promise<void> {
    await this.#run("get");
  }

  async readBackend(command: "state pull" | "workspace list"): Promise<void> {
    await this.#run(command);
  }

  async init(): Promise<void> {
    const { providers } = this.#options.caches;
    if (this.#initWithModule instanceof RunError) {
      throw this.#initWithModule;
    }
    if (this.#initWithModule !== undefined) {
      await this.#initWithModule.packages;
      void this.#goOn(providers.keepSelection(this.#providerUse()));
    } else {
      await providers.use(this.#providerUse(), (offer) => this.#init(offer));
    }
    await this.#pushUnsavedState();
  }

  async #init({ pluginFolder, env = {} }: ProviderOffer): Promise<void> {
    const options = pluginFolder === undefined ? {} : { pluginFolder };
    try {
      await this.#run("init", options, { env });
    } catch (error) {
      if (!isCreatedTwice(error)) {
        throw error;
      }
      await this.#run("init", options, { env }); // it is there now
    }
  }

  #providerUse(): ProviderUse {
    const { folder, order, over } = this.#options;
    return { work: folder.work, env: this.#env, product: order.binary.product, signal: over.signal };
  }

  async dependencies(...[platforms, mirrorOf]: Parameters<TerraformRun["dependencies"]>): Promise<RunDependencies> {
    const work = this.folder;
    const { signal } = this.#options.over;
    const modules = await moduleDependencies({ work, env: this.#env, secrets: this.#secrets, signal });
    const selected = await selectedProviders(work);
    const found: [string, readonly LockedProvider[]][] = [];
    for (const platform of selected.length === 0 ? [] : platforms) {
      const lock = async (): Promise<void> => {
        for (const [mirror, providers] of Map.groupBy(selected, ({ address }) => mirrorOf(address))) {
          const locks = { platform, mirror, providers: providers.map(({ address }) => address) };
          await this.#run("providers lock", { locks });
        }
      };
      found.push([platform, await packagesFor(work, selected, lock)]);
    }
    return { modules, providers: withPackages(selected, found) };
  }

  async plan({ destroys }: Parameters<TerraformRun["plan"]>[0]): Promise<JsonValue | undefined> {
    const keepsPlan = await hasMemoryForPlans();
    await this.#run("plan", { destroys, keepsPlan });
    if (!keepsPlan) {
      return undefined;
    }
    const { value } = await this.#run("show plan");
    return await inSlices(readOwnJson(value.toString("utf8")));
  }

  async staleness(): ReturnType<TerraformRun["staleness"]> {
    const { store, order } = this.#options;
    const found = await store.get(runRecordId(order.resourceId));
    const { state, hasUnsavedState = false } = found === undefined ? {} : recordOf(found.body);
    return state === "running" ? "running" : hasUnsavedState ? "unsaved" : undefined;
  }

  async apply(): Promise<void> {
    await this.#change("apply");
  }

  async destroy(): Promise<void> {
    await this.#change("destroy");
  }

  async show(): Promise<JsonValue> {
    const { value } = await this.#run("show");
    return await inSlices(readOwnJson(value.toString("utf8")));
  }

  async forceUnlock(lockId: string): Promise<void> {
    await this.#run("force-unlock", { lockId });
  }

  begunCreations(): readonly BegunCreation[] {
    return this.#creations.unsaved(false);
  }

  async settle(): Promise<void> {
    this.#isSettled = true;
    this.#options.supervisor.send({ kind: "close" }); // nothing follows, and it takes a moment to end
    await this.#retire();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed ??= this.#dispose();
    await this.#disposed;
  }

  async #dispose(): Promise<void> {
    const { folder, over, release } = this.#options;
    try {
      await this.#endSupervisor();
      await Promise.all(this.#beside);
      await this.#retire();
      await removeRunFolder(folder.path);
    } catch (error) {
      // The record says where the journal is. Whoever finds it there later reads both.
      this.#log.warn("what a run left could not be stored; its folder stays", { error });
    } finally {
      over[Symbol.dispose]();
      release();
    }
  }

  async #endSupervisor(): Promise<void> {
    const { supervisor, clock, graceMs, folder } = this.#options;
    supervisor.send({ kind: "close" });
    const waiting = new AbortController();
    const tooLong = clock.sleep(graceMs + marginMs, waiting.signal).then(
      () => supervisor.kill(),
      () => {},
    );
    await supervisor.exited;
    waiting.abort();
    await tooLong;
    await endProcessesIn(folder.path, { clock, graceMs: this.#isLost ? graceMs : 0 });
  }

  /** Leaves in the record what the next run has to know. Whoever took the record over knows it already. */
  async #retire(): Promise<void> {
    const { held, records } = this.#options;
    if (held === undefined || held.isRetired) {
      return;
    }
    await Promise.all(this.#beside); // the caches take from the folder, which goes with the record
    await held.release();
    await records.retire(held.current, held.etag, this.#isSettled);
    held.isRetired = true;
  }

  /** `apply` or `destroy`, after locks that dead runs of ours left. */
  async #change(command: "apply" | "destroy"): Promise<void> {
    const { held, lockTimeoutSeconds, clock } = this.#options;
    await held?.update({ lockedSince: clock.now().toISOString() }, "soon");
    const dead = held?.current.lockWindows ?? [];
    try {
      if (dead.length > 0 && (await this.#unlocked(command))) {
        return;
      }
      await this.#run(command, { lockTimeoutSeconds });
    } catch (error) {
      await this.#saveLeftState();
      throw error;
    }
  }

  /** Tries without waiting for a lock, and breaks one that a dead run of ours holds. @returns whether it is done */
  async #unlocked(command: "apply" | "destroy"): Promise<boolean> {
    const { held } = this.#options;
    try {
      await this.#run(command, { lockTimeoutSeconds: 0 });
      await held?.update({ lockWindows: [] }, "soon");
      return true;
    } catch (error) {
      if (!(error instanceof RunError && error.code === "StateLocked" && error.holder !== undefined)) {
        throw error;
      }
      if (isLeftBy(error.holder, held?.current.lockWindows ?? [])) {
        this.#log.warn("breaking the lock that a dead run left on the state", { ...error.holder });
        await this.forceUnlock(error.holder.id);
        await held?.update({ lockWindows: [] });
      }
      return false;
    }
  }

  /** A backend that did not take the state may take it now. Otherwise the store keeps it for the next run. */
  async #saveLeftState(): Promise<void> {
    if (this.#isLost || this.#options.over.signal.aborted) {
      return;
    }
    const file = join(this.folder, unsavedStateName);
    const state = await readFile(file, "utf8").catch(() => undefined);
    if (state === undefined) {
      return;
    }
    try {
      await this.#run("state push", {}, { input: state });
      await rm(file, { force: true });
    } catch (error) {
      this.#log.warn("the backend does not take the state; it is kept for the next run", { error });
    }
  }

  /** What an earlier run could not save comes before anything else, since it knows what exists. */
  async #pushUnsavedState(): Promise<void> {
    const { held, store, order } = this.#options;
    if (held?.current.hasUnsavedState !== true) {
      return;
    }
    const id = unsavedStateId(runRecordId(order.resourceId));
    const state = await readText(store, id);
    if (state !== undefined) {
      try {
        await this.#run("state push", {}, { input: state });
      } catch (error) {
        if (!isOutdated(error)) {
          throw error;
        }
        this.#log.warn("the state has changed since a run could not save its own, which is dropped", { error });
      }
    }
    const [document, ...also] = await removeText(store, id);
    await store.write({ ...(document === undefined ? {} : { document }), also });
    await held.update({ hasUnsavedState: false });
  }

  async #run(
    command: RunCommand,
    options: ArgumentOptions = {},
    { env = {}, input }: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
  ): Promise<Finished> {
    const { order, tracing, metrics, clock } = this.#options;
    const { product, version } = order.binary;
    const attributes = { "terraform.command": command, "terraform.product": product, "terraform.version": version };
    const startedAt = clock.monotonicMs();
    order.onEvent({ kind: "command", command, state: "started" });
    let exitCode: number | null = null;
    let outcome: "succeeded" | "failed" = "failed";
    try {
      return await tracing.withSpan({ name: `terraform ${command}`, attributes }, async (span) => {
        const { end, diagnostics } = await this.#supervised(command, options, env, input);
        if (end.kind === "ended") {
          exitCode = end.exitCode;
          span.setAttributes({ "terraform.exit_code": end.exitCode ?? -1 });
        }
        const finished = await this.#finished(command, end, diagnostics);
        outcome = "succeeded";
        return finished;
      });
    } finally {
      const durationMs = Math.round(clock.monotonicMs() - startedAt);
      metrics.record(command, durationMs / 1_000, outcome);
      order.onEvent({
        kind: "command",
        command,
        state: "ended",
        durationMs,
        ...(exitCode === null ? {} : { exitCode }),
      });
    }
  }

  async #supervised(
    command: RunCommand,
    options: ArgumentOptions,
    env: Readonly<Record<string, string>>,
    input: string | undefined,
  ): Promise<{ readonly end: CommandEnd; readonly diagnostics: readonly RunDiagnostic[] }> {
    const { order, supervisor, over, clock, graceMs } = this.#options;
    if (command === "show") {
      over.throwIfLost(command); // what a cancelled run has made can still be read
    } else {
      over.throwIfOver(command);
    }
    if (this.#isLost || this.#disposed !== undefined) {
      throw new RunError("SupervisorLost", "The run has ended.", { command });
    }
    const log = this.#log.child({ command });
    const diagnostics: RunDiagnostic[] = [];
    const errorLines: string[] = [];
    const waiting = new AbortController();
    const interrupt = (): void => {
      this.#creations.interrupted();
      supervisor.send({ kind: "interrupt", reason: "cancelled" });
      // A supervisor that does not answer any more is of no use.
      clock.sleep(graceMs + marginMs, waiting.signal).then(
        () => supervisor.kill(),
        () => {},
      );
    };
    if (over.signal.aborted) {
      clock.sleep(graceMs, waiting.signal).then(interrupt, () => {});
    } else {
      over.signal.addEventListener("abort", interrupt, { once: true });
    }
    try {
      const end = await supervisor.run(
        {
          command,
          file: order.binary.path,
          ...commandArguments(command, options),
          env: { ...variablesFor(command, this.#env), ...env },
          ...(input === undefined ? {} : { input }),
        },
        {
          onLine: (line) => this.#onLine(line, log, errorLines),
          onEvent: (event) => {
            if (event.kind === "diagnostic" && countOf(diagnostics, event.diagnostic) < maxDiagnostics) {
              diagnostics.push(event.diagnostic);
            }
            this.#onEvent(event);
          },
          onJournalFailure: (code) => log.warn("the journal of the run cannot be written", { code }),
        },
      );
      return { end, diagnostics: [...diagnostics, ...diagnosticsIn(errorLines)] };
    } finally {
      over.signal.removeEventListener("abort", interrupt);
      waiting.abort();
    }
  }

  #onLine(line: RunLine, log: Logger, errorLines: string[]): void {
    log[line.level](line.text, { stream: line.stream });
    this.#options.order.onLine?.(line);
    const isText = line.stream === "stderr" && logLevelOf(line.text) === undefined;
    if (isText && errorLines.length < maxErrorLines) {
      errorLines.push(line.text);
    }
  }

  #onEvent(event: RunEvent): void {
    const { order, held } = this.#options;
    if (event.kind === "planned") {
      const { address, type, action } = event;
      this.#creations.add({ kind: "planned", address, type, action });
      if (action === "create" || action === "replace") {
        this.#planned.push({ address, type, state: "planned" });
      }
    } else if (event.kind === "resource" && event.state !== "progress") {
      const { state: kind, address, type, action, id } = event;
      this.#creations.add({ kind, address, type, action, ...(id === undefined ? {} : { id }) });
    } else if (event.kind === "diagnostic" && isUnanswered(event.diagnostic)) {
      this.#creations.unanswered(event.diagnostic.address ?? "");
    } else if (event.kind === "summary" && event.operation === "plan" && this.#planned.length > 0) {
      // For those who cannot reach the journal. Nothing waits for it, and the run's end has it all.
      held?.update({ planned: this.#planned }, "soon").catch((error: unknown) => {
        this.#log.warn("what a run plans to create could not be recorded", { error });
      });
      this.#planned = [];
    }
    order.onEvent(event);
  }

  async #finished(command: RunCommand, end: CommandEnd, diagnostics: readonly RunDiagnostic[]): Promise<Finished> {
    const { over, clock, graceMs, folder, supervisor } = this.#options;
    if (end.kind === "lost") {
      this.#isLost = true;
      const { terraform } = supervisor;
      await endProcessesIn(folder.path, { clock, graceMs, terraform });
      await this.#noteJournal();
      over.throwIfOver(command);
      const reason = end.reason === "" ? "" : ` (${end.reason})`;
      throw new RunError("SupervisorLost", `The process that looks after Terraform died${reason}.`, { command });
    }
    this.#creations.ended(end.by);
    const { exitCode, signal, by, spawnCode } = end;
    if (exitCode === 0 && by === "itself") {
      return { value: end.value };
    }
    over.throwIfOver(command);
    if (spawnCode !== undefined) {
      throw new RunError("CommandFailed", `Terraform could not be started (${spawnCode}).`, { command });
    }
    if (by !== "itself" || exitCode === null) {
      const how = `Terraform was ended by ${signal ?? "a signal"}, which it did not get from the control plane`;
      throw new RunError("Killed", `${how}. The machine may be short of memory. Deploy again to continue.`, {
        command,
      });
    }
    throw failure(command, exitCode, diagnostics);
  }

  /** The supervisor may have written down more than it could tell. */
  async #noteJournal(): Promise<void> {
    const journal = await readJournal(this.#options.folder.path);
    if (journal !== undefined) {
      this.#creations.ended("itself"); // the journal has all of it
      for (const { address, type, state, id } of journal.creations) {
        const kind = state === "begun" ? "started" : state;
        this.#creations.add({ kind, address, type, action: "create", ...(id === undefined ? {} : { id }) });
      }
    }
    this.#creations.unsaved(true);
  }
}

function countOf(diagnostics: readonly RunDiagnostic[], { severity }: RunDiagnostic): number {
  return diagnostics.filter((other) => other.severity === severity).length;
}

function failure(command: RunCommand, exitCode: number, diagnostics: readonly RunDiagnostic[]): RunError {
  const holder = lockHolderIn(diagnostics);
  const text = describeErrors(diagnostics) ?? `Terraform ended with exit code ${exitCode}.`;
  if (holder === undefined) {
    return new RunError("CommandFailed", text, { command, diagnostics, exitCode });
  }
  const who =
    holder.who === ""
      ? `another run (lock ${holder.id})`
      : `${holder.who} (${holder.operation}, since ${holder.created}, lock ${holder.id})`;
  const why = `The state is locked by ${who}. Wait until that run has ended; if nothing runs there, remove the lock with 'terraform force-unlock ${holder.id}'.`;
  return new RunError("StateLocked", why, { command, diagnostics, exitCode, holder });
}

const createdTwice = /^pq: (?:duplicate key value violates unique constraint "pg_|\w+ "[^"]*" already exists)/mu;

/** Two runs created what the backend needs in PostgreSQL at once, and this one was told that it exists. */
function isCreatedTwice(error: unknown): boolean {
  return error instanceof RunError && createdTwice.test(error.message);
}

type Variables = Readonly<Record<string, string>>;

/** Nested modules are seen only after the first download, so tokens for repositories say that there may be some. */
function usesGit({ source, version }: Parameters<TerraformRun["get"]>[0], env: Variables): boolean {
  return moduleSourceOf(source, version).kind === "git" || Object.keys(env).some(isGitToken);
}

/** Of Go: `init` needs little memory in all, and 15 to 25 % of its CPU time went into collecting it. */
const lateCollection: Variables = { GOGC: "400" };

/** Tokens for repositories are there while modules are fetched: providers and provisioners need none. */
function variablesFor(command: RunCommand, env: Variables): Variables {
  return command === "get" || command === "init"
    ? { ...lateCollection, ...env }
    : Object.fromEntries(Object.entries(env).filter(([name]) => !isGitToken(name)));
}

function isGitToken(name: string): boolean {
  return name.startsWith("RAD_GIT_");
}

/** What every run has, whatever its settings say. */
function ownVariables(order: RunOrder, folder: RunFolder): Readonly<Record<string, string>> {
  const configuration: Readonly<Record<string, string>> = Object.hasOwn(order.files, ".terraformrc")
    ? { TF_CLI_CONFIG_FILE: join(folder.work, ".terraformrc") }
    : {};
  return {
    PATH: order.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    HOME: folder.home,
    TMPDIR: folder.tmp,
    TF_IN_AUTOMATION: "1",
    TF_INPUT: "0",
    CHECKPOINT_DISABLE: "1",
    ...configuration,
  };
}
