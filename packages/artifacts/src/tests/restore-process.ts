// Restores what a Bicep text needs into a cache folder, and tells the one who started it how that went.
import { restoreArtifacts } from "@rad/artifacts/cache";
import { createNetwork, fetchBytes } from "@rad/artifacts/download";
import { createRegistryClient } from "@rad/artifacts/oci";
import { Compilation, createMemoryHost } from "@rad/bicep";

const [cacheFolder = "", source = ""] = process.argv.slice(2);
const network = createNetwork({ addresses: "loopback" });
const { signal } = new AbortController();
const credentials = () => Promise.resolve(undefined);
const client = createRegistryClient({ fetch: (request) => fetchBytes(network, request), credentials, signal });
const host = createMemoryHost({ files: new Map([["/app.bicep", source]]) });
const artifacts = new Compilation({ host }).artifacts("/app.bicep");
const [outcome] = await restoreArtifacts(artifacts, { client, cacheFolder, signal });
process.send?.(outcome?.error?.message ?? outcome?.outcome);
