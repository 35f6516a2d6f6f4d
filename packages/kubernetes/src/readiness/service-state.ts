import { latest } from "./pod-state.ts";
import type { State } from "./state.ts";
import { ready, waiting } from "./state.ts";
import type { Event, Service } from "../views.ts";

export interface ServiceEvidence {
  readonly service: Service;
  readonly events: readonly Event[];
}

export function stateOfService({ service, events }: ServiceEvidence): State {
  if (service.spec?.type !== "LoadBalancer" || (service.status?.loadBalancer?.ingress ?? []).length > 0) {
    return ready;
  }
  const event = latest(events);
  return waiting(
    event === undefined
      ? "its load balancer has no address yet"
      : `its load balancer has no address: ${event.reason ?? "Warning"}: ${event.message ?? ""}`,
  );
}
