import type { Command } from "commander";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import type { EvaluateOptions } from "../templates/evaluate-expression.ts";

const fileHelp = `
The file is a JSON array. Each object has an "id" and an "expression", and can
have "parameters", "variables", "functions" and "context":
  [{ "id": "sum", "expression": "[add(parameters('a'), 1)]", "parameters": { "a": 2 } }]
The result is an array of { "id", "value" } or { "id", "error" } in that order.`;

export function defineTemplate(command: Command, context: ContextOf): void {
  command
    .command("evaluate")
    .description("Evaluate an expression of the ARM template language")
    .argument("[expression]", "the expression, with or without its brackets")
    .option("--parameters <json>", "what parameters() reads: an object as JSON, @file.json, or name=value", collect)
    .option("--variables <json>", "what variables() reads, in the same forms", collect)
    .option("--file <file>", "evaluate every expression of a JSON array instead; - reads standard input")
    .addHelpText("after", fileHelp)
    .addHelpText(
      "after",
      examples(
        `rad template evaluate "concat('a', parameters('p'))" --parameters p=b`,
        `rad template evaluate "[map(variables('v'), lambda('x', mul(lambdaVariables('x'), 2)))]" --variables '{"v": [1, 2]}'`,
        "rad template evaluate --file expressions.json",
      ),
    )
    .action(async (expression: string | undefined, options: EvaluateOptions) => {
      const { evaluateFromCommandLine } = await import("../templates/evaluate-expression.ts");
      await evaluateFromCommandLine(context(), expression, options);
    });
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
