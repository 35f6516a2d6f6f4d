export const providerType = "System.Resources/resourceProviders";
export const resourceTypeType = `${providerType}/resourceTypes`;
export const apiVersionType = `${resourceTypeType}/apiVersions`;
export const locationType = `${providerType}/locations`;

export function providerId(planeScope: string, namespace: string): string {
  return `${planeScope}/providers/${providerType}/${namespace}`;
}
