import type { AuthorizationConfig } from "../config/index.ts";
import { type Caller, localAdmin } from "@rad/resources/requests";
import { builtInRoles } from "../identity-rules/names.ts";
import { compilePermissionPattern } from "../identity-rules/permission-pattern.ts";
import type { PermissionMatcher } from "../identity-rules/permission-pattern.ts";

/**
 * Answers what a caller may do. A permission is `<type>/read`, `<type>/write` (which includes deleting) or
 * `<type>/<action>/action`; a scope is an id, and what is granted there counts for everything below it too. Nothing is
 * allowed unless an assignment says so. Casing does not matter.
 */
export interface Authorizer {
  allows(caller: Caller, permission: string, scope: string): boolean;
  /** Whether the permission is held at `scope` or anywhere below: a list there is worth filtering. */
  mayReadBelow(caller: Caller, permission: string, scope: string): boolean;
}

interface Grant {
  /** Lower case with a final slash, so that comparing starts ends at a segment's boundary. */
  readonly scope: string;
  readonly matchers: readonly PermissionMatcher[];
  /** Any permission anywhere: no need to look closer. */
  readonly everything: boolean;
}

export function createAuthorizer(config: AuthorizationConfig): Authorizer {
  const roles = permissionsByRole(config);
  const assignments = [
    ...config.assignments,
    { role: "radius-admin", subject: localAdmin, group: undefined, scope: "/" },
  ];
  // By object, because authenticators hand out the same one for the same credentials.
  const grantsByCaller = new WeakMap<Caller, readonly Grant[]>();

  function grantsOf(caller: Caller): readonly Grant[] {
    const known = grantsByCaller.get(caller);
    if (known !== undefined) {
      return known;
    }
    const grants = assignments
      .filter(({ subject, group }) =>
        group === undefined ? subject === caller.subject : caller.groups.includes(group),
      )
      .map(({ role, scope }): Grant => {
        const permissions = roles.get(role.toLowerCase()) ?? [];
        return {
          scope: asPrefix(scope),
          matchers: permissions.map(compilePermissionPattern),
          everything: scope === "/" && permissions.includes("*"),
        };
      });
    grantsByCaller.set(caller, grants);
    return grants;
  }

  function allows(caller: Caller, permission: string, scope: string): boolean {
    if (grantsOf(caller).some((grant) => grant.everything)) {
      return true;
    }
    const wanted = permission.toLowerCase();
    const at = asPrefix(scope);
    return grantsOf(caller).some((grant) => at.startsWith(grant.scope) && grants(grant, wanted));
  }

  function mayReadBelow(caller: Caller, permission: string, scope: string): boolean {
    const wanted = permission.toLowerCase();
    const at = asPrefix(scope);
    return grantsOf(caller).some(
      (grant) => (at.startsWith(grant.scope) || grant.scope.startsWith(at)) && grants(grant, wanted),
    );
  }

  return { allows, mayReadBelow };
}

function permissionsByRole(config: AuthorizationConfig): ReadonlyMap<string, readonly string[]> {
  const roles = new Map<string, readonly string[]>(builtInRoles);
  for (const role of config.roles) {
    roles.set(role.name.toLowerCase(), role.permissions);
  }
  return roles;
}

function grants(grant: Grant, permission: string): boolean {
  return grant.matchers.some((matches) => matches(permission));
}

function asPrefix(scope: string): string {
  const lower = scope.toLowerCase();
  return lower.endsWith("/") ? lower : `${lower}/`;
}
