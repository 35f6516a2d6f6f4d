export type { Course, OpenWorld, Sample, SampleSpec, TargetAbilities, TargetWorld } from "./contract/target-world.ts";
export { describeDeploymentTarget } from "./describe-deployment-target.ts";
