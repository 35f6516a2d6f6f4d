import type { DiagnosticLevel, Span } from "../diagnostic.ts";
import type { Node, ObjectExpression, ObjectProperty } from "../syntax/index.ts";
import { literalText } from "../syntax/index.ts";
import {
  anyType,
  isAssignable,
  membersOf,
  nullable,
  nullType,
  objectOf,
  opened,
  PropertyFlags,
  propertyOf,
  quote,
  stringType,
  suggestSpelling,
  TypeFlags,
  unionOf,
  withObject,
} from "../types/index.ts";
import type { DiscriminatedType, ObjectType, Type, TypeProperty } from "../types/index.ts";
import { fitsPlainly, placeOf } from "./assignment.ts";
import type { Assignment, Value } from "./assignment.ts";
import type { Checker } from "./checker.ts";
import { checkConstant } from "./constants.ts";
import { checks } from "./diagnostics.ts";
import { keyText, propertyNamed } from "./literals.ts";

type NarrowValue = (value: Value, target: Type, assignment: Assignment) => Type;

/** Compares the properties of an object with those that are expected. */
export function narrowObject(value: Value, target: ObjectType, assignment: Assignment, narrow: NarrowValue): Type {
  const { type } = value;
  const literal = value.literal?.kind === "ObjectExpression" ? value.literal : undefined;
  if (type.kind === "discriminated") {
    return type;
  }
  if (type.kind !== "object") {
    return target;
  }
  if (literal === undefined) {
    return narrowKnownObject(value, type, target, assignment, narrow);
  }
  if (assignment.checker.hasParseErrors(literal)) {
    return target;
  }
  if (takesAnything(target)) {
    return openedFor(type, target, assignment);
  }
  return new ObjectComparison(value, type, literal, target, assignment, narrow).run();
}

/** The place may come to hold more than was put there; in a resource, at every depth. */
function openedFor(type: ObjectType, target: ObjectType, assignment: Assignment): Type {
  if (assignment.inResource) {
    return opened(type);
  }
  return type.additional === undefined ? withObject(type, { additional: target.additional }) : type;
}

/** Types can contain themselves, and the same pair often comes up again: what passed once is not compared twice. */
function narrowKnownObject(
  value: Value,
  type: ObjectType,
  target: ObjectType,
  assignment: Assignment,
  narrow: NarrowValue,
): Type {
  if (takesAnything(target)) {
    return openedFor(type, target, assignment);
  }
  const compared = assignment.compared ?? new Map<Type, Set<Type>>();
  let targets = compared.get(type);
  if (targets === undefined) {
    targets = new Set();
    compared.set(type, targets);
  }
  if (targets.has(target)) {
    return type;
  }
  targets.add(target);
  let isClean = true;
  const report: Assignment["report"] = (diagnostic) => {
    isClean = false;
    assignment.report(diagnostic);
  };
  const inner: Assignment = { ...assignment, report, compared };
  const result = new ObjectComparison(value, type, undefined, target, inner, narrow).run();
  if (!isClean) {
    targets.delete(target);
  }
  return result;
}

/** Compares an object with the member that its discriminator chooses. */
export function narrowDiscriminated(
  value: Value,
  target: DiscriminatedType,
  assignment: Assignment,
  narrow: NarrowValue,
): Type {
  const { type } = value;
  if (type.kind !== "object") {
    return type.kind === "discriminated" ? type : target;
  }
  const literal = value.literal?.kind === "ObjectExpression" ? value.literal : undefined;
  if (literal !== undefined && assignment.checker.hasParseErrors(literal)) {
    return target;
  }
  const { discriminator } = target;
  const expected = unionOf(Array.from(target.members.values(), (member) => tagOf(member, discriminator)));
  const given = type.properties.get(discriminator);
  if (given === undefined) {
    if (type.additional === undefined) {
      reportNoDiscriminator(value, type, target, expected, assignment);
    }
    return anyType;
  }
  const property = literal === undefined ? undefined : propertyNamed(literal, discriminator);
  const place = assignment.origin ?? property?.value ?? value.node;
  if (given.type.kind === "stringLiteral") {
    const member = target.members.get(given.type.value);
    if (member !== undefined) {
      return narrow(value, member, assignment);
    }
  }
  const level: DiagnosticLevel =
    assignment.inResource || (target.flags & TypeFlags.WarnOnTypeMismatch) !== 0 ? "warning" : "error";
  const part: Value = { type: given.type, node: place, literal: property?.value };
  if (given.type.kind === "any" || (given.type.kind !== "stringLiteral" && isAssignable(given.type, stringType))) {
    if (isAssignable(given.type, expected)) {
      assignment.report(checks.discriminatorUnknown(place, discriminator, given.type));
      return anyType;
    }
  }
  assignment.report(describeMismatch(level, place, discriminator, expected, part, assignment));
  return anyType;
}

class ObjectComparison {
  readonly #value: Value;
  readonly #type: ObjectType;
  readonly #literal: ObjectExpression | undefined;
  readonly #target: ObjectType;
  readonly #assignment: Assignment;
  readonly #narrow: NarrowValue;
  #writtenByName: ReadonlyMap<string, ObjectProperty> | undefined;

  constructor(
    value: Value,
    type: ObjectType,
    literal: ObjectExpression | undefined,
    target: ObjectType,
    assignment: Assignment,
    narrow: NarrowValue,
  ) {
    this.#value = value;
    this.#type = type;
    this.#literal = literal;
    this.#target = target;
    this.#assignment = assignment;
    this.#narrow = narrow;
  }

  run(): Type {
    this.#reportMissing();
    const properties: TypeProperty[] = [];
    for (const declared of this.#target.properties.values()) {
      const given = this.#type.properties.get(declared.name);
      properties.push(given === undefined ? declared : this.#narrowProperty(declared, given));
    }
    this.#narrowOthers(properties);
    return objectOf(properties, {
      name: this.#target.name,
      flags: this.#target.flags,
      additional: this.#target.additional,
      methods: this.#target.methods,
      scope: this.#type.scope,
    });
  }

  #reportMissing(): void {
    if (this.#type.additional !== undefined) {
      return;
    }
    const missing: TypeProperty[] = [];
    for (const declared of this.#target.properties.values()) {
      const isRequired =
        (declared.flags & (PropertyFlags.Required | PropertyFlags.ReadOnly)) === PropertyFlags.Required;
      if (isRequired && !this.#type.properties.has(declared.name) && !isAssignable(nullType, expectedType(declared))) {
        missing.push(declared);
      }
    }
    if (missing.length === 0) {
      return;
    }
    const isSystem = missing.some((property) => (property.flags & PropertyFlags.System) !== 0);
    const warns =
      (this.#assignment.inResource && !isSystem) || (this.#target.flags & TypeFlags.WarnOnPropertyTypeMismatch) !== 0;
    this.#assignment.report(
      checks.missing(
        warns ? "warning" : "error",
        blameForMissing(this.#value, this.#assignment),
        ownerOf(this.#value, this.#assignment),
        missing.map(({ name, type }) => ({ name, needs: requiredIn(type) })),
      ),
    );
  }

  #narrowProperty(declared: TypeProperty, given: TypeProperty): TypeProperty {
    const { name } = declared;
    const written = this.#written(name);
    const key = this.#placeOfKey(written);
    const isSystem = (declared.flags & PropertyFlags.System) !== 0;
    if ((declared.flags & PropertyFlags.ReadOnly) !== 0) {
      if ((given.flags & PropertyFlags.ReadOnly) === 0) {
        this.#reportReadOnly(key, name, isSystem);
      }
      return declared;
    }
    if ((declared.flags & PropertyFlags.Fallback) !== 0) {
      this.#assignment.report(checks.fallbackWrite(key, name, this.#target));
    }
    if ((declared.flags & PropertyFlags.Constant) !== 0 && written !== undefined) {
      checkConstant(this.#assignment.checker, written.value);
    }
    if (fitsPlainly(given.type, declared.type) && given.type.kind !== "any") {
      return propertyOf(name, given.type, declared.flags, declared.description);
    }
    const expected = typeFor(given.type, declared);
    const type = this.#narrow(this.#valueOf(given, written), expected, {
      ...this.#assignment,
      disallowAny: (declared.flags & PropertyFlags.DisallowAny) !== 0,
      warnOnMismatch: this.#assignment.inResource && !isSystem,
      mismatch: (level, span, wanted, part) => describeMismatch(level, span, name, wanted, part, this.#assignment),
    });
    return propertyOf(name, type, declared.flags & ~PropertyFlags.ReadOnly, declared.description);
  }

  /** Properties that the target does not name. */
  #narrowOthers(properties: TypeProperty[]): void {
    const { additional } = this.#target;
    const isFallback = additional !== undefined && (additional.flags & PropertyFlags.Fallback) !== 0;
    const isClosed = additional === undefined || (isFallback && this.#literal !== undefined);
    for (const given of this.#type.properties.values()) {
      if (this.#target.properties.has(given.name)) {
        continue;
      }
      const written = this.#written(given.name);
      if (isClosed) {
        this.#reportUnknown(given.name, this.#placeOfKey(written), isFallback);
      } else if ((additional.flags & PropertyFlags.ReadOnly) !== 0) {
        this.#reportReadOnly(this.#placeOfKey(written), given.name, false);
      } else {
        properties.push(this.#narrowAdditional(given, written, additional.type));
      }
    }
    this.#checkInterpolated(isClosed, isFallback);
  }

  #narrowAdditional(given: TypeProperty, written: ObjectProperty | undefined, expected: Type): TypeProperty {
    const type = this.#narrow(this.#valueOf(given, written), expected, {
      ...this.#assignment,
      disallowAny: false,
      warnOnMismatch: false,
      mismatch: (level, span, wanted, part) =>
        describeMismatch(level, span, given.name, wanted, part, this.#assignment),
    });
    return propertyOf(given.name, type, given.flags);
  }

  #checkInterpolated(isClosed: boolean, isFallback: boolean): void {
    if (!isClosed) {
      return;
    }
    for (const element of this.#literal?.elements ?? []) {
      if (element.kind === "ObjectProperty" && keyText(element) === undefined) {
        const level = this.#unknownLevel(isFallback);
        this.#assignment.report(checks.interpolatedKey(level, this.#placeOfKey(element), this.#target));
      }
    }
  }

  #reportUnknown(name: string, place: Span, isFallback: boolean): void {
    const level = this.#unknownLevel(isFallback);
    const open = Array.from(this.#target.properties.values())
      .filter((property) => (property.flags & (PropertyFlags.ReadOnly | PropertyFlags.Fallback)) === 0)
      .map((property) => property.name)
      .filter((other) => !this.#type.properties.has(other));
    const meant =
      this.#literal === undefined || this.#assignment.origin !== undefined ? undefined : suggestSpelling(name, open);
    this.#assignment.report(
      meant === undefined
        ? checks.notAllowed(level, place, name, this.#target, open)
        : checks.notAllowedMeant(level, place, name, this.#target, meant),
    );
  }

  #unknownLevel(isFallback: boolean): DiagnosticLevel {
    return isFallback || (this.#target.flags & TypeFlags.WarnOnPropertyTypeMismatch) !== 0 ? "warning" : "error";
  }

  #reportReadOnly(place: Span, name: string, isSystem: boolean): void {
    const owner = this.#literal === undefined ? undefined : declarationAround(this.#assignment.checker, this.#literal);
    if (owner?.kind === "ResourceDeclaration" && owner.existing !== undefined) {
      this.#assignment.report(checks.notOnExisting(place, name));
      return;
    }
    const level = this.#assignment.inResource && !isSystem ? "warning" : "error";
    this.#assignment.report(checks.readOnly(level, place, name));
  }

  /** The property as it is written; short literals are searched, long ones get an index. */
  #written(name: string): ObjectProperty | undefined {
    if (this.#literal === undefined || this.#literal.elements.length <= 12) {
      return propertyNamed(this.#literal, name);
    }
    this.#writtenByName ??= writtenProperties(this.#literal);
    return this.#writtenByName.get(name);
  }

  #placeOfKey(written: ObjectProperty | undefined): Span {
    return this.#assignment.origin ?? written?.key ?? this.#value.node;
  }

  #valueOf(given: TypeProperty, written: ObjectProperty | undefined): Value {
    if (written === undefined) {
      return { type: given.type, node: this.#value.node, literal: undefined };
    }
    const node = this.#assignment.origin === undefined ? written.value : this.#value.node;
    return { type: given.type, node, literal: written.value };
  }
}

function describeMismatch(
  level: DiagnosticLevel,
  span: Span,
  name: string,
  expected: Type,
  part: Value,
  assignment: Assignment,
): ReturnType<typeof checks.propertyType> {
  const meant = assignment.origin === undefined ? meantValue(part, expected) : undefined;
  return meant === undefined
    ? checks.propertyType(level, span, name, expected, part.type)
    : checks.propertyValueMeant(level, span, name, { expected, actual: part.type }, meant);
}

/** The allowed text that a string literal was probably meant to be. */
function meantValue(part: Value, expected: Type): string | undefined {
  if (part.literal?.kind !== "StringExpression") {
    return undefined;
  }
  const text = literalText(part.literal);
  if (text === undefined || expected.kind !== "union") {
    return undefined;
  }
  // Compared with their quotes, so that one wrong letter counts as close in short values too.
  const allowed = membersOf(expected).flatMap((member) =>
    member.kind === "stringLiteral" ? [quote(member.value)] : [],
  );
  return suggestSpelling(quote(text), allowed);
}

function reportNoDiscriminator(
  value: Value,
  type: ObjectType,
  target: DiscriminatedType,
  expected: Type,
  assignment: Assignment,
): void {
  const literal = value.literal?.kind === "ObjectExpression" ? value.literal : undefined;
  const isBody = literal !== undefined && declarationAround(assignment.checker, literal) !== undefined;
  const warns = (assignment.inResource && !isBody) || (target.flags & TypeFlags.WarnOnPropertyTypeMismatch) !== 0;
  const level = warns ? "warning" : "error";
  const { discriminator } = target;
  assignment.report(checks.discriminatorMissing(level, placeOf(value, assignment), discriminator, expected));
  for (const element of literal?.elements ?? []) {
    const name = element.kind === "ObjectProperty" ? keyText(element) : undefined;
    if (name !== undefined && element.kind === "ObjectProperty" && assignment.origin === undefined) {
      if (suggestSpelling(name, [discriminator]) !== undefined && !type.properties.has(discriminator)) {
        assignment.report(checks.notAllowedMeant(level, element.key, name, target, discriminator));
      }
    }
  }
}

function tagOf(member: ObjectType, discriminator: string): Type {
  return member.properties.get(discriminator)?.type ?? anyType;
}

/** Where to say that something is missing from an object: on what the author called it. */
/** What lacks the properties, as a person would name it. */
function ownerOf(value: Value, { checker }: Assignment): string {
  if (value.literal?.kind !== "ObjectExpression") {
    return "This object";
  }
  const declaration = declarationAround(checker, value.literal);
  switch (declaration?.kind) {
    case "ResourceDeclaration":
      return `The resource "${declaration.name.name}"`;
    case "ModuleDeclaration":
      return `The module "${declaration.name.name}"`;
    case "TestDeclaration":
      return `The test "${declaration.name.name}"`;
    case undefined:
      break;
    default:
      declaration satisfies never;
  }
  const parent = checker.parentOf(value.literal);
  const key = parent?.kind === "ObjectProperty" ? keyText(parent) : undefined;
  return key === undefined ? "This object" : `"${key}"`;
}

function requiredIn(type: Type): string[] {
  return type.kind === "object"
    ? Array.from(type.properties.values())
        .filter(({ flags }) => (flags & (PropertyFlags.Required | PropertyFlags.ReadOnly)) === PropertyFlags.Required)
        .map(({ name }) => name)
    : [];
}

function blameForMissing(value: Value, assignment: Assignment): Span {
  if (assignment.origin !== undefined) {
    return assignment.origin;
  }
  if (value.literal?.kind !== "ObjectExpression") {
    return value.node;
  }
  const { checker } = assignment;
  const owner = declarationAround(checker, value.literal);
  if (owner !== undefined) {
    return owner.name;
  }
  const parent = checker.parentOf(value.literal);
  return parent?.kind === "ObjectProperty" ? parent.key : value.node;
}

/** The declaration whose body an object is, through loop and condition. */
function declarationAround(
  checker: Checker,
  node: Node,
): Extract<Node, { kind: "ResourceDeclaration" | "ModuleDeclaration" | "TestDeclaration" }> | undefined {
  let at = checker.parentOf(node);
  while (at?.kind === "IfCondition" || at?.kind === "ForExpression") {
    at = checker.parentOf(at);
  }
  return at?.kind === "ResourceDeclaration" || at?.kind === "ModuleDeclaration" || at?.kind === "TestDeclaration"
    ? at
    : undefined;
}

function expectedType(declared: TypeProperty): Type {
  return (declared.flags & PropertyFlags.AllowImplicitNull) === 0 ? declared.type : nullable(declared.type);
}

/** The same for one value: null that it has no need of makes no difference, and comparing without it is cheaper. */
function typeFor(given: Type, declared: TypeProperty): Type {
  return given.kind !== "any" && isAssignable(given, declared.type) ? declared.type : expectedType(declared);
}

function takesAnything(target: ObjectType): boolean {
  return target.properties.size === 0 && target.additional?.type.kind === "any" && target.additional.flags === 0;
}

function writtenProperties(literal: ObjectExpression): ReadonlyMap<string, ObjectProperty> {
  const written = new Map<string, ObjectProperty>();
  for (const element of literal.elements) {
    const name = element.kind === "ObjectProperty" ? keyText(element) : undefined;
    if (name !== undefined && element.kind === "ObjectProperty") {
      written.set(name, element);
    }
  }
  return written;
}
