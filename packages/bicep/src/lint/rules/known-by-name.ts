import type { Rule } from "../rule.ts";

/**
 * Rules that compare a file with lists of Azure's or of a registry, or with what a deployment would change. They can
 * be configured and switched off like the others, and find nothing here.
 */
export const knownByName: readonly Rule[] = [
  { name: "no-hardcoded-outputs", category: "BestPractice", level: "off" },
  { name: "use-recent-api-versions", category: "BestPractice", level: "off" },
  { name: "use-recent-module-versions", category: "BestPractice", level: "off" },
  { name: "use-recognized-resource-type", category: "PotentialCodeIssues" },
  { name: "what-if-short-circuiting", category: "PotentialCodeIssues", level: "off" },
];
