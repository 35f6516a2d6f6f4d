import type { Clock } from "@rad/core";
import { intent, type ResourceRequest } from "@rad/resources";
import type { AuditRecord, Operation } from "@rad/store";
import type { Product } from "../product.ts";
import type { JobKind } from "../status/installer-record.ts";

/** What operations of the installer work on. There is no such document: the type has no resources. */
export const installerId = "/planes/radius/local/providers/Radius.Core/installer/terraform";

type Asked = Pick<ResourceRequest, "caller" | "correlationId" | "apiVersion">;
interface Wanted {
  readonly product: Product;
  readonly version?: string | null | undefined;
}

/** Somebody asks for an install or uninstall; the target names the version, as far as it is known. */
export function jobIntent(request: Asked, operation: JobKind, wanted: Wanted, clock: Clock): AuditRecord {
  return intent(request, jobAction(operation), targetOf(wanted), clock);
}

export function jobOutcome(operation: Operation, wanted: Wanted, result: string, clock: Clock): AuditRecord {
  return {
    phase: "outcome",
    time: clock.now(),
    caller: operation.caller,
    action: jobAction(operation.kind),
    target: targetOf(wanted),
    apiVersion: operation.apiVersion,
    correlationId: operation.correlationId,
    operationId: operation.id,
    result,
  };
}

export function readRecord(request: Asked, clock: Clock): AuditRecord {
  return {
    ...intent(request, "Radius.Core/installer/read", installerId, clock),
    phase: "outcome",
    status: 200,
    result: "Succeeded",
  };
}

function jobAction(operation: string): string {
  return `Radius.Core/installer/${operation}/action`;
}

function targetOf({ product, version }: Wanted): string {
  const place = product === "terraform" ? installerId : `${installerId}/products/${product}`;
  return version === undefined || version === null ? place : `${place}/versions/${version}`;
}
