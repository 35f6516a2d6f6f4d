import type { JsonObject, Logger, ResourceId } from "@rad/core";
import type { LoadedSecret, RecipeDefinition, RecipeOutput } from "@rad/radius-types";
import type { HandlerContext, Pause, RecipePlan, ResourceReader } from "@rad/resources";
import type { EnvironmentConfiguration } from "./configuration/environment-configuration.ts";
import type { RecipeRecord } from "./records/recipe-record.ts";

/**
 * Runs recipes of one kind. `testing/describe-recipe-driver.ts` has what every driver promises. All start with what
 * must be there to run anything, so that a missing tool is told before anything else.
 */
export interface RecipeDriver {
  /**
   * Brings the world in line with the recipe. Doing it twice changes nothing; what failed half-way is continued.
   * @throws RecipeError
   */
  execute(run: RecipeRun): Promise<RecipeOutput | Pause>;
  /** Destroys what runs of the resource made, and checks that it is gone. @throws RecipeError */
  delete(run: RecipeRun): Promise<void | Pause>;
  /** What `execute` or `delete` would change; nothing is changed, locked or left behind. @throws RecipeError */
  plan(run: PlanRun): Promise<Pick<RecipePlan, "changes" | "notes">>;
  /** Parameters of the template by name, without `context`, as metadata shows them. @throws RecipeError */
  parameters(work: DriverWork): Promise<Readonly<Record<string, JsonObject>>>;
}

export interface DriverWork {
  readonly definition: RecipeDefinition;
  readonly configuration: EnvironmentConfiguration;
  readonly environmentId: ResourceId;
  /** All values of a secret, as they are now. @throws ApiError `LoadSecretsFailed` */
  readSecret(secretId: string): Promise<LoadedSecret>;
  /** Reads on the server's own behalf. */
  readonly resources: ResourceReader;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Keeps values out of logs, traces and errors until the work ends. */
  hide(values: Iterable<string>): void;
}

/** What a recipe is given for one resource. */
export interface RecipeInput extends DriverWork {
  readonly runId: string;
  readonly resourceId: ResourceId;
  readonly applicationId: ResourceId | undefined;
  /** Merged; references to secrets are still references. */
  readonly parameters: JsonObject;
  /** For templates that declare `context`. */
  readonly context: JsonObject;
  /** JSON pointers to secret values in parameters and context: `/password`, `/context/resource/properties/password`. */
  readonly sensitive: readonly string[];
  /** What the run before this one left in the store. */
  readonly recorded: RecipeRecord | undefined;
}

/** One run of one recipe for one resource. */
export interface RecipeRun extends RecipeInput, Pick<HandlerContext, "step"> {
  /**
   * Stores what this run is about to do, or has done; resolves when it is durable. The first call ends the set-up: before
   * it nothing may be created. Members that are absent stay as they are.
   */
  record(change: RecordChange): Promise<void>;
  /** Keeps what a run printed that is not on record, because its set-up failed. Without secrets. */
  keepLog(text: string): Promise<void>;
}

/** One look at what a run would do. */
export interface PlanRun extends RecipeInput {
  /** It would destroy what earlier runs made. */
  readonly destroys: boolean;
  /** Stands in parameters and context, alone or as a part of a text, for what is not known yet. */
  readonly unknownMark: string;
}

export type RecordChange = Partial<Pick<RecipeRecord, "state" | "resources" | "unsaved">> & {
  /** The run has ended. */
  readonly outcome?: "succeeded" | "failed";
  /** What the run printed, without secrets. */
  readonly log?: string;
};
