export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly name: string;
  /** `server` answers somebody's request, `consumer` works on what somebody put into a queue. By default neither. */
  readonly kind?: "server" | "consumer";
  readonly attributes?: SpanAttributes;
  /** The W3C header of the caller; the span becomes part of that trace. Without it the current span is the parent. */
  readonly traceparent?: string | undefined;
}

/** The span while it runs. */
export interface SpanScope {
  setAttributes(attributes: SpanAttributes): void;
}

export interface Tracing {
  /** Whether spans go anywhere; without, the busiest paths do not even make them. */
  readonly enabled: boolean;
  /** Runs `work` in a span, which ends with it and carries its failure. */
  withSpan<T>(options: SpanOptions, work: (span: SpanScope) => Promise<T>): Promise<T>;
  /** The current span as a W3C header, to be stored with an operation or sent along; `undefined` outside of any. */
  currentTraceparent(): string | undefined;
}

const ignoredSpan: SpanScope = { setAttributes: () => {} };

export const noTracing: Tracing = {
  enabled: false,
  withSpan: (_, work) => work(ignoredSpan),
  currentTraceparent: () => undefined,
};
