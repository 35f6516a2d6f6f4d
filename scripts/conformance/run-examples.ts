import { objectMember } from "@rad/core";
import type { ApiDocument } from "./documents.ts";
import { planSteps, prerequisites } from "./plan.ts";
import type { Step } from "./plan.ts";
import { ResponseValidator } from "./response-validator.ts";
import { putGroup, send } from "./send.ts";
import type { Target } from "./send.ts";

export interface Outcome {
  readonly example: string;
  readonly request: string;
  /** Absent when no answer came. */
  readonly status: number | undefined;
  /** Empty when the example passed. */
  readonly problems: readonly string[];
}

/** Sends every example that is not left out to `target`, and says of each how the answer compares. */
export async function runExamples(
  documents: readonly ApiDocument[],
  target: Target,
  leaveOut: (operationId: string) => boolean,
): Promise<readonly Outcome[]> {
  const validator = await ResponseValidator.load(documents.map((document) => document.url));
  const { steps, unmatched } = planSteps(documents, leaveOut);
  const made = new Set<string>();
  const outcomes: Outcome[] = unmatched.map((example) => ({
    example: example.name,
    request: "",
    status: undefined,
    problems: ["the document has no such operation"],
  }));
  for (const step of steps) {
    outcomes.push(await tryStep(step));
  }
  return outcomes;

  async function tryStep(step: Step): Promise<Outcome> {
    const request = `${step.operation.method.toUpperCase()} ${step.path}`;
    try {
      await makeGroup(step.path);
      for (const needed of prerequisites(step, steps, (path) => made.has(path))) {
        await send(target, needed);
        made.add(needed.path);
      }
      const answer = await send(target, step);
      if (step.operation.method === "put") {
        made.add(step.path);
      }
      const allowed = Object.keys(step.example.responses);
      const response = objectMember(step.example.responses, String(answer.status));
      const problems = allowed.includes(String(answer.status))
        ? validator.problems(step.document.url, step.operation, answer, Object.keys(objectMember(response, "headers")))
        : [`status ${answer.status} is not among ${allowed.join(", ")}: ${JSON.stringify(answer.body) ?? "no body"}`];
      return { example: step.example.name, request, status: answer.status, problems };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { example: step.example.name, request, status: undefined, problems: [reason] };
    }
  }

  /** Documents of types have no operation for the group that their resources are in. */
  async function makeGroup(path: string): Promise<void> {
    const [, group] = /^(\/planes\/radius\/[^/]+\/resourceGroups\/[^/]+)\/providers\//i.exec(path) ?? [];
    if (group !== undefined && !made.has(group)) {
      await putGroup(target, group);
      made.add(group);
    }
  }
}
