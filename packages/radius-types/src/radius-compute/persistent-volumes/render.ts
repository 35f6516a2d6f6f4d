import { renderedInstead } from "../../rendering/environment-recipes.ts";
import { numberMember, textMember } from "../../rendering/members.ts";
import { subdomainName } from "../../rendering/names.ts";
import { radiusMetadata } from "../../rendering/radius-metadata.ts";
import type { Renderer } from "../../rendering/renderer.ts";

/** A persistent volume becomes a PersistentVolumeClaim of its name. */
export const persistentVolumeRenderer: Renderer = {
  dependencies: () => [],
  render(resource, context) {
    const { id, properties } = resource;
    renderedInstead(context.environment, id.type, properties);
    const name = subdomainName(id.name, "The volume name");
    return {
      parts: [
        {
          platform: "kubernetes",
          localId: "PersistentVolumeClaim",
          object: {
            apiVersion: "v1",
            kind: "PersistentVolumeClaim",
            metadata: radiusMetadata(resource, context, name),
            spec: {
              accessModes: [textMember(properties, "allowedAccessModes") ?? "ReadWriteOnce"],
              resources: { requests: { storage: `${numberMember(properties, "sizeInGib") ?? 1}Gi` } },
            },
          },
        },
      ],
    };
  },
};
