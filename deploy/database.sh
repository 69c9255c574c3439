# For backup.sh and restore.sh: `database` is the address without its password, which the programs of
# PostgreSQL get in a variable: everybody on the machine may read their arguments.
database=${POSENC_LAB_DATABASE:?}
secret=$(sed -nE 's#^[a-z+]+://[^:/@]*:([^@/]*)@.*#\1#p' <<<"$database")
database=${database/":$secret@"/@}
printf -v PGPASSWORD '%b' "${secret//%/\\x}"
export PGPASSWORD
