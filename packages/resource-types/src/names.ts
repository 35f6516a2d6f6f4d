interface NameRule {
  readonly what: string;
  readonly pattern: RegExp;
  readonly hint: string;
}

const maxLength = 63;
const plainName = /^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$/;
const plainHint = "start with a letter, end with a letter or digit, and contain only letters, digits and '-'";

const rules = {
  plane: { what: "plane name", pattern: plainName, hint: plainHint },
  resourceGroup: { what: "resource group name", pattern: plainName, hint: plainHint },
  resource: { what: "resource name", pattern: plainName, hint: plainHint },
  providerNamespace: {
    what: "resource provider namespace",
    pattern: /^[A-Za-z][-A-Za-z0-9]*[A-Za-z0-9]\.[A-Za-z][-A-Za-z0-9]*[A-Za-z0-9]$/,
    hint: "be two parts joined by '.', each of at least two letters, digits or '-', such as 'Contoso.Data'",
  },
  resourceType: {
    what: "resource type name",
    pattern: /^[A-Za-z][-A-Za-z0-9]*[A-Za-z0-9]$/,
    hint: "be at least two letters, digits or '-', starting with a letter, such as 'queues'",
  },
  apiVersion: {
    what: "API version",
    pattern: /^\d{4}-\d{2}-\d{2}(-preview)?$/,
    hint: "be a date such as '2025-01-01' or '2025-01-01-preview'",
  },
  location: {
    what: "location",
    pattern: /^[A-Za-z][A-Za-z0-9]*$/,
    hint: "start with a letter and contain only letters and digits",
  },
  capability: {
    what: "capability",
    pattern: /^ManualResourceProvisioning$/,
    hint: "be 'ManualResourceProvisioning', the only one there is",
  },
} as const satisfies Record<string, NameRule>;

export type NameKind = keyof typeof rules;

/** What is wrong with `value` as a name of this kind, as one sentence; `undefined` when it will do. */
export function checkName(kind: NameKind, value: string): string | undefined {
  const { what, pattern, hint }: NameRule = rules[kind];
  if (value.length > maxLength) {
    return `The ${what} '${value.slice(0, maxLength)}…' is longer than ${maxLength} characters.`;
  }
  return pattern.test(value) ? undefined : `The ${what} ${JSON.stringify(value)} must ${hint}.`;
}

/** The same rule for a description of types, which can only state it: the lengths, and a pattern. */
export function nameConstraints(kind: NameKind): {
  readonly minLength: number;
  readonly maxLength: number;
  readonly pattern: string;
} {
  return { minLength: 1, maxLength, pattern: rules[kind].pattern.source };
}
