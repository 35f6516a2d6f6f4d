import type { DecoratorDefinition, FunctionTable } from "./function-model.ts";
import { anyScope, TypeFlags } from "./flags.ts";
import type {
  DependencyType,
  ModuleType,
  NamespaceType,
  ObjectType,
  ResourceParentType,
  ResourceType,
  ScopeType,
  TestType,
  Type,
} from "./model.ts";
import type { ResourceReference } from "./resource-reference.ts";

export interface ResourceOptions {
  readonly reference: ResourceReference;
  readonly extension: string;
  readonly body: Type;
  readonly validScopes?: number;
  readonly readOnlyScopes?: number;
  readonly flags?: number;
}

export function resourceOf(options: ResourceOptions): ResourceType {
  return new ResourceOf(options);
}

export function moduleOf(body: ObjectType, validScopes: number): ModuleType {
  return new ModuleOf(body, validScopes);
}

export function testOf(body: ObjectType): TestType {
  return new TestOf(body);
}

export function scopeOf(scopes: number): ScopeType {
  return { kind: "scope", flags: 0, key: `scope(${scopes})`, scopes };
}

export const dependencyType: DependencyType = { kind: "dependency", flags: 0, key: "dependency" };

export function parentOf(child: ResourceReference): ResourceParentType {
  return { kind: "parent", flags: 0, key: `parent(${child.text.toLowerCase()})`, child };
}

export function namespaceOf(
  name: string,
  members: {
    readonly functions: FunctionTable;
    readonly decorators: ReadonlyMap<string, DecoratorDefinition>;
    readonly types: ReadonlyMap<string, Type>;
  },
): NamespaceType {
  return { kind: "namespace", flags: TypeFlags.PreventAssignment, key: `namespace ${name}`, name, ...members };
}

// Classes, because the key of a whole body is only worth making when somebody compares.
class ResourceOf implements ResourceType {
  readonly kind = "resource";
  readonly flags: number;
  readonly reference: ResourceReference;
  readonly extension: string;
  readonly body: Type;
  readonly validScopes: number;
  readonly readOnlyScopes: number;

  constructor(options: ResourceOptions) {
    this.flags = options.flags ?? 0;
    this.reference = options.reference;
    this.extension = options.extension;
    this.body = options.body;
    this.validScopes = options.validScopes ?? anyScope;
    this.readOnlyScopes = options.readOnlyScopes ?? 0;
  }

  get key(): string {
    return `resource${this.flags}(${this.extension}:${this.reference.text.toLowerCase()},${this.body.key})`;
  }
}

class ModuleOf implements ModuleType {
  readonly kind = "module";
  readonly flags = 0;
  readonly body: ObjectType;
  readonly validScopes: number;

  constructor(body: ObjectType, validScopes: number) {
    this.body = body;
    this.validScopes = validScopes;
  }

  get key(): string {
    return `module(${this.validScopes},${this.body.key})`;
  }
}

class TestOf implements TestType {
  readonly kind = "test";
  readonly flags = 0;
  readonly body: ObjectType;

  constructor(body: ObjectType) {
    this.body = body;
  }

  get key(): string {
    return `test(${this.body.key})`;
  }
}
