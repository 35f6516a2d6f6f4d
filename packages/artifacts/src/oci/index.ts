export { dockerCredentials } from "./docker-credentials.ts";
export type { CredentialLookup, RegistryCredential } from "./docker-credentials.ts";
export { createRegistryClient } from "./registry-client.ts";
export type { RegistryClient, RegistryClientDeps } from "./registry-client.ts";
