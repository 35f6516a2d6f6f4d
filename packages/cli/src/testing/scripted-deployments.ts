import type { ServerResponse } from "node:http";
import type { RecordedRequest, TestServerOptions } from "@rad/client/testing";
import type { JsonObject } from "@rad/core";
import { isJsonObject } from "@rad/core";

/** What one look at a deployment finds. */
export interface Snapshot {
  readonly state: string;
  /** By the name of the deployment: `""` is the one that was started, others are nested in it. */
  readonly operations?: Readonly<Record<string, readonly JsonObject[]>>;
  /** The steps of the operations of resources by tracking id. */
  readonly steps?: Readonly<Record<string, readonly JsonObject[]>>;
  readonly properties?: JsonObject;
  /** Instead of an answer. */
  readonly failure?: { readonly status: number; readonly error: JsonObject };
}

export interface DeploymentScript {
  /** One look after the other; the last one stays. */
  readonly snapshots?: readonly Snapshot[];
  /** Refuses the deployment of this id, or its prediction. */
  readonly refusal?: (id: string) => JsonObject;
  readonly whatIf?: JsonObject;
  /** Types with code behind them; otherwise the control plane does not tell. */
  readonly runtimes?: readonly string[];
  /** Where the control plane says that Kubernetes objects go. */
  readonly kubernetes?: "cluster" | "folder";
  /** Refuses to cancel. */
  readonly cancelRefusal?: JsonObject;
}

const deploymentPath = /^(.*\/providers\/Microsoft\.Resources\/deployments)\/([^/?]+)(?:\/(\w+))?(?:\?|$)/i;

const statusPath = /\/locations\/global\/operationStatuses\/([^/?]+)/i;

/** Deployments that go as the script says, for a test server. Looking at the deployment itself moves the script on. */
export function scriptedDeployments(script: DeploymentScript): NonNullable<TestServerOptions["intercept"]> {
  const snapshots = script.snapshots ?? [{ state: "Succeeded" }];
  let looks = 0;
  let started = "";
  return (request: RecordedRequest, response: ServerResponse) => {
    const [, collection = "", name = "", action] = deploymentPath.exec(request.path) ?? [];
    const snapshot = snapshots[Math.min(Math.max(looks - 1, 0), snapshots.length - 1)] ?? { state: "Succeeded" };
    const send = (status: number, body: JsonObject) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      return true;
    };
    const steps = snapshot.steps?.[statusPath.exec(request.path)?.[1] ?? ""];
    if (steps !== undefined) {
      return send(200, { status: "Updating", properties: { steps: [...steps] } });
    }
    if (request.path === "/runtimes") {
      return script.runtimes === undefined
        ? send(404, { error: { code: "NotFound", message: "no such path" } })
        : send(200, { value: [...script.runtimes], ...(script.kubernetes && { kubernetes: script.kubernetes }) });
    }
    if (collection === "") {
      return false;
    }
    const resource = (state: string, properties: JsonObject = {}): JsonObject => ({
      id: `${collection}/${name}`,
      name,
      type: "Microsoft.Resources/deployments",
      properties: { provisioningState: state, ...properties },
    });
    if (request.method === "PUT") {
      started = name;
    }
    if (script.refusal !== undefined && (request.method === "PUT" || action === "whatIf")) {
      return send(400, { error: script.refusal(`${collection}/${name}`) });
    }
    if (request.method === "PUT") {
      return send(201, resource("Accepted"));
    }
    switch (action) {
      case "operations": {
        const key = name === started ? "" : name;
        const known = snapshot.operations?.[key];
        return known === undefined && key !== ""
          ? send(404, { error: { code: "DeploymentNotFound", message: name } })
          : send(200, { value: [...(known ?? [])] });
      }
      case "whatIf":
        return send(200, script.whatIf ?? { status: "Succeeded", properties: { changes: [] } });
      case "cancel":
        if (script.cancelRefusal !== undefined) {
          return send(409, { error: script.cancelRefusal });
        }
        response.writeHead(204).end();
        return true;
      default: {
        if (request.headers["prefer"] !== undefined) {
          return send(200, resource("Running")); // this server does not wait for anything
        }
        const now = snapshots[Math.min(looks, snapshots.length - 1)] ?? snapshot;
        looks += 1;
        if (now.failure !== undefined) {
          return send(now.failure.status, { error: now.failure.error });
        }
        return send(200, resource(now.state, now.properties));
      }
    }
  };
}

/** An operation as the API answers it. */
export function operation(id: string, state: string, more: JsonObject = {}): JsonObject {
  const type = id.split("/").slice(-3, -1).join("/");
  const name = id.split("/").at(-1) ?? "";
  return {
    id: `op-${id}`,
    operationId: id,
    properties: {
      provisioningOperation: "Create",
      provisioningState: state,
      targetResource: { id, resourceType: type, resourceName: name },
      ...more,
    },
  };
}

/** The `properties` of the deployment request that a server got. */
export function sentProperties(requests: readonly RecordedRequest[]): JsonObject {
  const sent = requests.find(({ method, path }) => method === "PUT" && deploymentPath.test(path))?.body;
  const properties = isJsonObject(sent) ? sent["properties"] : undefined;
  return isJsonObject(properties) ? properties : {};
}
