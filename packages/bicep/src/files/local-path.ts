import type { ReferenceProblem } from "../semantics/index.ts";
import { problems } from "./problems.ts";

const forbidden = new Set('<>:"|?*');
const forbiddenAtEnd = new Set(" .");

/** What is wrong with a relative path as it is written in a file; nothing when it can be looked up. */
export function checkLocalPath(path: string): ReferenceProblem | undefined {
  if (path === "") {
    return problems.pathEmpty();
  }
  if (path.startsWith("/")) {
    return problems.pathAbsolute();
  }
  for (const char of path) {
    if (char === "\\") {
      return problems.pathBackslash();
    }
    if (forbidden.has(char)) {
      return problems.pathForbiddenCharacter(char);
    }
    if (isControl(char.charCodeAt(0))) {
      return problems.pathControlCharacter();
    }
  }
  const last = path.at(-1) ?? "";
  return forbiddenAtEnd.has(last) ? problems.pathForbiddenEnd(last) : undefined;
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}
