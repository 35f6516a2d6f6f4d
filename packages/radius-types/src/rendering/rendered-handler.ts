import { ApiError, jsonPointer } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type {
  Done,
  HandlerContext,
  HandlerResult,
  NestedPreview,
  Pause,
  PreviewContext,
  ResourceHandler,
  Validated,
  ValidateRequest,
} from "@rad/resources";
import type { ObjectTarget } from "@rad/kubernetes";
import { applyParts } from "./apply-parts.ts";
import { awaitParts, readyMs } from "./await-parts.ts";
import { checkSize } from "./check-size.ts";
import { appliedChange, removedChange } from "./object-preview.ts";
import { outputsAsJson, recordedOutputs, without } from "./output-resources.ts";
import type { OutputResource } from "./output-resources.ts";
import { removeObjects } from "./remove-objects.ts";
import { renderResource } from "./render-resource.ts";
import type { Rendered } from "./render-resource.ts";
import type { KubernetesPart, Renderer, Rendering } from "./renderer.ts";
import type { RenderingDeps } from "./rendering-deps.ts";
import { isBeingReleased, neededByOthers, notReleasing, recording, releasing, sharable } from "./shared-objects.ts";

const lookAgainMs = 5_000;
const targetAwayMs = 2_000;
const releasedSoonMs = 500;

/**
 * Code behind an asynchronous type that is rendered:
 *
 *     render ── record what will be there ── apply ── wait ── delete what is not rendered any more ── done
 *
 * Every id is in `status.outputResources` before its object is created, and stays there until the object is gone. So a
 * later attempt, PUT or DELETE converges, wherever this one ended. An object that another resource records as well stays
 * for that one (`shared-objects.ts`).
 */
export function renderedHandler(
  renderer: Renderer,
  deps: RenderingDeps,
): Required<Pick<ResourceHandler, "validate" | "put" | "delete" | "preview">> {
  return {
    validate: (request) => validate(renderer, deps, request),
    put: (context) => whileAway(context, deps, () => put(renderer, deps, context)),
    delete: (context) => whileAway(context, deps, () => remove(renderer, deps, context)),
    preview: (context) => preview(renderer, deps, context).catch(notNow),
  };
}

async function validate(
  renderer: Renderer,
  deps: RenderingDeps,
  request: ValidateRequest,
): Promise<Validated | undefined> {
  checkSize(request.id, request.properties);
  const validated = renderer.validate?.(request) ?? undefined;
  const { needs = [] } = renderer;
  const target = needs.length === 0 ? undefined : await deps.target();
  for (const { group, kind, advice } of needs) {
    if ((await target?.serves(group, kind, { signal: neverAborted })) === false) {
      throw new ApiError("BadRequest", advice);
    }
  }
  return validated;
}

/** Requests of the target have time limits of their own. */
const neverAborted = new AbortController().signal;

async function put(renderer: Renderer, deps: RenderingDeps, context: HandlerContext): Promise<HandlerResult> {
  const { status, signal } = context;
  const rendered = await renderResource(renderer, deps, context);
  const { parts, outputs } = rendered;
  const recorded = recordedOutputs(status);
  if (rendered.isSimulated) {
    return simulated(context, rendered, recorded);
  }
  const obsolete = without(recorded, outputs);
  const hasObjects = parts.length > 0 || obsolete.some(({ radiusManaged }) => radiusManaged);
  if (hasObjects) {
    const target = await deps.target();
    await renderer.check?.(target, rendered.rendering, { signal });
    const record = recording(status, [...obsolete, ...outputs]);
    if (without(outputs, recorded).length > 0 || status["releasing"] !== undefined) {
      await context.save(record);
    }
    if (await isBeingReleased(context, sharable(renderer, outputs))) {
      return { kind: "again", afterMs: releasedSoonMs };
    }
    const applied = await applyRecorded(context, target, rendered, recorded);
    if (!(await awaitParts(context, target, applied, deps.clock))) {
      return { kind: "again", afterMs: lookAgainMs };
    }
    await removeOutputs(renderer, deps, context, { outputs: obsolete, status: record });
  }
  return done(context, rendered.rendering, outputs);
}

/** What certainly was not created is not recorded any longer: an object of that name is somebody else's. */
async function applyRecorded(
  context: HandlerContext,
  target: ObjectTarget,
  { parts, outputs }: Rendered,
  recorded: readonly OutputResource[],
): Promise<readonly KubernetesPart[]> {
  if (parts.length === 0) {
    return [];
  }
  const { signal } = context;
  const refused = new Set<string | undefined>();
  let applied = 0;
  try {
    return await context.step(`Apply ${counted(parts.length)} to ${target.description}`, async (step) => {
      const onApplied = (): void => step.share((applied += 1) / parts.length);
      const onRefused = ({ localId }: KubernetesPart): void => void refused.add(localId);
      return await applyParts(target, parts, { signal, onApplied, onRefused });
    });
  } catch (error) {
    if (refused.size > 0) {
      const created = outputs.filter(({ localId }) => !refused.has(localId));
      const kept = [...recorded, ...without(created, recorded)];
      await context.save(recording(context.status, kept));
    }
    throw error;
  }
}

async function remove(renderer: Renderer, deps: RenderingDeps, context: HandlerContext): Promise<void> {
  const { status } = context;
  await removeOutputs(renderer, deps, context, { outputs: recordedOutputs(status), status });
}

interface Removal {
  readonly outputs: readonly OutputResource[];
  /** As it is stored. */
  readonly status: JsonObject;
}

async function removeOutputs(
  renderer: Renderer,
  deps: RenderingDeps,
  context: HandlerContext,
  { outputs, status }: Removal,
): Promise<void> {
  const { signal } = context;
  const shared = sharable(renderer, outputs);
  if (shared.length > 0) {
    await context.save(releasing(status, shared));
  }
  const others = await neededByOthers(context, shared);
  const managed = without(outputs, others).filter(({ radiusManaged }) => radiusManaged);
  if (managed.length === 0) {
    return;
  }
  const target = await deps.target();
  await context.step(`Delete ${counted(managed.length)} from ${target.description}`, async (step) => {
    const onRemoving = (text: string): void => step.detail(text);
    await context.withoutSlot(() => removeObjects(target, managed, { signal, onRemoving }));
  });
}

/**
 * Nothing is created, so nothing may be deleted later: the name may be that of somebody's object. What an environment
 * that was not simulated yet created stays recorded.
 */
function simulated(
  context: HandlerContext,
  { rendering, outputs }: Rendered,
  recorded: readonly OutputResource[],
): Done {
  const created = recorded.filter(({ radiusManaged }) => radiusManaged);
  const only = without(outputs, created).map((output) => ({ ...output, radiusManaged: false }));
  const { values: _values, secretValues: _secretValues, ...shown } = rendering;
  return done(context, shown, [...created, ...only]);
}

function done(
  { properties, status }: HandlerContext,
  rendering: Omit<Rendering, "parts">,
  outputs: readonly OutputResource[],
): Done {
  const { values = {}, secretValues = {} } = rendering;
  const { computedValues: _values, outputResources: _outputs, ...kept } = notReleasing(status);
  const hidden = Object.keys(secretValues).map((name) => [name, null] as const);
  const computedValues: JsonObject = { ...values, ...Object.fromEntries(hidden) };
  const results: JsonObject = {
    ...kept,
    ...(outputs.length === 0 ? {} : { outputResources: outputsAsJson(outputs) }),
    ...(isEmpty(computedValues) ? {} : { computedValues }),
  };
  const sealed = Object.entries(secretValues).map(
    ([name, value]) => [jsonPointer.of(["properties", "status", "computedValues", name]), value] as const,
  );
  return {
    kind: "done",
    properties: {
      ...properties,
      ...rendering.properties,
      ...(isEmpty(results) && isEmpty(status) ? {} : { status: results }),
    },
    secrets: Object.fromEntries(sealed),
  };
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

async function preview(renderer: Renderer, deps: RenderingDeps, context: PreviewContext): Promise<NestedPreview> {
  const { status, signal, properties } = context;
  if (context.unknown.length > 0) {
    return { changes: [], warnings: [] }; // objects may have such a value at any place
  }
  const { parts, outputs, isSimulated } = await renderResource(renderer, deps, context);
  const obsolete = without(recordedOutputs(status), outputs);
  if (isSimulated || (parts.length === 0 && obsolete.length === 0)) {
    return { changes: [], warnings: [] };
  }
  const target = await deps.target();
  const removed = without(obsolete, await neededByOthers(context, sharable(renderer, obsolete)));
  const changes = await Promise.all([
    ...parts.map(({ object }) => appliedChange(target, object, { signal })),
    ...removed.map((output) => removedChange(target, output, { signal })),
  ]);
  const expected = renderer.dependencies(properties).filter((id) => context.isExpected(id));
  return {
    changes: changes.filter((change) => change !== undefined),
    warnings: expected.map((id) => `The objects are shown without values that only the deployment of '${id}' gives.`),
  };
}

/** A cluster that is away does not keep the rest of a preview from being shown. */
function notNow(error: unknown): NestedPreview {
  if (error instanceof ApiError && error.transient) {
    return { changes: [], warnings: [`The objects that would change cannot be told now: ${error.message}`] };
  }
  throw error;
}

/** A cluster that restarts or throttles comes back; the attempts of the operation are for other failures. */
async function whileAway(
  { startedAt, log }: HandlerContext,
  { clock }: RenderingDeps,
  work: () => Promise<HandlerResult>,
): Promise<HandlerResult | Pause> {
  try {
    return await work();
  } catch (error) {
    const isAway = error instanceof ApiError && error.transient;
    if (!isAway || clock.now().getTime() - startedAt.getTime() > readyMs) {
      throw error;
    }
    log.warn("the target is away; trying again", { error });
    return { kind: "again", afterMs: targetAwayMs };
  }
}

function counted(objects: number): string {
  return objects === 1 ? "1 object" : `${objects} objects`;
}
