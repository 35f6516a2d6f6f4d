/** Functions that need a resource as it is after its deployment. Names are in lower case. */
const runtimeNames = new Set([
  "reference",
  "references",
  "invokeresourcemethod",
  "target",
  "tologicalzone",
  "tologicalzones",
  "tophysicalzone",
  "tophysicalzones",
]);

/** Those whose first argument names a resource, which therefore has to be deployed before. */
const readers = new Set(["reference", "references", "invokeresourcemethod"]);

/** `listKeys`, `listSecrets`, … are actions of the resource, whatever comes after `list`. */
export function isListFunction(name: string): boolean {
  return name.startsWith("list") && name.length > "list".length;
}

export function isRuntimeFunction(name: string): boolean {
  return runtimeNames.has(name) || isListFunction(name);
}

export function readsResource(name: string): boolean {
  return readers.has(name) || isListFunction(name);
}

/** Different at every call, so that only the default value of a parameter may hold them. */
export function isFreshFunction(name: string): boolean {
  return name === "newguid" || name === "utcnow";
}
