import { isDeepStrictEqual } from "node:util";
import {
  type ErrorDetail,
  type JsonObject,
  type JsonValue,
  mainThread,
  type Redactor,
  type ResourceId,
} from "@rad/core";
import type { DeploymentHost } from "../deployment-host.ts";
import type { DeploymentInput } from "../deployment-input.ts";
import type { NestedChange, RecipePreview, Requester, ResourcePreview } from "@rad/resources";
import { topPlan } from "../accept/known-plans.ts";
import { jsonLength } from "../json-length.ts";
import { newBudget, outermost, preparePlan } from "../prepare-plan.ts";
import type { WhatIfSettings } from "../request/what-if-settings.ts";
import { checkAcceptable } from "./check-acceptable.ts";
import { foreseeDeployment, type Foreseen } from "./foresee-deployment.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { Outlook } from "./outlook.ts";
import { nothingOpen } from "./plan-ahead.ts";
import { planAsJson, withoutChanges } from "./plan-as-json.ts";
import { planRecipes, type PlannedRecipe, type RecipeProgress } from "./plan-recipes.ts";
import { propertyChanges, secretChanges, type PropertyChange } from "./property-changes.ts";

export interface PreviewRequest extends WhatIfSettings {
  readonly id: ResourceId;
  readonly input: DeploymentInput;
  readonly requester: Requester;
  readonly signal: AbortSignal;
  /** Hears of recipes that are planned. */
  readonly onRecipe?: (progress: RecipeProgress) => void;
}

/**
 * What a deployment would do, in the form in which the API answers `whatIf`. Nothing is written. Resources that would
 * be refused are listed as unsupported with the reason, since the rest would be deployed all the same.
 * @throws ApiError `InvalidTemplate`, `InvalidTemplateDeployment`, `Forbidden`: whatever refuses the deployment as a whole
 */
export async function previewDeployment(host: DeploymentHost, request: PreviewRequest): Promise<JsonObject> {
  const { input, requester, signal } = request;
  const budget = newBudget(host);
  const outlook = new Outlook({
    host,
    requester,
    signal,
    budget,
    showsBodies: request.resultFormat !== "ResourceIdOnly",
  });
  const { plan, fixed } = await preparePlan(host, input, { budget });
  await checkAcceptable(outlook, topPlan(plan, input));
  const id = request.id.toString();
  const deployment = { id, plan, input, origin: outermost, fixed, ...nothingOpen };
  const foreseen = await hideSecrets(outlook, deployment, await foreseeDeployment(outlook, deployment));
  const plans = request.planRecipes
    ? await planRecipes(foreseen.resources, { signal, onProgress: (progress) => request.onRecipe?.(progress) })
    : new Map<Foreseen, PlannedRecipe>();
  const report = new Report(request, outlook, plans);
  for (const resource of foreseen.resources) {
    const turn = mainThread.giveWay();
    if (turn !== undefined) {
      await turn;
    }
    report.add(resource);
  }
  if (foreseen.outputError !== undefined) {
    report.addError(foreseen.outputError, id);
  }
  return { status: "Succeeded", error: null, properties: report.toJson() };
}

type ChangeType = "Create" | "Modify" | "NoChange" | "Ignore" | "Unsupported";

interface Change {
  readonly changeType: ChangeType;
  /** What there is to say beside who it is. */
  readonly more: JsonObject;
  readonly shown: JsonObject;
}

type ChangeContent = Pick<Change, "changeType" | "more">;

function isSame(a: ChangeContent, b: ChangeContent): boolean {
  return a.changeType === b.changeType && isDeepStrictEqual(a.more, b.more);
}

class Report {
  readonly #settings: WhatIfSettings;
  readonly #outlook: Outlook;
  readonly #plans: ReadonlyMap<Foreseen, PlannedRecipe>;
  readonly #secrets: Redactor;
  /** By id: of a resource that one template makes and another reads, only the first is news. */
  readonly #changes = new Map<string, Change>();
  readonly #potentialChanges: Change[] = [];
  readonly #diagnostics: JsonObject[] = [];

  constructor(settings: WhatIfSettings, outlook: Outlook, plans: ReadonlyMap<Foreseen, PlannedRecipe>) {
    this.#settings = settings;
    this.#plans = plans;
    this.#outlook = outlook;
    this.#secrets = outlook.secrets;
  }

  add(resource: Foreseen): void {
    const { outcome, node } = resource;
    const target = node.id ?? node.key;
    const warnings = "preview" in outcome ? (outcome.preview?.warnings ?? []) : [];
    warnings.forEach((text) => this.#diagnose("ResourceWarning", "Warning", text, target));
    switch (outcome.kind) {
      case "create":
        this.#change(resource, "Create", this.#created(outcome.preview));
        this.#explainMissing(outcome.preview, target);
        break;
      case "modify":
        this.#change(resource, "Modify", this.#bodies(outcome.preview));
        this.#explainMissing(outcome.preview, target);
        break;
      case "none":
        this.#change(resource, "NoChange", this.#bodies(outcome.preview, []));
        break;
      case "left":
        this.#change(resource, "Ignore", {});
        break;
      case "possible":
        this.#potentialChanges.push(
          outcome.change === "create"
            ? this.#describe(resource, "Create", this.#created(outcome.preview))
            : this.#describe(resource, "Modify", this.#bodies(outcome.preview)),
        );
        this.#diagnose("ValueNotKnownYet", "Info", maybe[outcome.because], target);
        break;
      case "unsupported":
        this.#unsupported(resource, outcome.reason);
        break;
      case "failed":
        if (outcome.isCertain) {
          this.#change(resource, "Unsupported", this.#reason(outcome.error.message));
          this.addError(outcome.error, target);
        } else {
          this.#unsupported(resource, `If it is deployed, it would fail: ${outcome.error.message}`);
        }
        break;
      default:
        outcome satisfies never;
    }
    const planned = this.#plans.get(resource);
    if (planned?.kind === "failed") {
      this.addError(planned.error, target);
    }
  }

  addError(error: ErrorDetail, target: string): void {
    const { code, message, details, additionalInfo } = error;
    const more = {
      ...(details === undefined ? {} : { details: details as unknown as JsonValue }),
      ...(additionalInfo === undefined ? {} : { additionalInfo: additionalInfo as unknown as JsonValue }),
    };
    this.#diagnose(code, "Error", message, target, this.#secrets.redactJson(more));
  }

  toJson(): JsonObject {
    const { changesToIgnore } = this.#settings;
    const wanted = ({ changeType, shown }: Change): JsonObject[] =>
      changesToIgnore.has(changeType.toLowerCase()) ? [] : [shown];
    return {
      changes: [...this.#changes.values()].flatMap(wanted),
      potentialChanges: this.#potentialChanges.flatMap(wanted),
      diagnostics: this.#diagnostics,
    };
  }

  #change(resource: Foreseen, changeType: ChangeType, more: JsonObject): void {
    const { id, key } = resource.node;
    const at = (id ?? `${resource.deploymentId}/${key}`).toLowerCase();
    const known = this.#changes.get(at);
    if (known === undefined || known.changeType === "Ignore") {
      this.#changes.set(at, this.#describe(resource, changeType, more));
    } else if (changeType !== "Ignore" && !isSame(known, { changeType, more })) {
      // Two templates write the same resource, and not the same into it: both will be sent.
      this.#changes.set(`${at} ${this.#changes.size}`, this.#describe(resource, changeType, more));
    }
  }

  #unsupported(resource: Foreseen, reason: string): void {
    this.#change(resource, "Unsupported", this.#reason(reason));
    this.#diagnose("Unsupported", "Warning", reason, resource.node.id ?? resource.node.key);
  }

  #reason(reason: string): JsonObject {
    return { unsupportedReason: this.#secrets.redact(reason) };
  }

  #describe(resource: Foreseen, changeType: ChangeType, more: JsonObject): Change {
    const { node, deploymentId, outcome } = resource;
    const recipe = "preview" in outcome ? outcome.preview?.recipe : undefined;
    const shown = {
      ...(node.id === undefined ? {} : { resourceId: node.id }),
      deploymentId,
      ...(node.symbolicName === undefined ? {} : { symbolicName: node.symbolicName }),
      changeType,
      ...more,
      ...(recipe === undefined ? {} : { recipe: this.#recipe(recipe, this.#plans.get(resource)) }),
    };
    return { changeType, more, shown };
  }

  /** Upstream's answers have no such member, and its clients ignore it. */
  #recipe(
    { name, kind, source, version, action, reasons }: RecipePreview,
    planned: PlannedRecipe | undefined,
  ): JsonObject {
    const plan = planned && planAsJson(planned);
    const isShown = this.#outlook.canRedact(jsonLength(plan));
    return this.#secrets.redactJson({
      name,
      kind,
      source,
      ...(version === undefined ? {} : { version }),
      action,
      reasons: [...reasons],
      ...(plan === undefined ? {} : { plan: isShown ? plan : withoutChanges(plan) }),
    });
  }

  /** Of a new resource the body says it all, apart from which of its members are secrets. */
  #created(preview: ResourcePreview | undefined): JsonObject {
    return this.#bodies(preview, preview && secretChanges(preview.changedSecrets));
  }

  #bodies(preview: ResourcePreview | undefined, delta = preview && propertyChanges(preview)): JsonObject {
    if (preview === undefined || delta === undefined) {
      return {};
    }
    const { nested = [] } = preview;
    return {
      ...this.#sides(preview, delta),
      ...(nested.length === 0 ? {} : { nestedChanges: nested.map((change) => this.#nested(change)) }),
    };
  }

  #nested({ id, change, before, after, changedSecrets }: NestedChange): JsonObject {
    const delta =
      change === "modify"
        ? propertyChanges({ before, after: after ?? {}, changedSecrets, warnings: [] })
        : secretChanges(change === "create" ? changedSecrets : []);
    return { resourceId: id, changeType: nestedChangeType[change], ...this.#sides({ before, after }, delta) };
  }

  #sides({ before, after }: Partial<ResourcePreview>, delta: readonly PropertyChange[]): JsonObject {
    const isShown = this.#settings.resultFormat !== "ResourceIdOnly";
    if (!isShown || !this.#outlook.canRedact(jsonLength(before) + jsonLength(after))) {
      return {};
    }
    return {
      ...(before === undefined ? {} : { before: this.#secrets.redactJson(before) }),
      ...(after === undefined ? {} : { after: this.#secrets.redactJson(after) }),
      ...(delta.length === 0 ? {} : { delta: delta.map((change) => this.#show(change)) }),
    };
  }

  #show(change: PropertyChange): JsonObject {
    const { path, propertyChangeType, before, after, children } = change;
    return {
      path: this.#secrets.redact(path),
      propertyChangeType,
      ...this.#value("before", before),
      ...this.#value("after", after),
      ...(children === undefined ? {} : { children: children.map((child) => this.#show(child)) }),
    };
  }

  #value(name: string, value: JsonValue | undefined): JsonObject {
    return value === undefined ? {} : { [name]: this.#secrets.redactJson(value) };
  }

  #explainMissing(preview: ResourcePreview | undefined, target: string): void {
    if (preview === undefined) {
      this.#diagnose("ValueNotKnownYet", "Info", notShown, target);
    }
  }

  #diagnose(
    code: string,
    level: "Info" | "Warning" | "Error",
    message: string,
    target: string,
    more: JsonObject = {},
  ): void {
    this.#diagnostics.push({ code, level, message: this.#secrets.redact(message), target, ...more });
  }
}

const nestedChangeType = { create: "Create", modify: "Modify", delete: "Delete" } as const;

const maybe = {
  value:
    "The resource changes if values that are known only after other resources are deployed turn out to be different.",
  condition: "The resource is deployed if a condition, which is known only after other resources are, holds then.",
};
const notShown = "The resource cannot be shown or checked before other resources are deployed: it needs their values.";
