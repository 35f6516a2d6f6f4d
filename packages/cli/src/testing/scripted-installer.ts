import type { ServerResponse } from "node:http";
import type { RecordedRequest, TestServer } from "@rad/client/testing";
import { startTestServer } from "@rad/client/testing";
import type { JsonObject } from "@rad/core";
import type { Sandbox } from "./sandbox.ts";
import { createSandbox } from "./sandbox.ts";

export interface ScriptedAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

export interface InstallerScript {
  readonly install?: ScriptedAnswer;
  readonly uninstall?: ScriptedAnswer;
  /** One after the other for each request; the last one stays. */
  readonly statuses?: readonly (JsonObject | ScriptedAnswer)[];
  /** Told about every request to the installer, before it is answered. */
  readonly onRequest?: (path: string) => void;
}

export interface ScriptedInstaller extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** Requests to the installer. */
  readonly requests: () => readonly RecordedRequest[];
}

const prefix = "/installer/terraform/";

/** A server with the installer's routes, whose answers are given, and a workspace that leads to it. */
export async function scriptInstaller(script: InstallerScript): Promise<ScriptedInstaller> {
  let looks = 0;
  const server: TestServer = await startTestServer({
    intercept: ({ path }, response) => {
      if (!path.startsWith(prefix)) {
        return false;
      }
      script.onRequest?.(path);
      const answer = answerOf(path.slice(prefix.length));
      if (answer === undefined) {
        return false;
      }
      reply(response, answer);
      return true;
    },
  });
  const sandbox = await createSandbox();
  await sandbox.rad(["workspace", "create", "server", "test", "--url", server.url]);
  return {
    sandbox,
    requests: () => server.requests.filter(({ path }) => path.startsWith(prefix)),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };

  function answerOf(name: string): ScriptedAnswer | undefined {
    if (name !== "status") {
      return name === "install" ? script.install : script.uninstall;
    }
    const { statuses = [] } = script;
    const next = statuses[Math.min(looks, statuses.length - 1)];
    looks += 1;
    return next === undefined || isAnswer(next) ? next : { status: 200, body: next };
  }
}

function isAnswer(value: JsonObject | ScriptedAnswer): value is ScriptedAnswer {
  return typeof value["status"] === "number";
}

function reply(response: ServerResponse, { status, body }: ScriptedAnswer): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** A status document as the installer's API answers it, idle and ready unless told otherwise. */
export function statusOf(members: JsonObject = {}): JsonObject {
  return {
    currentVersion: "1.6.4",
    product: "terraform",
    state: "ready",
    binaryPath: "/mnt/radius-terraform/1.6.4/terraform",
    installedAt: "2025-10-10T10:30:00Z",
    source: { url: "https://mirror.example.com/terraform_1.6.4_linux_amd64.zip", checksum: "sha256:abc123" },
    queue: { pending: 0, inProgress: null },
    history: [],
    health: "healthy",
    lastError: null,
    lastUpdated: "2025-10-10T10:30:00Z",
    ...members,
  };
}

/** What a status shows while nothing is installed. */
export const nothingInstalled: JsonObject = {
  currentVersion: null,
  product: null,
  binaryPath: null,
  installedAt: null,
  source: null,
  health: null,
};

/** An entry of the history, of a successful install unless told otherwise. */
export function historyEntry(members: JsonObject = {}): JsonObject {
  return {
    operationId: "op-1",
    operation: "install",
    product: "terraform",
    version: "1.6.4",
    state: "succeeded",
    startedAt: "2025-10-10T10:29:00Z",
    completedAt: "2025-10-10T10:30:00Z",
    ...members,
  };
}

/** The job that runs. */
export function runningJob(members: JsonObject = {}): JsonObject {
  return {
    operation: "install",
    product: "terraform",
    version: "1.6.4",
    startedAt: "2025-10-10T10:29:00Z",
    operationId: "op-1",
    step: null,
    bytes: null,
    totalBytes: null,
    ...members,
  };
}

/** What a request is answered that was accepted. */
export function accepted(members: JsonObject = {}): ScriptedAnswer {
  return {
    status: 202,
    body: {
      operation: "install",
      product: "terraform",
      version: "1.6.4",
      status: "started",
      operationId: "op-1",
      ahead: 0,
      ...members,
    },
  };
}
