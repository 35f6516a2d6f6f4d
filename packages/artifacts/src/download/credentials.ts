/** The only headers, by lower-case name, that every server on the way may see; any other might carry a token. */
const harmless: ReadonlySet<string> = new Set(["accept", "accept-encoding", "if-range", "range", "user-agent"]);

/** What is sent to the next server: everything while the origin stays the same, only what is harmless elsewhere. */
export function headersFor(
  headers: Readonly<Record<string, string>>,
  from: URL,
  to: URL,
): Readonly<Record<string, string>> {
  return from.origin === to.origin ? headers : Object.fromEntries(Object.entries(headers).filter(isHarmless));
}

/** The same without whom it names, who becomes a header. */
export function withoutUser(url: URL, headers: Readonly<Record<string, string>>): [URL, Record<string, string>] {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  bare.hash = "";
  const { username, password } = url;
  if (username === "" && password === "") {
    return [bare, { ...headers }];
  }
  const pair = Buffer.from(`${decoded(username)}:${decoded(password)}`, "utf8").toString("base64");
  return [bare, { ...headers, authorization: `Basic ${pair}` }];
}

function isHarmless([name]: readonly [string, string]): boolean {
  return harmless.has(name);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that is part of it
  }
}
