import { channel } from "./notifications.ts";

/** Any number, as long as nothing else in the database uses it. Shared by those who write records; see `PostgresAudit.list`. */
export const auditLock = 7_236_101;

/** Any number, as above. Held by those who begin to wait, so that of two that wait for each other the second sees the first. */
const parkingLock = 7_236_002;

/** What a refused write raises: its message is a code of `StoreError` or `Reprint`, its detail is JSON. */
export const refusedState = "RAD00";

const holdsLease = `id = operation AND lease_owner = lease->>'owner' AND fence = (lease->>'fence')::integer
      AND lease_expires > clock_timestamp() AND ended_at IS NULL`;
const putBack = "lease_owner = NULL, lease_expires = NULL, fence = fence + 1, deaths = '[]'";
const endNow = `${putBack}, parked = NULL, ended_at = clock_timestamp()`;

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
    events := answer->'events';
    answers := ARRAY[answer];
  ELSE
    FOR place IN 0 .. jsonb_array_length(writes) - 1 LOOP
      BEGIN
        answer := radius_apply(writes->place);
        events := events || (answer->'events');
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
      RETURN jsonb_build_object('changes', '[]'::jsonb, 'events', events);
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
  RETURN jsonb_build_object('changes', changes, 'events', events, 'isFurther', is_further);
END $function$;

-- One document, which is locked from here on. Most writes say which version they replace, which takes one statement.
CREATE FUNCTION radius_change(change jsonb, place integer) RETURNS jsonb LANGUAGE plpgsql AS $function$
DECLARE
  wanted text := change->>'expect';
  current record;
  stored record;
BEGIN
  IF change ? 'remove' THEN
    SELECT type_key, etag INTO current FROM documents WHERE key = change->>'key' FOR UPDATE;
    PERFORM radius_expect(wanted, current.etag, place);
    DELETE FROM documents WHERE key = change->>'key';
    RETURN CASE WHEN FOUND THEN jsonb_build_object('type', current.type_key) ELSE '{}'::jsonb END;
  END IF;
  IF wanted <> '' THEN
    UPDATE documents AS held SET
      api_version = change->>'apiVersion', operation_id = change->>'operationId', body = change->>'body',
      sealed = CASE WHEN change ? 'keep' THEN held.sealed ELSE change->>'sealed' END,
      sealed_key_id = CASE WHEN change ? 'keep' THEN held.sealed_key_id ELSE change->>'keyId' END,
      etag = coalesce(change->>'etag', radius_etag(change, CASE WHEN change ? 'keep' THEN held.sealed END))
    WHERE key = change->>'key' AND held.etag = wanted AND substr(held.body, 1, 2) <> E'{\\n'
    RETURNING id, type, etag INTO stored;
    IF FOUND THEN
      RETURN jsonb_build_object('id', stored.id, 'type', stored.type, 'etag', stored.etag, 'isNew', stored.etag <> wanted);
    END IF;
  END IF;
  LOOP
    SELECT id, type, etag, sealed, sealed_key_id, substr(body, 1, 2) AS start INTO current
    FROM documents WHERE key = change->>'key' FOR NO KEY UPDATE;
    PERFORM radius_expect(wanted, current.etag, place);
    IF current.start = E'{\\n' AND change->>'over' IS DISTINCT FROM current.etag THEN
      RAISE EXCEPTION 'Reprint' USING ERRCODE = '${refusedState}', DETAIL = place::text;
    END IF;
    IF current.etag IS NOT NULL THEN
      UPDATE documents AS held SET
        api_version = change->>'apiVersion', operation_id = change->>'operationId', body = change->>'body',
        sealed = CASE WHEN change ? 'keep' THEN held.sealed ELSE change->>'sealed' END,
        sealed_key_id = CASE WHEN change ? 'keep' THEN held.sealed_key_id ELSE change->>'keyId' END,
        etag = coalesce(change->>'etag', radius_etag(change, CASE WHEN change ? 'keep' THEN held.sealed END))
      WHERE key = change->>'key'
      RETURNING id, type, etag INTO stored;
      RETURN jsonb_build_object('id', stored.id, 'type', stored.type, 'etag', stored.etag,
        'isNew', stored.etag <> current.etag);
    END IF;
    INSERT INTO documents (key, id, type_key, type, type_depth, api_version, etag, operation_id, body, sealed,
      sealed_key_id)
    VALUES (change->>'key', change->>'id', change->>'typeKey', change->>'type', (change->>'depth')::integer,
      change->>'apiVersion', coalesce(change->>'etag', radius_etag(change, NULL)), change->>'operationId',
      change->>'body', change->>'sealed', change->>'keyId')
    ON CONFLICT DO NOTHING RETURNING id, type, etag INTO stored;
    IF FOUND THEN
      RETURN jsonb_build_object('id', stored.id, 'type', stored.type, 'etag', stored.etag, 'isNew', true);
    END IF;
    -- it appeared after it was looked for
  END LOOP;
END $function$;

CREATE FUNCTION radius_expect(wanted text, etag text, place integer) RETURNS void LANGUAGE plpgsql AS $function$
BEGIN
  IF wanted <> coalesce(etag, '') THEN
    RAISE EXCEPTION 'EtagMismatch' USING ERRCODE = '${refusedState}',
      DETAIL = json_build_object('place', place, 'etag', etag);
  END IF;
END $function$;

-- As \`etagOf\` has it.
CREATE FUNCTION radius_etag(change jsonb, kept text) RETURNS text LANGUAGE sql IMMUTABLE AS $function$
  SELECT '32-' || encode(sha256(convert_to(
    (change->>'body') || E'\\n' || coalesce(kept, change->>'sealed', '') || E'\\n' || (change->>'apiVersion') || E'\\n'
    || coalesce(change->>'operationId', ''), 'UTF8')), 'hex')
$function$;

-- What must exist is locked so that it cannot go (or, with an etag, change) before the commit; what must be empty, so
-- that nobody whose own guard needs it can add something below it meanwhile.
CREATE FUNCTION radius_holds(guard jsonb) RETURNS boolean LANGUAGE plpgsql AS $function$
BEGIN
  IF guard ? 'empty' THEN
    PERFORM 1 FROM documents WHERE key = guard->>'empty' FOR UPDATE;
    RETURN NOT EXISTS (
      SELECT 1 FROM documents WHERE key > guard->>'after' AND key < guard->>'before'
        AND NOT guard->'except' ? key);
  ELSIF guard ? 'firstType' THEN
    RETURN NOT EXISTS (
      SELECT 1 FROM documents WHERE type_key >= guard->>'firstType' AND type_key <= guard->>'lastType'
        AND key > guard->>'after' AND key < guard->>'before');
  ELSIF guard ? 'etag' THEN
    PERFORM 1 FROM documents WHERE key = guard->>'exists' AND etag = guard->>'etag' FOR SHARE;
  ELSE
    PERFORM 1 FROM documents WHERE key = guard->>'exists' FOR KEY SHARE;
  END IF;
  RETURN FOUND;
END $function$;

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
END $function$;

-- An intent that is open already is not recorded again, nor is an outcome whose intent is not open.
CREATE FUNCTION radius_record(item jsonb) RETURNS boolean LANGUAGE plpgsql AS $function$
DECLARE
  open_until timestamptz;
  written bigint;
BEGIN
  IF item ? 'intentId' THEN
    open_until := clock_timestamp() + (item->>'leaseMs')::float8 * interval '1 millisecond';
    IF item->>'phase' = 'intent' THEN
      UPDATE open_intents SET lease_expires = open_until WHERE id = item->>'intentId';
      IF FOUND THEN
        RETURN false;
      END IF;
    ELSE
      DELETE FROM open_intents WHERE id = item->>'intentId';
      IF NOT FOUND THEN
        RETURN false;
      END IF;
    END IF;
  END IF;
  INSERT INTO audit (phase, time, caller, action, target, api_version, correlation_id, operation_id, status, result,
    intent_id)
  VALUES (item->>'phase', (item->>'time')::timestamptz, item->>'caller', item->>'action', item->>'target',
    item->>'apiVersion', item->>'correlationId', item->>'operationId', (item->>'status')::integer, item->>'result',
    item->>'intentId')
  RETURNING sequence INTO written;
  IF item ? 'intentId' AND item->>'phase' = 'intent' THEN
    INSERT INTO open_intents (id, sequence, operation_id, lease_expires)
    VALUES (item->>'intentId', written, item->>'operationId', open_until);
  END IF;
  RETURN true;
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
