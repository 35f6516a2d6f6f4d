const rules = {
  application: {
    pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
    rule: "lower-case letters, digits and -, starting with a letter and ending with a letter or digit",
  },
  namespace: {
    pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
    rule: "lower-case letters, digits and -, starting with a letter and ending with a letter or digit",
  },
  environment: {
    pattern: /^[a-zA-Z]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/,
    rule: "letters, digits and -, starting with a letter and ending with a letter or digit",
  },
} as const;

const maxLength = 63;

/** What is wrong with a name, if anything. */
export function nameProblem(kind: keyof typeof rules, name: string): string | undefined {
  const { pattern, rule } = rules[kind];
  return name.length <= maxLength && pattern.test(name)
    ? undefined
    : `"${name}" is not the name of an ${kind === "namespace" ? "Kubernetes namespace" : kind}: up to ${maxLength} ${rule}.`;
}

/** The folder's name as far as an application can be called like that. */
export function applicationNameFor(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, maxLength)
    .replace(/-+$/, "");
  return name === "" ? "app" : name;
}
