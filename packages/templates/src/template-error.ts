/** What went wrong, for callers to branch on; the message is for people. */
export type TemplateErrorCode =
  | "ExpressionSyntax"
  | "UnknownFunction"
  | "UnknownParameter"
  | "UnknownVariable"
  | "UnknownProperty"
  | "IndexOutOfRange"
  | "WrongArgumentCount"
  | "WrongArgumentKind"
  | "InvalidArgument"
  | "IntegerOverflow"
  | "DivisionByZero"
  | "InvalidJson"
  | "LimitExceeded"
  | "UserFailure";

export interface TemplateErrorPlace {
  /** JSON path of the template string that failed. */
  readonly path?: string | undefined;
  /** Offset into the text of the expression, its opening bracket included. */
  readonly position?: number | undefined;
}

/**
 * The only thing this package throws over its input. Messages name functions, kinds and member names but never the
 * values at hand, because a value may be a secret; what `fail()` says is the exception.
 */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  readonly code: TemplateErrorCode;
  readonly path: string | undefined;
  readonly position: number | undefined;
  /** Nothing else can be evaluated either. */
  readonly isFinal: boolean;

  constructor(code: TemplateErrorCode, message: string, place: TemplateErrorPlace = {}, isFinal = false) {
    super(message);
    this.code = code;
    this.isFinal = isFinal;
    this.path = place.path;
    this.position = place.position;
  }

  /** The same error at a place; what an inner call has said already stays. */
  at(place: TemplateErrorPlace): TemplateError {
    const whole = { path: this.path ?? place.path, position: this.position ?? place.position };
    return new TemplateError(this.code, this.message, whole, this.isFinal);
  }
}
