import type { JsonObject, JsonValue, ResourceId } from "@rad/core";
import type { HandlerContext, Pause, PreviewContext, RecipePreview, ResourceAccess } from "@rad/resources";
import type { RecipeDefinition } from "./recipe-definition.ts";

/** Runs recipes for the handlers of resource types. The control plane passes it in; without it no recipe runs. */
export interface RecipeEngine {
  /**
   * Runs the recipe: everything that it creates is recorded before it is created. May pause, for a lock or a binary.
   * `simulated`: the environment only records that the recipe would run.
   * @throws RecipeError with the status to store
   */
  execute(context: HandlerContext, use: RecipeUse): Promise<RecipeOutput | "simulated" | Pause>;
  /**
   * Destroys what the latest run made, with the definition of that run, and checks that it is gone. Nothing happens if
   * no run got as far as creating anything.
   * @throws RecipeError that lists what is left
   */
  delete(context: HandlerContext, use: RecipeRemoval): Promise<void | Pause>;
  /**
   * What `execute` would do, or `delete` where there is no definition; `undefined` when there is nothing to destroy. Starts
   * nothing: its `plan` does.
   */
  preview(context: PreviewContext, use: RecipePreviewUse): Promise<RecipePreview | undefined>;
  /** Parameters of the recipe's template by name: `type`, `defaultValue`, …; `context` is not among them. */
  parameters(request: RecipeParametersRequest): Promise<Readonly<Record<string, JsonObject>>>;
}

/** An environment or application. */
export interface ScopeResource {
  readonly id: ResourceId;
  readonly properties: JsonObject;
}

export interface RecipeUse {
  readonly definition: RecipeDefinition;
  /** Of the resource, whole: sealed values are in their places. */
  readonly properties: JsonObject;
  readonly environment: ScopeResource;
  readonly application: ScopeResource | undefined;
  /** Ids that the run before returned. */
  readonly previous: readonly string[];
  /** Called once nothing can be wrong with the set-up any more, right before the first effect. */
  beforeEffects(): Promise<void>;
}

export interface RecipeRemoval extends Pick<RecipeUse, "properties" | "environment" | "application" | "previous"> {}

export interface RecipePreviewUse extends Pick<RecipeUse, "properties" | "environment" | "application"> {
  readonly definition: RecipeDefinition | undefined;
}

export interface RecipeParametersRequest extends Pick<HandlerContext, "requester" | "signal" | "log"> {
  readonly definition: RecipeDefinition;
  readonly environment: ScopeResource;
  readonly resources: ResourceAccess;
}

/** What a recipe gives to the resource that it was run for. */
export interface RecipeOutput {
  readonly values: JsonObject;
  readonly secrets: Readonly<Record<string, JsonValue>>;
  /** Ids of what it created: those that the recipe names itself come first. */
  readonly resources: readonly string[];
  readonly status: RecipeSource;
}

/** As `status.recipe` shows it. */
export interface RecipeSource {
  readonly templateKind: string;
  readonly templatePath: string;
  readonly templateVersion?: string;
}
