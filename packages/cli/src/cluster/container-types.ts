/** Resources that have pods, by the family that their application is of. */
export const containerTypes: Readonly<Record<string, string>> = {
  "Applications.Core": "Applications.Core/containers",
  "Radius.Core": "Radius.Compute/containers",
};

/** Whether a type, or a short name of one, is of resources that have pods. */
export function isContainerType(text: string): boolean {
  return ["containers", ...Object.values(containerTypes)].some((type) => type.toLowerCase() === text.toLowerCase());
}
