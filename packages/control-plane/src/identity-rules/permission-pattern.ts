export type PermissionMatcher = (permission: string) => boolean;

/** Says what is wrong with a pattern, or nothing. */
export function checkPermissionPattern(pattern: string): string | undefined {
  if (!/^[\w.*-]+(?:\/[\w.*-]+)*$/.test(pattern)) {
    return 'must look like "Applications.Core/containers/read", with * for anything';
  }
  const complete = pattern.endsWith("*") || /\/(?:read|write|action)$/i.test(pattern);
  return complete ? undefined : "must end in /read, /write, /action or *, or it would match nothing";
}

/**
 * Compiles a pattern in which `*` stands for any characters, slashes included. The matcher takes lower-case
 * permissions. It walks the literal parts once instead of using a regular expression, so that no permission, which
 * comes from a request's path, can make it slow.
 */
export function compilePermissionPattern(pattern: string): PermissionMatcher {
  const [first = "", ...rest] = pattern.toLowerCase().split("*");
  const last = rest.pop();
  if (last === undefined) {
    return (permission) => permission === first;
  }
  return (permission) => {
    if (!permission.startsWith(first) || !permission.endsWith(last)) {
      return false;
    }
    const end = permission.length - last.length;
    let position = first.length;
    for (const part of rest) {
      const found = permission.indexOf(part, position);
      if (found === -1) {
        return false;
      }
      position = found + part.length;
    }
    return position <= end;
  };
}
