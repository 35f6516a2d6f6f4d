import type { JsonObject } from "@rad/core";
import { responses } from "./error-responses.ts";
import { json, operationId, pathParameters } from "./parts.ts";
import { Tag } from "./tags.ts";

const text: JsonObject = { type: "string" };
const nullableText: JsonObject = { type: "string", nullable: true };
const count: JsonObject = { type: "integer", minimum: 0 };
const nullableCount: JsonObject = { type: "integer", minimum: 0, nullable: true };
const operation: JsonObject = { type: "string", enum: ["install", "uninstall"] };
const product: JsonObject = { type: "string", enum: ["terraform", "opentofu"] };

const installRequest: JsonObject = {
  type: "object",
  additionalProperties: false,
  properties: {
    product: { ...product, default: "terraform" },
    version: { ...text, description: "Left out: the newest release, or what the binary at the URL says of itself." },
    source: {
      type: "object",
      additionalProperties: false,
      properties: {
        url: { ...text, description: "An https URL of the archive; left out: where the configuration has releases." },
        checksum: { ...text, description: "SHA-256 of the archive; `sha256:` before it may be left out." },
        caBundle: { ...text, description: "Certificates in PEM form that this download trusts, too." },
      },
    },
  },
};

const answer: JsonObject = {
  type: "object",
  properties: {
    operation,
    product,
    version: nullableText,
    status: { type: "string", enum: ["started", "queued", "ready"] },
    operationId: text,
    ahead: { ...count, description: "Jobs that come first." },
    joined: { type: "boolean", description: "The job of an earlier request for the same stands for this one, too." },
    installedAt: { ...text, description: "With the status `ready`." },
    warning: { ...text, description: "The archive will not be verified." },
  },
  required: ["operation", "product", "version", "status"],
};

const job: JsonObject = {
  type: "object",
  nullable: true,
  properties: {
    operation,
    product,
    version: nullableText,
    startedAt: text,
    operationId: text,
    step: nullableText,
    bytes: nullableCount,
    totalBytes: nullableCount,
  },
};

const status: JsonObject = {
  type: "object",
  properties: {
    currentVersion: nullableText,
    product: { ...product, nullable: true, enum: ["terraform", "opentofu", null] },
    state: {
      type: "string",
      enum: ["not-installed", "installing", "ready", "uninstalling", "pending-deletion", "failed"],
    },
    binaryPath: nullableText,
    installedAt: nullableText,
    source: { type: "object", nullable: true, properties: { url: text, checksum: text } },
    queue: { type: "object", properties: { pending: count, inProgress: job }, required: ["pending", "inProgress"] },
    history: {
      type: "array",
      items: {
        type: "object",
        properties: {
          operationId: text,
          operation,
          product,
          version: nullableText,
          state: { type: "string", enum: ["running", "succeeded", "failed", "canceled"] },
          startedAt: text,
          completedAt: nullableText,
          error: text,
        },
      },
    },
    health: { type: "string", nullable: true, enum: ["healthy", "missing", "damaged", null] },
    verified: { type: "boolean", nullable: true },
    sha256: nullableText,
    size: nullableCount,
    previous: { type: "object", nullable: true, properties: { product, version: text } },
    executions: count,
    operationId: nullableText,
    lastError: nullableText,
    lastUpdated: nullableText,
  },
  required: ["currentVersion", "state", "binaryPath", "installedAt", "source", "queue", "history"],
};

const validateRequest: JsonObject = {
  type: "object",
  additionalProperties: false,
  properties: { environmentId: { ...text, description: "The id of an environment of either family." } },
  required: ["environmentId"],
};

const preflight: JsonObject = {
  type: "object",
  properties: {
    environmentId: text,
    valid: { type: "boolean", description: "No check has failed." },
    checks: {
      type: "array",
      items: {
        type: "object",
        properties: {
          name: text,
          status: { type: "string", enum: ["passed", "failed", "skipped"] },
          message: text,
          durationMs: count,
        },
        required: ["name", "status", "message", "durationMs"],
      },
    },
  },
  required: ["environmentId", "valid", "checks"],
};

/** The routes of the module `terraform`, and the preflight of recipes. */
export function installerPaths(): JsonObject {
  const tags = [Tag.installer];
  const accepted = json("Accepted; the status has the job under its `operationId`.", answer);
  const binaries = "/installer/terraform/binaries/{sha256}";
  return {
    "/installer/terraform/install": {
      post: {
        operationId: operationId("installer", "install"),
        tags,
        summary: "Install a version of Terraform or OpenTofu",
        requestBody: {
          content: { "application/json": { schema: installRequest, example: { version: "1.6.4" } } },
        },
        ...responses("write", { "200": json("Installed and healthy already.", answer), "202": accepted }),
      },
    },
    "/installer/terraform/uninstall": {
      post: {
        operationId: operationId("installer", "uninstall"),
        tags,
        summary: "Uninstall the current version",
        requestBody: {
          content: { "application/json": { schema: { type: "object", additionalProperties: false }, example: {} } },
        },
        ...responses("write", { "202": accepted }),
      },
    },
    "/installer/terraform/status": {
      get: {
        operationId: operationId("installer", "status"),
        tags,
        summary: "Show what is installed, what runs and what waits",
        ...responses("read", { "200": json("The status.", status) }),
      },
    },
    "/installer/terraform/validate": {
      post: {
        operationId: operationId("installer", "validate"),
        tags,
        summary: "Check whether recipes of an environment would find everything they need",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: validateRequest,
              example: {
                environmentId: "/planes/radius/local/resourceGroups/dev/providers/Radius.Core/environments/dev",
              },
            },
          },
        },
        ...responses("write", { "200": json("What was found; nothing was changed.", preflight) }),
      },
    },
    [binaries]: {
      ...pathParameters(binaries),
      get: {
        operationId: operationId("installer", "binary"),
        tags,
        summary: "Get an installed binary by its SHA-256, for a worker without the shared volume",
        ...responses("read", {
          "200": {
            description: "The file.",
            content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
          },
        }),
      },
    },
  };
}
