import { auditLock } from "./write-function.ts";

/** The process that worked on it is gone, or the operation has ended without saying what became of it. */
const isAbandoned = `CASE WHEN operation_id IS NULL THEN lease_expires <= clock_timestamp()
    ELSE NOT EXISTS (SELECT 1 FROM operations WHERE operations.id = open_intents.operation_id AND ended_at IS NULL) END`;

export const auditFunctions = `
-- Waits for those who are writing records: what has a number now is stored when this returns, or never will be.
CREATE FUNCTION radius_settled() RETURNS bigint LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(${auditLock});
  RETURN (SELECT last_value FROM audit_sequence_seq);
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
