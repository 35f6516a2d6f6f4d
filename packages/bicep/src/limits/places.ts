import type { DiagnosticSink } from "../diagnostic.ts";
import type { ModuleSymbol, ResourceInfo, ResourceSymbol, SemanticModel } from "../semantics/index.ts";
import { scopeNames, ScopeFlags } from "../types/index.ts";
import { limitDiagnostics } from "./diagnostics.ts";
import { propertyNamed } from "./properties.ts";
import { scopeTarget } from "./scopes.ts";
import type { DeploymentScope, Scopes } from "./scopes.ts";

/** Whether a resource may stand where its `parent` and `scope` put it (BCP135, 139, 164, 165, 229, 240, 245, 246, 420). */
export function checkResourcePlace(
  model: SemanticModel,
  scopes: Scopes,
  symbol: ResourceSymbol,
  sink: DiagnosticSink,
): void {
  const info = model.resourceOf(symbol);
  checkReadOnlyType(model, info, sink);
  if (!info.isAzure || info.type === undefined) {
    return;
  }
  checkParent(model, info, sink);
  if (info.parent === undefined) {
    checkResourceScope(model, scopes, info, sink);
    return;
  }
  if (info.scope !== undefined) {
    sink.report(limitDiagnostics.scopeOnChild(info.scope));
  }
  const root = scopes.rootOf(symbol);
  const isElsewhere = model.resourceOf(root).existing && !isDeployable(model, scopes, scopes.of(root));
  if (!info.existing && isElsewhere) {
    sink.report(limitDiagnostics.childOfOtherScope(symbol.declaration.body, root.name));
  }
}

/** Whether a module can be deployed from this file to where it belongs (BCP113-116, 134, 420). */
export function checkModulePlace(
  model: SemanticModel,
  scopes: Scopes,
  symbol: ModuleSymbol,
  sink: DiagnosticSink,
): void {
  const { template, scope: given } = model.moduleOf(symbol);
  if (template === undefined) {
    return;
  }
  if (model.targetScope === ScopeFlags.Local) {
    sink.report(limitDiagnostics.localModule(given ?? symbol.declaration.body));
    return;
  }
  const supported = template.targetScope;
  const place = given ?? symbol.declaration.body;
  if (given !== undefined) {
    switch (scopes.problemWith(given)) {
      case "module":
        sink.report(limitDiagnostics.moduleScope(given, "module", scopeNames(supported).join(", ")));
        return;
      case "severalScopes":
        sink.report(limitDiagnostics.severalScopes(given));
        return;
      case "resourceParameter":
        sink.report(limitDiagnostics.resourceParameterAsPlace(given));
        return;
      default:
        break;
    }
    if (!isScopeExpression(model, given)) {
      return;
    }
  }
  const scope = scopes.of(symbol);
  if (supported !== 0 && (supported & scope.scope) === 0) {
    const names = scopeNames(supported).join(", ");
    sink.report(limitDiagnostics.moduleScope(place, scopeNames(scope.scope).join(", "), names));
    return;
  }
  if (!isReachable(model.targetScope, scope)) {
    sink.report(moduleComplaints.get(model.targetScope)?.(place) ?? limitDiagnostics.moduleFromResourceGroup(place));
  }
}

function checkReadOnlyType(model: SemanticModel, info: ResourceInfo, sink: DiagnosticSink): void {
  const { type, typeNode, existing } = info;
  if (type === undefined || typeNode === undefined) {
    return;
  }
  if (existing) {
    if (type.validScopes === 0) {
      sink.report(limitDiagnostics.writeOnlyType(typeNode, type.reference.type));
    }
    return;
  }
  const writable = type.validScopes & ~type.readOnlyScopes;
  if (writable === 0) {
    sink.report(limitDiagnostics.readOnlyType(typeNode, type.reference.type));
  } else if ((type.readOnlyScopes & model.targetScope) !== 0) {
    const scope = scopeNames(model.targetScope).join(", ");
    sink.report(limitDiagnostics.readOnlyTypeHere(typeNode, type.reference.type, scope));
  }
}

function checkParent(model: SemanticModel, info: ResourceInfo, sink: DiagnosticSink): void {
  const property = info.symbol.container === undefined ? propertyNamed(info.body, "parent") : undefined;
  if (property === undefined || info.parent !== undefined) {
    return;
  }
  const { value } = property;
  const type = model.typeOf(value);
  const { symbol } = scopeTarget(model, value);
  if (symbol?.kind === "parameter" && type.kind === "resource") {
    sink.report(limitDiagnostics.resourceParameterAsPlace(value));
  } else if (type.kind !== "error" && symbol?.kind !== "resource") {
    sink.report(limitDiagnostics.parentNotDirect(value));
  }
}

function checkResourceScope(model: SemanticModel, scopes: Scopes, info: ResourceInfo, sink: DiagnosticSink): void {
  const { symbol, scope: given, type } = info;
  const place = given ?? symbol.declaration.body;
  const supported = type?.validScopes ?? 0;
  if (given !== undefined) {
    switch (scopes.problemWith(given)) {
      case "module":
        sink.report(limitDiagnostics.resourceScope(given, "module", scopeNames(supported).join(", ")));
        return;
      case "severalScopes":
        sink.report(limitDiagnostics.severalScopes(given));
        return;
      case "resourceParameter":
        sink.report(limitDiagnostics.resourceParameterAsPlace(given));
        return;
      default:
        break;
    }
    if (!isScopeExpression(model, given)) {
      return;
    }
  }
  const scope = scopes.of(symbol);
  if ((supported & scope.scope) === 0) {
    const names = scopeNames(supported).join(", ");
    sink.report(limitDiagnostics.resourceScope(place, scopeNames(scope.scope).join(", "), names));
  } else if (!info.existing && !isDeployable(model, scopes, scope)) {
    sink.report(limitDiagnostics.otherScope(place));
  }
}

/** Whether the checker made a scope of the value; otherwise it has said what is wrong. */
function isScopeExpression(model: SemanticModel, given: NonNullable<ResourceInfo["scope"]>): boolean {
  const { symbol } = scopeTarget(model, given);
  const type = model.typeOf(given);
  return symbol?.kind === "resource" || (type.kind === "object" && type.scope !== undefined);
}

/** Whether a resource at that scope belongs to the deployment of the file; the tenant can be reached from anywhere. */
function isDeployable(model: SemanticModel, scopes: Scopes, scope: DeploymentScope): boolean {
  const seen = new Set<ResourceSymbol>();
  let at = scope;
  while (at.scope === ScopeFlags.Resource && at.resource !== undefined && !seen.has(at.resource)) {
    seen.add(at.resource);
    at = scopes.of(at.resource);
  }
  if (at.scope === ScopeFlags.Tenant || at.scope === ScopeFlags.Resource) {
    return true;
  }
  const isNamed = at.managementGroup !== undefined || at.subscription !== undefined || at.resourceGroup !== undefined;
  return at.scope === model.targetScope && !isNamed;
}

/** Which scopes a module can have in a file of another scope. */
function isReachable(from: number, to: DeploymentScope): boolean {
  const { ManagementGroup, ResourceGroup, Subscription, Tenant } = ScopeFlags;
  switch (to.scope) {
    case Tenant:
      return true;
    case ManagementGroup:
      return from === ManagementGroup || (from === Tenant && to.managementGroup !== undefined);
    case Subscription:
      return from === Subscription || from === ResourceGroup || to.subscription !== undefined;
    case ResourceGroup:
      return from === Subscription || from === ResourceGroup || to.subscription !== undefined;
    default:
      return from === to.scope;
  }
}

const moduleComplaints: ReadonlyMap<number, typeof limitDiagnostics.moduleFromTenant> = new Map([
  [ScopeFlags.Tenant, limitDiagnostics.moduleFromTenant],
  [ScopeFlags.ManagementGroup, limitDiagnostics.moduleFromManagementGroup],
  [ScopeFlags.Subscription, limitDiagnostics.moduleFromSubscription],
  [ScopeFlags.ResourceGroup, limitDiagnostics.moduleFromResourceGroup],
]);
