/** The parsed text of a resource type, `Ns.Name/type/child@version`. */
export interface ResourceReference {
  /** Namespace first, then one entry per type segment. */
  readonly segments: readonly string[];
  readonly version: string | undefined;
  /** The text without the version, as written. */
  readonly type: string;
  /** The whole text, as written. */
  readonly text: string;
}

/** Reads a type with or without a version; `undefined` when the text has no such shape. */
export function parseResourceReference(text: string): ResourceReference | undefined {
  const at = text.indexOf("@");
  const type = at < 0 ? text : text.slice(0, at);
  const version = at < 0 ? undefined : text.slice(at + 1);
  if (version === "" || version?.includes("@") === true) {
    return undefined;
  }
  const segments = type.split("/");
  if (segments.length < 2 || segments.some((segment) => segment === "")) {
    return undefined;
  }
  return { segments, version, type, text };
}

/** The type a child's parent has: one segment less. */
export function parentTypeOf(child: ResourceReference): string | undefined {
  return child.segments.length > 2 ? child.segments.slice(0, -1).join("/") : undefined;
}

/** Whether `parent` is the type one level above `child`; letter case does not matter. */
export function isParentTypeOf(parent: ResourceReference, child: ResourceReference): boolean {
  return parentTypeOf(child)?.toLowerCase() === parent.type.toLowerCase();
}

const dated = /^\d{4}-\d{2}-\d{2}(-(preview|alpha|beta|rc|privatepreview))?$/iu;
const typeName = /^[a-z0-9][a-z0-9.]*(\/[a-z0-9-]+)+$/iu;

/** Whether the Azure namespace accepts a type that no package defines. */
export function isAzureTypeName(reference: ResourceReference): boolean {
  return reference.version !== undefined && dated.test(reference.version) && typeName.test(reference.type);
}
