import { formatInstant } from "../dates/date-format.ts";
import { parseDuration } from "../dates/duration.ts";
import { checkedInstant, parseInstant, ticksPerSecond, type Instant } from "../dates/instant.ts";
import { define, type FunctionCall, type FunctionDefinition } from "./function-call.ts";

const defaultFormat = "yyyy-MM-ddTHH:mm:ssZ";

export const dateFunctions: readonly FunctionDefinition[] = [
  define("dateTimeAdd", [2, 3], dateTimeAdd, 20),
  define("dateTimeFromEpoch", 1, dateTimeFromEpoch, 8),
  define("dateTimeToEpoch", 1, (call) => floorSeconds(readInstant(call)), 8),
];

function dateTimeAdd(call: FunctionCall): string {
  const base = readInstant(call);
  call.budget.spendText(call.string(1).length);
  const duration = parseDuration(call.string(1));
  if (duration === undefined) {
    throw call.invalid("the second argument is not an ISO 8601 duration such as P1DT2H");
  }
  return write(call, checkedInstant(base + duration), call.count > 2 ? call.string(2) : defaultFormat);
}

function dateTimeFromEpoch(call: FunctionCall): string {
  return write(call, checkedInstant(call.int(0) * ticksPerSecond), defaultFormat);
}

function readInstant(call: FunctionCall): Instant {
  call.budget.spendText(call.string(0).length);
  const instant = parseInstant(call.string(0));
  if (instant === undefined) {
    throw call.invalid("the first argument is not an ISO 8601 date");
  }
  return checkedInstant(instant);
}

function write(call: FunctionCall, instant: Instant, format: string): string {
  call.budget.spend(format.length);
  const text = formatInstant(instant, format);
  if (text === undefined) {
    throw call.invalid("there is no such date format");
  }
  return text;
}

function floorSeconds(instant: Instant): bigint {
  const seconds = instant / ticksPerSecond;
  return instant % ticksPerSecond < 0n ? seconds - 1n : seconds;
}
