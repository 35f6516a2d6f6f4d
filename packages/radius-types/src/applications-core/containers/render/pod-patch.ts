import { ApiError, isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { podSpecFields } from "../../../rendering/strategic-merge/merge-fields.ts";
import { PatchError } from "../../../rendering/strategic-merge/patch-error.ts";
import { strategicMerge } from "../../../rendering/strategic-merge/strategic-merge.ts";

/** The pod specification with `runtimes.kubernetes.pod` merged in. @throws ApiError for what is no patch of one. */
export function patchPodSpec(podSpec: JsonObject, patch: JsonObject): JsonObject {
  checkTypes(patch);
  try {
    return strategicMerge(podSpec, patch, podSpecFields);
  } catch (error) {
    throw error instanceof PatchError ? invalid(error.message, error) : error;
  }
}

/** Finds what is wrong with a patch before there is anything to patch. @throws ApiError for what is no patch. */
export function checkPodPatch(patch: JsonObject): void {
  // Items are looked at only where there is a list for them.
  patchPodSpec(Object.fromEntries(Object.keys(podSpecFields).map((name) => [name, []])), patch);
}

const kinds = {
  text: (value: JsonValue) => typeof value === "string",
  number: (value: JsonValue) => Number.isInteger(value),
  flag: (value: JsonValue) => typeof value === "boolean",
  object: isJsonObject,
  list: Array.isArray,
} as const;

/** The members of a PodSpec. One that is missing here is for the API server to judge: it may be newer. */
const members: Readonly<Record<keyof typeof kinds, readonly string[]>> = {
  text: [
    "dnsPolicy",
    "hostname",
    "hostnameOverride",
    "nodeName",
    "preemptionPolicy",
    "priorityClassName",
    "restartPolicy",
    "runtimeClassName",
    "schedulerName",
    "serviceAccount",
    "serviceAccountName",
    "subdomain",
  ],
  number: ["activeDeadlineSeconds", "priority", "terminationGracePeriodSeconds"],
  flag: [
    "automountServiceAccountToken",
    "enableServiceLinks",
    "hostIPC",
    "hostNetwork",
    "hostPID",
    "hostUsers",
    "setHostnameAsFQDN",
    "shareProcessNamespace",
  ],
  object: ["affinity", "dnsConfig", "nodeSelector", "os", "overhead", "resources", "securityContext"],
  list: [
    "containers",
    "ephemeralContainers",
    "hostAliases",
    "imagePullSecrets",
    "initContainers",
    "readinessGates",
    "resourceClaims",
    "schedulingGates",
    "tolerations",
    "topologySpreadConstraints",
    "volumes",
  ],
};
const names = {
  text: "text",
  number: "a whole number",
  flag: "true or false",
  object: "an object",
  list: "a list",
} as const;
const kindOf = new Map(
  (Object.keys(members) as (keyof typeof kinds)[]).flatMap((kind) =>
    members[kind].map((name) => [name, kind] as const),
  ),
);

function checkTypes(patch: JsonObject): void {
  for (const [name, value] of Object.entries(patch)) {
    const kind = kindOf.get(name);
    if (kind !== undefined && value !== null && !kinds[kind](value)) {
      throw invalid(`${name} has to be ${names[kind]}.`);
    }
  }
}

function invalid(problem: string, cause?: unknown): ApiError {
  const target = "$.properties.runtimes.kubernetes.pod";
  return new ApiError("InvalidRequestContent", `Invalid PodSpec for patching: ${problem}`, { target, cause });
}
