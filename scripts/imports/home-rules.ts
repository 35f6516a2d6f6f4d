/** Something that one package does for all, so that it is bounded, checked and tested in one place. */
interface HomeRule {
  readonly what: string;
  readonly pattern: RegExp;
  /** Packages, or single files, where it may be. */
  readonly homes: readonly string[];
  readonly instead: string;
}

const rules: readonly HomeRule[] = [
  {
    what: "calls fetch()",
    pattern: /(?<![\w#]|function )fetch\(/,
    homes: ["packages/artifacts/"],
    instead: "@rad/artifacts/download, or @rad/client for our own API",
  },
  {
    what: "uses an HTTP client",
    pattern:
      /["']undici["']|getBuiltinModule\(["']node:https?["']\)\.(?:request|get)\b|\bimport\s*(?:type\s*)?\{[^}]*\b(?:request|get)\b[^}]*\}\s*from\s*"node:https?"/,
    homes: [
      "packages/artifacts/",
      "packages/client/src/http-request.ts", // requests to our own API
      "packages/kubernetes/src/api/http-api-client.ts", // requests to the API servers of clusters
    ],
    instead: "@rad/artifacts/download, or @rad/client for our own API",
  },
  {
    what: "unpacks archives",
    pattern: /["'](?:node:zlib|tar|yauzl)["']/,
    homes: [
      "packages/artifacts/",
      "packages/terraform/src/modules/hcl-worker.ts", // one file of a package in the lock file
      "packages/terraform/src/sealed-text/", // what is sealed is compressed first: a text, and no archive
    ],
    instead: "@rad/artifacts/archives",
  },
];

/** What a source file does that another package does for all. */
export function homeProblems(file: string, text: string): string[] {
  return rules
    .filter(({ pattern, homes }) => pattern.test(text) && !homes.some((home) => file.startsWith(home)))
    .map(({ what, instead }) => `${file}: ${what}; use ${instead}.`);
}
