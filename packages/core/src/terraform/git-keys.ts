/**
 * The key of a secret that holds a Git credential: the exact name, else the only key that ends in it (`tls.pat`), as
 * Secrets of a cluster may have.
 */
export function gitKeyOf(keys: Iterable<string>, name: "pat" | "username"): string | undefined {
  const all = [...keys];
  if (all.includes(name)) {
    return name;
  }
  const [found, another] = all.filter((key) => key.endsWith(`.${name}`));
  return another === undefined ? found : undefined;
}
