#!/bin/bash
# Exchange the program under its readers: the tables first, then one replica after another.
#   upgrade.sh compose                      in the folder of compose.yaml, after `git pull`
#   upgrade.sh systemd RELEASE 8501 8502 8503     as root; RELEASE is a folder, /srv/posenc/releases/2
# A page whose replica ends connects to another by itself and goes on where its address says.
# Where a replica is not ready within PATIENCE seconds (180), all get the release before again.
set -euo pipefail
patience=${PATIENCE:-180} current=${CURRENT:-/srv/posenc/current}

save() { echo "Saving the lab before."; "$@"; }

by_compose() {
    cd "$(dirname "$0")"
    image=${POSENC_IMAGE:-positional-encodings:latest}
    replicas=$(docker compose config --services | grep "^app-" | sort)
    save docker compose exec -T backup bash /backup.sh /backups 14
    docker image tag "$image" "${image%:*}:before"
    docker compose build app-1
    docker compose run --rm --no-deps tables
    for replica in $replicas; do
        echo "Exchanging $replica."
        start "$replica" && continue
        echo "$replica is not ready after $patience s: all get the release before." >&2
        docker image tag "${image%:*}:before" "$image"
        for one in $replicas; do start "$one" || true; done
        exit 1
    done
    docker compose up -d --no-deps --no-build scheduler worker supervisor
    docker compose exec -T proxy sh -c "nginx -t && nginx -s reload"
}

start() { docker compose up -d --no-deps --no-build --wait --wait-timeout "$patience" "$1"; }

by_systemd() {
    local release before exchanged=()
    release=$(readlink -f "$1")
    shift
    [ -x "$release/.venv/bin/python" ] || { echo "No release: $release/.venv is missing." >&2; exit 2; }
    save systemctl start posenc-backup.service
    # It stays where this run is cut short: replicas that were not exchanged are of that release.
    [ -L "$current.before" ] || ln -s "$(readlink -f "$current")" "$current.before"
    before=$(readlink "$current.before")
    ln -sfn "$release" "$current"
    systemctl start posenc-tables.service || { go_back; exit 1; }
    for port in "$@"; do
        echo "Exchanging the replica at port $port."
        exchanged+=("$port")
        restart "$port" && continue
        echo "Port $port is not ready after $patience s: all get the release before." >&2
        go_back
        for one in "${exchanged[@]}"; do restart "$one" || true; done
        exit 1
    done
    rm "$current.before"
    systemctl restart posenc-scheduler.service "posenc-worker@*" posenc-supervisor.service
    nginx -t && systemctl reload nginx
}

go_back() { ln -sfn "$before" "$current"; rm "$current.before"; }

restart() { # and wait until it is ready
    systemctl restart "posenc-app@$1" || return 1
    for _ in $(seq "$patience"); do
        curl --fail --silent --max-time 5 --output /dev/null "http://127.0.0.1:$1/ready" && return 0
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
