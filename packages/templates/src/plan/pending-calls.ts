import type { JsonValue } from "@rad/core";
import { sha1 } from "../sha1.ts";
import type { PendingAction, PendingRead, ProviderKind } from "./plan.ts";

export function pendingRead(
  id: string,
  apiVersion: string | undefined,
  provider: ProviderKind,
  nullIfNotFound = false,
): PendingRead {
  const key = `read:${digest(["read", id.toLowerCase(), apiVersion ?? "", String(nullIfNotFound)])}`;
  return { kind: "read", key, id, apiVersion, provider, nullIfNotFound };
}

export function pendingAction(action: Omit<PendingAction, "kind" | "key">): PendingAction {
  const { id, apiVersion, body, args } = action;
  const said = JSON.stringify({ body, args });
  const key = `action:${digest(["action", id.toLowerCase(), action.action.toLowerCase(), apiVersion ?? "", said])}`;
  return { kind: "action", key, ...action };
}

/** Arguments may be secret, and keys are stored and shown. */
function digest(parts: readonly JsonValue[]): string {
  const bytes = sha1(new TextEncoder().encode(JSON.stringify(parts)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
