import type { Diagnostic, DiagnosticLevel, Span } from "../diagnostic.ts";
import type { Expression, IfCondition, Node } from "../syntax/index.ts";
import { TypeFlags } from "../types/index.ts";
import type { Type } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { checks } from "./diagnostics.ts";

/** A value that is put somewhere. */
export interface Value {
  readonly type: Type;
  /** What findings are reported on. */
  readonly node: Node;
  /** The expression, as long as its parts can be looked at one by one; later only the type is known. */
  readonly literal: Expression | IfCondition | undefined;
}

/** Where a value is put: who hears about problems, and how they are called there. */
export interface Assignment {
  readonly checker: Checker;
  readonly report: (diagnostic: Diagnostic) => void;
  /** The variable that the value was found through: everything is reported on its mention. */
  readonly origin: Node | undefined;
  /** Inside of a resource's body, where type libraries may be wrong: most findings are warnings. */
  readonly inResource: boolean;
  readonly disallowAny: boolean;
  /** Says that the value has the wrong type. */
  readonly mismatch: (level: DiagnosticLevel, span: Span, expected: Type, value: Value) => Diagnostic;
  /** Whether a wrong type is only worth a warning, whatever the type itself says. */
  readonly warnOnMismatch: boolean;
  /** Pairs of types that were compared, because types can contain themselves. Made when it is first needed. */
  readonly compared: Map<Type, Set<Type>> | undefined;
}

const plainAssignments = new WeakMap<Checker, Assignment>();

/** A value that stands on its own: an output, a variable with a type, a default, an argument. */
export function plainAssignment(checker: Checker): Assignment {
  let assignment = plainAssignments.get(checker);
  if (assignment === undefined) {
    assignment = makePlainAssignment(checker);
    plainAssignments.set(checker, assignment);
  }
  return assignment;
}

function makePlainAssignment(checker: Checker): Assignment {
  return {
    checker,
    report: (diagnostic) => checker.report(diagnostic),
    origin: undefined,
    inResource: false,
    disallowAny: false,
    mismatch: (level, span, expected, value) => checks.type(level, span, expected, value.type),
    warnOnMismatch: false,
    compared: undefined,
  };
}

/** The body of a resource. */
export function resourceAssignment(checker: Checker): Assignment {
  return { ...plainAssignment(checker), inResource: true };
}

/** Where to report something about a value. */
export function placeOf(value: Value, assignment: Assignment): Node {
  return assignment.origin ?? value.node;
}

/** The level of a finding that depends on the target type and the place. */
export function levelFor(target: Type, assignment: Assignment): DiagnosticLevel {
  return assignment.inResource || (target.flags & TypeFlags.WarnOnTypeMismatch) !== 0 ? "warning" : "error";
}

/** The common case, without the machinery: a scalar where any of its kind will do. */
export function fitsPlainly(type: Type, expected: Type): boolean {
  switch (expected.kind) {
    case "any":
      return (type.flags & TypeFlags.PreventAssignment) === 0;
    case "string":
      return (
        (type.kind === "stringLiteral" || type.kind === "string") &&
        expected.minLength === undefined &&
        expected.maxLength === undefined &&
        expected.pattern === undefined &&
        (expected.flags & TypeFlags.Secure) === 0
      );
    case "int":
      return (
        (type.kind === "intLiteral" || type.kind === "int") && expected.min === undefined && expected.max === undefined
      );
    case "bool":
      return type.kind === "bool" || type.kind === "boolLiteral";
    default:
      return false;
  }
}
