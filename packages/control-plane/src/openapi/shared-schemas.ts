import type { JsonObject } from "@rad/core";
import { ref } from "./parts.ts";

const text: JsonObject = { type: "string" };
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
      properties: { type: "object" },
      systemData: { type: "object", readOnly: true },
    },
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
      properties: { type: "object" },
    },
    required: ["id", "name", "status"],
  },
  ErrorResponse: { type: "object", properties: { error: ref("ErrorDetail") }, required: ["error"] },
  ErrorDetail: {
    type: "object",
    properties: {
      code: text,
      message: text,
      target: text,
      details: { type: "array", items: ref("ErrorDetail") },
      additionalInfo: { type: "array", items: { type: "object" } },
    },
    required: ["code", "message"],
  },
};
