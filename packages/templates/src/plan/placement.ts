import { isFreshFunction, isRuntimeFunction } from "./function-kinds.ts";

/** Which part of a template an expression stands in decides which functions it may call. */
export interface Placement {
  /** For people: "in the default value of a parameter". */
  readonly where: string;
  /** What has to be deployed first can be read. */
  readonly runtime: boolean;
  /** `newGuid` and `utcNow`. */
  readonly fresh: boolean;
  readonly variables: boolean;
  readonly loops: boolean;
}

const nothing = { runtime: false, fresh: false, variables: true, loops: true };

export const placements = {
  parameterDefault: {
    where: "in the default value of a parameter",
    runtime: false,
    fresh: true,
    variables: false,
    loops: false,
  },
  variable: { ...nothing, where: "in a variable" },
  functionBody: { ...nothing, where: "in a function", loops: false },
  constant: (what: string): Placement => ({ ...nothing, where: `in ${what}` }),
  body: { ...nothing, where: "in a resource", runtime: true },
  output: { ...nothing, where: "in an output", runtime: true },
};

/** Whether `name`, in lower case, may be called there. */
export function allows(placement: Placement, name: string): boolean {
  if (isFreshFunction(name)) {
    return placement.fresh;
  }
  if (isRuntimeFunction(name)) {
    return placement.runtime;
  }
  if (name === "variables") {
    return placement.variables;
  }
  return name !== "copyindex" || placement.loops;
}
