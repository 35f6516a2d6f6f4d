import { checkTextLength, type Budget } from "../budget.ts";
import { TemplateError } from "../template-error.ts";
import { printJson } from "./json-printer.ts";
import type { Value } from "../values/value.ts";
import { formatNumber } from "./number-format.ts";
import { scalarText } from "./scalar-text.ts";

/** Fills `{index[,alignment][:spec]}`; doubled braces stand for themselves, but a spec ends at the first brace. */
export function formatComposite(format: string, args: readonly Value[], budget: Budget): string {
  budget.spendText(format.length);
  const item = /\{([0-9]{1,7})\s*(?:,\s*(-?[0-9]{1,7})\s*)?(?::([^{}]*))?\}/y;
  const text = /[^{}]+/y;
  let result = "";
  for (let at = 0; at < format.length;) {
    if (format.startsWith("{{", at) || format.startsWith("}}", at)) {
      result += format[at];
      at += 2;
      continue;
    }
    text.lastIndex = at;
    const run = text.exec(format)?.[0];
    if (run !== undefined) {
      result += run;
      at += run.length;
      continue;
    }
    item.lastIndex = at;
    const match = item.exec(format);
    if (match === null) {
      throw invalid(`the brace at offset ${at} belongs to no item such as {0} and is not doubled`);
    }
    const filled = formatItem(match, args, budget);
    budget.spendText(filled.length);
    checkTextLength(result.length + filled.length);
    result += filled;
    at += match[0].length;
  }
  return result;
}

function formatItem(match: RegExpExecArray, args: readonly Value[], budget: Budget): string {
  const index = Number(match[1]);
  const value = args[index];
  if (value === undefined) {
    throw invalid(`item {${index}} has no argument`);
  }
  const text = formatValue(value, match[3] ?? "", budget);
  const width = Number(match[2] ?? 0);
  budget.spendText(Math.abs(width));
  return width < 0 ? text.padEnd(-width) : text.padStart(width);
}

/** A float of many digits takes as long as this many steps. */
const numberSteps = 32;

function formatValue(value: Value, spec: string, budget: Budget): string {
  if (spec !== "" && (typeof value === "bigint" || typeof value === "number")) {
    budget.spend(numberSteps + spec.length);
    const text = formatNumber(value, spec);
    if (text === undefined) {
      throw invalid("a number cannot be written in the format that its item asks for");
    }
    return text;
  }
  return scalarText(value) ?? printJson(value, { quote: "'", budget });
}

function invalid(problem: string): TemplateError {
  return new TemplateError("InvalidArgument", `format: ${problem}.`);
}
