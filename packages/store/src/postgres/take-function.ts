import { operationColumns } from "../operations/operation-row.ts";

const hasNoLease = "ended_at IS NULL AND (lease_expires IS NULL OR lease_expires <= clock_timestamp())";

/** Left aside for a time that is over. */
const isDue = "ended_at IS NULL AND parked IS NOT NULL AND run_after <= statement_timestamp()";

/** Sets the columns of an operation that is leased. */
function leaseFor(owner: string, leaseMs: string): string {
  return `lease_owner = ${owner}, fence = fence + 1,
      lease_expires = clock_timestamp() + ${leaseMs} * interval '1 millisecond',
      attempt = CASE WHEN lease_owner IS NULL THEN attempt + 1 ELSE attempt END,
      deaths = CASE WHEN lease_owner IS NULL OR lease_owner = ${owner} OR attempt_started_at IS NULL THEN deaths
        ELSE (deaths::jsonb || to_jsonb(attempt_started_at))::text END,
      attempt_started_at = clock_timestamp(), state = 'Updating', started_at = coalesce(started_at, clock_timestamp())`;
}

const timeLeft = "extract(epoch FROM deadline_at - clock_timestamp())::float8 * 1000";
const documentEtag = "(SELECT etag FROM documents WHERE key = resource_key)";

/**
 * Leases the oldest of a queue without rules, for a fraction of what `radius_take` costs; nothing where something is due,
 * which comes first.
 */
export const takeOldest = `
  WITH due AS MATERIALIZED (SELECT EXISTS (SELECT 1 FROM operations WHERE queue = $1 AND ${isDue}) AS is_due),
  oldest AS MATERIALIZED (
    SELECT seq FROM operations
    WHERE queue = $1 AND parked IS NULL AND ${hasNoLease} AND NOT (SELECT is_due FROM due)
    ORDER BY seq LIMIT $4::integer FOR UPDATE SKIP LOCKED),
  leased AS (
    UPDATE operations SET ${leaseFor("$2::text", "$3::float8")} WHERE seq IN (SELECT seq FROM oldest)
    RETURNING seq, ${operationColumns}, ${timeLeft} AS time_left, ${documentEtag} AS document_etag)
  SELECT due.is_due, leased.* FROM due LEFT JOIN leased ON true ORDER BY seq`;

/** What must be ended (cancelled, too late) is ready at once; the rest waits for its turn and a free slot. */
const oldestReady = `
    SELECT seq FROM operations AS candidate
    WHERE queue = ANY (names) AND parked IS NULL AND ${hasNoLease} AND (
      cancel_reason IS NOT NULL
      OR deadline_at <= clock_timestamp()
      OR (
        (most IS NULL OR most > (
          SELECT count(*) FROM operations
          WHERE queue = ANY (names) AND ended_at IS NULL AND lease_expires > clock_timestamp()))
        AND (NOT fifo OR NOT EXISTS (
          SELECT 1 FROM operations
          WHERE queue = ANY (names) AND seq < candidate.seq AND parked IS NULL AND ${hasNoLease}))
        AND (NOT fifo OR NOT EXISTS (
          SELECT 1 FROM operations
          WHERE queue = ANY (names) AND seq < candidate.seq AND parked IS NOT NULL AND ended_at IS NULL))))
    ORDER BY seq`;

/** Whether a group is one queue with a limit or an order. */
function isRuled(group: string): string {
  return `${group}->'concurrency' IS NOT NULL OR (${group}->>'fifo')::boolean`;
}

/**
 * Leases up to `count` operations in one round trip. A group is queues that are looked at together: all those without
 * rules of their own, or one that has some. Workers skip rows that others have locked; from a queue with a limit or an
 * order one takes at a time, and for those one looks first, so that idle workers do not get in each other's way.
 */
export const takeFunctions = `
CREATE FUNCTION radius_take(groups jsonb, owner text, lease_ms float8, count integer) RETURNS jsonb
LANGUAGE plpgsql AS $function$
DECLARE
  chosen jsonb;
  leased jsonb;
  taken jsonb := '[]';
  at_once boolean;
BEGIN
  PERFORM set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true);
  IF jsonb_array_length(groups) > 1 THEN
    groups := radius_lock_queues(groups);
  END IF;
  -- Several at once, unless another group may have one that is older than the second, or only so many may run.
  at_once := jsonb_array_length(groups) = 1 AND NOT (${isRuled("groups->0")});
  WHILE jsonb_array_length(taken) < count LOOP
    leased := NULL;
    -- What is due was accepted long ago, so it is looked at first.
    FOR chosen IN
      SELECT value FROM jsonb_array_elements(groups) AS each (value)
      ORDER BY CASE WHEN jsonb_array_length(groups) > 1 THEN radius_oldest_ready(value) END
    LOOP
      leased := radius_take_from(chosen, owner, lease_ms,
        CASE WHEN at_once THEN count - jsonb_array_length(taken) ELSE 1 END);
      EXIT WHEN leased IS NOT NULL;
    END LOOP;
    EXIT WHEN leased IS NULL;
    taken := taken || leased;
  END LOOP;
  RETURN taken;
END $function$;

-- Locks queues with rules that have something ready, and returns them with those that need no lock. All at once and in one
-- order: of two that lock them as they come to them, each could wait for the other.
CREATE FUNCTION radius_lock_queues(groups jsonb) RETURNS jsonb LANGUAGE plpgsql AS $function$
DECLARE
  ready jsonb;
  ruled text[];
BEGIN
  SELECT coalesce(jsonb_agg(value), '[]'), array_agg(value->'names'->>0) FILTER (WHERE ${isRuled("value")})
  INTO ready, ruled
  FROM jsonb_array_elements(groups) AS each (value)
  WHERE NOT (${isRuled("value")}) OR radius_oldest_ready(value) IS NOT NULL;
  INSERT INTO queues (name) SELECT name FROM unnest(ruled) AS name ORDER BY name ON CONFLICT DO NOTHING;
  PERFORM 1 FROM queues WHERE name = ANY (ruled) ORDER BY name FOR UPDATE;
  RETURN ready;
END $function$;

CREATE FUNCTION radius_oldest_ready(chosen jsonb) RETURNS bigint LANGUAGE plpgsql AS $function$
DECLARE
  names text[] := ARRAY(SELECT jsonb_array_elements_text(chosen->'names'));
  most integer := (chosen->>'concurrency')::integer;
  fifo boolean := (chosen->>'fifo')::boolean;
BEGIN
  IF EXISTS (
    SELECT 1 FROM operations
    WHERE queue = ANY (names) AND ${isDue}
  ) THEN
    RETURN 0;
  END IF;
  RETURN (${oldestReady} LIMIT 1);
END $function$;

CREATE FUNCTION radius_take_from(chosen jsonb, new_owner text, lease_ms float8, count integer) RETURNS jsonb
LANGUAGE plpgsql AS $function$
DECLARE
  names text[] := ARRAY(SELECT jsonb_array_elements_text(chosen->'names'));
  most integer := (chosen->>'concurrency')::integer;
  fifo boolean := (chosen->>'fifo')::boolean;
  due text[];
  taken jsonb;
BEGIN
  -- Whoever else is about to do the same is left to it.
  WITH ready AS (
    UPDATE operations SET parked = NULL WHERE seq IN (
      SELECT seq FROM operations
      WHERE queue = ANY (names) AND ${isDue}
      FOR UPDATE SKIP LOCKED)
    RETURNING id)
  SELECT array_agg(id) INTO due FROM ready;
  IF due IS NOT NULL THEN
    DELETE FROM operation_waits WHERE waiting = ANY (due);
  END IF;
  IF most IS NOT NULL OR fifo THEN
    -- Counting what runs and leasing one more must not happen in two processes at once.
    IF radius_oldest_ready(chosen) IS NULL THEN
      RETURN NULL;
    END IF;
    INSERT INTO queues (name) SELECT unnest(names) ON CONFLICT DO NOTHING;
    PERFORM 1 FROM queues WHERE name = ANY (names) FOR UPDATE;
  END IF;
  WITH oldest AS MATERIALIZED (${oldestReady} LIMIT count FOR UPDATE OF candidate SKIP LOCKED
  ), leased AS (
    UPDATE operations SET ${leaseFor("new_owner", "lease_ms")}
    WHERE seq IN (SELECT seq FROM oldest)
    RETURNING *)
  SELECT jsonb_agg(to_jsonb(leased) || jsonb_build_object(
    'time_left', ${timeLeft}, 'document_etag', ${documentEtag}) ORDER BY seq)
  INTO taken FROM leased;
  RETURN taken;
END $function$`;
