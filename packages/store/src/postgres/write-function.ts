import { auditLock } from "./audit-functions.ts";
import { channel, followedPrefix } from "./notifications.ts";
import { endNow } from "./operation-functions.ts";
import { refusedState } from "./refused-state.ts";

/** Any number, as long as nothing else in the database uses it. Held by those who begin to wait, so that of two that wait for each other the second sees the first. */
const parkingLock = 7_236_002;

const holdsLease = `id = operation AND lease_owner = lease->>'owner' AND fence = (lease->>'fence')::integer
      AND lease_expires > clock_timestamp() AND ended_at IS NULL`;

/**
 * Applies writes in one transaction and one round trip, one after the other, each in a subtransaction: all of a write
 * happens or none of it, and one that is refused does not fail its neighbours.
 *
 * Rows are locked in one order everywhere: the operation, those it has started or waits for, the document, what else
 * changes, what the guards look at. The document comes before the guards so that a removal and a creation that needs the
 * document cannot both succeed: one waits for the other and then sees what it did. Writes that share a transaction are in
 * no such order, so they wait for a lock only for as long as the caller's patience lasts.
 */
export const writeFunctions = `
CREATE FUNCTION radius_write(writes jsonb, patience_ms integer, sender text, hints jsonb, urgent boolean) RETURNS jsonb
LANGUAGE plpgsql AS $function$
DECLARE
  answer jsonb;
  answers jsonb[] := '{}';
  events jsonb := '[]';
  detail text;
  setting text;
  is_locked boolean;
BEGIN
  -- Expressions that are assigned cost less than statements that perform them.
  is_locked := pg_advisory_xact_lock_shared(${auditLock}) IS NOT NULL;
  -- Plans are made once and kept, also those made while a table is still empty.
  setting := set_config('enable_seqscan', 'off', true);
  setting := set_config('plan_cache_mode', 'force_generic_plan', true);
  setting := set_config('lock_timeout', patience_ms::text, true);
  IF jsonb_array_length(writes) = 1 THEN
    answer := radius_apply(writes->0);
    events := (answer->'removed') || (answer->'events');
    answers := ARRAY[answer];
  ELSE
    FOR place IN 0 .. jsonb_array_length(writes) - 1 LOOP
      BEGIN
        answer := radius_apply(writes->place);
        events := events || (answer->'removed') || (answer->'events');
      EXCEPTION WHEN OTHERS THEN
        GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
        answer := jsonb_build_object('state', SQLSTATE, 'message', SQLERRM, 'detail', detail);
      END;
      answers := array_append(answers, answer);
    END LOOP;
  END IF;
  urgent := urgent OR events <> '[]';
  IF urgent THEN
    PERFORM radius_tell(sender, hints || events);
  END IF;
  RETURN jsonb_build_object('told', urgent, 'answers', to_jsonb(answers));
END $function$;

CREATE FUNCTION radius_apply(item jsonb) RETURNS jsonb LANGUAGE plpgsql AS $function$
DECLARE
  lease jsonb := item->'lease';
  operation text := item->'lease'->>'operationId';
  awaited text[] := '{}';
  running text[] := '{}';
  events jsonb := '[]';
  changed jsonb;
  changes jsonb := '[]';
  removed jsonb := '[]';
  is_further boolean := false;
  in_queue text;
  is_recorded boolean;
BEGIN
  IF jsonb_array_length(item->'park'->'for') > 0 THEN
    awaited := ARRAY(SELECT jsonb_array_elements_text(item->'park'->'for'));
    PERFORM pg_advisory_xact_lock(${parkingLock});
  END IF;
  IF lease IS NOT NULL THEN
    PERFORM 1 FROM operations WHERE ${holdsLease} FOR UPDATE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'LeaseLost' USING ERRCODE = '${refusedState}';
    END IF;
  END IF;
  IF item ? 'stop' THEN
    events := radius_cancel(ARRAY[item->'stop'->>'id'], item->'stop'->>'reason');
    IF events = '[]' THEN
      RETURN jsonb_build_object('changes', changes, 'removed', removed, 'events', events);
    END IF;
  END IF;
  IF item ? 'supersede' THEN
    events := events || radius_supersede(item->>'supersede', item->>'superseded');
  END IF;
  IF item ? 'cancel' THEN
    events := events || radius_cancel(ARRAY(
      SELECT id FROM operations
      WHERE awaited_by = item->'cancel'->>'awaitedBy' AND queue = item->'cancel'->>'queue' AND ended_at IS NULL
    ), item->'cancel'->>'reason');
  END IF;
  IF awaited <> '{}' THEN
    -- They cannot end before this transaction does, so whoever ends one afterwards sees that it is waited for.
    running := ARRAY(
      SELECT id FROM operations WHERE id = ANY (awaited) AND ended_at IS NULL ORDER BY id FOR SHARE);
  END IF;
  FOR place IN 0 .. coalesce(jsonb_array_length(item->'changes'), 0) - 1 LOOP
    changed := radius_change(item->'changes'->place, place);
    changes := changes || changed;
    IF changed ? 'etag' THEN
      is_further := is_further OR (changed->'isNew')::boolean;
      IF item->'changes'->place->>'operationId' = operation THEN
        events := events || jsonb_build_object('kind', 'progress', 'operationId', operation, 'document',
          jsonb_build_object('id', changed->'id', 'etag', changed->'etag'));
      END IF;
    ELSIF starts_with(changed->>'type', '${followedPrefix}') THEN
      removed := removed || jsonb_build_object('kind', 'document', 'type', changed->'type');
    END IF;
  END LOOP;
  FOR place IN 0 .. coalesce(jsonb_array_length(item->'guards'), 0) - 1 LOOP
    IF NOT radius_holds(item->'guards'->place) THEN
      RAISE EXCEPTION 'GuardFailed' USING ERRCODE = '${refusedState}', DETAIL = place::text;
    END IF;
  END LOOP;
  IF is_further AND item ? 'isFirst' THEN
    UPDATE operations SET deaths = '[]', attempt_started_at = NULL WHERE id = operation;
  END IF;
  IF item ? 'operation' THEN
    events := events || radius_accept(item->'operation');
  END IF;
  IF item ? 'outcome' THEN
    UPDATE operations SET ${endNow}, state = item->'outcome'->>'state', error = item->'outcome'->>'error'
    WHERE ${holdsLease} RETURNING queue INTO in_queue;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'LeaseLost' USING ERRCODE = '${refusedState}';
    END IF;
    events := events || jsonb_build_array(
      jsonb_build_object('kind', 'ended', 'operationId', operation),
      jsonb_build_object('kind', 'work', 'queue', in_queue)) || radius_wake(operation);
  END IF;
  IF item ? 'park' THEN
    IF item->'operation'->>'id' = ANY (awaited) THEN
      running := array_append(running, item->'operation'->>'id');
    END IF;
    events := events || radius_park(operation, item->'park', running);
  END IF;
  FOR place IN 0 .. coalesce(jsonb_array_length(item->'audit'), 0) - 1 LOOP
    is_recorded := radius_record(item->'audit'->place);
  END LOOP;
  RETURN jsonb_build_object('changes', changes, 'removed', removed, 'events', events, 'isFurther', is_further);
END $function$;

-- Part of the transaction, so a process that dies right after its commit has still told everybody. PostgreSQL refuses
-- notifications of 8000 bytes and more.
CREATE FUNCTION radius_tell(sender text, events jsonb) RETURNS void LANGUAGE plpgsql AS $function$
DECLARE
  event jsonb;
  part jsonb := '[]';
  size integer := 0;
BEGIN
  FOR place IN 0 .. jsonb_array_length(events) - 1 LOOP
    event := events->place;
    IF octet_length(event::text) > 3500 THEN
      event := CASE event->>'kind' WHEN 'document' THEN event || '{"type": "*"}' ELSE event || '{"document": "*"}' END;
    END IF;
    IF size + octet_length(event::text) > 7000 THEN
      PERFORM pg_notify('${channel}', jsonb_build_object('sender', sender, 'events', part)::text);
      part := '[]';
      size := 0;
    END IF;
    part := part || jsonb_build_array(event);
    size := size + octet_length(event::text) + 2;
  END LOOP;
  IF size > 0 THEN
    PERFORM pg_notify('${channel}', jsonb_build_object('sender', sender, 'events', part)::text);
  END IF;
END $function$`;
