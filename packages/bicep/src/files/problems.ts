import type { ReferenceProblem } from "../semantics/index.ts";
import type { FileProblem } from "./host.ts";

/**
 * What can be wrong with files, references and configurations. These are problems rather than diagnostics, because
 * whoever asks knows the place: the path of a module, the argument of a call, the start of a file.
 */
export const problems = {
  pathEmpty: () => error("BCP050", "The path is empty."),
  pathAbsolute: () => error("BCP051", `The path starts with "/". Write it relative to this file.`),
  pathForbiddenCharacter: (char: string) => error("BCP085", `The path contains "${char}", which paths cannot have.`),
  pathForbiddenEnd: (char: string) => error("BCP086", `The path ends in "${char}", which paths cannot.`),
  pathBackslash: () => error("BCP098", `The path contains "\\". Use "/" between folders.`),
  pathControlCharacter: () => error("BCP111", "The path contains a control character."),
  fileUnreadable: (path: string, problem: FileProblem) =>
    error("BCP091", `The file "${path}" cannot be read: ${fileReasons[problem]}.`),
  directoryGiven: (path: string) => error("BCP275", `"${path}" is a folder; a file is needed here.`),
  fileTooLarge: (path: string, limit: number, unit: string) =>
    error("BCP184", `The file "${path}" is larger than the ${limit} ${unit} that can be loaded.`),
  encodingContradicted: (marked: string): ReferenceProblem => ({
    code: "BCP185",
    level: "info",
    message: `The file says that its encoding is ${marked}, and it was read so.`,
  }),
  notJson: (path: string, reason: string) => error("BCP186", `The file "${path}" holds no JSON. ${reason}`),
  notYaml: (path: string, reason: string) => error("BCP340", `The file "${path}" holds no YAML. ${reason}`),
  nothingSelected: (selector: string) => error("BCP235", `The path "${selector}" selects nothing in the file.`),
  directoryMissing: (path: string) => error("BCP428", `The folder "${path}" does not exist.`),
  directoryUnreadable: (path: string, problem: FileProblem) =>
    error("BCP430", `The folder "${path}" cannot be read: ${fileReasons[problem]}.`),
  notADirectory: (path: string) => error("BCP429", `"${path}" is a file; a folder is needed here.`),

  moduleItself: () => error("BCP094", "This module is the file itself."),
  parametersItself: () => error("BCP278", "This parameters file refers to itself."),
  fileCycle: (paths: readonly string[]) =>
    error("BCP095", `The file is part of a cycle: ${paths.map((path) => `"${path}"`).join(" -> ")}.`),
  notAModule: () =>
    error("BCP277", "A module is a Bicep file, an ARM template, a registry reference or a template spec."),
  notATemplate: () => error("BCP276", `"using" names a Bicep file, an ARM template, a registry reference or "none".`),
  notAParametersFile: () => error("BCP404", `"extends" names a .bicepparam file.`),
  armTemplateInvalid: (path: string) => error("BCP188", `The ARM template "${path}" has errors.`),
  tooManyFiles: (limit: number) => error("BCP091", `More than ${limit} files take part in this compilation.`),
  tooManyBytes: (limit: number) =>
    error("BCP091", `The files of this compilation hold more than ${limit} bytes together.`),
  chainTooLong: (limit: number) => error("BCP091", `More than ${limit} files refer to one another in a chain.`),
  invalidUtf8: () =>
    warning("invalid-utf8", "From here on the file has bytes that are no UTF-8; they are read as U+FFFD."),

  unknownScheme: (scheme: string, known: readonly string[]) =>
    error("BCP189", `"${scheme}" is no scheme for references. Known are: ${list(known)}.`),
  notRestored: (reference: string) =>
    error("BCP190", `"${reference}" has not been restored. Run "rad bicep restore" on this file.`),
  restoreFailed: (reference: string, reason: string) =>
    error("BCP192", `"${reference}" could not be restored. ${reason}`),
  standIn: ({ code, message }: ReferenceProblem): ReferenceProblem => ({
    code,
    level: "warning",
    message: `${message} The types that are built in are used instead.`,
  }),
  badRegistryReference: (reference: string) =>
    error("BCP193", `"${reference}" is no reference to a registry. Write "br:host/path:tag" or "br/alias:path:tag".`),
  badSpecReference: (reference: string) =>
    error("BCP194", `"${reference}" is no template spec. Write "ts:subscription/group/name:version".`),
  badPathSegment: (reference: string, segment: string) =>
    error("BCP195", `"${reference}": the path segment "${segment}" is not valid.`),
  tagMissing: (reference: string) => error("BCP196", `"${reference}" has neither a tag nor a digest.`),
  tagTooLong: (reference: string, limit: number) =>
    error("BCP197", `"${reference}": the tag is longer than ${limit} characters.`),
  badTag: (reference: string, tag: string) => error("BCP198", `"${reference}": the tag "${tag}" is not valid.`),
  repositoryTooLong: (reference: string, limit: number) =>
    error("BCP199", `"${reference}": the path is longer than ${limit} characters.`),
  registryTooLong: (reference: string, limit: number) =>
    error("BCP200", `"${reference}": the registry is longer than ${limit} characters.`),
  badAlias: (alias: string) =>
    error("BCP211", `The alias "${alias}" is not valid: only letters, digits, "_" and "-" can be in it.`),
  unknownSpecAlias: (alias: string) => error("BCP212", `The configuration has no template spec alias "${alias}".`),
  unknownRegistryAlias: (alias: string) => error("BCP213", `The configuration has no registry alias "${alias}".`),
  specAliasWithoutSubscription: (alias: string) =>
    error("BCP214", `The template spec alias "${alias}" lacks its "subscription".`),
  specAliasWithoutGroup: (alias: string) =>
    error("BCP215", `The template spec alias "${alias}" lacks its "resourceGroup".`),
  registryAliasWithoutRegistry: (alias: string) =>
    error("BCP216", `The registry alias "${alias}" lacks its "registry".`),
  badSubscription: (reference: string, value: string) =>
    error("BCP217", `"${reference}": the subscription "${value}" is not a GUID.`),
  groupTooLong: (reference: string, limit: number) =>
    error("BCP218", `"${reference}": the resource group is longer than ${limit} characters.`),
  badGroup: (reference: string, value: string) =>
    error("BCP219", `"${reference}": the resource group "${value}" is not valid.`),
  specNameTooLong: (reference: string, limit: number) =>
    error("BCP220", `"${reference}": the name is longer than ${limit} characters.`),
  badSpecName: (reference: string, value: string) =>
    error("BCP221", `"${reference}": the name "${value}" is not valid.`),
  specVersionTooLong: (reference: string, limit: number) =>
    error("BCP222", `"${reference}": the version is longer than ${limit} characters.`),
  badSpecVersion: (reference: string, value: string) =>
    error("BCP223", `"${reference}": the version "${value}" is not valid.`),
  badDigest: (reference: string, digest: string) =>
    error("BCP224", `"${reference}": the digest "${digest}" is not valid. Write "sha256:" and 64 hexadecimal digits.`),

  derivedTypeUnknown: (type: string) =>
    warning("BCP392", `"${type}", which a type of this template is made from, is no resource type.`),
  derivedTypeSegment: (segment: string) =>
    warning("BCP393", `"${segment}" is no part of a type. Known parts: ${list(partsOfTypes)}.`),

  unknownExtension: (name: string) =>
    error(
      "BCP204",
      `The extension "${name}" is not known. Name its type package or its folder of manifests under "extensions" in bicepconfig.json.`,
    ),
  badExtensionPackage: (reason: string) => error("BCP396", `The extension's type package is not valid. ${reason}`),
  implicitExtensionMissing: (name: string, path: string) =>
    error("BCP397", `"${path}" lists "${name}" in "implicitExtensions" but not in "extensions".`),
  notBuiltIn: (name: string) => error("BCP398", `"${name}" is configured as built in, and it is not.`),

  configurationNotJson: (path: string, reason: string) =>
    error("BCP271", `The configuration "${path}" is not valid JSON. ${reason}`),
  configurationUnreadable: (path: string, problem: FileProblem) =>
    error("BCP272", `The configuration "${path}" cannot be read: ${fileReasons[problem]}.`),
  configurationInvalid: (path: string, reason: string) =>
    error("BCP273", `The configuration "${path}" is not valid. ${reason}`),
  linterRuleUnknown: (path: string, name: string, meant: string | undefined): ReferenceProblem => ({
    code: "unknown-linter-rule",
    level: "warning",
    message: `The configuration "${path}" sets the linter rule "${name}", which does not exist.${meant === undefined ? "" : ` Did you mean "${meant}"?`}`,
  }),
  configurationSearchFailed: (path: string): ReferenceProblem => ({
    code: "BCP274",
    level: "info",
    message: `The folder of "${path}" may not be searched for a configuration.`,
  }),
  baseConfigurationUnreadable: (path: string, base: string) =>
    error("BCP453", `The configuration "${path}" extends "${base}", which cannot be read.`),
  configurationCycle: (paths: readonly string[]) =>
    error("BCP454", `Configurations extend one another in a circle: ${list(paths)}.`),
  configurationTooDeep: (path: string, limit: number) =>
    error("BCP455", `The configuration "${path}" extends a chain of more than ${limit} files.`),
};

const fileReasons: Readonly<Record<FileProblem, string>> = {
  missing: "it does not exist",
  directory: "it is a folder",
  denied: "access is denied",
  tooLarge: "it is too large",
  outside: "it lies outside of the folders that may be read",
};

const partsOfTypes = ["properties", "items", "prefixItems", "additionalProperties"];

function error(code: string, message: string): ReferenceProblem {
  return { code, level: "error", message };
}

function warning(code: string, message: string): ReferenceProblem {
  return { code, level: "warning", message };
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
