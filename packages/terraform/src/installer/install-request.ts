import { displayUrl } from "@rad/artifacts/download";
import { ApiError, isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import { X509Certificate } from "node:crypto";
import { type Product, productNames } from "../product.ts";
import { isReleaseVersion } from "../release/version.ts";
import type { InstallOrder } from "../volume/binary-volume.ts";

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

/**
 * Reads the body of an install request; one that is left out asks for the newest Terraform.
 * @throws ApiError `InvalidRequestContent`, which says where and why and repeats no URL
 */
export function readInstallRequest(body: JsonValue | undefined): InstallOrder {
  const request = membersOf(body ?? {}, "the body", ["product", "version", "source"]);
  const source = membersOf(request["source"] ?? {}, "source", ["url", "checksum", "caBundle"]);
  return {
    product: readProduct(request["product"]),
    version: readVersion(request["version"]),
    url: readUrl(source["url"]),
    checksum: readChecksum(source["checksum"]),
    caBundle: readCaBundle(source["caBundle"]),
  };
}

/** An uninstall takes what is installed, so there is nothing to say. @throws ApiError `InvalidRequestContent` */
export function readUninstallRequest(body: JsonValue | undefined): void {
  membersOf(body ?? {}, "the body", []);
}

/** What of a URL must not show up anywhere. */
export function secretsIn(url: string | undefined): string[] {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed === null) {
    return [];
  }
  const encoded = [parsed.username, parsed.password, parsed.search.slice(1)];
  const values = [...parsed.searchParams.values(), ...encoded, ...encoded.map(decoded)];
  return [...new Set(values)].filter((value) => value !== "");
}

/** A URL as status, history and logs show it. */
export function shownUrl(url: string | undefined): string | undefined {
  return url === undefined ? undefined : displayUrl(new URL(url));
}

function membersOf(value: JsonValue, where: string, known: readonly string[]): JsonObject {
  if (!isJsonObject(value)) {
    throw refused(`${where} must be an object.`);
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const shown = JSON.stringify(unknown.length > 80 ? `${unknown.slice(0, 80)}…` : unknown);
    const allowed = known.length === 0 ? "It has no members." : `It may have ${known.join(", ")}.`;
    throw refused(`${where} has the unknown member ${shown}. ${allowed}`);
  }
  return value;
}

function readProduct(value: JsonValue | undefined): Product {
  if (value === undefined || value === null) {
    return "terraform";
  }
  if (typeof value !== "string" || !Object.hasOwn(productNames, value)) {
    throw refused(`product must be one of ${Object.keys(productNames).join(", ")}.`);
  }
  return value as Product;
}

function readVersion(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  if (typeof value !== "string" || !isReleaseVersion(value)) {
    throw refused('version must look like "1.6.4", perhaps with "-rc1" or "+build" behind it, without a "v".');
  }
  return value;
}

function readUrl(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const url = typeof value === "string" && /^[a-z][a-z0-9+.-]*:/iu.test(value) ? URL.parse(value) : null;
  if (url === null) {
    throw refused("source.url must be an absolute URL that starts with https://.");
  }
  if (url.protocol !== "https:") {
    throw refused(
      `source.url must be an https URL; ${url.protocol}// is not accepted, as nobody could trust what comes.`,
    );
  }
  url.hash = "";
  return url.href;
}

function readChecksum(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const digits = typeof value === "string" ? /^(?:sha256:)?([0-9a-f]{64})$/iu.exec(value)?.[1] : undefined;
  if (digits === undefined) {
    throw refused("source.checksum must be the SHA-256 of the archive: 64 hexadecimal digits, perhaps after sha256:.");
  }
  return digits.toLowerCase();
}

/** Keeps the certificates that parse: files of authorities come with comments, and with other things. */
function readCaBundle(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const blocks = typeof value === "string" ? (value.match(certificate) ?? []) : [];
  const good = blocks.filter(parses);
  if (good.length === 0) {
    throw refused("source.caBundle must hold at least one certificate in PEM form (-----BEGIN CERTIFICATE-----).");
  }
  return `${good.join("\n")}\n`;
}

function parses(pem: string): boolean {
  try {
    return new X509Certificate(pem).fingerprint256 !== "";
  } catch {
    return false;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refused(message: string): ApiError {
  return new ApiError("InvalidRequestContent", `The request is not valid: ${message}`);
}
