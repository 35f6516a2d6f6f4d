/** The members of an object by name, so that what is made of them does not depend on how it was written. */
export function sortedEntries<T>(members: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(members).sort(([left], [right]) => (left < right ? -1 : 1));
}
