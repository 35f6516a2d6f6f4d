import type { JsonObject } from "@rad/core";
import { argumentName, isBackendType, requiredArguments, variableOfArgument } from "@rad/core/terraform";
import { registeredCredentials } from "./backend-credentials.ts";
import { plainArguments, referredValues, unusable } from "./backend-settings.ts";
import { stateArguments } from "./backend-state.ts";
import type { CloudCredentials } from "./cloud-credentials.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { clusterArguments, clusterVariables } from "./cluster-access.ts";
import { ConfigurationError } from "./configuration-error.ts";
import type { SecretLookup } from "./secret-lookup.ts";
import type { StateOwner } from "./state-name.ts";
import { legacyStateHash, secretSuffix, stateHash } from "./state-name.ts";
import type { BackendSettings } from "./terraform-settings.ts";

/** Where Terraform keeps the state of one resource. */
export interface Backend {
  readonly type: string;
  /** The arguments in the file; Terraform copies them into its folder, so no secret is among them. */
  readonly config: JsonObject;
  /** What the backend reads from the environment: every secret, and how to reach a cluster from a pod. */
  readonly env: Readonly<Record<string, string>>;
  /** Texts in the environment that no log may show. */
  readonly secretValues: readonly string[];
  /** The name of the state within the backend, no other resource's. */
  readonly stateName: string;
  /** Names under which earlier versions or other settings kept the same state, the most recent first. */
  readonly legacyNames: readonly string[];
}

/** What the control plane uses where settings name no backend. */
export type StatePlace =
  | { readonly kind: "cluster"; readonly access: ClusterAccess; readonly namespace: string }
  | ({ readonly kind: "controlPlane" } & ControlPlaneState);

/** The state routes of the control plane, for one run. */
export interface ControlPlaneState {
  /** The URL of the routes; the name of the state is added to it. */
  readonly address: string;
  readonly username: string;
  readonly password: string;
  /** Authorities that sign the certificate of the routes, as PEM. */
  readonly ca?: string | undefined;
}

export interface BackendOptions {
  readonly settings?: BackendSettings | undefined;
  readonly owner: StateOwner;
  readonly place: StatePlace;
  readonly secrets: SecretLookup;
  readonly credentials?: CloudCredentials;
  /** Names the sessions of a role that is assumed, in the cloud's own log. */
  readonly session?: string;
}

/** @throws ConfigurationError for settings with which no state of this resource can be kept. */
export function backendOf(options: BackendOptions): Backend {
  const { settings, owner, place } = options;
  if (settings !== undefined) {
    return settings.type === "kubernetes" ? kubernetesFromSettings(settings, options) : fromSettings(settings, options);
  }
  return place.kind === "cluster" ? kubernetesBackend(place, {}, "", owner) : controlPlaneBackend(place, owner);
}

/** The same backend with the state under another of its names. */
export function withStateName(backend: Backend, stateName: string): Backend {
  return backend.type === "kubernetes"
    ? { ...backend, stateName, config: { ...backend.config, secret_suffix: stateName } }
    : backend;
}

function controlPlaneBackend(place: ControlPlaneState, owner: StateOwner): Backend {
  const stateName = stateHash(owner);
  const address = `${place.address.replace(/\/+$/u, "")}/${stateName}`;
  return {
    type: "http",
    config: {
      address,
      lock_address: address,
      unlock_address: address,
      // The server may restart while Terraform runs; it is back within the minute that these add up to.
      retry_max: 10,
      retry_wait_min: 1,
      retry_wait_max: 10,
      ...(place.ca !== undefined && { client_ca_certificate_pem: place.ca }),
    },
    env: { TF_HTTP_USERNAME: place.username, TF_HTTP_PASSWORD: place.password },
    secretValues: [place.password],
    stateName,
    legacyNames: [],
  };
}

/** Given a host, the backend still fails without a kube config, unless it is told of one that does not exist. */
const noKubeConfig = { config_path: "no-kube-config" };

/** Arguments that say how to reach a cluster: settings with one of them do not mean the control plane's. */
const connectionArguments = ["host", "config_path", "config_paths", "exec"];

function kubernetesFromSettings(settings: BackendSettings, options: BackendOptions): Backend {
  const { owner, place } = options;
  const { secret_suffix: suffix, ...config } = plainArguments(settings);
  const env = referredValues(settings, options.secrets);
  const secretValues = Object.values(env);
  const prefix = typeof suffix === "string" ? suffix : "";
  if (connectionArguments.some((argument) => Object.hasOwn(config, argument)) || "KUBE_HOST" in env) {
    const stateName = secretSuffix(prefix, owner);
    const needsFile = ["config_path", "config_paths", "exec"].some((argument) => Object.hasOwn(config, argument));
    const named = { ...(!needsFile && noKubeConfig), ...config, secret_suffix: stateName };
    return { type: "kubernetes", config: named, env, secretValues, stateName, legacyNames: [] };
  }
  if (place.kind !== "cluster") {
    throw new ConfigurationError(
      "RecipeConfigurationFailure",
      "The Terraform settings keep state in a cluster (backend.type is 'kubernetes'), and this control plane has none. " +
        "Remove backend from the settings to keep state in the control plane, or give the backend a cluster with configPath.",
    );
  }
  const backend = kubernetesBackend(place, config, prefix, owner);
  return {
    ...backend,
    env: { ...backend.env, ...env },
    secretValues: [...backend.secretValues, ...secretValues],
  };
}

function kubernetesBackend(
  { access, namespace }: Extract<StatePlace, { kind: "cluster" }>,
  config: JsonObject,
  prefix: string,
  owner: StateOwner,
): Backend {
  const stateName = secretSuffix(prefix, owner);
  const isSameNamespace = (config["namespace"] ?? namespace) === namespace;
  const token = access.kind === "explicit" ? access.token : undefined;
  return {
    type: "kubernetes",
    config: {
      namespace,
      ...clusterArguments(access),
      ...(access.kind === "inCluster" && { in_cluster_config: true }),
      ...(access.kind === "explicit" && noKubeConfig),
      ...config,
      secret_suffix: stateName,
    },
    env: { ...clusterVariables(access), ...(token !== undefined && { KUBE_TOKEN: token }) },
    secretValues: token === undefined ? [] : [token],
    stateName,
    legacyNames: isSameNamespace ? [stateHash(owner), legacyStateHash(owner)].filter((name) => name !== stateName) : [],
  };
}

function fromSettings(settings: BackendSettings, options: BackendOptions): Backend {
  const { type } = settings;
  if (!isBackendType(type)) {
    throw unusable(
      settings,
      "this type cannot keep the state of recipes. Use kubernetes, azurerm, s3 or another remote type",
    );
  }
  const config = plainArguments(settings);
  const env = referredValues(settings, options.secrets);
  for (const argument of requiredArguments(type)) {
    if (!Object.hasOwn(config, argument) && !Object.hasOwn(env, variableOfArgument(type, argument) ?? "")) {
      throw unusable(settings, `${argument} is missing`);
    }
  }
  const { stateName, config: named } = stateArguments(type, config, options.owner);
  const used = Object.keys(settings.config ?? {}).map(argumentName);
  const session = options.session ?? "radius-terraform";
  const registered = registeredCredentials(type, used, options.credentials ?? {}, session);
  return {
    type,
    config: { ...config, ...named },
    env: { ...registered.env, ...env },
    secretValues: [...registered.secretValues, ...Object.values(env)],
    stateName,
    legacyNames: [],
  };
}
