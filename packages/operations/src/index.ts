export { OperationStopped, RetryLater } from "./operation-executor.ts";
export type { Ending, OperationContext, OperationExecutor, StepChange, StopReason } from "./operation-executor.ts";
export type { RunResult } from "./operation-run.ts";
export { OperationWorker } from "./operation-worker.ts";
export type { OperationWorkerOptions } from "./operation-worker.ts";
export { OperationWaiter } from "./operation-waiter.ts";
