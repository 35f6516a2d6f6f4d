import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { encodeBase64, encodeUtf8 } from "@rad/templates/bytes";
import { renderedInstead } from "../../../rendering/environment-recipes.ts";
import { numberMember, sortedMembers, textMember } from "../../../rendering/members.ts";
import { inheritedMetadata, mergedMetadata } from "../../../rendering/metadata.ts";
import { labelName } from "../../../rendering/names.ts";
import { radiusLabels, radiusMetadata } from "../../../rendering/radius-metadata.ts";
import type { KubernetesPart, RenderContext, RenderedResource, Renderer } from "../../../rendering/renderer.ts";
import { secretHash, secretHashAnnotation } from "../../../rendering/secret-hash.ts";
import { autoScalerSpec } from "./auto-scaling.ts";
import { connectedIds, connectionEnvironment, type ConnectionEnvironment } from "./connection-environment.ts";
import { withPlatformOptions } from "./platform-options.ts";
import { podContainer } from "./pod-container.ts";
import { persistentVolumeIds, podVolumes } from "./volumes.ts";

/** Containers become one Deployment, with a Service for each container that has ports. */
export const radiusContainersRenderer: Renderer = {
  dependencies: (properties) => [...new Set([...connectedIds(properties), ...persistentVolumeIds(properties)])],
  render(resource, context) {
    const { id, properties } = resource;
    renderedInstead(context.environment, id.type, properties);
    const name = labelName(id.name, "The name of the containers");
    const connections = connectionEnvironment(properties, context);
    const secret = secretPart(resource, context, name, connections);
    const services = serviceParts(resource, context, name);
    const hosts = Object.fromEntries(
      services.map(({ container, service }) => [container, `${service}.${context.namespace}`]),
    );
    return {
      parts: [
        ...secret,
        {
          platform: "kubernetes",
          localId: "Deployment",
          dependsOn: secret.map(({ localId }) => localId),
          awaited: true,
          object: deployment(resource, context, name, connections),
        },
        ...services.map(({ part }) => part),
        ...autoScalerPart(resource, context, name),
      ],
      properties: { hosts },
      values: { hosts },
    };
  },
};

function deployment(
  resource: RenderedResource,
  context: RenderContext,
  name: string,
  connections: ConnectionEnvironment,
): KubernetesPart["object"] {
  const { properties } = resource;
  const restartPolicy = textMember(properties, "restartPolicy");
  const volumes = podVolumes(properties);
  const annotations = {
    ...daprAnnotations(resource),
    ...(Object.keys(connections.secrets).length === 0
      ? {}
      : { [secretHashAnnotation]: secretHash(connections.secrets) }),
  };
  const labels = radiusLabels(resource, context);
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: radiusMetadata(resource, context, name),
    spec: {
      // An autoscaler owns the number of replicas.
      ...(properties["autoScaling"] === undefined ? { replicas: numberMember(properties, "replicas") ?? 1 } : {}),
      selector: { matchLabels: { "radapp.io/resource": name } },
      template: {
        metadata: mergedMetadata({ labels, annotations }, inheritedMetadata(context)),
        spec: withPlatformOptions(properties, {
          enableServiceLinks: false,
          ...(restartPolicy === undefined ? {} : { restartPolicy }),
          ...containersOf(resource, name, connections),
          ...(volumes.length === 0 ? {} : { volumes }),
        }),
      },
    },
  };
}

/** Init containers run one after the other in the author's order; the order of the others means nothing. */
function containersOf(
  { properties }: RenderedResource,
  secretName: string,
  connections: ConnectionEnvironment,
): JsonObject {
  const all = objectMember(properties, "containers");
  const context = { connections, secretName, volumes: objectMember(properties, "volumes") };
  const isInit = (name: string): boolean => objectMember(all, name)["initContainer"] === true;
  const rendered = (names: readonly string[]): JsonObject[] =>
    names.map((name) => podContainer(name, objectMember(all, name), context));
  const initContainers = rendered(Object.keys(all).filter(isInit));
  const containers = rendered(
    Object.keys(all)
      .filter((name) => !isInit(name))
      .toSorted(),
  );
  if (containers.length === 0) {
    throw new ApiError("BadRequest", "At least one container must not be an init container.", {
      target: "$.properties.containers",
    });
  }
  return { ...(initContainers.length === 0 ? {} : { initContainers }), containers };
}

function daprAnnotations({ id, properties }: RenderedResource): Record<string, string> {
  const extensions = objectMember(properties, "extensions");
  if (extensions["daprSidecar"] === undefined) {
    return {};
  }
  const sidecar = objectMember(extensions, "daprSidecar");
  const port = numberMember(sidecar, "appPort");
  const config = textMember(sidecar, "config");
  return {
    "dapr.io/enabled": "true",
    "dapr.io/app-id": textMember(sidecar, "appId") ?? id.name.toLowerCase(),
    ...(port === undefined ? {} : { "dapr.io/app-port": String(port) }),
    ...(config === undefined ? {} : { "dapr.io/config": config }),
  };
}

function secretPart(
  resource: RenderedResource,
  context: RenderContext,
  name: string,
  { secrets }: ConnectionEnvironment,
): KubernetesPart[] {
  const entries = Object.entries(secrets).toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (entries.length === 0) {
    return [];
  }
  const data = Object.fromEntries(entries.map(([key, value]) => [key, encodeBase64(encodeUtf8(value))]));
  const metadata = radiusMetadata(resource, context, name);
  const object = { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data };
  return [{ platform: "kubernetes", localId: "Secret", object }];
}

interface RenderedService {
  readonly container: string;
  readonly service: string;
  readonly part: KubernetesPart;
}

function serviceParts(resource: RenderedResource, context: RenderContext, name: string): RenderedService[] {
  const containers = sortedMembers(objectMember(resource.properties, "containers"));
  return containers.flatMap(([container, settings]) => {
    const ports = sortedMembers(objectMember(settings, "ports")).map(([portName, port]) => ({
      name: labelName(portName, "The port name"),
      port: port["containerPort"] ?? 0,
      targetPort: port["containerPort"] ?? 0,
      protocol: port["protocol"] ?? "TCP",
    }));
    if (ports.length === 0 || settings["initContainer"] === true) {
      return [];
    }
    const service = labelName(`${name}-${container}`, "The Service name");
    const object = {
      apiVersion: "v1",
      kind: "Service",
      metadata: radiusMetadata(resource, context, service),
      spec: { type: "ClusterIP", selector: { "radapp.io/resource": name }, ports },
    };
    return [{ container, service, part: { platform: "kubernetes", localId: `Service-${container}`, object } }];
  });
}

function autoScalerPart(resource: RenderedResource, context: RenderContext, name: string): KubernetesPart[] {
  if (resource.properties["autoScaling"] === undefined) {
    return [];
  }
  const object = {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: radiusMetadata(resource, context, name),
    spec: autoScalerSpec(name, resource.properties),
  };
  return [{ platform: "kubernetes", localId: "HorizontalPodAutoscaler", dependsOn: ["Deployment"], object }];
}
