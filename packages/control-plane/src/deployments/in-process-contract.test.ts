import { describeDeploymentTarget } from "@rad/deployments/testing";
import { openTemporaryStore } from "@rad/store/testing";
import { openInProcessWorld, ownTypesCan } from "./testing/in-process-world.ts";

describeDeploymentTarget(
  "our own types on SQLite",
  ownTypesCan,
  async () => await openInProcessWorld(await openTemporaryStore()),
);
