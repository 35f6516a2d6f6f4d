import { lookup as systemLookup } from "node:dns";
import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { ArtifactError } from "../artifact-error.ts";
import { isAddressAllowed } from "./address-rules.ts";
import type { AddressRule } from "./address-rules.ts";

/** Finds all addresses of a host. */
export type Resolve = (
  host: string,
  answer: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

export interface NetworkOptions {
  readonly addresses: AddressRule;
  /** Certificates of authorities in PEM form that are trusted besides the usual ones. */
  readonly ca?: string | undefined;
  /** Whether the authorities of the operating system are trusted besides those that come with Node. */
  readonly systemRoots?: boolean | undefined;
  /**
   * By way of a proxy: one for everything, or what `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` say. The proxy resolves
   * names then, so `addresses` is held against literal addresses in URLs only; what a name leads to is up to the
   * proxy's own rules. Hosts that `NO_PROXY` exempts are checked like any other, and so is this machine, which no proxy
   * is asked for.
   */
  readonly proxy?:
    | { readonly url: string }
    | { readonly env: Readonly<Record<string, string | undefined>> }
    | undefined;
  readonly resolve?: Resolve;
}

/** The way to servers, and which of them may be reached. Connections are kept for a few seconds and used again. */
export interface Network {
  /** @throws ArtifactError `AddressRefused` when the host is an address that is not allowed. */
  checkHost(url: URL): void;
  /**
   * The same for what a name leads to now, for hosts that another program is about to connect to. A name that cannot be
   * looked up passes: that program says what is wrong with it.
   * @throws ArtifactError `AddressRefused`
   */
  checkAddresses(url: URL): Promise<void>;
  dispatcher(): Promise<Dispatcher>;
}

/** Costs nothing until the first request, which loads the HTTP client. */
export function createNetwork(options: NetworkOptions): Network {
  let dispatcher: Promise<Dispatcher> | undefined;
  const checkHost: Network["checkHost"] = ({ hostname }) => {
    // Nobody looks up an address, so the check of what is connected to would not see it.
    const bare = hostname.replace(/^\[(.*)\]$/u, "$1");
    if (isIP(bare) !== 0 && !isAddressAllowed(bare, options.addresses)) {
      throw addressRefused(hostname, [bare]);
    }
  };
  return {
    checkHost,
    checkAddresses: async (url) => {
      checkHost(url);
      const { resolve = resolveBySystem } = options;
      const found = await new Promise<readonly LookupAddress[]>((answer) =>
        resolve(url.hostname, (_error, addresses) => answer(addresses)),
      );
      const refused = found
        .map(({ address }) => address)
        .filter((address) => !isAddressAllowed(address, options.addresses));
      if (refused.length > 0) {
        throw addressRefused(url.hostname, refused);
      }
    },
    dispatcher() {
      dispatcher ??= loadDispatcher(options);
      return dispatcher;
    },
  };
}

async function loadDispatcher(options: NetworkOptions): Promise<Dispatcher> {
  const { createDispatcher } = await import("./dispatcher.ts");
  return createDispatcher({ ...options, lookup: checkedLookup(options) });
}

/** Checks every address between the look-up and the connection, so that no later answer of DNS gets past. */
function checkedLookup({ addresses, resolve = resolveBySystem }: NetworkOptions): LookupFunction {
  return (host, { all, family }, callback) => {
    resolve(host, (error, found) => {
      const wanted = found.filter((entry) => (family !== 4 && family !== 6 ? true : entry.family === family));
      const allowed = wanted.filter(({ address }) => isAddressAllowed(address, addresses));
      const [first] = allowed;
      if (error !== null) {
        callback(error, "", 0);
      } else if (first === undefined) {
        const refused = wanted.map(({ address }) => address);
        callback(addressRefused(host, refused), "", 0);
      } else if (all === true) {
        callback(null, allowed);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

function resolveBySystem(host: string, answer: Parameters<Resolve>[1]): void {
  systemLookup(host, { all: true }, (error, addresses) => answer(error, addresses ?? []));
}

function addressRefused(host: string, addresses: readonly string[]): ArtifactError {
  const which = addresses.length === 0 ? "no address" : `the address ${addresses.join(", ")}`;
  return new ArtifactError("AddressRefused", `${host} has ${which}, which may not be connected to.`);
}
