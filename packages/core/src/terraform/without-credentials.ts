/** Stands for what is not shown. */
export const hidden = "***";

// Lines of a log have any length, so the parts that may be scanned again are bounded.
const userInfo = /(\b[\w+.-]{1,30}:\/\/)([^/\s"'`<>|]*)@/g;
const query = /([?&])([^=&#?\s]{1,100})=[^&#\s"]*/g;
const secretName = /key|secret|token|sig|pass|pwd|auth(?!or$)|cred|jwt|^(?:sas|code)$/i;

/** Whether a parameter of an address is a credential, as its name says: `sshkey`, `X-Amz-Signature`, but not `ref`. */
export function isSecretParameter(name: string): boolean {
  try {
    return secretName.test(decodeURIComponent(name));
  } catch {
    return secretName.test(name);
  }
}

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
      isSecretParameter(name) ? `${mark}${name}=${hidden}` : whole,
    );
}

/**
 * Whether the source is shown without the credentials that it has: they are hidden before its host and in parameters for
 * such, and nowhere else. Put back into a path, they would be shown.
 */
export function hidesCredentials(source: string): boolean {
  return /^(?:[a-z0-9]+::)?https?:\/\/\*\*\*@/iu.test(source) || parametersOf(source).some(isHidden);
}

/** A parameter in the query of an address, as it is written there. */
export interface AddressParameter {
  readonly name: string;
  readonly value: string;
}

export function parametersOf(source: string): readonly AddressParameter[] {
  const [, query = ""] = /^[^?#]*\?([^#]*)/su.exec(source) ?? [];
  return query.split("&").flatMap((part) => {
    const equals = part.indexOf("=");
    return equals < 0 ? [] : [{ name: part.slice(0, equals), value: part.slice(equals + 1) }];
  });
}

/** A parameter that has `***` instead of its credential. */
export function isHidden({ name, value }: AddressParameter): boolean {
  return value === hidden && isSecretParameter(name);
}
