import type { JsonObject, JsonValue } from "@rad/core";
import type { Budget } from "../budget.ts";
import type { TemplateErrorCode } from "../template-error.ts";

/**
 * Everything that planning looks at. The same input gives the same plan with the same keys, so a deployment that is
 * resumed plans again: hand in the values of the first plan's `parameters` and neither the time nor a new GUID is
 * asked for a second time.
 */
export interface PlanInput {
  readonly template: JsonValue;
  /** By name; letter case does not count. */
  readonly parameters?: Readonly<Record<string, ParameterInput>>;
  readonly deployment: DeploymentContext;
  readonly scopes: PlanScopes;
  /** What `utcNow()` tells: one instant for the whole deployment. */
  readonly now: Date;
  /** Asked once per `newGuid()` in the default value of a parameter. */
  readonly newGuid: () => string;
  /** By alias, then by property: what a parent hands to the `extensions` of this template. */
  readonly extensionConfigs?: JsonObject;
  /** JSON pointers into `extensionConfigs`: what is secret there, whatever the types say. */
  readonly extensionSecrets?: readonly string[];
  /** What an `expression` in a parameter's place can read with `externalInputs('key')`. */
  readonly externalInputs?: Readonly<Record<string, JsonValue>>;
  readonly surroundings?: Surroundings;
  readonly limits?: Partial<PlanLimits>;
  /** Shared with the deployment that this one is nested in; otherwise one of `limits.steps`. */
  readonly budget?: Budget;
}

export type ParameterInput =
  | ({ readonly value: JsonValue } & GivenSecrets)
  | ({ readonly expression: string } & GivenSecrets)
  /** A key vault reference. It has to be resolved before planning; as it stands it is an error. */
  | { readonly reference: JsonValue }
  /** For previews only: the value comes from something that has not run. What needs it is not known yet either. */
  | { readonly unknown: true };

interface GivenSecrets {
  /** JSON pointers into the value: parts that a parent made of a secret, whatever the type of the parameter says. */
  readonly secrets?: readonly string[];
}

export interface DeploymentContext {
  readonly name: string;
  readonly location?: string;
  readonly mode?: string;
}

/** The scopes in which resources are made, by provider: ids without a slash at the end. */
export interface PlanScopes {
  readonly radius: string;
  readonly deployments: string;
  /** A resource group, a subscription, a management group, or `/` for the tenant. */
  readonly az?: string;
  readonly aws?: string;
}

/** What the functions about the surroundings of a deployment answer. Whatever is missing gets a harmless default. */
export interface Surroundings {
  readonly resourceGroup?: { readonly location?: string; readonly tags?: JsonObject };
  readonly subscription?: { readonly displayName?: string };
  readonly tenant?: {
    readonly tenantId?: string;
    readonly displayName?: string;
    readonly country?: string;
    readonly countryCode?: string;
  };
  readonly deployer?: {
    readonly objectId?: string;
    readonly tenantId?: string;
    readonly userPrincipalName?: string;
  };
  /** Takes the place of the public cloud's endpoints in `environment()`. */
  readonly environment?: JsonObject;
  /** `{namespace, resourceTypes: [{resourceType, locations, apiVersions}]}`, for `providers()`. */
  readonly providers?: readonly JsonObject[];
  /** `Namespace/type` → location → zones, for `pickZones()`. */
  readonly zones?: JsonObject;
  /** Location → logical zone → physical zone. */
  readonly zoneMappings?: JsonObject;
}

/** A template that goes beyond one of these is refused before it can exhaust anything. */
export interface PlanLimits {
  readonly parameters: number;
  readonly variables: number;
  readonly outputs: number;
  readonly asserts: number;
  /** Resources after loops are expanded, those of nested deployments not counted. */
  readonly resources: number;
  /** Rounds of one loop, wherever it stands. */
  readonly copies: number;
  /** Characters of the template as JSON. */
  readonly templateLength: number;
  /** Characters of one resource as JSON, after evaluation. */
  readonly resourceLength: number;
  /** Deployments within deployments. */
  readonly nesting: number;
  /** What planning and the evaluation of all nodes and outputs may spend together; see `Budget`. */
  readonly steps: number;
  /** Texts in the secure parameters. */
  readonly secrets: number;
  /** Characters of one expression. */
  readonly expressionLength: number;
  /** Brackets within brackets of one expression. */
  readonly expressionDepth: number;
}

/** Where a node is sent. `other` is an extension that nothing here knows; its name is in `extension`. */
export type ProviderKind = "radius" | "deployments" | "azure" | "aws" | "kubernetes" | "other";

/** The `imports` or `extensions` entry that a resource names. */
export interface ExtensionUse {
  readonly alias: string;
  readonly name: string;
  readonly version: string;
  /** Evaluated already; may hold secrets. */
  readonly config: JsonObject;
}

/**
 * One step of a deployment.
 *
 * - `resource`: written without an extension (Azure).
 * - `extension`: written through an extension (Radius, AWS, Kubernetes).
 * - `existing`: read, never written.
 * - `deployment`: a nested template, a deployment of its own.
 * - `barrier`: nothing to do; done when everything it depends on is done. It stands for a whole loop or for one batch
 *   of a serial loop, so that "all of these after all of those" costs a sum of edges and not a product.
 *
 * Reads and actions that an expression asks for (`reference` of an id from elsewhere, `list…`, resource methods) are no
 * nodes: whether they happen and with what arguments shows only while a node is evaluated (`PendingCall`).
 */
export type PlanNode = ResourceNode | ExtensionNode | ExistingNode | DeploymentNode | BarrierNode;

interface NodeIdentity {
  /** Unique and the same in every plan of the same input: `app`, `app[2]`, or `resources[1]` without symbolic names. */
  readonly key: string;
  /** Keys of the nodes that have to be done first, without repetition. */
  readonly dependsOn: readonly string[];
}

interface TemplateNode extends NodeIdentity {
  readonly symbolicName: string | undefined;
  /** JSON path of the resource in the template. */
  readonly path: string;
  /** Place within its loop. */
  readonly copyIndex: number | undefined;
  /** Without a version: `Applications.Core/containers`. */
  readonly type: string;
  readonly apiVersion: string | undefined;
  /** All names of a nested type, `parent/child`. Unknown before the call where the provider chooses it (AWS). */
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly provider: ProviderKind;
  readonly extension: ExtensionUse | undefined;
  /**
   * Set when there is nothing to do: its condition is false, or it is an existing resource that nobody reads. Those
   * that depend on it go ahead.
   */
  readonly skipped: "condition" | "unread" | undefined;
  readonly options: ResourceOptions;
}

export interface ResourceNode extends TemplateNode {
  readonly kind: "resource";
}

export interface ExtensionNode extends TemplateNode {
  readonly kind: "extension";
}

export interface ExistingNode extends TemplateNode {
  readonly kind: "existing";
}

export interface DeploymentNode extends TemplateNode {
  readonly kind: "deployment";
  readonly name: string;
  readonly id: string;
}

export interface BarrierNode extends NodeIdentity {
  readonly kind: "barrier";
}

/** The `@options` of a resource. */
export interface ResourceOptions {
  readonly retryOn?: { readonly codes: readonly string[]; readonly count: number };
  /** Leave a resource alone that is there already, and read it. */
  readonly onlyIfNotExists?: true;
  /** A read that finds nothing gives null. */
  readonly nullIfNotFound?: true;
  /** ISO 8601 duration; `isReady` decides about each body that is read meanwhile. */
  readonly waitUntil?: { readonly timeout: string };
}

export interface PlannedParameter {
  /** As the API spells it: `String`, `Int`, `Bool`, `Array`, `Object`, `SecureString`, `SecureObject`. */
  readonly type: string;
  /** By its type, or because it was made of something secure. */
  readonly secure: boolean;
  /** Missing when it is not known yet (previews). */
  readonly value?: JsonValue;
}

/**
 * A template that can run. As results come in,
 * - `evaluateNode(plan, key, results, options?): Evaluation<NodeRequest>` says what to send,
 * - `isReady(plan, key, body): boolean | PlanFailure` decides about `waitUntil`,
 * - `evaluateOutputs(plan, results, options?): Evaluation<Outputs>` ends the deployment.
 */
export interface Plan {
  readonly kind: "plan";
  /** In the order of the template; every key in `dependsOn` is one of these. */
  readonly nodes: ReadonlyMap<string, PlanNode>;
  /** In the order of the template. Contains secrets where `secure` is set. */
  readonly parameters: Readonly<Record<string, PlannedParameter>>;
  /** The texts in secure parameters and in the configuration of extensions where it is secret, for a redactor. */
  readonly secrets: readonly string[];
  readonly outputs: readonly PlannedOutput[];
}

export interface PlannedOutput {
  readonly name: string;
  readonly type: string;
  readonly secure: boolean;
}

export interface PlanFailure {
  readonly kind: "failed";
  readonly errors: readonly PlanError[];
}

export interface PlanError {
  /** What an API answers with. */
  readonly code: "InvalidTemplate" | "DeploymentOutputEvaluationFailed";
  /** What exactly is wrong, for callers to branch on. */
  readonly reason: PlanErrorReason;
  /** One line without secrets. */
  readonly message: string;
  /** JSON path in the template (`$.resources.app.properties.x`), or in the request (`parameters.x`). */
  readonly path: string;
  /** Offset into the text of the expression, its opening bracket included. */
  readonly position: number | undefined;
}

export type PlanErrorReason =
  | TemplateErrorCode
  /** A part of the template has the wrong shape, or an unknown value. */
  | "InvalidShape"
  | "MissingParameter"
  | "InvalidParameter"
  | "InvalidOutput"
  /** A function is called in a place where its answer cannot be had. */
  | "FunctionNotAllowed"
  | "UnknownDependency"
  | "Cycle"
  | "DuplicateResource"
  /** The number of names does not fit the resource type. */
  | "InvalidName"
  | "InvalidLoop"
  | "InvalidCondition"
  /** The template needs a scope that the deployment does not have. */
  | "MissingScope"
  | "UnknownExtension"
  | "AssertionFailed"
  /** The template, a resource, or parameters or outputs together are too long as JSON. */
  | "SizeExceeded"
  | "Unsupported"
  /** Previews only: it depends on a value that is not known yet. */
  | "NotKnownYet"
  /** A reference to a resource that is not deployed, because its condition is false. */
  | "NotDeployed";

/** What has happened so far. Answers must not change once given. */
export interface PlanResults {
  readonly node: (key: string) => NodeResult | undefined;
  /** By the `key` of a `PendingCall`. */
  readonly call: (key: string) => NodeResult | undefined;
}

export interface NodeResult {
  /**
   * The whole resource: `id`, `name`, `type`, `properties` … A deployment's `properties.outputs` is name →
   * `{type, value}`. `null` for an existing resource that is not there, where its options allow that.
   */
  readonly body: JsonValue;
  /**
   * Previews only: objects within `body` that may have members besides those that are there, by identity. An expression
   * that needs such a member, or all of them, is not known yet; what is there can be relied on.
   */
  readonly open?: ReadonlySet<JsonValue>;
}

/** Something that an expression wants to know and that only the world can tell. */
export type PendingCall = PendingRead | PendingAction;

export interface PendingRead {
  readonly kind: "read";
  /** Equal for equal calls. Holds no secret. */
  readonly key: string;
  readonly id: string;
  readonly apiVersion: string | undefined;
  readonly provider: ProviderKind;
  /** Nothing there is an answer too: a body of null. Otherwise it is an error of whoever asked. */
  readonly nullIfNotFound: boolean;
}

/** `POST {id}/{action}`. */
export interface PendingAction {
  readonly kind: "action";
  readonly key: string;
  readonly id: string;
  readonly action: string;
  readonly apiVersion: string | undefined;
  readonly provider: ProviderKind;
  /** The node that is acted on, if it belongs to the plan. */
  readonly target: string | undefined;
  readonly body: JsonValue | undefined;
  /** Arguments of a resource method by position, for the provider to name. */
  readonly args: readonly JsonValue[];
}

export interface EvaluationOptions {
  /**
   * Predict instead of insist: where an answer is missing, the text of the expression takes the place of its value and
   * its path is reported in `unknown`. An output of which not even its presence is known is left out, and its path
   * reported.
   */
  readonly preview?: boolean;
}

/** Either everything is there, or these calls are to be made first (then evaluate again), or it cannot work. */
export type Evaluation<T> =
  | { readonly kind: "ready"; readonly value: T; readonly unknown: readonly string[] }
  | { readonly kind: "needs"; readonly calls: readonly PendingCall[] }
  | PlanFailure;

export type NodeRequest = PutRequest | ReadRequest | DeployRequest | NoRequest;

/** `body` is complete for the provider: without the name and alias that are part of an extension resource's text. */
export interface PutRequest {
  readonly kind: "put";
  readonly method: "PUT" | "PATCH";
  readonly id: string | undefined;
  readonly apiVersion: string | undefined;
  readonly body: JsonObject;
  /** JSON pointers (RFC 6901) into `body`: the values that were made of something secure, the smallest such parts. */
  readonly secrets: readonly string[];
}

export interface ReadRequest {
  readonly kind: "read";
  readonly id: string | undefined;
  readonly apiVersion: string | undefined;
  /** What the template says of the resource, for providers that find it by its properties (AWS, Kubernetes). */
  readonly body: JsonObject;
}

/** The body of a deployment, and what its own planning takes over from the parent. */
export interface DeployRequest {
  readonly kind: "deploy";
  readonly id: string;
  readonly name: string;
  readonly location: string | undefined;
  readonly tags: JsonObject | undefined;
  /** One of the two is there. */
  readonly template: JsonValue | undefined;
  /** With outer scope, `template` holds values in place of expressions, secrets among them; this one is as written. */
  readonly writtenTemplate?: JsonValue;
  readonly templateLink: JsonObject | undefined;
  readonly parameters: Readonly<Record<string, ParameterInput>>;
  readonly parametersLink: JsonObject | undefined;
  readonly mode: string;
  readonly extensionConfigs: JsonObject | undefined;
  readonly extensionSecrets: readonly string[];
  readonly scopes: PlanScopes;
}

export interface NoRequest {
  readonly kind: "none";
}

export interface OutputValue {
  readonly type: string;
  readonly secure: boolean;
  /** Missing when the value is null. */
  readonly value?: JsonValue;
}

/** By name, in the order of the template; an output whose condition is false is not there. */
export type Outputs = Readonly<Record<string, OutputValue>>;
