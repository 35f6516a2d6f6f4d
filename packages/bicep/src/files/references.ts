import type { ReferenceProblem } from "../semantics/index.ts";
import type { Configuration } from "./configuration.ts";
import { checkLocalPath } from "./local-path.ts";
import { problems } from "./problems.ts";

/** What the path of a module, import or using names. */
type FileReference = { readonly kind: "local"; readonly path: string } | ArtifactReference;

/** Something that is restored from elsewhere before a compilation can use it. */
export type ArtifactReference = RegistryReference | TemplateSpecReference;

/** `br:registry/repository:tag`, aliases replaced. */
export interface RegistryReference {
  readonly kind: "registry";
  /** In full, with its scheme. */
  readonly text: string;
  readonly registry: string;
  readonly repository: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

/** `ts:subscription/group/name:version`, aliases replaced. */
export interface TemplateSpecReference {
  readonly kind: "templateSpec";
  readonly text: string;
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly name: string;
  readonly version: string;
}

export type ParsedReference = { readonly value: FileReference } | { readonly problem: ReferenceProblem };

/** Reads the path of a module. Nothing is looked up, only the aliases of the configuration. */
export function parseReference(text: string, configuration: Configuration): ParsedReference {
  const colon = text.indexOf(":");
  if (colon < 0) {
    const problem = checkLocalPath(text);
    return problem === undefined ? { value: { kind: "local", path: text } } : { problem };
  }
  const prefix = text.slice(0, colon);
  const slash = prefix.indexOf("/");
  const scheme = slash < 0 ? prefix : prefix.slice(0, slash);
  const alias = slash < 0 ? undefined : prefix.slice(slash + 1);
  const rest = text.slice(colon + 1);
  switch (scheme) {
    case "br":
      return registryReference(rest, alias, configuration);
    case "ts":
      return templateSpecReference(rest, alias, configuration);
    default:
      return { problem: problems.unknownScheme(scheme, ["br", "ts"]) };
  }
}

/**
 * Where an artifact lies below the cache folder: `br/<registry>/<repository>/<tag>` with `$` for what file systems do
 * not take. Letter case of tags counts, and not every file system keeps it, so capitals are named again as a bit mask.
 */
export function artifactFolder(reference: ArtifactReference): string {
  if (reference.kind === "templateSpec") {
    const { subscription, resourceGroup, name, version } = reference;
    return ["ts", subscription, resourceGroup, name, version].join("/").toLowerCase();
  }
  const { registry, repository, tag, digest } = reference;
  const version = tag === undefined ? (digest ?? "").replace(":", "#") : `${tag}$${capitals(tag)}`;
  return ["br", registry.replaceAll(":", "$").toLowerCase(), repository.replaceAll("/", "$"), version].join("/");
}

const maxLength = 255;
const maxTagLength = 128;
const aliasName = /^[a-zA-Z0-9_-]+$/u;
const pathSegment = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/u;
const tagPattern = /^[a-zA-Z0-9_][a-zA-Z0-9._-]*$/u;
const digestPattern = /^sha256:[a-f0-9]{64}$/u;
const registryPattern = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?|\[[0-9a-fA-F:]+\])(?::[0-9]{1,5})?$/u;

function registryReference(rest: string, alias: string | undefined, configuration: Configuration): ParsedReference {
  let full = rest;
  if (alias !== undefined) {
    if (!aliasName.test(alias)) {
      return { problem: problems.badAlias(alias) };
    }
    const target = configuration.registryAliases.get(alias);
    if (target === undefined) {
      return { problem: problems.unknownRegistryAlias(alias) };
    }
    if (target.registry === undefined || target.registry === "") {
      return { problem: problems.registryAliasWithoutRegistry(alias) };
    }
    full = [target.registry, target.modulePath, rest].filter((part) => part !== undefined && part !== "").join("/");
  }
  return parseRegistryReference(full);
}

function parseRegistryReference(full: string): ParsedReference {
  const text = `br:${full}`;
  const [registry = "", ...segments] = full.split("/");
  const last = segments.pop();
  if (last === undefined || !registryPattern.test(registry)) {
    return { problem: problems.badRegistryReference(text) };
  }
  if (registry.length > maxLength) {
    return { problem: problems.registryTooLong(text, maxLength) };
  }
  const delimiter = last.search(/[:@]/u);
  const name = delimiter < 0 ? last : last.slice(0, delimiter);
  const wrong = [...segments, name].find((segment) => !pathSegment.test(segment));
  if (wrong !== undefined) {
    return { problem: problems.badPathSegment(text, wrong) };
  }
  const repository = [...segments, name].join("/");
  if (repository.length > maxLength) {
    return { problem: problems.repositoryTooLong(text, maxLength) };
  }
  const version = delimiter < 0 ? "" : last.slice(delimiter + 1);
  if (version === "") {
    return { problem: problems.tagMissing(text) };
  }
  if (last[delimiter] === "@") {
    return digestPattern.test(version)
      ? { value: { kind: "registry", text, registry, repository, tag: undefined, digest: version } }
      : { problem: problems.badDigest(text, version) };
  }
  if (version.length > maxTagLength) {
    return { problem: problems.tagTooLong(text, maxTagLength) };
  }
  return tagPattern.test(version)
    ? { value: { kind: "registry", text, registry, repository, tag: version, digest: undefined } }
    : { problem: problems.badTag(text, version) };
}

const maxSpecLength = 90;
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
const groupPattern = /^[-\w.()]*[-\w()]$/u;
const specPattern = /^[-\w.()]*[-\w()]$/u;

function templateSpecReference(rest: string, alias: string | undefined, configuration: Configuration): ParsedReference {
  let full = rest;
  if (alias !== undefined) {
    if (!aliasName.test(alias)) {
      return { problem: problems.badAlias(alias) };
    }
    const target = configuration.templateSpecAliases.get(alias);
    if (target === undefined) {
      return { problem: problems.unknownSpecAlias(alias) };
    }
    if (target.subscription === undefined || target.subscription === "") {
      return { problem: problems.specAliasWithoutSubscription(alias) };
    }
    if (target.resourceGroup === undefined || target.resourceGroup === "") {
      return { problem: problems.specAliasWithoutGroup(alias) };
    }
    full = `${target.subscription}/${target.resourceGroup}/${rest}`;
  }
  return parseTemplateSpec(full);
}

function parseTemplateSpec(full: string): ParsedReference {
  const text = `ts:${full}`;
  const parts = /^([^/]*)\/([^/]*)\/([^/:]*):([^/:]*)$/u.exec(full);
  if (parts === null) {
    return { problem: problems.badSpecReference(text) };
  }
  const [, subscription = "", resourceGroup = "", name = "", version = ""] = parts;
  if (!guid.test(subscription)) {
    return { problem: problems.badSubscription(text, subscription) };
  }
  if (resourceGroup.length > maxSpecLength) {
    return { problem: problems.groupTooLong(text, maxSpecLength) };
  }
  if (!groupPattern.test(resourceGroup)) {
    return { problem: problems.badGroup(text, resourceGroup) };
  }
  if (name.length > maxSpecLength) {
    return { problem: problems.specNameTooLong(text, maxSpecLength) };
  }
  if (!specPattern.test(name)) {
    return { problem: problems.badSpecName(text, name) };
  }
  if (version.length > maxSpecLength) {
    return { problem: problems.specVersionTooLong(text, maxSpecLength) };
  }
  return specPattern.test(version)
    ? { value: { kind: "templateSpec", text, subscription, resourceGroup, name, version } }
    : { problem: problems.badSpecVersion(text, version) };
}

/** Which letters are capitals, the first one the lowest bit, in hexadecimal; nothing when none is. */
function capitals(tag: string): string {
  let mask = 0n;
  for (let at = 0; at < tag.length; at += 1) {
    const char = tag.charCodeAt(at);
    if (char >= 0x41 && char <= 0x5a) {
      mask |= 1n << BigInt(at);
    }
  }
  return mask === 0n ? "" : mask.toString(16).toUpperCase();
}
