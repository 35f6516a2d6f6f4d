/** What a registry asks for in a `WWW-Authenticate` header. */
export type Challenge =
  | { readonly scheme: "basic" }
  | { readonly scheme: "bearer"; readonly realm: string; readonly service: string | undefined };

/** Reads the first challenge that we can answer. */
export function parseChallenge(header: string | undefined): Challenge | undefined {
  const text = header ?? "";
  const bearer = /(?:^|,)\s*Bearer\s+(.*)$/iu.exec(text)?.[1];
  if (bearer !== undefined) {
    const parameters = new Map<string, string>();
    for (const [, name = "", quoted, bare] of bearer.matchAll(/([a-z_]+)\s*=\s*(?:"([^"]*)"|([^\s,]+))/giu)) {
      const key = name.toLowerCase();
      // The same name again belongs to another challenge that follows.
      parameters.set(key, parameters.get(key) ?? quoted ?? bare ?? "");
    }
    const realm = parameters.get("realm");
    return realm === undefined ? undefined : { scheme: "bearer", realm, service: parameters.get("service") };
  }
  return /(?:^|,)\s*Basic\b/iu.test(text) ? { scheme: "basic" } : undefined;
}
