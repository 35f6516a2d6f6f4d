import type { SpanContext } from "@opentelemetry/api";

/** version - trace id - parent id - flags; later versions may append more. */
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a W3C `traceparent` header. One that is malformed counts as absent, as the standard demands. */
export function parseTraceparent(header: string): SpanContext | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] = pattern.exec(header.trim()) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) {
    return undefined;
  }
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) {
    return undefined;
  }
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1) === 1 ? "01" : "00"}`;
}
