export { BoxProcess } from "./boxes/box-process.ts";
export { BoxTarget, boxType } from "./boxes/box-target.ts";
export { box, boxTemplate } from "./boxes/box-template.ts";
export type { Course, OpenWorld, Sample, SampleSpec, TargetAbilities, TargetWorld } from "./contract/target-world.ts";
export { describeDeploymentTarget } from "./describe-deployment-target.ts";
