export { OperationStopped } from "./operation-executor.ts";
export type {
  Ending,
  OperationContext,
  OperationExecutor,
  Outcome,
  StepChange,
  StopReason,
} from "./operation-executor.ts";
export type { RunResult } from "./operation-run.ts";
export { OperationWaiter } from "./operation-waiter.ts";
export type { OperationWaiterOptions } from "./operation-waiter.ts";
export { OperationWorker } from "./operation-worker.ts";
export type { OperationWorkerOptions } from "./operation-worker.ts";
export type { StepHandle, StepOptions, StepWork } from "./steps/operation-steps.ts";
