import { ApiError, isJsonObject, type JsonValue, ResourceId } from "@rad/core";
import { jsonAnswer, type ModuleParts, type Route } from "@rad/modules";
import type { Permissions, ResourceRequest } from "@rad/resources";
import { environmentOf, isEnvironmentId } from "./environment-of.ts";
import type { LoadedRecipes } from "./recipes-module.ts";

export interface ValidateRouteDeps extends Pick<ModuleParts, "store" | "clock" | "log" | "redactor"> {
  readonly permissions: Permissions;
  readonly loaded: () => Promise<LoadedRecipes>;
}

const permission = "Radius.Core/installer/read";
const action = "Radius.Core/installer/validate/action";

/** `POST /installer/terraform/validate`: whether recipes of an environment would find what they need. */
export function validateRoute(deps: ValidateRouteDeps): Route {
  const { store, clock } = deps;
  return {
    method: "POST",
    path: "/installer/terraform/validate",
    permission,
    body: "json",
    handle: async (request) => {
      const id = environmentIdOf(request.body);
      if (!deps.permissions.allows(request.caller, `${id.type}/read`, id.toString())) {
        throw new ApiError("Forbidden", `'${request.caller.subject}' needs ${id.type}/read at '${id.toString()}'.`, {
          target: id.toString(),
        });
      }
      const environment = await environmentOf(store, id);
      const report = await (await deps.loaded()).preflight(environment, requesterOf(deps, request));
      const { intent } = await import("@rad/resources"); // a server listens before
      const record = intent(request, action, environment.id.toString(), clock);
      await store.audit.append([{ ...record, phase: "outcome", status: 200, result: "Succeeded" }]);
      return jsonAnswer(200, report);
    },
  };
}

/** What a request brings to a preflight. */
export interface PreflightRequester {
  readonly request: Omit<ResourceRequest, "id">;
  readonly signal: AbortSignal;
  readonly redact: (text: string) => string;
}

function requesterOf({ redactor }: ValidateRouteDeps, request: Omit<ResourceRequest, "id">): PreflightRequester {
  return { request, signal: request.signal(), redact: (text) => redactor.redact(text) };
}

/** @throws ApiError `BadRequest` */
function environmentIdOf(body: JsonValue | undefined): ResourceId {
  const { environmentId, ...unknown } = isJsonObject(body) ? body : {};
  const [member] = Object.keys(unknown);
  if (member !== undefined) {
    throw new ApiError("BadRequest", `'${member}' is not a member of this request. It has 'environmentId' alone.`, {
      target: member,
    });
  }
  const id = typeof environmentId === "string" ? ResourceId.tryParse(environmentId) : undefined;
  if (id?.kind !== "resource" || !isEnvironmentId(id)) {
    throw new ApiError("BadRequest", "'environmentId' must be the id of an environment.", { target: "environmentId" });
  }
  return id;
}
