import { refusedState } from "./refused-state.ts";

/** Sets the columns of an operation whose lease is given back. */
export const putBack = "lease_owner = NULL, lease_expires = NULL, fence = fence + 1, deaths = '[]'";

/** Sets the columns of an operation that ends. */
export const endNow = `${putBack}, parked = NULL, ended_at = clock_timestamp()`;

/** What `radius_write` does to operations; each function returns the events to tell. */
export const operationFunctions = `
CREATE FUNCTION radius_accept(item jsonb) RETURNS jsonb LANGUAGE plpgsql AS $function$
BEGIN
  INSERT INTO operations (id, resource_key, resource_id, kind, api_version, queue, caller, correlation_id, traceparent,
    input, identity, awaited_by, state, created_at, deadline_at, run_after)
  VALUES (item->>'id', item->>'resourceKey', item->>'resourceId', item->>'kind', item->>'apiVersion', item->>'queue',
    item->>'caller', item->>'correlationId', item->>'traceparent', item->>'input', item->>'identity',
    item->>'awaitedBy', 'Accepted', clock_timestamp(),
    clock_timestamp() + (item->>'timeoutMs')::float8 * interval '1 millisecond', clock_timestamp());
  RETURN jsonb_build_array(jsonb_build_object('kind', 'work', 'queue', item->'queue'));
END $function$;

CREATE FUNCTION radius_supersede(operation text, reason text) RETURNS jsonb LANGUAGE plpgsql AS $function$
DECLARE
  in_queue text;
BEGIN
  UPDATE operations SET ${endNow}, state = 'Canceled', error = reason WHERE id = operation AND ended_at IS NULL
  RETURNING queue INTO in_queue;
  IF NOT FOUND THEN
    RETURN '[]';
  END IF;
  DELETE FROM operation_waits WHERE waiting = operation;
  RETURN jsonb_build_array(
    jsonb_build_object('kind', 'cancel', 'operationId', operation),
    jsonb_build_object('kind', 'ended', 'operationId', operation),
    jsonb_build_object('kind', 'work', 'queue', in_queue)) || radius_wake(operation);
END $function$;

CREATE FUNCTION radius_cancel(ids text[], reason text) RETURNS jsonb LANGUAGE plpgsql AS $function$
DECLARE
  events jsonb := '[]';
  found_one record;
BEGIN
  FOR found_one IN
    UPDATE operations SET cancel_reason = coalesce(cancel_reason, reason), parked = NULL
    WHERE id = ANY (ids) AND ended_at IS NULL RETURNING id, queue
  LOOP
    events := events || jsonb_build_array(
      jsonb_build_object('kind', 'cancel', 'operationId', found_one.id),
      jsonb_build_object('kind', 'work', 'queue', found_one.queue));
  END LOOP;
  DELETE FROM operation_waits WHERE waiting = ANY (ids);
  RETURN events;
END $function$;

-- An operation has ended: makes ready what waited for nothing else. Its row is locked by now. Rows of operations are
-- locked before their waits, here as everywhere, so that two ends that free the same operation see each other.
CREATE FUNCTION radius_wake(operation text) RETURNS jsonb LANGUAGE plpgsql AS $function$
DECLARE
  freed text[];
  events jsonb;
BEGIN
  PERFORM 1 FROM operations WHERE id IN (SELECT waiting FROM operation_waits WHERE awaited = operation)
  ORDER BY id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN '[]';
  END IF;
  WITH gone AS (DELETE FROM operation_waits WHERE awaited = operation RETURNING waiting)
  SELECT array_agg(waiting) INTO freed FROM gone;
  WITH woken AS (
    UPDATE operations SET parked = NULL
    WHERE id = ANY (freed) AND NOT EXISTS (SELECT 1 FROM operation_waits WHERE waiting = operations.id)
    RETURNING queue)
  SELECT coalesce(jsonb_agg(jsonb_build_object('kind', 'work', 'queue', queue, 'count', count)), '[]') INTO events
  FROM (SELECT queue, count(*) AS count FROM woken GROUP BY queue) AS counts;
  RETURN events;
END $function$;

-- An operation that was cancelled meanwhile, or waits for nothing that still runs, stays ready.
CREATE FUNCTION radius_park(operation text, park jsonb, running text[]) RETURNS jsonb LANGUAGE plpgsql AS $function$
DECLARE
  held record;
  edges jsonb;
BEGIN
  UPDATE operations SET ${putBack}, attempt = attempt - 1,
    parked = CASE WHEN cancel_reason IS NULL AND (park ? 'afterMs' OR running <> '{}') THEN park->>'kind' END,
    run_after = CASE
      WHEN park ? 'afterMs' THEN
        least(clock_timestamp() + (park->>'afterMs')::float8 * interval '1 millisecond', deadline_at)
      WHEN running <> '{}' THEN deadline_at
      ELSE run_after END
  WHERE id = operation RETURNING queue, parked INTO held;
  IF held.parked = 'waiting' THEN
    WITH RECURSIVE reached (source, target) AS (
      SELECT '', unnest(running)
      UNION SELECT reached.target, next.id FROM reached CROSS JOIN LATERAL (
        SELECT awaited AS id FROM operation_waits WHERE waiting = reached.target
        UNION ALL SELECT id FROM operations WHERE awaited_by = reached.target AND ended_at IS NULL) AS next)
    SELECT jsonb_agg(reached) INTO edges FROM reached HAVING bool_or(target = operation);
    IF edges IS NOT NULL THEN
      RAISE EXCEPTION 'WaitCycle' USING ERRCODE = '${refusedState}', DETAIL = edges;
    END IF;
    INSERT INTO operation_waits (awaited, waiting) SELECT unnest(running), operation;
  END IF;
  RETURN jsonb_build_array(jsonb_build_object('kind', 'work', 'queue', held.queue));
END $function$`;

/** As `radius_wake`, for operations that have ended together. */
export const wakeAllFunction = `
CREATE FUNCTION radius_wake_all(ids text[]) RETURNS jsonb STRICT LANGUAGE plpgsql AS $function$
DECLARE
  events jsonb := '[]';
  ended text;
BEGIN
  IF EXISTS (SELECT 1 FROM operation_waits WHERE awaited = ANY (ids)) THEN
    FOREACH ended IN ARRAY ids LOOP
      events := events || radius_wake(ended);
    END LOOP;
  END IF;
  RETURN events;
END $function$`;
