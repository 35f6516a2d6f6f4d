export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** A URL to show: who asks and the values of its query may be secrets, and the fragment says nothing. */
export function displayUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) {
    return "the URL";
  }
  const user = url.username === "" && url.password === "" ? "" : "redacted@";
  const query = [...url.searchParams.keys()].map((key) => `${encodeURIComponent(key)}=redacted`).join("&");
  return `${url.protocol}//${user}${url.host}${url.pathname}${query === "" ? "" : `?${query}`}`;
}
