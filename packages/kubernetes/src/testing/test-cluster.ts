import { randomBytes } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import type { CrdProduct } from "./crds/crd-modules.ts";
import type { Crd } from "./crds/read-crds.ts";
import { readCrds } from "./crds/read-crds.ts";
import { RefusedRequest, requestsOf } from "./cluster-requests.ts";
import type { Method, RequestOptions } from "./cluster-requests.ts";
import { kubeConfigText } from "./kube-config-text.ts";
import type { ClusterDescription } from "./server/cluster-description.ts";

/** A rule of Kubernetes RBAC. */
export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

export interface ServiceAccountOptions {
  /** What it may do, in the whole cluster; nothing else. */
  readonly rules: readonly PolicyRule[];
  /** Where the account itself lives: `default` when absent. */
  readonly namespace?: string;
  /** In the audit log the account is the user `system:serviceaccount:<namespace>:<name>`. */
  readonly name?: string;
}

/** A real API server on loopback, with RBAC and an audit log. Every test works in namespaces of its own. */
export class TestCluster {
  /** Path of a kube config; its current context is an administrator. */
  readonly kubeConfig: string;
  /** Name of that context. */
  readonly context: string;
  readonly url: string;
  /** Path of the certificate authority in PEM. */
  readonly caFile: string;
  /** The administrator's. */
  readonly token: string;
  /** Path of the audit log: JSON lines, level `Metadata`, without requests of the cluster's own components. */
  readonly auditLog: string;
  /** Whether controllers run, and pods seem to: not with the programs of `KUBEBUILDER_ASSETS`. */
  readonly hasPods: boolean;
  readonly description: ClusterDescription;
  readonly #installed = new Map<CrdProduct, Promise<void>>();
  readonly #send: ReturnType<typeof requestsOf>;

  constructor(description: ClusterDescription, hasPods: boolean) {
    this.description = description;
    this.hasPods = hasPods;
    this.kubeConfig = description.kubeConfig;
    this.context = description.context;
    this.url = description.url;
    this.caFile = description.caFile;
    this.token = description.token;
    this.auditLog = description.auditLog;
    this.#send = requestsOf(description, description.token);
  }

  /**
   * Sends a request as the administrator, for what a test arranges and asserts.
   * @returns what is in the JSON, or the text when it is none. @throws RefusedRequest with the `status`
   */
  async request<T = JsonObject>(method: Method, path: string, body?: unknown, options?: RequestOptions): Promise<T> {
    return (await this.#send(method, path, body, options)) as T;
  }

  /** Sends requests with another token, as `request` does with the administrator's. */
  as(token: string): ReturnType<typeof requestsOf> {
    return requestsOf(this.description, token);
  }

  /** Creates a namespace with a name that starts with `prefix`. Nobody has to delete it: that takes seconds. */
  async namespace(prefix = "test"): Promise<string> {
    const name = uniqueName(prefix);
    await this.request("POST", "/api/v1/namespaces", { metadata: { name } });
    if (this.hasPods) {
      // Pods are refused until the controller has made their service account.
      await this.#untilServed(`/api/v1/namespaces/${name}/serviceaccounts/default`);
    }
    return name;
  }

  /** Creates a service account that may do exactly what `rules` say. @returns the path of a kube config for it */
  async serviceAccount(options: ServiceAccountOptions): Promise<string> {
    const { rules, namespace = "default", name = uniqueName("account") } = options;
    const role = `${namespace}-${name}`;
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    await this.request("POST", accounts, { metadata: { name } });
    await this.request("POST", `${rbac}/clusterroles`, { metadata: { name: role }, rules });
    await this.request("POST", `${rbac}/clusterrolebindings`, {
      metadata: { name: role },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
      subjects: [{ kind: "ServiceAccount", namespace, name }],
    });
    const { status } = await this.request<{ status: { token: string } }>("POST", `${accounts}/${name}/token`, {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { expirationSeconds: 6 * 60 * 60 },
    });
    await this.#untilAllowed(`system:serviceaccount:${namespace}:${name}`, rules);
    const folder = await mkdtemp(path.join(tmpdir(), "rad-account-"));
    const file = path.join(folder, "kubeconfig");
    await writeFile(file, await kubeConfigText(this, status.token), { mode: 0o600 });
    return file;
  }

  /**
   * Installs the CRDs of a product, as its release has them, and waits until they are served. Safe to call from several
   * test files at once. They stay: a test that needs them to be absent starts a cluster of its own.
   */
  async install(product: CrdProduct): Promise<void> {
    const installed = this.#installed.get(product) ?? this.#install(product);
    this.#installed.set(product, installed);
    await installed;
  }

  async #install(product: CrdProduct): Promise<void> {
    const crds = await readCrds(product);
    await Promise.all(crds.map(async (crd) => await this.#installCrd(crd)));
  }

  async #installCrd(crd: Crd): Promise<void> {
    const { group, names, versions } = crd.spec;
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}`;
    await this.request("PATCH", `${path}?fieldManager=test-cluster&force=true`, crd, {
      contentType: "application/apply-patch+yaml",
    });
    // A CRD is established some time before its endpoints answer, and they are rebuilt, which a request sees as 503, until
    // the server has worked off the events of the CRD's first moments.
    const endpoints = versions
      .filter(({ served }) => served)
      .map(({ name }) => `/apis/${group}/${name}/${names.plural}`);
    for (let round = 0; round < 3; round += 1) {
      for (const endpoint of endpoints) {
        await this.#untilServed(`${endpoint}?limit=1`);
      }
      await delay(50);
    }
  }

  /** The authorizer learns of a new role a moment after it is stored. */
  async #untilAllowed(user: string, rules: readonly PolicyRule[]): Promise<void> {
    const rule = rules.find(({ resources = [] }) => resources.length > 0);
    if (rule === undefined) {
      return;
    }
    const [resource, subresource] = (rule.resources?.[0] ?? "").split("/");
    const attributes = {
      group: rule.apiGroups?.[0] ?? "",
      resource,
      subresource,
      verb: rule.verbs[0],
      name: rule.resourceNames?.[0],
    };
    await until(`the rules of ${user} hold`, async () => {
      const review = await this.request<{ status: { allowed: boolean } }>(
        "POST",
        "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        { spec: { user, resourceAttributes: attributes } },
      );
      return review.status.allowed;
    });
  }

  /** Waits until the server does not refuse a GET. */
  async #untilServed(path: string): Promise<void> {
    await until(`the test cluster serves ${path}`, async () => {
      try {
        await this.request("GET", path);
        return true;
      } catch (error) {
        if (error instanceof RefusedRequest) {
          return false;
        }
        throw error;
      }
    });
  }
}

function uniqueName(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString("hex")}`;
}
