import { ApiError, type ErrorDetail, type ErrorInfo } from "@rad/core";
import type { PlanFailure } from "@rad/templates";
import type { InputOrigin } from "../deployment-input.ts";
import { planErrorDetail } from "../prepare-plan.ts";

/** A resource was accepted by its provider and then failed. */
export class ResourceFailed extends Error {
  override readonly name = "ResourceFailed";
  readonly error: ApiError;

  constructor(error: ApiError) {
    super(error.message, { cause: error });
    this.error = error;
  }
}

/** The expressions of a node or of the outputs cannot be evaluated. */
export class EvaluationFailed extends Error {
  override readonly name = "EvaluationFailed";
  readonly failure: PlanFailure;

  constructor(failure: PlanFailure) {
    super(failure.errors[0]?.message ?? "An expression cannot be evaluated.");
    this.failure = failure;
  }
}

/** More than this in one error helps nobody, and it is stored several times. */
const maxErrorLength = 256 * 1024;
const maxMessageLength = 8 * 1024;
const maxSuccesses = 10;

export interface FailedNode {
  readonly id: string | undefined;
  readonly key: string;
  /** Of the node in the outermost template. */
  readonly violation: ErrorInfo;
  readonly origin: InputOrigin;
}

/** What is said about a node that failed, in its record and in the error of its deployment. */
export function failureDetail(error: unknown, node: FailedNode): ErrorDetail {
  const target = node.id ?? node.key;
  const additionalInfo = [node.violation];
  if (error instanceof EvaluationFailed) {
    const details = error.failure.errors.map((one) => planErrorDetail(one, node.origin));
    const message = `Unable to process template language expressions for resource '${target}': ${error.message}`;
    return { code: "InvalidTemplate", message, target, details, additionalInfo: details[0]?.additionalInfo ?? [] };
  }
  if (error instanceof ResourceFailed) {
    return resourceFailure(target, error.error.toDetail(), additionalInfo);
  }
  if (error instanceof ApiError && error.code === "HttpRequestPayloadAPISpecValidationFailed") {
    return resourceFailure(target, schemaViolation(error), additionalInfo);
  }
  if (error instanceof ApiError) {
    const detail = error.toDetail();
    return { ...detail, target, additionalInfo: [...(detail.additionalInfo ?? []), ...missingViolation(detail, node)] };
  }
  return {
    code: "Internal",
    message: "It failed unexpectedly; the server's log has the cause.",
    target,
    additionalInfo,
  };
}

/** Upstream checks bodies only after it has accepted them, and this is what its deployments then say. */
function schemaViolation({ message, details }: ApiError): ErrorDetail {
  const problems = details.map((detail) => detail.message).join("; ");
  return { code: "InvalidRequestContent", message: `Schema validation failed: ${problems || message}`, details };
}

/** `cause` is the provider's own error, or that of a nested deployment. */
export function resourceFailure(target: string, cause: ErrorDetail, additionalInfo: readonly ErrorInfo[]): ErrorDetail {
  const isWrapped = cause.code === "ResourceDeploymentFailure";
  const details = isWrapped ? (cause.details ?? []) : [cause];
  return { code: "ResourceDeploymentFailure", message: "Failed", target, details, additionalInfo };
}

/** `BadRequest` for 400. */
export function statusName(error: unknown): string {
  const known = error instanceof ResourceFailed ? error.error : error;
  const status = known instanceof ApiError ? known.status : error instanceof EvaluationFailed ? 400 : 500;
  const { STATUS_CODES } = process.getBuiltinModule("node:http"); // an import would load `fetch` at every start
  return (STATUS_CODES[status] ?? "InternalServerError").replaceAll(/[^A-Za-z]/g, "");
}

/** The error of a deployment in which something failed: failures first, then a few of those that went well. */
export function deploymentFailed(id: string, failures: readonly ErrorDetail[], successes: readonly string[]): ApiError {
  const message =
    "At least one resource deployment operation failed. The details and the deployment's operations say which.";
  const wentWell = successes.slice(0, maxSuccesses).map((target) => ({ code: "OK", message: "OK", target }));
  return new ApiError("DeploymentFailed", message, { target: id, details: bounded([...failures, ...wentWell]) });
}

/** Cuts long texts and drops what goes beyond the bound, saying how much. */
export function bounded(details: readonly ErrorDetail[], maxLength = maxErrorLength): ErrorDetail[] {
  const kept: ErrorDetail[] = [];
  let left = maxLength;
  for (const detail of details) {
    const short = shortened(detail);
    const length = JSON.stringify(short).length;
    const chosen = length <= left ? short : withoutDetails(short);
    left -= Math.min(length, JSON.stringify(chosen).length);
    if (left < 0) {
      kept.push({ code: "DeploymentFailed", message: `${details.length - kept.length} more are left out.` });
      break;
    }
    kept.push(chosen);
  }
  return kept;
}

function missingViolation({ additionalInfo }: ErrorDetail, node: FailedNode): ErrorInfo[] {
  return additionalInfo?.some(({ type }) => type === "TemplateViolation") === true ? [] : [node.violation];
}

function shortened(detail: ErrorDetail): ErrorDetail {
  const { message, details } = detail;
  return {
    ...detail,
    message: message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message,
    ...(details === undefined ? {} : { details: details.map(shortened) }),
  };
}

function withoutDetails({ code, message, target }: ErrorDetail): ErrorDetail {
  const short = message.length > 500 ? `${message.slice(0, 500)}…` : message;
  return { code, message: short, ...(target === undefined ? {} : { target }) };
}
