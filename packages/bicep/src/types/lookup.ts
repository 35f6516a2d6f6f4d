import { PropertyFlags, TypeFlags } from "./flags.ts";
import type { ObjectType, Type, TypeProperty } from "./model.ts";
import { suggestSpelling } from "./spelling.ts";

/** What reading a property of an object gives; the caller decides about spans and levels. */
export type PropertyLookup =
  | {
      readonly found: true;
      readonly type: Type;
      /** `PropertyFlags` of the property or of the additional properties. */
      readonly flags: number;
      /** Missing when the name is one of the additional properties. */
      readonly property: TypeProperty | undefined;
      /** What to report although the property exists: it cannot be read (BCP077), or is not in the definition (BCP187). */
      readonly complaint: "BCP077" | "BCP187" | undefined;
    }
  | {
      readonly found: false;
      /** BCP052: there is nothing to read; BCP053: other names exist; BCP083: one of them is close. */
      readonly code: "BCP052" | "BCP053" | "BCP083";
      readonly suggestion: string | undefined;
      readonly available: readonly string[];
      /** A warning rather than an error, and then the value is `any`. */
      readonly lenient: boolean;
    };

export function lookupProperty(type: ObjectType, name: string): PropertyLookup {
  const property = type.properties.get(name);
  const source = property ?? type.additional;
  if (source !== undefined) {
    return { found: true, type: source.type, flags: source.flags, property, complaint: complaintAbout(source.flags) };
  }
  const available = readableNames(type);
  const suggestion = suggestSpelling(name, available);
  const lenient = (type.flags & TypeFlags.WarnOnPropertyTypeMismatch) !== 0;
  if (suggestion !== undefined) {
    return { found: false, code: "BCP083", suggestion, available, lenient };
  }
  return { found: false, code: available.length === 0 ? "BCP052" : "BCP053", suggestion, available, lenient };
}

export function readableNames(type: ObjectType): string[] {
  const names: string[] = [];
  for (const property of type.properties.values()) {
    if ((property.flags & (PropertyFlags.WriteOnly | PropertyFlags.Fallback)) === 0) {
      names.push(property.name);
    }
  }
  return names;
}

/** The names that an author may set. */
export function writableNames(type: ObjectType): string[] {
  const names: string[] = [];
  for (const property of type.properties.values()) {
    if ((property.flags & (PropertyFlags.ReadOnly | PropertyFlags.Fallback)) === 0) {
      names.push(property.name);
    }
  }
  return names;
}

function complaintAbout(flags: number): "BCP077" | "BCP187" | undefined {
  if ((flags & PropertyFlags.WriteOnly) !== 0) {
    return "BCP077";
  }
  return (flags & PropertyFlags.Fallback) === 0 ? undefined : "BCP187";
}
