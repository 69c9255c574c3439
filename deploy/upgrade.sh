#!/bin/bash
# Exchange the program under its readers: the tables first, then one replica after another.
#   upgrade.sh compose                      in the folder of compose.yaml, after `git pull`
#   upgrade.sh systemd RELEASE 8501 8502 8503     as root; RELEASE is a folder, /srv/posenc/releases/2
# A page whose replica ends connects to another by itself and goes on where its address says.
# Where a replica is not ready within PATIENCE seconds (180), all get the release before again.
set -euo pipefail
patience=${PATIENCE:-180} current=${CURRENT:-/srv/posenc/current}
settings=${SETTINGS:-/etc/posenc.env}

save() { echo "Saving the lab before."; "$@"; }

by_compose() {
    cd "$(dirname "$0")"
    image=${POSENC_IMAGE:-positional-encodings:latest}
    from=${image%:*}:upgraded-from
    replicas=$(docker compose config --services | grep "^app-" | sort)
    save docker compose exec -T backup bash /backup.sh /backups 14
    # It stays where this run is cut short: `image` is the new release then.
    docker image inspect "$from" >/dev/null 2>&1 || docker image tag "$image" "$from"
    docker compose build app-1
    docker compose run --rm --no-deps tables || image_back
    for replica in $replicas; do
        echo "Exchanging $replica."
        start "$replica" && continue
        echo "$replica is not ready after $patience s: all get the release before." >&2
        image_back
    done
    docker image rm "$from"
    docker compose up -d --no-deps --no-build scheduler worker supervisor
    docker compose exec -T proxy sh -c "nginx -t && nginx -s reload"
}

image_back() {
    docker image tag "$from" "$image"
    for one in $replicas; do start "$one" || true; done
    docker image rm "$from"
    exit 1
}

start() { docker compose up -d --no-deps --no-build --wait --wait-timeout "$patience" "$1"; }

by_systemd() {
    local release before exchanged=()
    release=$(readlink -f "$1")
    shift
    [ -x "$release/.venv/bin/python" ] || { echo "No release: $release/.venv is missing." >&2; exit 2; }
    save systemctl start posenc-backup.service
    # It stays where this run is cut short: some replicas are of that release then, and some are not.
    if [ -L "$current.before" ]; then exchanged=("$@")
    else ln -s "$(readlink -f "$current")" "$current.before"; fi
    before=$(readlink "$current.before")
    ln -sfn "$release" "$current"
    systemctl start posenc-tables.service || go_back
    for port in "$@"; do
        echo "Exchanging the replica at port $port."
        exchanged+=("$port")
        restart "$port" && continue
        echo "Port $port is not ready after $patience s: all get the release before." >&2
        go_back
    done
    rm "$current.before"
    systemctl restart posenc-scheduler.service "posenc-worker@*" posenc-supervisor.service
    nginx -t && systemctl reload nginx
}

go_back() {
    ln -sfn "$before" "$current"
    for one in $(printf "%s\n" "${exchanged[@]}" | sort -u); do restart "$one" || true; done
    rm "$current.before"
    exit 1
}

restart() { # and wait until it is ready
    systemctl restart "posenc-app@$1" || return 1
    for _ in $(seq "$patience"); do
        # Where there is a token it opens the path, and is in no list of processes.
        { sed -n 's/^POSENC_LAB_ADMIN=\(..*\)/header = "Authorization: Bearer \1"/p' "$settings" ||
            true; } 2>/dev/null |
            curl --config - --fail --silent --max-time 5 --output /dev/null \
                "http://127.0.0.1:$1/ready" && return 0
        sleep 1
    done
    return 1
}

kind=${1:-}
shift || true
case $kind in
    compose) by_compose ;;
    systemd) [ $# -ge 2 ] || { sed -n '2,6s/^# //p' "$0"; exit 2; }; by_systemd "$@" ;;
    *) sed -n '2,6s/^# //p' "$0"; exit 2 ;;
esac
