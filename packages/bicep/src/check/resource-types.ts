import type { Span } from "../diagnostic.ts";
import type { ExtensionSymbol, ResourceSymbol } from "../semantics/index.ts";
import { literalText } from "../syntax/index.ts";
import type { StringExpression } from "../syntax/index.ts";
import { azureResourceType, isAzureTypeName, parseResourceReference } from "../types/index.ts";
import type { ResourceReference, ResourceType } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { checks } from "./diagnostics.ts";

/** A resource type and where it comes from; no extension means Azure. */
export interface ResolvedResourceType {
  readonly type: ResourceType;
  readonly extension: ExtensionSymbol | undefined;
}

interface Lookup {
  readonly existing: boolean;
  readonly nested: boolean;
}

/** The type of a resource declaration; what is wrong with its type string is reported there. */
export function resourceTypeOf(
  checker: Checker,
  symbol: ResourceSymbol,
  containerType: () => ResolvedResourceType | undefined,
): ResolvedResourceType | undefined {
  const { declaration } = symbol;
  const node = declaration.type;
  if (node.kind === "Skipped") {
    return undefined;
  }
  const text = literalText(node);
  if (text === undefined) {
    checker.report(checks.interpolatedResourceType(node));
    return undefined;
  }
  const existing = declaration.existing !== undefined;
  if (symbol.container === undefined) {
    return resolveText(checker, text, node, { existing, nested: false });
  }
  const container = containerType();
  if (container === undefined) {
    checker.report(checks.parentTypeInvalid(node));
    return undefined;
  }
  return resolveNested(checker, text, node, container, existing);
}

/** The type that a string names in a type expression. */
export function resourceTypeOfText(checker: Checker, node: StringExpression): ResolvedResourceType | undefined {
  const text = literalText(node);
  return text === undefined ? undefined : resolveText(checker, text, node, { existing: false, nested: false });
}

function resolveNested(
  checker: Checker,
  text: string,
  span: Span,
  container: ResolvedResourceType,
  existing: boolean,
): ResolvedResourceType | undefined {
  const at = text.indexOf("@");
  const type = at < 0 ? text : text.slice(0, at);
  const version = at < 0 ? container.type.reference.version : text.slice(at + 1);
  if (type.includes("/") || type === "" || version === "") {
    checker.report(checks.nestedTypeSegments(span, text));
    return undefined;
  }
  const full = `${container.type.reference.type}/${type}${version === undefined ? "" : `@${version}`}`;
  const reference = parseResourceReference(full);
  if (reference === undefined) {
    checker.report(checks.nestedTypeSegments(span, text));
    return undefined;
  }
  const found = find(checker, reference, span, { existing, nested: true });
  if (found !== undefined && found.extension !== container.extension) {
    checker.report(checks.parentInOtherNamespace(span, full));
    return undefined;
  }
  return found;
}

function resolveText(checker: Checker, text: string, span: Span, lookup: Lookup): ResolvedResourceType | undefined {
  const colon = text.indexOf(":");
  if (colon > 0) {
    return resolveQualified(checker, text.slice(0, colon), text.slice(colon + 1), span, lookup);
  }
  const reference = parseResourceReference(text);
  if (reference === undefined) {
    checker.report(checks.invalidResourceType(span, text));
    return undefined;
  }
  return find(checker, reference, span, lookup);
}

function resolveQualified(
  checker: Checker,
  namespace: string,
  text: string,
  span: Span,
  lookup: Lookup,
): ResolvedResourceType | undefined {
  const { extensions } = checker.declarations;
  const extension = extensions.find((symbol) => symbol.name === namespace);
  if (extension === undefined && namespace !== "sys" && !(namespace === "az" && checker.hasAzure)) {
    const names = [...(checker.hasAzure ? ["az"] : []), ...extensions.map((symbol) => symbol.name)];
    checker.report(checks.typeNamespaceUnknown(span, namespace, names));
    return undefined;
  }
  const reference = parseResourceReference(text);
  if (reference === undefined) {
    checker.report(checks.invalidResourceType(span, text));
    return undefined;
  }
  const found =
    extension === undefined
      ? azureType(checker, reference, span, lookup)
      : extensionType(checker, extension, reference, span, lookup);
  if (found === undefined) {
    checker.report(checks.typeNotInNamespace(span, text, namespace));
  }
  return found;
}

/** A type that a package defines comes first; Azure takes what looks like one of its types. */
function find(
  checker: Checker,
  reference: ResourceReference,
  span: Span,
  lookup: Lookup,
): ResolvedResourceType | undefined {
  const defined: ResolvedResourceType[] = [];
  for (const extension of checker.declarations.extensions) {
    const type = checker.extensionOf(extension)?.resourceType(reference, lookup.existing);
    if (type !== undefined) {
      defined.push({ type, extension });
    }
  }
  if (defined.length > 1) {
    const names = defined.map((found) => found.extension?.name ?? "az");
    checker.report(checks.typeAmbiguous(span, reference.text, names));
    return undefined;
  }
  const [only] = defined;
  if (only !== undefined) {
    return only;
  }
  const withoutPackage = registeredOrOwnType(checker, checker.declarations.extensions, reference, span, lookup);
  if (withoutPackage !== undefined) {
    return withoutPackage;
  }
  const azure = azureType(checker, reference, span, lookup);
  if (azure !== undefined) {
    return azure;
  }
  for (const extension of checker.declarations.extensions) {
    const type = checker.extensionOf(extension)?.fallbackType(reference, lookup.existing);
    if (type !== undefined) {
      checker.report(checks.unknownResourceType(span, reference.text));
      return { type, extension };
    }
  }
  checker.report(checks.invalidResourceType(span, reference.text));
  return undefined;
}

/** A type that a control plane has registered, or an unknown one of a namespace that only an extension can have. */
function registeredOrOwnType(
  checker: Checker,
  extensions: readonly ExtensionSymbol[],
  reference: ResourceReference,
  span: Span,
  { existing }: Lookup,
): ResolvedResourceType | undefined {
  for (const extension of extensions) {
    const type = checker.extensionOf(extension)?.registeredType?.(reference, existing);
    if (type !== undefined) {
      return { type, extension };
    }
  }
  for (const extension of extensions) {
    const type = checker.extensionOf(extension)?.ownType?.(reference, existing);
    if (type !== undefined) {
      reportUnknown(checker, reference, span);
      return { type, extension };
    }
  }
  return undefined;
}

function reportUnknown(checker: Checker, reference: ResourceReference, span: Span): void {
  const advice = checker.declarations.extensions
    .map((extension) => checker.extensionOf(extension)?.adviceFor?.(reference))
    .find((text) => text !== undefined);
  checker.report(checks.unknownResourceType(span, reference.text, advice));
}

function azureType(
  checker: Checker,
  reference: ResourceReference,
  span: Span,
  lookup: Lookup,
): ResolvedResourceType | undefined {
  if (!checker.hasAzure || !isAzureTypeName(reference)) {
    return undefined;
  }
  if (reference.segments.some((segment) => segment.toLowerCase() === "providers")) {
    checker.report(checks.providersInType(span));
  } else {
    reportUnknown(checker, reference, span);
  }
  const key = `${lookup.existing} ${lookup.nested} ${reference.text}`;
  let type = checker.azureTypes.get(key);
  if (type === undefined) {
    type = azureResourceType(reference, lookup);
    checker.azureTypes.set(key, type);
  }
  return { type, extension: undefined };
}

function extensionType(
  checker: Checker,
  extension: ExtensionSymbol,
  reference: ResourceReference,
  span: Span,
  lookup: Lookup,
): ResolvedResourceType | undefined {
  const namespace = checker.extensionOf(extension);
  const defined = namespace?.resourceType(reference, lookup.existing);
  if (defined !== undefined) {
    return { type: defined, extension };
  }
  const withoutPackage = registeredOrOwnType(checker, [extension], reference, span, lookup);
  if (withoutPackage !== undefined) {
    return withoutPackage;
  }
  const fallback = namespace?.fallbackType(reference, lookup.existing);
  if (fallback === undefined) {
    return undefined;
  }
  checker.report(checks.unknownResourceType(span, reference.text));
  return { type: fallback, extension };
}
