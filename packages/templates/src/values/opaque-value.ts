import type { Value } from "./value.ts";

const opaqueValues = new WeakSet<object>();

/**
 * A value that can be handed on and compared by identity, but not looked at: a revoked proxy, so that whatever asks for
 * its kind or its content throws a `TypeError`, also code that has never heard of it. It stands for a secret where an
 * expression is evaluated without knowing it.
 */
export function opaque(): Value {
  const { proxy, revoke } = Proxy.revocable<Value & object>(new Map<string, Value>(), {});
  opaqueValues.add(proxy);
  revoke();
  return proxy;
}

export function isOpaque(value: unknown): boolean {
  return typeof value === "object" && value !== null && opaqueValues.has(value);
}
