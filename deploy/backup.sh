#!/bin/bash
# Save the lab: its database and its folder. A copy counts once it was restored and read.
#   POSENC_LAB_DATABASE=postgresql://… POSENC_LAB_HOME=… backup.sh FOLDER [DAYS]
# Copies older than DAYS (14) are removed. The user of the database must be allowed to create one.
# restore.sh beside it puts one back.
set -euo pipefail
. "$(dirname "$0")/database.sh"

folder=$1 days=${2:-14}
home=${POSENC_LAB_HOME:?}
copy=$folder/lab-$(date -u +%Y%m%dT%H%M%SZ)
trial=posenc_trial_$$

there() { # the address of another database of the same server: user, host and options stay
    sed -E "s#^([a-z+]+://[^/?]*)/[^?]*#\1/$1#" <<<"$database"
}
clean() { rm -f "$copy".*.part; dropdb --if-exists --maintenance-db="$database" "$trial" 2>/dev/null || true; }
trap clean EXIT

umask 077
pg_dump --format=custom --file="$copy.dump.part" "$database"
# After the database: every file that it knows of is there. Models can be fetched again.
tar -czf "$copy.tar.gz.part" -C "$home" --warning=no-file-changed --exclude=./models . || [ $? = 1 ]

createdb --maintenance-db="$database" "$trial"
pg_restore --exit-on-error --no-owner --dbname="$(there "$trial")" "$copy.dump.part"
jobs=$(psql -XAtq -d "$(there "$trial")" -c "SELECT count(*) FROM lab_jobs")
gzip --test "$copy.tar.gz.part"

mv "$copy.dump.part" "$copy.dump"
mv "$copy.tar.gz.part" "$copy.tar.gz"
find "$folder" -name "lab-*" -type f -mtime "+$days" -delete
echo "Saved and read back: $copy.dump with $jobs jobs, $copy.tar.gz."
