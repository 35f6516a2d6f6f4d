/** Stands for what is not shown. */
export const hidden = "***";

// Lines of a log have any length, so the parts that may be scanned again are bounded.
const userInfo = /(\b[\w+.-]{1,30}:\/\/)([^/\s"'`<>|]*)@/g;
const query = /([?&])([^=&#?\s]{1,100})=[^&#\s]*/g;
const secretName = /key|secret|token|sig|password/i;

/**
 * A text without the users, passwords and keys that addresses in it may carry: the source of a module, or what git printed
 * about one. The user of `ssh://` is no secret.
 */
export function withoutCredentials(text: string): string {
  return text
    .replaceAll(userInfo, (whole, scheme: string, user: string) =>
      scheme.endsWith("ssh://") && !user.includes(":") ? whole : `${scheme}${hidden}@`,
    )
    .replaceAll(query, (whole, mark: string, name: string) =>
      secretName.test(name) ? `${mark}${name}=${hidden}` : whole,
    );
}

/**
 * Whether the source is shown without the credentials that it has: they are hidden before its host, and nowhere else. Put
 * back into a path or a query, they would be shown.
 */
export function hidesCredentials(source: string): boolean {
  return /^(?:[a-z0-9]+::)?https?:\/\/\*\*\*@/iu.test(source);
}
