/** Any number, as long as nothing else in the database uses it. Shared by those who write records; see `PostgresAudit.list`. */
export const auditLock = 7_236_101;

/** The process that worked on it is gone, or the operation has ended without saying what became of it. */
const isAbandoned = `CASE WHEN operation_id IS NULL THEN lease_expires <= clock_timestamp()
    ELSE NOT EXISTS (SELECT 1 FROM operations WHERE operations.id = open_intents.operation_id AND ended_at IS NULL) END`;

export const auditFunctions = `
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

-- Waits for those who are writing records: what has a number now is stored when this returns, or never will be. Who
-- begins to write meanwhile waits as well, so this gives up, and returns nothing, when one of them takes too long.
CREATE FUNCTION radius_settled(patience_ms integer) RETURNS bigint LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM set_config('lock_timeout', patience_ms::text, true);
  PERFORM pg_advisory_xact_lock(${auditLock});
  RETURN (SELECT last_value FROM audit_sequence_seq);
EXCEPTION WHEN lock_not_available THEN
  RETURN NULL;
END $function$;

CREATE FUNCTION radius_close_intents() RETURNS integer LANGUAGE plpgsql AS $function$
DECLARE
  closed integer := 0;
BEGIN
  PERFORM 1 FROM open_intents WHERE ${isAbandoned} LIMIT 1;
  IF FOUND THEN
    PERFORM pg_advisory_xact_lock_shared(${auditLock});
    WITH closed AS (DELETE FROM open_intents WHERE ${isAbandoned} RETURNING sequence)
    INSERT INTO audit (phase, time, caller, action, target, api_version, correlation_id, operation_id, result, intent_id)
    SELECT 'outcome', clock_timestamp(), caller, action, target, api_version, correlation_id, operation_id, 'Unknown',
      intent_id
    FROM audit JOIN closed USING (sequence) ORDER BY sequence;
    GET DIAGNOSTICS closed = ROW_COUNT;
  END IF;
  RETURN closed;
END $function$`;
