import { volumeGoldens } from "../applications-core/volumes/golden-cases.ts";
import type { GoldenType } from "./golden-type.ts";

/** Every rendered type. `goldens.test.ts` compares their cases, `goldens.slow.test.ts` shows them to an API server. */
export const goldenTypes: readonly GoldenType[] = [volumeGoldens];
