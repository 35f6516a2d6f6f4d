import { ApiError, formatPath, jsonPointer } from "@rad/core";
import type { RenderedResource } from "../../../rendering/renderer.ts";
import type { BaseManifest } from "./base-manifest.ts";

/** Which members of the resource hold a secret, such as the value of a secure parameter. */
export interface SealedValues {
  /** @param path below `properties`: `container`, `env`, `PASSWORD`, `value`. */
  has(...path: readonly string[]): boolean;
}

const secretMembers = [
  // They become keys of the container's Secret.
  /^\/properties\/container\/env\/[^/]+\/value$/,
  /^\/properties\/connections\/[^/]+\/source$/,
];
/** Everything in here ends up in a Deployment or a Service, where a secret could be read by many. */
const readableMembers = /^\/properties\/(?:container|connections|extensions|runtimes\/kubernetes)(?:\/|$)/;

/** @throws ApiError for a secret in a member that cannot keep it. */
export function sealedValues({ secrets }: RenderedResource, base: BaseManifest): SealedValues {
  const pointers = Object.keys(secrets);
  for (const pointer of pointers) {
    const isSecretBase = pointer === "/properties/runtimes/kubernetes/base" && isOnlySecrets(base);
    if (readableMembers.test(pointer) && !secretMembers.some((kept) => kept.test(pointer)) && !isSecretBase) {
      const place = formatPath(jsonPointer.parts(pointer));
      throw new ApiError(
        "BadRequest",
        `${place} holds a secret, which everybody who may read the container's Deployment would see. ` +
          "Pass secrets as values of 'container.env', or keep them in a secret store.",
        { target: place },
      );
    }
  }
  return { has: (...path) => pointers.includes(jsonPointer.of(["properties", ...path])) };
}

function isOnlySecrets({ deployment, service, serviceAccount, others }: BaseManifest): boolean {
  const isEmpty = deployment === undefined && service === undefined && serviceAccount === undefined;
  return isEmpty && others.every(({ kind }) => kind === "Secret");
}
