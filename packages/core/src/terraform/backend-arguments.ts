interface BackendArguments {
  /** Arguments that are credentials, with the variable that carries each; `undefined` where a backend reads none. */
  readonly secret: Readonly<Record<string, string | undefined>>;
  /** Other arguments that a variable can carry, so that a secret may hold them too. */
  readonly plain?: Readonly<Record<string, string>>;
  /** Arguments without which the backend cannot be used. */
  readonly required?: readonly string[];
}

/** The backends that settings may name. `local` would be lost with the run's folder; the others need a service of HashiCorp. */
const backends: Readonly<Record<string, BackendArguments>> = {
  kubernetes: {
    secret: { password: "KUBE_PASSWORD", token: "KUBE_TOKEN", client_key: "KUBE_CLIENT_KEY_DATA" },
    plain: {
      host: "KUBE_HOST",
      username: "KUBE_USER",
      client_certificate: "KUBE_CLIENT_CERT_DATA",
      cluster_ca_certificate: "KUBE_CLUSTER_CA_CERT_DATA",
      proxy_url: "KUBE_PROXY_URL",
    },
  },
  azurerm: {
    secret: {
      access_key: "ARM_ACCESS_KEY",
      sas_token: "ARM_SAS_TOKEN",
      client_secret: "ARM_CLIENT_SECRET",
      client_certificate: "ARM_CLIENT_CERTIFICATE",
      client_certificate_password: "ARM_CLIENT_CERTIFICATE_PASSWORD",
      oidc_token: "ARM_OIDC_TOKEN",
      oidc_request_token: "ARM_OIDC_REQUEST_TOKEN",
    },
    plain: {
      client_id: "ARM_CLIENT_ID",
      tenant_id: "ARM_TENANT_ID",
      subscription_id: "ARM_SUBSCRIPTION_ID",
      oidc_request_url: "ARM_OIDC_REQUEST_URL",
    },
    required: ["storage_account_name", "container_name", "key"],
  },
  s3: {
    secret: {
      access_key: "AWS_ACCESS_KEY_ID",
      secret_key: "AWS_SECRET_ACCESS_KEY",
      token: "AWS_SESSION_TOKEN",
      sse_customer_key: "AWS_SSE_CUSTOMER_KEY",
      web_identity_token: undefined,
    },
    plain: { region: "AWS_REGION", profile: "AWS_PROFILE" },
    required: ["bucket", "key", "region"],
  },
  http: {
    secret: { password: "TF_HTTP_PASSWORD", client_private_key_pem: "TF_HTTP_CLIENT_PRIVATE_KEY_PEM" },
    plain: {
      username: "TF_HTTP_USERNAME",
      client_certificate_pem: "TF_HTTP_CLIENT_CERTIFICATE_PEM",
      client_ca_certificate_pem: "TF_HTTP_CLIENT_CA_CERTIFICATE_PEM",
    },
  },
  // A connection string is a credential only when it has a password in it, which its value tells.
  pg: { secret: {}, plain: { conn_str: "PG_CONN_STR" } },
  consul: {
    secret: { access_token: "CONSUL_HTTP_TOKEN", http_auth: "CONSUL_HTTP_AUTH" },
    plain: { address: "CONSUL_HTTP_ADDR" },
  },
  gcs: {
    secret: {
      credentials: "GOOGLE_BACKEND_CREDENTIALS",
      access_token: "GOOGLE_OAUTH_ACCESS_TOKEN",
      encryption_key: "GOOGLE_ENCRYPTION_KEY",
    },
  },
  oss: {
    secret: {
      access_key: "ALICLOUD_ACCESS_KEY",
      secret_key: "ALICLOUD_SECRET_KEY",
      security_token: "ALICLOUD_SECURITY_TOKEN",
    },
  },
  cos: {
    secret: {
      secret_id: "TENCENTCLOUD_SECRET_ID",
      secret_key: "TENCENTCLOUD_SECRET_KEY",
      security_token: "TENCENTCLOUD_SECURITY_TOKEN",
    },
  },
  oci: { secret: { private_key: undefined, private_key_password: undefined } },
};

export const backendTypes: readonly string[] = Object.keys(backends);

/** The variables that carry credentials to any backend. */
export const credentialVariables: readonly string[] = Object.values(backends).flatMap(({ secret }) =>
  Object.values(secret).filter((variable) => variable !== undefined),
);

export function isBackendType(type: string): boolean {
  return Object.hasOwn(backends, type);
}

/** Whether an argument, in Terraform's spelling, is a credential: its value is never stored and never written to a file. */
export function isSecretArgument(type: string, argument: string): boolean {
  return Object.hasOwn(argumentsOf(type).secret, argument);
}

/** The environment variable that a backend reads an argument from, where it reads one. */
export function variableOfArgument(type: string, argument: string): string | undefined {
  const { secret, plain = {} } = argumentsOf(type);
  if (Object.hasOwn(secret, argument)) {
    return secret[argument];
  }
  return Object.hasOwn(plain, argument) ? plain[argument] : undefined;
}

export function requiredArguments(type: string): readonly string[] {
  return argumentsOf(type).required ?? [];
}

function argumentsOf(type: string): BackendArguments {
  return (Object.hasOwn(backends, type) ? backends[type] : undefined) ?? { secret: {} };
}
