/** Also for a member called `__proto__`, which an assignment would lose. */
export function defineMember<T>(record: Record<string, T>, name: string, value: T): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}
