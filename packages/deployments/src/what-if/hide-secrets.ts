import type { ResourcePreview } from "../deployment-target.ts";
import { foreseeDeployment, type Foreseen, type PlannedDeployment } from "./foresee-deployment.ts";
import { allMembers, withFormerValuesHidden, withValuesHidden } from "./hidden-values.ts";
import { Outlook } from "./outlook.ts";
import { planAhead } from "./plan-ahead.ts";

/**
 * The same resources without any value that rests on a secret, be it a number, a part of a text, or handed on through
 * modules and other resources. A redactor finds only texts, and those only as they came in. So the deployment is
 * foreseen once more by somebody who does not know the secrets, and only what that one can tell is shown.
 */
export async function hideSecrets(
  outlook: Outlook,
  deployment: PlannedDeployment,
  resources: readonly Foreseen[],
): Promise<readonly Foreseen[]> {
  if (!outlook.hasSecrets) {
    return resources;
  }
  const blind = new Map((await foreseeBlindly(outlook, deployment)).map((foreseen) => [keyOf(foreseen), foreseen]));
  return resources.map((foreseen) => withoutSecrets(foreseen, blind.get(keyOf(foreseen))));
}

async function foreseeBlindly(sighted: Outlook, deployment: PlannedDeployment): Promise<readonly Foreseen[]> {
  const outlook = new Outlook(sighted.deps, sighted);
  const { host } = outlook.deps;
  const planned = await planAhead(host, deployment.input, { now: deployment.fixed.now, withSecrets: false });
  if (planned.kind !== "plan") {
    return [];
  }
  const isVague = planned.open.standIns.size > 0;
  return (await foreseeDeployment(outlook, { ...deployment, ...planned, isVague })).resources;
}

function keyOf({ deploymentId, node }: Foreseen): string {
  return `${deploymentId} ${node.key}`.toLowerCase();
}

function withoutSecrets(foreseen: Foreseen, blind: Foreseen | undefined): Foreseen {
  const { outcome } = foreseen;
  if (!("preview" in outcome) || outcome.preview === undefined) {
    return foreseen;
  }
  const preview = shownOf(outcome.preview, foreseen, blind);
  return { ...foreseen, outcome: { ...outcome, preview } };
}

function shownOf(preview: ResourcePreview, { unknown }: Foreseen, blind: Foreseen | undefined): ResourcePreview {
  const isSeen = blind !== undefined && ("preview" in blind.outcome || blind.outcome.kind === "left");
  if (!isSeen) {
    return withValuesHidden(preview, allMembers(preview));
  }
  const secret = blind.unknown.filter((pointer) => !unknown.includes(pointer));
  // Of what nobody knows yet there is only an expression to show, but what was there before may rest on a secret.
  return withFormerValuesHidden(withValuesHidden(preview, secret), unknown);
}
