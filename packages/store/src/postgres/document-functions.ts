import { refusedState } from "./refused-state.ts";

const putOver = `
      api_version = change->>'apiVersion', operation_id = change->>'operationId', body = change->>'body',
      sealed = CASE WHEN change ? 'keep' THEN held.sealed ELSE change->>'sealed' END,
      sealed_key_id = CASE WHEN change ? 'keep' THEN held.sealed_key_id ELSE change->>'keyId' END,
      etag = coalesce(change->>'etag', radius_etag(change, CASE WHEN change ? 'keep' THEN held.sealed END))`;

/** As `etagOf` has it, of these expressions. */
export function etagExpression(of: Readonly<Record<"body" | "sealed" | "apiVersion" | "operationId", string>>): string {
  return `'32-' || encode(sha256(convert_to(
    (${of.body}) || E'\\n' || coalesce(${of.sealed}, '') || E'\\n' || (${of.apiVersion}) || E'\\n'
    || coalesce(${of.operationId}, ''), 'UTF8')), 'hex')`;
}

/** What `radius_write` does to documents, and what it demands of others. */
export const documentFunctions = `
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
    UPDATE documents AS held SET ${putOver}
    WHERE key = change->>'key' AND held.etag = wanted AND substr(held.body, 1, 2) <> E'{\\n'
    RETURNING id, type, etag INTO stored;
    IF FOUND THEN
      RETURN jsonb_build_object('id', stored.id, 'type', stored.type, 'etag', stored.etag, 'isNew', stored.etag <> wanted);
    END IF;
  END IF;
  LOOP
    SELECT etag, substr(body, 1, 2) AS start INTO current
    FROM documents WHERE key = change->>'key' FOR NO KEY UPDATE;
    PERFORM radius_expect(wanted, current.etag, place);
    IF current.start = E'{\\n' AND change->>'over' IS DISTINCT FROM current.etag THEN
      RAISE EXCEPTION 'Reprint' USING ERRCODE = '${refusedState}', DETAIL = place::text;
    END IF;
    IF current.etag IS NOT NULL THEN
      UPDATE documents AS held SET ${putOver}
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

CREATE FUNCTION radius_etag(change jsonb, kept text) RETURNS text LANGUAGE sql IMMUTABLE AS $function$
  SELECT ${etagExpression({
    body: "change->>'body'",
    sealed: "kept, change->>'sealed'",
    apiVersion: "change->>'apiVersion'",
    operationId: "change->>'operationId'",
  })}
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
END $function$`;
