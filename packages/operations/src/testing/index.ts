export { newOperation, WorkerKit } from "./worker-kit.ts";
