/** What is wrong with the key of credentials, if anything: `host` or `host:port`. */
export function registryHostProblem(key: string): string | undefined {
  return hostProblem(key, "a registry");
}

/** What is wrong with the key of a Git token, if anything: `host` or `host:port`. */
export function gitHostProblem(key: string): string | undefined {
  return hostProblem(key, "a Git server");
}

function hostProblem(key: string, what: string): string | undefined {
  return httpsHost(key) === undefined
    ? `Write the host name of ${what}, with its port where it is not 443: no scheme, no path, no user, no spaces.`
    : undefined;
}

/** `host` or `host:port` in the one form that HTTPS addresses are compared in. `undefined` for anything else. */
export function httpsHost(key: string): string | undefined {
  const [, name = "", port] = /^([^\s:/?#@\\[\]]+)(?::([0-9]{1,5}))?$/u.exec(key) ?? [];
  const ascii = asciiHostName(name);
  const isPort = port === undefined || (Number(port) > 0 && Number(port) <= 65_535);
  if (ascii === undefined || !isPort) {
    return undefined;
  }
  return port === undefined || Number(port) === 443 ? ascii : `${ascii}:${Number(port)}`;
}

/** The name as DNS has it: lower case, and international letters in Punycode. `undefined` for what is no host name. */
export function asciiHostName(name: string): string | undefined {
  // URLs decode percent signs in hosts, which no registry has.
  const url = name === "" || name.includes("%") ? null : URL.parse(`https://${name}/`);
  const ascii = url?.hostname ?? "";
  return url?.host === ascii && hostName.test(ascii) && ascii.length <= 253 ? ascii : undefined;
}

const hostName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/u;
