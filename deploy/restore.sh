#!/bin/bash
# Put a saved lab in the place of the one that is there, with the app, the supervisor and the workers
# stopped. Files that the copy does not have stay.
#   POSENC_LAB_DATABASE=postgresql://… POSENC_LAB_HOME=… restore.sh FOLDER/lab-….dump
set -euo pipefail
. "$(dirname "$0")/database.sh"

dump=$1 archive=${1%.dump}.tar.gz
home=${POSENC_LAB_HOME:?}
[ -f "$dump" ] && [ -f "$archive" ] || { echo "There must be $dump and $archive." >&2; exit 2; }
# Before anything is changed: else the database would be old, and the folder as it was, or half.
tar -tzf "$archive" >/dev/null
mkdir -p "$home"
needed=$(gzip -dc "$archive" | wc -c) free=$(df --output=avail --block-size=1 "$home" | tail -n 1)
[ "$needed" -le "$free" ] || { echo "$home needs $needed bytes, and $free are free." >&2; exit 1; }
# All of it or nothing. Tables that a newer program made go too: it would take them for up to date.
{
    echo "BEGIN;"
    cat <<'END'
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE 'lab\_%'
    LOOP EXECUTE format('DROP TABLE public.%I CASCADE', name); END LOOP;
END $$;
END
    pg_restore --no-owner --file=- "$dump" && echo "COMMIT;"
} | psql -Xq -v ON_ERROR_STOP=1 -d "$database" >/dev/null
tar -xzf "$archive" -C "$home"
echo "Restored: $(psql -XAtq -d "$database" -c "SELECT count(*) FROM lab_jobs") jobs, $home."
