import type { JsonObject } from "@rad/core";
import { type OriginRegistry, startOriginRegistry } from "@rad/terraform/testing";
import { testProvider } from "@rad/terraform/testing/providers";
import { bucketModule, bucketProvider } from "../recipes/bucket-module.ts";
import { openRecipeRig, put, type RecipeRig } from "../recipes/recipe-rig.ts";
import { group, type Server } from "../support/api.ts";

export const legacyVersion = "2023-10-01-preview";

/** A rig whose providers come from their origin registry, since `recipeConfig` knows no mirrors. */
export interface LegacyRig extends AsyncDisposable {
  readonly rig: RecipeRig;
  /** `recipeConfig` of an environment whose recipe works. */
  readonly recipeConfig: JsonObject;
  /** Creates or changes the environment. @returns its id */
  putEnvironment(server: Server, name: string, more: JsonObject): Promise<string>;
}

export async function openLegacyRig(): Promise<LegacyRig> {
  await using stack = new AsyncDisposableStack();
  const rig = stack.use(await openRecipeRig());
  const origin: OriginRegistry = stack.use(await startOriginRegistry({ ca: rig.ca }));
  const address = await origin.publish(await testProvider({ ...bucketProvider, cloud: rig.cloud }));
  const source = rig.registry.publishArchive("bucket", {
    "main.tf": bucketModule.replace('source = "hashicorp/aws"', `source = "${address}"`),
  });
  const owned = stack.move();
  return {
    rig,
    recipeConfig: {
      env: { SSL_CERT_FILE: rig.caFile, TF_REGISTRY_CLIENT_TIMEOUT: "15" },
      bicep: { authentication: { "ghcr.io": { secret: `${group}/providers/Applications.Core/secretStores/login` } } },
    },
    putEnvironment: (server, name, more) =>
      put(
        server,
        `Applications.Core/environments/${name}`,
        {
          compute: { kind: "kubernetes", resourceId: "self", namespace: name },
          recipes: { "Test.Stores/buckets": { default: { templateKind: "terraform", templatePath: source } } },
          ...more,
        },
        legacyVersion,
      ),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Creates the secret that `recipeConfig.bicep` names. */
export async function putLogin(server: Server): Promise<void> {
  await put(
    server,
    "Applications.Core/secretStores/login",
    { type: "basicAuthentication", data: { username: { value: "u" }, password: { value: "canary-login" } } },
    legacyVersion,
  );
}
