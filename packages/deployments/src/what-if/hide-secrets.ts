import type { ErrorDetail } from "@rad/core";
import type { ResourcePreview } from "@rad/resources";
import {
  foreseeDeployment,
  type FailedOutcome,
  type Foreseen,
  type ForeseenDeployment,
  type PlannedDeployment,
} from "./foresee-deployment.ts";
import { allMembers, withFormerValuesHidden, withNestedHidden, withValuesHidden } from "./hidden-values.ts";
import { Outlook } from "./outlook.ts";
import { planAhead } from "./plan-ahead.ts";

/**
 * The same without any value that rests on a secret, be it a number, a part of a text, or handed on through modules and
 * other resources; in messages too. A redactor finds only texts, and those only as they came in. So the deployment is
 * foreseen once more by somebody who does not know the secrets, and only what that one can tell is shown.
 */
export async function hideSecrets(
  outlook: Outlook,
  deployment: PlannedDeployment,
  foreseen: ForeseenDeployment,
): Promise<ForeseenDeployment> {
  if (!outlook.hasSecrets) {
    return foreseen;
  }
  const blind = await foreseeBlindly(outlook, deployment);
  const blindByKey = new Map(blind?.resources.map((resource) => [keyOf(resource), resource]));
  const { outputError } = foreseen;
  return {
    ...foreseen,
    resources: foreseen.resources.map((resource) => withoutSecrets(resource, blindByKey.get(keyOf(resource)))),
    outputError: outputError && sayable(outputError, blind?.outputError),
  };
}

async function foreseeBlindly(
  sighted: Outlook,
  deployment: PlannedDeployment,
): Promise<ForeseenDeployment | undefined> {
  const outlook = new Outlook(sighted.deps, sighted);
  const { host } = outlook.deps;
  const planned = await planAhead(host, deployment.input, {
    now: deployment.fixed.now,
    budget: outlook.deps.budget,
    withSecrets: false,
  });
  if (planned.kind !== "plan") {
    return undefined;
  }
  const isVague = planned.open.standIns.size > 0;
  return await foreseeDeployment(outlook, { ...deployment, ...planned, isVague });
}

function keyOf({ deploymentId, node }: Foreseen): string {
  return `${deploymentId} ${node.key}`.toLowerCase();
}

function withoutSecrets(foreseen: Foreseen, blind: Foreseen | undefined): Foreseen {
  const { outcome } = foreseen;
  if (outcome.kind === "failed") {
    return { ...foreseen, outcome: { ...outcome, error: shownError(outcome, blind) } };
  }
  if (!("preview" in outcome) || outcome.preview === undefined) {
    return foreseen;
  }
  const preview = shownOf(outcome.preview, foreseen, blind);
  return { ...foreseen, outcome: { ...outcome, preview } };
}

function shownError({ error, saidBy }: FailedOutcome, blind: Foreseen | undefined): ErrorDetail {
  if (blind?.outcome.kind === "failed") {
    return sayable(error, blind.outcome.error);
  }
  // A target says which members are wrong, not what is in them; names of members may be secret all the same.
  const isAboutOthers =
    blind !== undefined && saidBy === "target" && !blind.unknown.some((at) => namesWithin(error, at));
  return isAboutOthers ? error : sayable(error, undefined);
}

/** What somebody who knows no secrets says too tells none. */
function sayable(error: ErrorDetail, blind: ErrorDetail | undefined): ErrorDetail {
  if (blind?.message === error.message) {
    return error;
  }
  const { details: _, ...rest } = error;
  return { ...rest, message: "It would fail. The reason is not shown, because it depends on a secret." };
}

function namesWithin({ message }: ErrorDetail, pointer: string): boolean {
  const path = pointer.replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");
  return [".", "["].some((next) => message.includes(`${path}${next}`));
}

function shownOf(preview: ResourcePreview, { unknown }: Foreseen, blind: Foreseen | undefined): ResourcePreview {
  const isSeen = blind !== undefined && ("preview" in blind.outcome || blind.outcome.kind === "left");
  if (!isSeen) {
    return withRecipeHidden(withNestedHidden(withValuesHidden(preview, allMembers(preview))), undefined);
  }
  const secret = [...new Set(blind.unknown).difference(new Set(unknown))];
  // Of what nobody knows yet there is only an expression to show, but what was there before may rest on a secret.
  const shown = withFormerValuesHidden(withValuesHidden(preview, secret), unknown);
  // What is made of the resource elsewhere may have its secrets at any place.
  const bare = secret.length === 0 ? shown : withNestedHidden(shown);
  return withRecipeHidden(bare, "preview" in blind.outcome ? blind.outcome.preview : undefined);
}

/** Which recipe it is may rest on a secret, too. What a plan tells has no values in it. */
function withRecipeHidden(preview: ResourcePreview, blind: ResourcePreview | undefined): ResourcePreview {
  const { recipe } = preview;
  const told = blind?.recipe;
  const isSame =
    recipe === undefined ||
    (told !== undefined &&
      recipe.name === told.name &&
      recipe.kind === told.kind &&
      recipe.source === told.source &&
      recipe.version === told.version);
  if (isSame) {
    return preview;
  }
  const { version: _version, ...rest } = recipe;
  return { ...preview, recipe: { ...rest, name: hiddenName, source: hiddenName } };
}

const hiddenName = "(secret)";
