#!/bin/bash
# Put a saved lab in the place of the one that is there, with the app, the supervisor and the workers
# stopped. Files that the copy does not have stay.
#   POSENC_LAB_DATABASE=postgresql://… POSENC_LAB_HOME=… restore.sh FOLDER/lab-….dump
set -euo pipefail
. "$(dirname "$0")/database.sh"

dump=$1 archive=${1%.dump}.tar.gz
home=${POSENC_LAB_HOME:?}
[ -f "$dump" ] && [ -f "$archive" ] || { echo "There must be $dump and $archive." >&2; exit 2; }
tar -tzf "$archive" >/dev/null  # else the database would be old, and the folder as it was
pg_restore --clean --if-exists --exit-on-error --no-owner --single-transaction -d "$database" "$dump"
mkdir -p "$home"
tar -xzf "$archive" -C "$home"
echo "Restored: $(psql -XAtq -d "$database" -c "SELECT count(*) FROM lab_jobs") jobs, $home."
