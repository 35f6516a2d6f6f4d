/** About one connection (RFC 9110, 7.6.1), so that passing them on would be wrong. */
const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * What a proxy may pass on of a message's headers, either way.
 * @param headers by lower-case name, as Node's HTTP messages have them.
 */
export function endToEndHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> {
  const { connection = "" } = headers;
  const named = new Set(
    String(connection)
      .split(",")
      .map((name) => name.trim().toLowerCase()),
  );
  const result: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !connectionHeaders.has(name) && !named.has(name)) {
      result[name] = value;
    }
  }
  return result;
}
