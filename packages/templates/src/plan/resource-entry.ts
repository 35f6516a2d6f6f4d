import type { Compiled, CompiledExpression, CompiledLiteral, ResourceRead } from "./compiled.ts";
import type { ObjectValue } from "../values/value.ts";
import type { ResourceOptions } from "./plan.ts";

/** One resource of a template, its strings parsed; a loop makes many nodes of it. */
export interface ResourceEntry {
  readonly symbol: string | undefined;
  readonly path: string;
  /** In full: that of a child includes its parent's. */
  readonly type: string;
  readonly apiVersion: string | undefined;
  /** Alias into the extensions of the template. */
  readonly extension: string | undefined;
  readonly existing: boolean;
  readonly method: "PUT" | "PATCH";
  readonly loop: EntryLoop | undefined;
  readonly condition: Compiled | undefined;
  /** Of an Azure resource; an extension resource has it in its body. */
  readonly name: Compiled | undefined;
  readonly scope: Compiled | undefined;
  readonly subscriptionId: Compiled | undefined;
  readonly resourceGroup: Compiled | undefined;
  readonly dependsOn: readonly (CompiledExpression | CompiledLiteral)[];
  readonly asserts: Compiled | undefined;
  /** What is sent: for an extension resource its `properties`, otherwise every member that is not the engine's. */
  readonly body: Compiled;
  readonly nested: NestedEntry | undefined;
  readonly reads: readonly ResourceRead[];
  /** Without how long to wait. */
  readonly options: ResourceOptions;
  readonly waitUntil: EntryWait | undefined;
  readonly children: readonly ResourceEntry[];
}

export interface EntryLoop {
  readonly name: string;
  readonly path: string;
  readonly count: Compiled;
  /** Rounds of a serial loop that may run at once. */
  readonly batchSize: number | undefined;
}

/** The option `waitUntil`. */
export interface EntryWait {
  readonly path: string;
  readonly lambda: CompiledExpression;
  readonly timeout: Compiled;
}

/** What a nested deployment says of itself, apart from its template. */
export interface NestedEntry {
  /** The template as it stands: evaluated by the nested deployment, or with outer scope by this one. */
  readonly template: ObjectValue | undefined;
  readonly outer: boolean;
  readonly mode: string;
  readonly parameters: ReadonlyMap<string, Compiled>;
  readonly templateLink: Compiled | undefined;
  readonly parametersLink: Compiled | undefined;
  readonly extensionConfigs: Compiled | undefined;
  readonly location: Compiled | undefined;
  readonly tags: Compiled | undefined;
  /** With outer scope: expressions of the template that only this deployment can evaluate, by their place. */
  readonly outerExpressions: ReadonlyMap<string, CompiledExpression>;
}
