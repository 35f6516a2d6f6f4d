export { Budget } from "./budget.ts";
export { formatInstant } from "./dates/date-format.ts";
export { parseInstant } from "./dates/instant.ts";
export type { Instant } from "./dates/instant.ts";
export { evaluateDocument, evaluateExpression } from "./expressions/evaluate.ts";
export type { EvaluationScope, UserFunction } from "./expressions/evaluate.ts";
export { isExpressionText, parseExpression, parseTemplateString } from "./expressions/expression-parser.ts";
export { printExpression, printLiteral } from "./expressions/expression-printer.ts";
export type {
  CallExpression,
  Expression,
  IndexAccess,
  IntegerLiteral,
  PropertyAccess,
  StringLiteral,
  TemplateString,
} from "./expressions/expression.ts";
export { define, defineLazy, FunctionCall } from "./functions/function-call.ts";
export type { ArgumentList, FunctionDefinition } from "./functions/function-call.ts";
export { callFunction, functionTable, pureFunctions } from "./functions/pure-functions.ts";
export { createResourceIdFunctions } from "./functions/resource-ids.ts";
export type { ResourceIdScope } from "./functions/resource-ids.ts";
export { evaluateCases } from "./plan/evaluate-cases.ts";
export type { EvaluationAnswer, EvaluationCase, EvaluationHost } from "./plan/evaluate-cases.ts";
export { evaluateNode, isReady } from "./plan/evaluate-node.ts";
export { evaluateOutputs } from "./plan/evaluate-outputs.ts";
export { defaultLimits } from "./plan/limits.ts";
export { planTemplate } from "./plan/plan-template.ts";
export type {
  BarrierNode,
  DeploymentContext,
  DeploymentNode,
  DeployRequest,
  Evaluation,
  EvaluationOptions,
  ExistingNode,
  ExtensionNode,
  ExtensionUse,
  NodeRequest,
  NodeResult,
  Outputs,
  OutputValue,
  ParameterInput,
  PendingAction,
  PendingCall,
  PendingRead,
  Plan,
  PlanError,
  PlanErrorReason,
  PlanFailure,
  PlanInput,
  PlanLimits,
  PlannedOutput,
  PlannedParameter,
  PlanNode,
  PlanResults,
  PlanScopes,
  ProviderKind,
  PutRequest,
  ReadRequest,
  ResourceNode,
  ResourceOptions,
  Surroundings,
} from "./plan/plan.ts";
export { sliced, withoutPause } from "./pausing.ts";
export type { Pausing } from "./pausing.ts";
export { templateHash } from "./template-hash.ts";
export { TextPieces } from "./text/text-pieces.ts";
export type { TemplateJson, TemplateObject } from "./template-hash.ts";
export { TemplateError } from "./template-error.ts";
export type { TemplateErrorCode, TemplateErrorPlace } from "./template-error.ts";
export { compareText } from "./text/text-order.ts";
export { fromJson, toJson } from "./values/json-conversion.ts";
export { parseJson, parseJsonPausing } from "./values/json-parser.ts";
export { toMeasuredJson } from "./plan/measured-json.ts";
export { printJson } from "./format/json-printer.ts";
export { getMember } from "./values/members.ts";
export { isArray, isObject, kindOf, Lambda } from "./values/value.ts";
export type { Argument, ObjectValue, Value, ValueKind } from "./values/value.ts";
