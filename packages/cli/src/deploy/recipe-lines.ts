import type { PlannedAttribute, PlannedChange, WhatIfChange, WhatIfPlan, WhatIfRecipe } from "@rad/client";
import type { Colors } from "../output/colors.ts";
import { printableLine } from "../output/printable.ts";

const reasonTexts: Readonly<Record<string, string>> = {
  newResource: "the resource is new",
  changedProperties: "properties of the resource change",
  changedRecipe: "the environment has another recipe now",
  changedParameters: "parameters of the recipe have changed",
  changedSettings: "settings of the environment have changed",
  unknownValues: "it depends on values that are known only after other resources are deployed",
  notRunBefore: "it has not run successfully so far",
  unchanged: "nothing that it is given has changed",
  recipeLeft: "no recipe makes the resource any more",
  simulated: "the environment is simulated",
};

const actionTexts: Readonly<Record<string, string>> = {
  run: "will run",
  destroy: "what it made will be destroyed",
  none: "will not run",
};

/** What becomes of the recipe behind a resource, and what that would change. */
export function recipeLines({ recipe }: Pick<WhatIfChange, "recipe">, colors: Colors): string[] {
  if (recipe === undefined) {
    return [];
  }
  const { plan } = recipe;
  return [
    headingOf(recipe, colors),
    ...(plan === undefined ? [] : planLines(plan, colors).map((line) => `    ${line}`)),
  ];
}

/** How much all recipes together would change; `undefined` where none was planned. */
export function recipeSummary(changes: readonly Pick<WhatIfChange, "recipe">[]): string | undefined {
  const plans = changes.flatMap(({ recipe }) => (recipe?.plan === undefined ? [] : [recipe.plan]));
  if (plans.length === 0) {
    return undefined;
  }
  const counts = Map.groupBy(
    plans.flatMap((plan) => plan.changes),
    ({ action }) => action,
  );
  const counted = Object.entries(looks).flatMap(([action, { counts: what }]) => {
    const members = counts.get(action);
    return members === undefined ? [] : [`${members.length} ${what}`];
  });
  const notPlanned = plans.filter(({ status }) => status !== "Succeeded").length;
  const parts = [
    ...counted,
    ...(notPlanned === 0 ? [] : [`${notPlanned} ${notPlanned === 1 ? "recipe" : "recipes"} not planned`]),
  ];
  return `Recipe changes: ${parts.length === 0 ? "none" : parts.join(", ")}.\n`;
}

function headingOf({ name, kind, source, version, action, reasons }: WhatIfRecipe, colors: Colors): string {
  const module = version === undefined ? source : `${source} ${version}`;
  const why = reasons.map((reason) => reasonTexts[reason] ?? reason).join("; ");
  const what = actionTexts[action] ?? action;
  return colors.cyan(printableLine(`recipe "${name}" (${kind}, ${module}) ${what}${why === "" ? "" : `: ${why}`}`));
}

interface ActionLook {
  readonly symbol: string;
  readonly counts: string;
  readonly paint: (colors: Colors) => (text: string) => string;
}

const looks: Readonly<Record<string, ActionLook>> = {
  create: { symbol: "+", counts: "to create", paint: ({ green }) => green },
  update: { symbol: "~", counts: "to update", paint: ({ yellow }) => yellow },
  replace: { symbol: "-/+", counts: "to replace", paint: ({ yellow }) => yellow },
  delete: { symbol: "-", counts: "to delete", paint: ({ red }) => red },
  forget: { symbol: ".", counts: "to forget", paint: ({ dim }) => dim },
  read: { symbol: "<=", counts: "to read", paint: ({ cyan }) => cyan },
  "no-op": { symbol: "=", counts: "without change", paint: ({ dim }) => dim },
};

function planLines(plan: WhatIfPlan, colors: Colors): string[] {
  if (plan.error !== undefined) {
    return [colors.red(printableLine(`${plan.error.code}: ${plan.error.message}`))];
  }
  const changes = plan.changes.map((change) => changeLine(change, colors));
  const isIdle = plan.status === "Succeeded" && plan.changes.every(({ action }) => action === "no-op");
  const remarks = [
    ...(plan.omittedChanges === 0 ? [] : [`and ${plan.omittedChanges} more changes`]),
    ...plan.unknown.map(({ path, reason }) => `not known yet: ${path}. ${reason}`),
    ...plan.notes,
  ];
  return [
    ...changes,
    ...(isIdle ? [colors.dim("nothing would change")] : []),
    ...(plan.status === "Unknown" ? [colors.yellow("what it would change is not known yet")] : []),
    ...remarks.map((remark) => colors.dim(printableLine(remark))),
  ];
}

function changeLine({ address, action, attributes }: PlannedChange, colors: Colors): string {
  const look = looks[action] ?? { symbol: "!", paint: ({ cyan }: Colors) => cyan };
  const names = attributes.map(attributeText);
  const shown = names.length === 0 ? "" : `: ${names.join(", ")}`;
  return look.paint(colors)(printableLine(`${look.symbol} ${address}${shown}`));
}

function attributeText({ name, changed, sensitive, unknown }: PlannedAttribute): string {
  const remarks = [
    ...(sensitive ? [changed ? "sensitive, changed" : "sensitive, unchanged"] : []),
    ...(unknown ? ["known after apply"] : []),
  ];
  return remarks.length === 0 ? name : `${name} (${remarks.join("; ")})`;
}
