import type { JsonValue, Logger } from "@rad/core";
import type { ExecutionLease } from "../leases/execution-lease.ts";
import type { RunEvent, RunLine } from "./run-event.ts";

/** A resource that a run has begun to create and that no state is known to have. */
export interface BegunCreation {
  readonly address: string;
  readonly type: string;
  /**
   * `completed`: the provider has created it. `begun`: Terraform had asked the provider. `planned`: nobody can tell,
   * since what Terraform said last was lost with its supervisor.
   */
  readonly state: "planned" | "begun" | "completed" | "failed";
  /** What the provider calls it, where that is known. */
  readonly id?: string;
}

/** What is to be run, and with what. */
export interface RunOrder {
  readonly runId: string;
  readonly resourceId: string;
  /**
   * The state that the run works on: at most one run at once, over all processes of the store. Absent for a run that only
   * looks at a module, which leaves no record.
   */
  readonly state?: RunState | undefined;
  /** A state that a run without one may read. It takes no lock, and does not keep others from working on it. */
  readonly reads?: RunState | undefined;
  /** What the run is for, as people read it in its record. */
  readonly purpose: "deploy" | "delete" | "metadata" | "plan";
  readonly binary: ExecutionLease;
  /** By path below the working folder. `.terraformrc` becomes the configuration of the command line. */
  readonly files: Readonly<Record<string, string>>;
  /**
   * Terraform's whole environment, but for what every run has: `HOME`, `TMPDIR`, `TF_CLI_CONFIG_FILE`, `TF_DATA_DIR`,
   * `TF_IN_AUTOMATION`, `TF_INPUT`, `CHECKPOINT_DISABLE`, and a `PATH` with the folders of git and ssh unless it has one.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Values that appear in no log line, event, error or file of the journal, in no spelling. */
  readonly secrets: readonly string[];
  /** Terraform gets SIGINT when it aborts, and the run's commands reject with its reason once Terraform has ended. */
  readonly signal: AbortSignal;
  /** After so long the run is cancelled like one whose signal aborts. Absent: as configured. */
  readonly timeoutMs?: number | undefined;
  readonly onEvent: (event: RunEvent) => void;
  /** Gets each line that Terraform prints, as the log does: for whoever keeps them with the resource. */
  readonly onLine?: ((line: RunLine) => void) | undefined;
  /** Carries the fields of the recipe; gets Terraform's output line by line. */
  readonly log: Logger;
}

export interface RunState {
  readonly backend: string;
  /** Name of the state in its backend. */
  readonly name: string;
}

/**
 * One working folder, one supervisor and one binary for all commands of a recipe's deployment or deletion. Commands run
 * one after the other.
 *
 * Disposing ends Terraform and removes the folder. The record stays until `settle`, with what the run has begun to create,
 * so that the next run on the state and `orphans` know of it.
 */
export interface TerraformRun extends AsyncDisposable {
  /** Absolute path of the working folder. */
  readonly folder: string;
  /** With what the run reaches its state in the control plane; good for as long as the run is. */
  readonly stateAccess: { readonly username: string; readonly password: string };
  /** What earlier runs on this state had begun to create when they died. */
  readonly inherited: readonly BegunCreation[];
  /** Replaces or adds files, such as `main.tf.json` when the module is known. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Adds variables to the environment and values to hide, such as those of providers that the module asks for. */
  extend(more: {
    readonly env?: Readonly<Record<string, string>>;
    readonly secrets?: readonly string[];
  }): Promise<void>;
  /** Gets the module into `.terraform/modules`, from the cache where this run has the right to it. */
  get(module: { readonly source: string; readonly version?: string | undefined }): Promise<void>;
  /**
   * `get`, but a module that is not cached is fetched by `init`, for which the files name the backend: one command
   * instead of two. `init` is still to be called, when they are complete, and tells if that one failed.
   * @param onFetch called when the module is not cached
   */
  getByInit(module: Parameters<TerraformRun["get"]>[0], onFetch: () => void): Promise<void>;
  /** Gets all modules that the files name, each from its source. */
  getModules(): Promise<void>;
  /**
   * Reads from the backend that the files name as initialized (`backendFiles`), without a lock and without writing.
   * @throws RunError
   */
  readBackend(command: "state pull" | "workspace list"): Promise<void>;
  init(): Promise<void>;
  /**
   * What `get` and `init` have brought in, for each platform: packages for other platforms are downloaded to be hashed.
   * @param mirrorOf where the packages of a provider come from, unless it is the registry of its address
   */
  dependencies(
    platforms: readonly string[],
    mirrorOf: (address: string) => string | undefined,
  ): Promise<RunDependencies>;
  /**
   * What `apply` or `destroy` would do, in the format of `terraform show -json`; it is never logged. Nothing is locked or
   * stored. `undefined` where this machine has no memory for the plan: then the events `planned` are all that is known.
   */
  plan(options: { readonly destroys: boolean }): Promise<JsonValue | undefined>;
  /**
   * Whether the state that is read may be out of date: another run works on it, or an earlier one could not save it, which
   * the next `apply` does first.
   */
  staleness(): Promise<"running" | "unsaved" | undefined>;
  apply(): Promise<void>;
  destroy(): Promise<void>;
  /** The state in the format of `terraform show -json`. It is never logged. Works in a run that was cancelled, too. */
  show(): Promise<JsonValue>;
  forceUnlock(lockId: string): Promise<void>;
  /** What this run and those before it have begun to create, as far as it is known now. */
  begunCreations(): readonly BegunCreation[];
  /** The results are stored with the resource: the record is not needed any more. */
  settle(): Promise<void>;
}

/** What a configuration needs from elsewhere. */
export interface RunDependencies {
  readonly modules: readonly ModuleDependency[];
  readonly providers: readonly ProviderDependency[];
}

export interface ModuleDependency {
  /** As the configuration has it, without credentials. */
  readonly source: string;
  /** Of a registry. */
  readonly version?: string;
  /** Of a repository: what the source leads to now. */
  readonly commit?: string;
}

export interface ProviderDependency {
  /** `registry.terraform.io/hashicorp/aws` */
  readonly address: string;
  readonly version: string;
  /** `h1:` of the content and `zh:` of archives, as lock files have them. */
  readonly packages: readonly { readonly platform: string; readonly hashes: readonly string[] }[];
}

/** What became of a run whose record is still there. */
export interface UnsettledRun {
  readonly runId: string;
  readonly resourceId: string;
  readonly purpose: RunOrder["purpose"];
  readonly state: RunState;
  readonly host: string;
  /** Whether its processes may still be there. */
  readonly isRunning: boolean;
  readonly startedAt: string;
  readonly creations: readonly BegunCreation[];
}
