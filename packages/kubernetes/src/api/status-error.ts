import { ApiError, isJsonObject, objectMember, Redactor } from "@rad/core";
import type { ApiErrorOptions, ErrorCode, ErrorDetail, JsonObject } from "@rad/core";
import { isSecret, secretValuesOf } from "../secret-values.ts";
import type { ApiCall } from "./api-client.ts";

/** A call that the API server did not carry out. */
export interface Refusal {
  readonly call: ApiCall;
  readonly status: number;
  /** A `Status` of Kubernetes, if the API server itself has answered. */
  readonly body: unknown;
  /** `the cluster 'kind-dev'` */
  readonly cluster: string;
}

interface Read extends Refusal {
  readonly subject: string;
  readonly reason: string;
  readonly message: string;
  /** Of the object, as far as the server has got to it. */
  readonly name: string;
  readonly causes: readonly Cause[];
  readonly isSecret: boolean;
}

interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

interface Explained extends Omit<ApiErrorOptions, "cause"> {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What the server's status means for whoever made the call. */
export function statusError(refusal: Refusal): ApiError {
  const read = readStatus(refusal);
  for (const explain of explanations) {
    const explained = explain(read);
    if (explained !== undefined) {
      return hidden(explained, refusal.call.body);
    }
  }
  return hidden(byStatus(read), refusal.call.body);
}

/** For messages: what a call is about. */
export function subjectOf({ subject, method, path }: ApiCall): string {
  return subject ?? `${method} ${path}`;
}

/** From the one that says most to the one that says least. */
const explanations: readonly ((read: Read) => Explained | undefined)[] = [
  webhookDown,
  webhookRefused,
  policyRefused,
  tooLarge,
  namespaceTerminating,
  namespaceMissing,
  quotaExceeded,
  noServiceAddress,
  notPermitted,
  podSecurity,
  fieldsOwned,
  fieldsInvalid,
];

function webhookDown({ subject, message, cluster }: Read): Explained | undefined {
  const [, name, problem = ""] = /failed calling webhook "([^"]+)": (.*)/s.exec(message) ?? [];
  return name === undefined
    ? undefined
    : {
        code: "ServiceUnavailable",
        message:
          `${subject}: the admission webhook '${name}' of ${cluster} does not answer: ${short(problem)}. ` +
          "Bring its service up again, or remove its configuration.",
        transient: true,
      };
}

function webhookRefused({ subject, message }: Read): Explained | undefined {
  const [, name, said = ""] = /admission webhook "([^"]+)" denied the request:? ?(.*)/s.exec(message) ?? [];
  return name === undefined
    ? undefined
    : { code: "Forbidden", message: `${subject} is refused by the admission webhook '${name}': ${short(said)}` };
}

function policyRefused({ subject, message }: Read): Explained | undefined {
  const pattern = /ValidatingAdmissionPolicy '([^']+)'(?: with binding '([^']+)')? denied request: (.*)/s;
  const [, name, binding = "", said = ""] = pattern.exec(message) ?? [];
  const by = `the ValidatingAdmissionPolicy '${name ?? ""}' (binding '${binding}')`;
  return name === undefined
    ? undefined
    : { code: "Forbidden", message: `${subject} is refused by ${by}: ${short(said)}` };
}

function tooLarge({ subject, status, message, causes }: Read): Explained | undefined {
  // Names and labels have limits, too, but far smaller ones.
  const long = causes.filter(({ reason, message: text }) => reason === "FieldValueTooLong" && /\d{6}/.test(text));
  if (status !== 413 && long.length === 0 && !/request is too large|message larger than max/i.test(message)) {
    return undefined;
  }
  const fields = long.map(({ field }) => field).filter((field) => /\w/.test(field));
  const where = fields.length === 0 ? "" : ` (${fields.join(", ")})`;
  const advice = "Split it, or keep large content elsewhere.";
  return { code: "RequestEntityTooLarge", message: `${subject} is too large for Kubernetes${where}. ${advice}` };
}

function namespaceTerminating({ subject, message, causes, cluster }: Read): Explained | undefined {
  const cause = causes.find(({ reason }) => reason === "NamespaceTerminating");
  const name = /namespace (\S+) (?:because it )?is being terminated/.exec(cause?.message ?? message)?.[1];
  return cause === undefined && name === undefined
    ? undefined
    : {
        code: "Conflict",
        message:
          `${subject}: the namespace${name === undefined ? "" : ` '${name}'`} of ${cluster} is being deleted. ` +
          "Wait until it is gone, then deploy again.",
        transient: true,
      };
}

function namespaceMissing({ subject, status, message, cluster }: Read): Explained | undefined {
  const name = /^namespaces "([^"]+)" not found$/.exec(message)?.[1];
  return status === 404 && name !== undefined
    ? { code: "NotFound", message: `${subject}: ${cluster} has no namespace '${name}'.`, target: name }
    : undefined;
}

/** An API server that has just started says so of a range that is not full: it does not know the range yet. */
function noServiceAddress({ subject, message, cluster }: Read): Explained | undefined {
  return /failed to allocate a serviceIP|cannot allocate resources of type serviceipallocations/.test(message)
    ? {
        code: "ServiceUnavailable",
        message: `${subject}: ${cluster} has no address left for Services, or is just starting: ${short(message)}`,
        transient: true,
      }
    : undefined;
}

function quotaExceeded({ subject, message }: Read): Explained | undefined {
  const [, name, numbers = ""] = /exceeded quota: ([^,]+), (.*)/s.exec(message) ?? [];
  if (name !== undefined) {
    const advice = "Delete what is no longer needed, or have the quota raised.";
    return { code: "Forbidden", message: `${subject} exceeds the quota '${name}' (${short(numbers)}). ${advice}` };
  }
  const [, quota, missing = ""] = /failed quota: ([^:]+): (.*)/s.exec(message) ?? [];
  return quota === undefined
    ? undefined
    : { code: "Forbidden", message: `${subject} is refused by the quota '${quota}': ${short(missing)}` };
}

function notPermitted({ subject, status, message, cluster }: Read): Explained | undefined {
  const pattern =
    /User "([^"]*)" cannot (\S+) (?:resource|path) "([^"]+)"(?: in API group "([^"]*)")?(?: in the namespace "([^"]+)")?/;
  const [, user, verb, resource, group, namespace] = pattern.exec(message) ?? [];
  if (status !== 403 || user === undefined) {
    return undefined;
  }
  const kind = group === undefined || group === "" ? resource : `${resource}.${group}`;
  const where = namespace === undefined ? `in ${cluster}` : `in the namespace '${namespace}' of ${cluster}`;
  return {
    code: "Forbidden",
    message:
      `${subject}: the user '${user}' may not ${verb} ${kind} ${where}. ` +
      `Grant it with a role that has the verb '${verb}' for '${kind}'.`,
  };
}

function podSecurity({ subject, message }: Read): Explained | undefined {
  const [, level, said = ""] = /violates PodSecurity "([^"]+)": (.*)/s.exec(message) ?? [];
  return level === undefined
    ? undefined
    : { code: "Forbidden", message: `${subject} violates the pod security level '${level}': ${short(said)}` };
}

function fieldsOwned({ subject, causes, cluster }: Read): Explained | undefined {
  const owned = causes.filter(({ reason }) => reason === "FieldManagerConflict");
  if (owned.length === 0) {
    return undefined;
  }
  const texts = owned.map(({ field, message }) => {
    const owner = /conflict with "([^"]+)"/.exec(message)?.[1];
    return `${field.replace(/^\./, "")} (owned by '${owner ?? message}')`;
  });
  return {
    code: "Conflict",
    message:
      `${subject} in ${cluster} has fields that somebody else has set: ${texts.join(", ")}. Nothing was changed. ` +
      "Leave these fields to their owner, let the owner give them up, or delete the object and deploy again.",
    details: owned.map(({ field, message }) => ({ code: "Conflict", message, target: field })),
  };
}

/** Values and types of fields, and fields that there are not. */
function fieldsInvalid(read: Read): Explained | undefined {
  const { subject, status, causes } = read;
  if (![400, 422, 500].includes(status)) {
    return undefined;
  }
  const details = causes.map((cause) => invalidField(read, cause));
  const texts =
    details.length === 0 ? invalidTexts(read) : details.map(({ target, message }) => `${target}: ${message}`);
  return texts.length === 0
    ? undefined
    : { code: "BadRequest", message: `${subject} is not valid: ${texts.join("; ")}`, details };
}

/** Messages repeat the wrong value, so of a Secret only the kind of the problem is told. */
function invalidField({ isSecret: hides }: Read, { field, reason, message }: Cause): ErrorDetail & { target: string } {
  const kinds: Readonly<Record<string, string>> = {
    FieldValueRequired: "a value is required",
    FieldValueDuplicate: "the value is there twice",
    FieldValueNotSupported: "the value is not supported",
    FieldValueForbidden: "may not be set or changed",
    FieldValueTypeInvalid: "the value is of the wrong type",
  };
  return {
    code: "InvalidProperties",
    message: hides ? (kinds[reason] ?? "the value is not valid") : short(message),
    target: field === "" ? "<object>" : field,
  };
}

/** The decoder has no causes; its messages name fields, and sometimes values. */
function invalidTexts({ message, status, isSecret: hides }: Read): string[] {
  const strict = /strict decoding error: (.*)/s.exec(message)?.[1];
  const typed = /failed to create (?:manager for existing fields|typed (?:patch|live) object)[^:]*: (.*)/s.exec(
    message,
  )?.[1];
  if (strict === undefined && typed === undefined && status !== 400) {
    return [];
  }
  if (!hides) {
    return [short(strict ?? typed ?? message)];
  }
  const fields = [...message.matchAll(/(?:unknown|duplicate) field "[^"]*"|\.[\w./-]+: field not declared in schema/g)];
  return fields.length === 0 ? ["a member has the wrong form"] : fields.map(([text]) => text);
}

function byStatus(read: Read): Explained {
  const { call, subject, status, reason, message, cluster } = read;
  const said = read.isSecret || message === "" ? "" : `: ${short(message)}`;
  switch (status) {
    case 403:
      return { code: "Forbidden", message: `${subject} is refused by ${cluster}${said}` };
    case 404:
      return read.name === ""
        ? { code: "NotFound", message: `${subject}: ${cluster} does not serve ${call.path}.`, target: call.path }
        : { code: "NotFound", message: `${subject}: ${cluster} has no such object${said}` };
    case 409: {
      const isThere = reason === "AlreadyExists";
      const text = isThere ? "is there already" : "was changed by somebody else at the same time";
      return { code: "Conflict", message: `${subject} ${text} in ${cluster}${said}`, transient: !isThere };
    }
    case 410:
      return {
        code: "PreconditionFailed",
        message: `${subject}: ${cluster} no longer has that version${said}`,
        status,
      };
    case 429: {
      const text = `${cluster} throttles requests, and still did after waiting${said}`;
      return { code: "ServiceUnavailable", message: `${subject}: ${text}`, transient: true };
    }
    default:
      return status >= 500
        ? {
            code: "ServiceUnavailable",
            message: `${subject}: ${cluster} failed (HTTP ${status})${said}`,
            transient: true,
          }
        : { code: "BadRequest", message: `${subject} is refused by ${cluster} (HTTP ${status})${said}` };
  }
}

function readStatus(refusal: Refusal): Read {
  const { call, body } = refusal;
  const status = isJsonObject(body) && body["kind"] === "Status" ? body : {};
  const details = objectMember(status, "details");
  const { causes } = details;
  const text = (object: JsonObject, name: string): string => (typeof object[name] === "string" ? object[name] : "");
  return {
    ...refusal,
    subject: subjectOf(call),
    reason: text(status, "reason"),
    message: text(status, "message"),
    name: text(details, "name"),
    causes: (Array.isArray(causes) ? causes : []).filter(isJsonObject).map((cause) => ({
      reason: text(cause, "reason"),
      message: text(cause, "message"),
      field: text(cause, "field"),
    })),
    isSecret: isAboutSecret(call),
  };
}

function isAboutSecret({ body, path }: ApiCall): boolean {
  return (body !== undefined && isSecret(body)) || /^\/api\/v1\/namespaces\/[^/]+\/secrets(?:\/|$)/.test(path);
}

/** Webhooks may repeat anything of what they were shown. */
function hidden({ code, message, ...options }: Explained, body: JsonObject | undefined): ApiError {
  const values = body === undefined ? [] : secretValuesOf(body);
  const redactor = new Redactor();
  redactor.add(values);
  const details = options.details?.map((detail) => redactor.redactError(detail));
  return new ApiError(code, redactor.redact(message), { ...options, ...(details && { details }) });
}

function short(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > 1_000 ? `${trimmed.slice(0, 1_000)}…` : trimmed;
}
