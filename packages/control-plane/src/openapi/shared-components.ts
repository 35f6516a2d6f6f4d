import type { JsonObject } from "@rad/core";
import { largestTop, smallestTop, usualTop } from "../api/paging.ts";
import { errorResponses } from "./error-responses.ts";
import { ref } from "./parts.ts";

const text: JsonObject = { type: "string" };
const anything: JsonObject = { type: "object" };

/** What every type's operations refer to. */
export const sharedSchemas: JsonObject = {
  Resource: {
    type: "object",
    properties: {
      id: { type: "string", readOnly: true },
      name: { type: "string", readOnly: true },
      type: { type: "string", readOnly: true },
      location: text,
      tags: { type: "object", additionalProperties: text },
      properties: anything,
      systemData: { type: "object", readOnly: true },
    },
  },
  ResourceList: {
    type: "object",
    properties: {
      value: { type: "array", items: ref("Resource") },
      nextLink: { type: "string", description: "The URL of the next page; absent on the last one." },
    },
    required: ["value"],
  },
  OperationStatus: {
    type: "object",
    properties: {
      id: text,
      name: text,
      status: { type: "string", enum: ["Accepted", "Updating", "Succeeded", "Failed", "Canceled"] },
      startTime: { type: "string", format: "date-time" },
      endTime: { type: "string", format: "date-time" },
      error: ref("ErrorDetail"),
      properties: anything,
    },
    required: ["id", "name", "status"],
  },
  ErrorResponse: { type: "object", properties: { error: ref("ErrorDetail") }, required: ["error"] },
  ErrorDetail: {
    type: "object",
    properties: {
      code: { type: "string", description: "Stable; branch on it." },
      message: { type: "string", description: "For people; may change." },
      target: text,
      details: { type: "array", items: ref("ErrorDetail") },
      additionalInfo: { type: "array", items: anything },
    },
    required: ["code", "message"],
  },
};

/** The other members of `components`. */
export const sharedComponents: JsonObject = {
  responses: errorResponses,
  parameters: {
    top: {
      name: "top",
      in: "query",
      description: "How many items a page has.",
      schema: { type: "integer", minimum: smallestTop, maximum: largestTop, default: usualTop },
    },
    skipToken: { name: "skipToken", in: "query", description: "From a `nextLink`; opaque.", schema: text },
    prefer: {
      name: "Prefer",
      in: "header",
      description: "`wait=n`: the answer may wait for up to n seconds, until the operation has ended.",
      schema: text,
      example: "wait=30",
    },
    ifMatch: {
      name: "If-Match",
      in: "header",
      description: "The `ETag` of an earlier GET: the request is refused with 412 if the resource has changed since.",
      schema: text,
    },
    ifNoneMatch: {
      name: "If-None-Match",
      in: "header",
      description: "`*`: the request is refused with 412 if the resource exists.",
      schema: { type: "string", enum: ["*"] },
    },
    force: {
      name: "force",
      in: "query",
      description: "`true` deletes the resource even while another operation works on it.",
      schema: { type: "boolean" },
    },
  },
  headers: {
    ETag: { description: "The version of the resource, for `If-Match`.", schema: text },
    "Azure-AsyncOperation": { description: "Where the status of the operation is.", schema: text },
    Location: { description: "Answers 202 until the operation has ended.", schema: text },
    "Retry-After": { description: "Seconds to wait between two looks.", schema: { type: "integer" } },
    "x-ms-request-id": {
      description: "Names this request; the server's log has it with changes and unexpected failures.",
      schema: text,
    },
    "x-ms-correlation-request-id": {
      description: "The same header of the request, or the request id; the audit log has it too.",
      schema: text,
    },
  },
  securitySchemes: { token: { type: "http", scheme: "bearer" } },
};
