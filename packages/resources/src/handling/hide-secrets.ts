import { Pace, type Sliced } from "@rad/core";
import { secretStrings } from "@rad/resource-types";
import type { Requester } from "../requester.ts";
import type { SealedValues } from "../resource-handler.ts";

/** Values whose spellings are made at once. */
const chunk = 200;
/** Its spellings take some microseconds. */
const stepsPerValue = 8;
const charactersPerStep = 64;

/** Keeps the texts inside of sealed values out of logs and errors until the work ends. */
export function* hideSecrets(hide: Requester["hide"], secrets: SealedValues): Sliced<void> {
  const pace = new Pace();
  const texts = yield* secretStrings(secrets);
  for (let begin = 0; begin < texts.length; begin += chunk) {
    const some = texts.slice(begin, begin + chunk);
    hide(some);
    const characters = some.reduce((sum, text) => sum + text.length, 0);
    const pause = pace.spend(some.length * stepsPerValue + characters / charactersPerStep);
    if (pause !== undefined) {
      yield pause;
    }
  }
}
