/** Hosts of mirrors and registries that a CLI configuration names, for log lines. */
export function hostsIn(configuration: string): readonly string[] {
  const found = configuration.matchAll(/https?:\/\/(?:[^/\s"@]*@)?([^/\s"]+)|\b(?:credentials|host)\s+"([^"]+)"/gu);
  return [...new Set([...found].map(([, url, block]) => url ?? block ?? ""))];
}

/** Hosts of registries and servers that the modules of a root module come from, for log lines. */
export function moduleHostsIn(rootModule: string): readonly string[] {
  const { module = {} } = JSON.parse(rootModule) as { module?: Readonly<Record<string, { source?: string }>> };
  const hosts = Object.values(module).flatMap(({ source = "" }) => {
    const address = source.replace(/^\w+::/u, "");
    const [, host = ""] = /^(?:\w+:\/\/)?(?:[^/@\s]*@)?([^/\s]+)\//u.exec(address) ?? [];
    // Without a host an address begins with a namespace, or with a dot if it is a folder.
    return /^[^.].*[.:]/u.test(host) ? [host] : [];
  });
  return [...new Set(hosts)];
}
