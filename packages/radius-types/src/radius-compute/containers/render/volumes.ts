import { ApiError, objectMember, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { sortedMembers, textMember } from "../../../rendering/members.ts";
import { labelName } from "../../../rendering/names.ts";
import { secretNameOf } from "./secret-name.ts";

const sources = ["persistentVolume", "secretName", "emptyDir"];

/** Ids of the persistent volumes. */
export function persistentVolumeIds(properties: JsonObject): readonly string[] {
  return sortedMembers(objectMember(properties, "volumes")).flatMap(
    ([, volume]) => textMember(objectMember(volume, "persistentVolume"), "resourceId") ?? [],
  );
}

/** The volumes of the pod. */
export function podVolumes(properties: JsonObject): JsonObject[] {
  return sortedMembers(objectMember(properties, "volumes")).map(([name, volume]) => {
    const target = `$.properties.volumes.${name}`;
    const given = sources.filter((source) => volume[source] !== undefined);
    if (given.length !== 1) {
      throw new ApiError(
        "BadRequest",
        `A volume needs exactly one of ${sources.map((one) => `'${one}'`).join(", ")}.`,
        {
          target,
        },
      );
    }
    return { name: labelName(name, "The volume name"), ...volumeSource(volume, target) };
  });
}

/** Where a container mounts a volume. @throws ApiError when there is no such volume. */
export function mountedVolume(mount: JsonObject, volumes: JsonObject, target: string): JsonObject {
  const name = textMember(mount, "volumeName") ?? "";
  if (!Object.hasOwn(volumes, name)) {
    throw new ApiError("BadRequest", `The container mounts the volume '${name}', which 'volumes' does not have.`, {
      target: `${target}.volumeMounts`,
    });
  }
  return { name: name.toLowerCase(), mountPath: mount["mountPath"] ?? "" };
}

function volumeSource(volume: JsonObject, target: string): JsonObject {
  const secretName = secretNameOf(volume);
  if (secretName !== undefined) {
    return { secret: { secretName } };
  }
  if (volume["emptyDir"] !== undefined) {
    return {
      emptyDir: textMember(objectMember(volume, "emptyDir"), "medium") === "memory" ? { medium: "Memory" } : {},
    };
  }
  const persistent = objectMember(volume, "persistentVolume");
  const id = ResourceId.tryParse(textMember(persistent, "resourceId") ?? "");
  if (id === undefined) {
    throw new ApiError(
      "BadRequest",
      "'persistentVolume' needs the 'resourceId' of a Radius.Compute/persistentVolumes.",
      {
        target,
      },
    );
  }
  const isReadOnly = textMember(persistent, "accessMode") === "ReadOnlyMany";
  return {
    persistentVolumeClaim: { claimName: id.name.toLowerCase(), ...(isReadOnly ? { readOnly: true } : {}) },
  };
}
