export interface ManifestProblem {
  readonly file: string;
  /** `$.types.queues.apiVersions['2025-01-01'].schema` */
  readonly path: string;
  /** Counted from 1; 0 when the problem is with the file as a whole. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Everything that is wrong with a manifest at once. The message has one line per problem. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
  readonly code = "InvalidManifest";
  readonly problems: readonly ManifestProblem[];

  constructor(problems: readonly ManifestProblem[], options: { cause?: unknown } = {}) {
    super(problems.map(formatProblem).join("\n"), options);
    this.problems = problems;
  }
}

export function fileProblem(file: string, message: string): ManifestProblem {
  return { file, path: "$", line: 0, column: 0, message };
}

function formatProblem({ file, path, line, column, message }: ManifestProblem): string {
  const place = line === 0 ? file : `${file}:${line}:${column}`;
  return path === "$" ? `${place}: ${message}` : `${place}: ${path}: ${message}`;
}
