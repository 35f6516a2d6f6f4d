import { randomUUID } from "node:crypto";
import { inSlices, isJsonObject, type JsonObject, jsonPointer, objectMember, sameJson } from "@rad/core";
import {
  type LoadedSecret,
  type RecipeDefinition,
  RecipeError,
  type RecipePreviewUse,
  type ScopeResource,
} from "@rad/radius-types";
import type { PreviewContext, RecipePlan, RecipePreview, RecipeReason } from "@rad/resources";
import type { EnvironmentConfiguration } from "../configuration/environment-configuration.ts";
import { configurationHash, loadConfiguration } from "../configuration/load-configuration.ts";
import type { PlanRun, RecipeDriver } from "../driver.ts";
import { recipeInput } from "../recipe-input.ts";
import type { RecipeRecords, StoredRecord } from "../records/recipe-records.ts";

export interface PreviewDeps {
  readonly records: RecipeRecords;
  /** @throws RecipeError `DriverNotFoundFailure` */
  driverOf(definition: RecipeDefinition): Promise<RecipeDriver>;
  loadSecret(context: PreviewContext, id: string): Promise<LoadedSecret>;
  /** A text without hidden values. */
  redact(text: string): string;
}

/** What would become of the recipe behind a resource, from what the store has. */
export async function previewRecipe(
  deps: PreviewDeps,
  context: PreviewContext,
  use: RecipePreviewUse,
): Promise<RecipePreview | undefined> {
  const stored = await deps.records.read(context.id.toString());
  const definition = use.definition ?? stored?.definition;
  if (definition === undefined) {
    return undefined; // no run got as far as creating anything
  }
  const { environment, application } = use;
  const configuration = await loadConfiguration(context.resources, environment, application);
  const plan = (signal: AbortSignal): Promise<RecipePlan> =>
    planRecipe(deps, { ...context, signal }, use, { definition, configuration, stored });
  const shown = shownDefinition(definition);
  if (use.definition === undefined) {
    return { ...shown, action: "destroy", reasons: ["recipeLeft"], plan };
  }
  if (configuration.isSimulated) {
    return { ...shown, action: "none", reasons: ["simulated"] };
  }
  return { ...shown, action: "run", reasons: await reasonsOf(context, definition, configuration, stored), plan };
}

function shownDefinition({ name, kind, source, version }: RecipeDefinition) {
  return { name, kind, source, ...(version === undefined ? {} : { version }) };
}

async function reasonsOf(
  { change, unknown }: PreviewContext,
  definition: RecipeDefinition,
  configuration: EnvironmentConfiguration,
  stored: StoredRecord | undefined,
): Promise<readonly RecipeReason[]> {
  if (change === "create") {
    return ["newResource"];
  }
  const reasons: RecipeReason[] = [];
  const add = (reason: RecipeReason, applies: boolean): void => void (applies && reasons.push(reason));
  add("changedProperties", change === "modify");
  add("unknownValues", unknown.length > 0);
  if (stored === undefined) {
    reasons.push("notRunBefore");
    return reasons;
  }
  const { record, definition: former } = stored;
  const [before, now] = [withoutParameters(former), withoutParameters(definition)];
  add("changedRecipe", !(await inSlices(sameJson(before, now))));
  add("changedParameters", !(await inSlices(sameJson(former.parameters, definition.parameters))));
  add("changedSettings", record.settings !== undefined && record.settings !== configurationHash(configuration));
  add("notRunBefore", record.run.outcome !== "succeeded");
  return reasons.length === 0 ? ["unchanged"] : reasons;
}

function withoutParameters({ parameters: _parameters, userInfo, secretQuery, ...rest }: RecipeDefinition): JsonObject {
  return {
    ...rest,
    ...(userInfo === undefined ? {} : { userInfo: { ...userInfo } }),
    ...(secretQuery === undefined ? {} : { secretQuery: secretQuery.map((parameter) => ({ ...parameter })) }),
  };
}

interface Planned {
  readonly definition: RecipeDefinition;
  readonly configuration: EnvironmentConfiguration;
  readonly stored: StoredRecord | undefined;
}

const valueNotKnown = "It is known only after other resources are deployed.";

async function planRecipe(
  deps: PreviewDeps,
  context: PreviewContext,
  use: RecipePreviewUse,
  { definition, configuration, stored }: Planned,
): Promise<RecipePlan> {
  const driver = await deps.driverOf(definition);
  const unknownMark = `unknown-${randomUUID()}`;
  const destroys = use.definition === undefined;
  const marks = context.unknown.map((pointer) => [pointer, unknownMark] as const);
  const marked = objectMember(await inSlices(jsonPointer.setAll({ properties: use.properties }, marks)), "properties");
  const missing: string[] = [];
  const input = await recipeInput(
    context,
    { ...use, properties: marked },
    {
      kind: destroys ? "delete" : "execute",
      runId: randomUUID(),
      definition,
      configuration,
      recorded: stored?.definition.kind === definition.kind ? stored.record : undefined,
      readSecret: async (id) => {
        try {
          return await deps.loadSecret(context, id);
        } catch (error) {
          missing.push(...(context.isExpected(id) ? [id] : []));
          throw error;
        }
      },
    },
  );
  const { connected, withMarks } = markConnections(input.context, context, unknownMark);
  const unknown = [
    ...context.unknown.map((pointer) => ({ path: pathOf(pointer), reason: valueNotKnown })),
    ...connected.map(({ name, id }) => ({
      path: `connections.${name}`,
      reason: `The properties of '${id}' are known only after it is deployed.`,
    })),
    ...expectedScopes(context, use),
  ];
  const run: PlanRun = { ...input, context: withMarks, destroys, unknownMark };
  try {
    const { changes, notes } = await driver.plan(run);
    // An address has the keys of instances, which a module may have made of a secret.
    const shown = changes.map((change) => ({ ...change, address: deps.redact(change.address) }));
    return { isKnown: true, unknown, changes: shown, notes };
  } catch (error) {
    context.signal.throwIfAborted();
    const secrets = missing.map((id) => ({ path: id, reason: "Its values are known only after it is deployed." }));
    const all = [...unknown, ...secrets];
    // Some need a value to say how much they would create, others a secret to get anywhere: that is no fault of theirs.
    if (all.length === 0 || !(error instanceof RecipeError)) {
      throw error;
    }
    return { isKnown: false, changes: [], notes: [deps.redact(error.message)], unknown: all };
  }
}

/** What an environment or application will be is known as far as the template says it; its results are not. */
function expectedScopes(
  context: PreviewContext,
  { environment, application }: RecipePreviewUse,
): RecipePlan["unknown"] {
  const isNew = ({ id }: ScopeResource): boolean => context.isExpected(id.toString());
  return [environment, application]
    .filter((scope) => scope !== undefined && isNew(scope))
    .map((scope) => ({
      path: scope?.id.toString() ?? "",
      reason: "This deployment changes it; the plan is made with what the template says of it.",
    }));
}

/** What others become in the same deployment, their recipes tell. */
function markConnections(
  context: JsonObject,
  { isExpected }: Pick<PreviewContext, "isExpected">,
  mark: string,
): { readonly connected: readonly { readonly name: string; readonly id: string }[]; readonly withMarks: JsonObject } {
  const resource = objectMember(context, "resource");
  const connections = objectMember(resource, "connections");
  const connected = Object.entries(connections).flatMap(([name, connection]) => {
    const id = isJsonObject(connection) ? connection["id"] : undefined;
    return typeof id === "string" && isExpected(id) ? [{ name, id }] : [];
  });
  if (connected.length === 0) {
    return { connected, withMarks: context };
  }
  const marked = connected.map(({ name }) => [name, { ...objectMember(connections, name), properties: mark }]);
  const all: JsonObject = { ...connections, ...(Object.fromEntries(marked) as JsonObject) };
  return { connected, withMarks: { ...context, resource: { ...resource, connections: all } } };
}

function pathOf(pointer: string): string {
  return jsonPointer.parts(pointer).join(".");
}
