import { containerGoldens } from "../applications-core/containers/golden-cases.ts";
import { gatewayGoldens } from "../applications-core/gateways/golden-cases.ts";
import { volumeGoldens } from "../applications-core/volumes/golden-cases.ts";
import { daprGoldens } from "../applications-dapr/golden-cases.ts";
import { computeGoldens } from "../radius-compute/golden-cases.ts";
import { securityGoldens } from "../radius-security/golden-cases.ts";
import type { GoldenType } from "./golden-type.ts";
import { portableGoldens } from "./portable-goldens.ts";

/** Every rendered type. `goldens.test.ts` compares their cases, `goldens.slow.test.ts` shows them to an API server. */
export const goldenTypes: readonly GoldenType[] = [
  containerGoldens,
  volumeGoldens,
  gatewayGoldens,
  ...daprGoldens,
  ...portableGoldens,
  ...computeGoldens,
  ...securityGoldens,
];
