import { isDeepStrictEqual } from "node:util";
import { ApiError, isJsonObject, type JsonObject } from "@rad/core";
import type { ExtensionNode, PutRequest, ResourceNode } from "@rad/templates";
import type { ResourcePreview } from "@rad/resources";
import type { DeploymentTarget, PreviewOrder } from "../deployment-target.ts";
import { nodeOrder } from "../target-order.ts";
import type { Outlook } from "./outlook.ts";
import { partialBody } from "./partial-body.ts";
import {
  isUnknownAt,
  unknownPointers,
  withCurrentValues,
  withFormerValues,
  withoutUnknown,
  withUnknownTexts,
} from "./unknown-values.ts";

export type PutOutcome =
  /** Without a preview the resource cannot be shown: what is not known yet does not fit its schema. */
  | { readonly kind: "create" | "modify"; readonly preview: ResourcePreview | undefined }
  | { readonly kind: "none"; readonly preview: ResourcePreview }
  /** It is there, and the deployment does not touch it. */
  | { readonly kind: "left" }
  /** It changes if a value that is not known yet turns out to be something new, or a condition to be true. */
  | {
      readonly kind: "possible";
      readonly change: "create" | "modify";
      readonly because: "value" | "condition";
      readonly preview: ResourcePreview | undefined;
    };

export interface PutAhead {
  readonly node: ResourceNode | ExtensionNode;
  /** What the outlook knows it by: its id, or a name of its own. */
  readonly place: string;
  /** Where the caller's permission to read it is asked. */
  readonly permittedAt: string;
  readonly request: PutRequest;
  /** Whether every value in the body is known. */
  readonly isKnown: boolean;
  readonly target: DeploymentTarget;
}

/** What a PUT would do. @throws ApiError when it would be refused */
export async function foreseePut(outlook: Outlook, put: PutAhead): Promise<PutOutcome> {
  const outcome = await (put.isKnown ? foreseeKnown(outlook, put) : foreseeUnknown(outlook, put));
  if (outcome.kind === "none" || outcome.kind === "left") {
    return outcome;
  }
  const current = outcome.kind === "create" ? undefined : await currentOf(outlook, put);
  const staysAsItIs = outlook.sighted?.isChanging(put.place) === false;
  const expected =
    current !== undefined && staysAsItIs
      ? withoutUnknown(withUnknownTexts(current, put.request.body))
      : expectedBody(put, current, outcome.preview);
  // A resource that its provider finds by its properties may be asked for by the id that it has.
  const known = typeof current?.["id"] === "string" ? [current["id"]] : [];
  new Set([put.place, ...known]).forEach((place) => outlook.expectChange(place, partialBody(expected)));
  return outcome;
}

async function foreseeKnown(outlook: Outlook, put: PutAhead): Promise<PutOutcome> {
  const preview = await put.target.preview({ ...order(outlook, put, put.request.body), nested: true });
  if (preview.before === undefined) {
    return { kind: "create", preview };
  }
  if (put.node.options.onlyIfNotExists === true) {
    return { kind: "left" };
  }
  return { kind: isEqual(preview) ? "none" : "modify", preview };
}

async function foreseeUnknown(outlook: Outlook, put: PutAhead): Promise<PutOutcome> {
  const { body } = put.request;
  const current = await currentOf(outlook, put);
  if (current !== undefined && put.node.options.onlyIfNotExists === true) {
    return { kind: "left" };
  }
  const unknown = unknownPointers(body);
  const preview = await ifItFits(() =>
    put.target.preview({
      ...order(outlook, put, current === undefined ? body : withCurrentValues(body, current)),
      nested: true,
      unknown,
    }),
  );
  if (preview === undefined) {
    return current === undefined ? { kind: "create", preview } : maybe(preview);
  }
  const changedSecrets = preview.changedSecrets.filter(({ pointer }) => !isUnknownAt(pointer, unknown));
  const shown = { ...preview, changedSecrets, after: withUnknownTexts(preview.after, body) };
  if (preview.before === undefined) {
    return { kind: "create", preview: shown };
  }
  const after = withFormerValues(preview.after, preview.before, body);
  return isEqual({ ...shown, after }) ? maybe(shown) : { kind: "modify", preview: shown };
}

function maybe(preview: ResourcePreview | undefined): PutOutcome {
  return { kind: "possible", change: "modify", because: "value", preview };
}

/** The text of an expression may be no number, or too long for a name: that is no fault of the template. */
async function ifItFits(run: () => Promise<ResourcePreview>): Promise<ResourcePreview | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) {
      return undefined;
    }
    throw error;
  }
}

async function currentOf(outlook: Outlook, { node, request, permittedAt }: PutAhead): Promise<JsonObject | undefined> {
  const order = { ...nodeOrder(node, node.id, outlook.deps), body: request.body };
  return await outlook.current(node.provider, order, permittedAt);
}

function order(outlook: Outlook, { node, request }: PutAhead, body: JsonObject): PreviewOrder {
  return {
    ...nodeOrder(node, node.id, outlook.deps),
    apiVersion: request.apiVersion,
    method: request.method,
    body,
    secrets: request.secrets,
    onlyIfAbsent: node.options.onlyIfNotExists === true,
    expected: (id) => {
      const { body: expected = null } = outlook.expectedAt(id) ?? {};
      return isJsonObject(expected) ? expected : undefined;
    },
  };
}

function isEqual({ before, after, changedSecrets }: ResourcePreview): boolean {
  return changedSecrets.length === 0 && isDeepStrictEqual(before, after);
}

/** What others can rely on: who it is, and what was sent. What the server adds is not known. */
function expectedBody(
  { node, isKnown }: PutAhead,
  current: JsonObject | undefined,
  preview: ResourcePreview | undefined,
): JsonObject {
  // The version is shown beside a resource, but is no part of it.
  const { apiVersion: _, ...after } = preview?.after ?? {};
  const sent = isKnown ? after : withoutUnknown(after);
  const id = current?.["id"] ?? node.id;
  if (id === undefined) {
    return sent; // its provider decides who it is
  }
  return {
    ...sent,
    id,
    name: current?.["name"] ?? node.name?.split("/").at(-1) ?? "",
    type: current?.["type"] ?? after["type"] ?? node.type,
  };
}
