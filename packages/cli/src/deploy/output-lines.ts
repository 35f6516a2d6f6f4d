import type { DeploymentOutput } from "@rad/client";
import { printableLine } from "../output/printable.ts";

const mask = "********";

/** `name: value`, one output a line; the values of secure ones are not known here and shown as a mask. */
export function outputLines(outputs: Readonly<Record<string, DeploymentOutput>>): string[] {
  return Object.entries(outputs).map(([name, output]) => `${printableLine(name)}: ${valueOf(output)}`);
}

function valueOf({ type, value }: DeploymentOutput): string {
  if (type.toLowerCase().startsWith("secure")) {
    return mask;
  }
  return printableLine(typeof value === "string" ? value : JSON.stringify(value ?? null));
}
