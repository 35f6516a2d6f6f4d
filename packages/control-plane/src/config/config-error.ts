/** The configuration cannot be used. It names every problem at once, so that one round of editing is enough. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly code = "InvalidConfiguration";
  /** One line each: where, which key, what is wrong. Values are never quoted, because any of them may be a secret. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}
