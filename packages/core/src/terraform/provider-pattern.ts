const host = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::[0-9]{1,5})?$/u;
const name = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u;

/** The form that Terraform takes: a lone `*` means every provider, which it writes as three. */
export function normalPattern(pattern: string): string {
  return pattern === "*" ? "*/*/*" : pattern;
}

/**
 * What is wrong with a pattern of providers, if anything. Terraform leaves out an installation method with a pattern that
 * it cannot read, and uses the others.
 */
export function patternProblem(pattern: string): string | undefined {
  const parts = normalPattern(pattern).split("/");
  const [type, namespace, registry] = parts.toReversed();
  if (parts.length < 2 || parts.length > 3 || type === undefined || namespace === undefined) {
    return "A provider is written as namespace/type or host/namespace/type.";
  }
  if (registry === "*" && (namespace !== "*" || type !== "*")) {
    return "The host can be * only in */*/*.";
  }
  if (namespace === "*" && type !== "*") {
    return "The namespace can be * only when the type is * too.";
  }
  if (registry !== undefined && registry !== "*" && !host.test(registry.toLowerCase())) {
    return "The host is not a host name.";
  }
  return [namespace, type].every((part) => part === "*" || name.test(part.toLowerCase()))
    ? undefined
    : "Namespace and type have letters and digits, with single hyphens between them.";
}
