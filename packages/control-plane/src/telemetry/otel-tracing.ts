import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Context, Span } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Logger, Redactor, SpanAttributes, SpanOptions, SpanScope, Tracing } from "@rad/core";
import { reportFailures } from "./export-reports.ts";
import { serviceResource } from "./service-resource.ts";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";

export interface OtelTracing {
  readonly tracing: Tracing;
  shutdown(): Promise<void>;
}

export interface OtelTracingOptions {
  readonly serviceName: string;
  /** Base URL of the collector. */
  readonly endpoint: string;
  readonly redactor: Redactor;
  readonly log: Logger;
}

const exportTimeoutMs = 5000;
const spanKinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, consumer: SpanKind.CONSUMER } as const;

/**
 * Traces over OTLP. Nothing is registered globally, so two servers in one process keep their traces apart, and every
 * span is made here, where names, attributes and failures are redacted at once: by the time of the export a secret may
 * no longer be known as one.
 */
export function createOtelTracing(options: OtelTracingOptions): OtelTracing {
  const { serviceName, endpoint, redactor, log } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, "")}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  reportFailures(exporter, "traces", log);
  const provider = new TracerProvider({
    resource: serviceResource(serviceName),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportTimeoutMs })],
  });
  const tracer = provider.getTracer("radius");
  const contexts = new AsyncLocalStorageContextManager();

  function parentOf({ traceparent }: SpanOptions): Context {
    const remote = traceparent === undefined ? undefined : parseTraceparent(traceparent);
    return remote === undefined ? contexts.active() : trace.setSpanContext(ROOT_CONTEXT, remote);
  }

  async function withSpan<T>(spanOptions: SpanOptions, work: (span: SpanScope) => Promise<T>): Promise<T> {
    const parent = parentOf(spanOptions);
    const attributes = redacted(spanOptions.attributes ?? {}, redactor);
    const kind = spanKinds[spanOptions.kind ?? "internal"];
    const span = tracer.startSpan(redactor.redact(spanOptions.name), { attributes, kind }, parent);
    const scope: SpanScope = { setAttributes: (more) => span.setAttributes(redacted(more, redactor)) };
    try {
      return await contexts.with(trace.setSpan(parent, span), () => work(scope));
    } catch (error) {
      recordFailure(span, error, redactor);
      throw error;
    } finally {
      span.end();
    }
  }

  function currentTraceparent(): string | undefined {
    const span = trace.getSpanContext(contexts.active());
    return span === undefined ? undefined : formatTraceparent(span);
  }

  return { tracing: { enabled: true, withSpan, currentTraceparent }, shutdown: () => provider.shutdown() };
}

function redacted(attributes: SpanAttributes, redactor: Redactor): Record<string, string | number | boolean> {
  const safe: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(attributes)) {
    safe[redactor.redact(key)] = typeof value === "string" ? redactor.redact(value) : value;
  }
  return safe;
}

function recordFailure(span: Span, error: unknown, redactor: Redactor): void {
  const code = error instanceof Error && "code" in error ? String(error.code) : "Internal";
  const message = error instanceof Error ? error.message : "something other than an error was thrown";
  span.setAttributes({ "error.type": redactor.redact(code) });
  span.setStatus({ code: SpanStatusCode.ERROR, message: redactor.redact(message) });
}
