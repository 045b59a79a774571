-- T1, T1b and the push line of T1d, in one statement. Log rows are locked in the order they come (by stream id), the account
-- row last (S6): from there on until the commit nobody else gives a version in this account. The first row says what became
-- of the push as a whole, the others are its items in order.
CREATE OR REPLACE FUNCTION push_batch(
  p_account uuid, p_device uuid, p_epoch uuid, p_boot uuid, p_key_epoch bigint, p_blob bytea,
  l_stream uuid[], l_kind integer[], l_epoch bigint[], l_from bigint[], l_to bigint[], l_deleted boolean[], l_macs bytea,
  s_log integer[], s_from bigint[], s_to bigint[], s_key bigint[], s_start integer[], s_len integer[], r_start integer,
  r_kind integer[], r_id uuid[], r_base bigint[], r_rev bigint[], r_key bigint[], r_deleted boolean[], r_writer uuid[],
  r_shared boolean[], r_len integer[], r_macs bytea
) RETURNS TABLE (
  what text, code text, o_kind integer, o_id uuid, o_version bigint, o_rev bigint, o_mac bytea, o_key_id bigint,
  o_body bytea, o_deleted boolean, o_writer uuid, o_received_at timestamptz, o_writer_epoch bigint, o_last_seq bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  a accounts%ROWTYPE;
  d devices%ROWTYPE;
  l logs%ROWTYPE;
  r records%ROWTYPE;
  found_logs logs[] := '{}';
  codes text[] := '{}';
  touched boolean[] := '{}';
  logs_count integer := cardinality(l_stream);
  records_count integer := cardinality(r_id);
  delta bigint := 0;
  v bigint;
  prev bytea;
  tail bytea;
  at integer := 0;
  received timestamptz;
BEGIN
  SELECT * INTO a FROM accounts WHERE id = p_account;
  SELECT * INTO d FROM devices WHERE account_id = p_account AND id = p_device;
  what := 'push';
  o_id := a.epoch;
  o_version := a.head;
  o_last_seq := a.roster_seq;
  code := CASE
    WHEN a.epoch IS DISTINCT FROM p_epoch THEN 'RESET'
    WHEN d.boot_id IS DISTINCT FROM p_boot OR d.revoked_at IS NOT NULL THEN 'BOOT'
    WHEN p_key_epoch < a.key_epoch THEN 'STALE_EPOCH'
  END;
  IF code IS NOT NULL THEN
    RETURN NEXT;
    RETURN;
  END IF;

  FOR i IN 1 .. logs_count LOOP
    prev := substring(l_macs FROM (i - 1) * 32 + 1 FOR 16);
    tail := substring(l_macs FROM (i - 1) * 32 + 17 FOR 16);
    touched[i] := false;
    SELECT * INTO l FROM logs WHERE account_id = p_account AND stream_id = l_stream[i] FOR NO KEY UPDATE;
    IF NOT FOUND AND l_from[i] = 1 THEN
      INSERT INTO logs (account_id, stream_id, kind, writer_device, writer_epoch, last_seq, tail_mac, version, deleted)
      VALUES (p_account, l_stream[i], l_kind[i], p_device, l_epoch[i], 0, prev, 0, false) ON CONFLICT DO NOTHING RETURNING * INTO l;
      -- Somebody made it at this very moment.
      IF NOT FOUND THEN
        SELECT * INTO l FROM logs WHERE account_id = p_account AND stream_id = l_stream[i] FOR NO KEY UPDATE;
      END IF;
    END IF;
    codes[i] := CASE
      WHEN l.account_id IS NULL THEN 'HAVE'
      WHEN l.deleted THEN 'GONE'
      -- No device goes on with a log under another epoch: there is no takeover.
      WHEN l.writer_device <> p_device OR l_epoch[i] <> l.writer_epoch THEN 'FENCED'
      WHEN l_deleted[i] THEN 'OK'
      WHEN l_from[i] = l.last_seq + 1 AND prev = l.tail_mac THEN 'OK'
      WHEN l_to[i] = l.last_seq AND tail = l.tail_mac THEN 'OK'
      ELSE 'HAVE'
    END;
    IF codes[i] = 'OK' AND (l_deleted[i] OR l_from[i] = l.last_seq + 1) THEN
      touched[i] := true;
      IF l.version > 0 THEN
        delta := delta # sum_of_log(l.stream_id, l.version, l.last_seq, l.tail_mac, l.writer_device, l.writer_epoch);
      END IF;
      IF l_deleted[i] THEN
        l.deleted := true;
        DELETE FROM segments WHERE account_id = p_account AND stream_id = l.stream_id;
      ELSE
        l.last_seq := l_to[i];
        l.tail_mac := tail;
      END IF;
    END IF;
    found_logs[i] := l;
  END LOOP;

  INSERT INTO segments (account_id, stream_id, from_seq, to_seq, prev_mac, mac, key_id, body)
  SELECT p_account, l_stream[s.log], s.first, s.last,
    -- The chain values stand in the sealed header (V13).
    substring(p_blob FROM s.start + 52 FOR 16), substring(p_blob FROM s.start + 68 FOR 16),
    s.key, substring(p_blob FROM s.start FOR s.len)
  FROM unnest(s_log, s_from, s_to, s_key, s_start, s_len) AS s(log, first, last, key, start, len)
  WHERE touched[s.log];

  IF records_count > 0 OR true = ANY (touched) THEN
    SELECT * INTO a FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
    SELECT * INTO d FROM devices WHERE account_id = p_account AND id = p_device;
    -- What was asked at the beginning may have changed until the lock was there: nothing of this push is kept then.
    IF a.epoch IS DISTINCT FROM p_epoch THEN RAISE EXCEPTION 'epoch' USING ERRCODE = 'CH001'; END IF;
    IF d.boot_id IS DISTINCT FROM p_boot OR d.revoked_at IS NOT NULL THEN RAISE EXCEPTION 'boot' USING ERRCODE = 'CH002'; END IF;
    IF p_key_epoch < a.key_epoch THEN RAISE EXCEPTION 'key epoch' USING ERRCODE = 'CH003'; END IF;
  END IF;
  v := a.head;

  FOR i IN 1 .. logs_count LOOP
    IF touched[i] THEN
      v := v + 1;
      l := found_logs[i];
      l.version := v;
      found_logs[i] := l;
      IF NOT l.deleted THEN
        delta := delta # sum_of_log(l.stream_id, v, l.last_seq, l.tail_mac, l.writer_device, l.writer_epoch);
      END IF;
      UPDATE logs SET last_seq = l.last_seq, tail_mac = l.tail_mac, deleted = l.deleted, version = v
      WHERE account_id = p_account AND stream_id = l.stream_id;
    END IF;
  END LOOP;

  at := r_start;
  received := clock_timestamp();
  what := 'record';
  FOR i IN 1 .. records_count LOOP
    SELECT * INTO r FROM records WHERE account_id = p_account AND kind = r_kind[i] AND id = r_id[i];
    code := CASE
      WHEN r.account_id IS NOT NULL AND NOT r_shared[i] AND r.writer <> r_writer[i] THEN 'FORBIDDEN'
      WHEN coalesce(r.version, 0) <> r_base[i] THEN 'CONFLICT'
      ELSE 'OK'
    END;
    IF code = 'OK' THEN
      v := v + 1;
      IF r.account_id IS NOT NULL AND NOT r.deleted THEN
        delta := delta # sum_of_record(r.kind, r.id, r.version, r.mac);
      END IF;
      r.account_id := p_account;
      r.kind := r_kind[i];
      r.id := r_id[i];
      r.version := v;
      r.rev := r_rev[i];
      r.mac := substring(r_macs FROM (i - 1) * 16 + 1 FOR 16);
      r.key_id := r_key[i];
      r.body := substring(p_blob FROM at FOR r_len[i]);
      r.deleted := r_deleted[i];
      r.writer := r_writer[i];
      r.received_at := received;
      IF NOT r.deleted THEN
        delta := delta # sum_of_record(r.kind, r.id, r.version, r.mac);
      END IF;
      INSERT INTO records (account_id, kind, id, version, rev, mac, key_id, body, deleted, writer, received_at)
      VALUES (r.account_id, r.kind, r.id, r.version, r.rev, r.mac, r.key_id, r.body, r.deleted, r.writer, r.received_at)
      ON CONFLICT (account_id, kind, id) DO UPDATE SET version = r.version, rev = r.rev, mac = r.mac, key_id = r.key_id,
        body = r.body, deleted = r.deleted, writer = r.writer, received_at = r.received_at;
    END IF;
    at := at + r_len[i];
    o_kind := r.kind; o_id := r.id; o_version := r.version; o_rev := r.rev; o_mac := r.mac; o_key_id := r.key_id;
    -- The sender has what it sent.
    o_body := CASE WHEN code = 'OK' THEN ''::bytea ELSE r.body END;
    o_deleted := r.deleted; o_writer := r.writer; o_received_at := r.received_at;
    RETURN NEXT;
  END LOOP;

  IF v > a.head THEN
    UPDATE accounts SET head = v, sum = a.sum # delta WHERE id = p_account;
  END IF;

  what := 'log';
  o_rev := NULL; o_key_id := NULL; o_body := NULL; o_received_at := NULL;
  FOR i IN 1 .. logs_count LOOP
    l := found_logs[i];
    code := codes[i];
    o_kind := l.kind; o_id := l.stream_id; o_version := l.version; o_mac := l.tail_mac; o_deleted := l.deleted;
    o_writer := l.writer_device; o_writer_epoch := l.writer_epoch; o_last_seq := l.last_seq;
    RETURN NEXT;
  END LOOP;

  what := 'push'; code := 'DONE'; o_kind := NULL; o_id := a.epoch; o_deleted := NULL; o_writer := NULL; o_writer_epoch := NULL;
  o_version := v;
  -- For the page of the answer, where nobody else had written: how many versions it gave, the sum, and the account's state.
  o_rev := v - a.head; o_mac := int8send(a.sum # delta); o_key_id := a.purged_to; o_last_seq := a.roster_seq;
  o_received_at := clock_timestamp();
  RETURN NEXT;
END
$$;
