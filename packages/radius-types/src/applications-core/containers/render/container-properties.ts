import type { JsonObject } from "@rad/core";

/** The properties of a container as its schema lets them through. */
export interface ContainerProperties {
  readonly container: ContainerSettings;
  readonly connections?: Readonly<Record<string, Connection>>;
  readonly identity?: JsonObject;
  readonly resourceProvisioning?: "internal" | "manual";
  readonly resources?: readonly { readonly id: string }[];
  readonly restartPolicy?: string;
  readonly runtimes?: { readonly kubernetes?: { readonly base?: string; readonly pod?: JsonObject } };
}

interface ContainerSettings {
  readonly image: string;
  readonly imagePullPolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env?: Readonly<Record<string, Variable>>;
  readonly ports?: Readonly<Record<string, Port>>;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly volumes?: Readonly<Record<string, MountedVolume>>;
}

export interface Connection {
  readonly source: string;
  readonly disableDefaultEnvVars?: boolean;
  readonly iam?: { readonly kind: string; readonly roles?: readonly string[] };
}

export interface Variable {
  readonly value?: string;
  readonly valueFrom?: { readonly secretRef: { readonly source: string; readonly key: string } };
}

export interface Port {
  readonly containerPort: number;
  readonly port?: number;
  readonly protocol?: "TCP" | "UDP";
}

export interface Probe {
  readonly kind: string;
  readonly containerPort?: number;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly command?: string;
  readonly initialDelaySeconds?: number;
  readonly failureThreshold?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
}

export interface MountedVolume {
  readonly kind: string;
  readonly mountPath?: string;
  readonly managedStore?: "memory" | "disk";
  readonly source?: string;
}

export function containerProperties(properties: JsonObject): ContainerProperties {
  return properties as unknown as ContainerProperties;
}
