export { ApiError, statusByCode } from "./api-error.ts";
export type { ApiErrorOptions, ErrorCode, ErrorDetail, ErrorInfo } from "./api-error.ts";
export { systemClock } from "./clock.ts";
export type { Clock } from "./clock.ts";
export { isDeploymentName } from "./deployment-name.ts";
export { hasMoreValues, isJsonObject, objectMember, setMember } from "./json.ts";
export type { JsonObject, JsonValue } from "./json.ts";
export { formatPath } from "./json-path.ts";
export type { PathSegment } from "./json-path.ts";
export { jsonPointer } from "./json-pointer.ts";
export { printJson } from "./json-printer.ts";
export { maxMembers, prototypeKeys, readJson, readOwnJson, tooManyMembers, tooManyValues } from "./json-reader.ts";
export type { JsonLimits } from "./json-reader.ts";
export { Limiter } from "./limiter.ts";
export { silentLogger } from "./logger.ts";
export type { LogFields, Logger } from "./logger.ts";
export { MainThread, mainThread, Pace } from "./main-thread.ts";
export { pauseAfter } from "./pause-after.ts";
export { copyMembers } from "./copy-members.ts";
export { nearestName } from "./nearest-name.ts";
export { isProvisioningState, isTerminal, ProvisioningState } from "./provisioning-state.ts";
export { redactedText, Redactor } from "./redaction.ts";
export { isBuiltInNamespace, ResourceId, withLowerCaseGroup } from "./resource-id.ts";
export type { IdKind, IdSegment, ProviderPart } from "./resource-id.ts";
export { parseIpAddress, printIpAddress } from "./ip-address.ts";
export { asSecretReference, isSecretId, secretReferencesIn } from "./secret-reference.ts";
export type { SecretReference } from "./secret-reference.ts";
export { sameJson } from "./same-json.ts";
export { atOnce, inSlices } from "./sliced.ts";
export type { Sliced } from "./sliced.ts";
export { noMetrics } from "./telemetry/metrics.ts";
export type {
  Counter,
  Histogram,
  HistogramOptions,
  InstrumentOptions,
  Labels,
  Metrics,
  Observation,
} from "./telemetry/metrics.ts";
export { noTracing } from "./telemetry/tracing.ts";
export type { SpanAttributes, SpanOptions, SpanScope, Tracing } from "./telemetry/tracing.ts";
