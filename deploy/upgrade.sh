#!/bin/bash
# Exchange the program under its readers: the tables first, then one replica after another.
#   upgrade.sh compose            in the folder of compose.yaml, after `git pull`
#   upgrade.sh systemd 8501 8502 8503     as root, after /srv/posenc/current points to the new one
# A page whose replica ends connects to another by itself and goes on where its address says.
set -euo pipefail

save() { echo "Saving the lab before."; "$@"; }

by_compose() {
    cd "$(dirname "$0")"
    save docker compose exec -T backup bash /backup.sh /backups 14
    docker compose build app-1
    docker compose run --rm --no-deps tables
    for replica in $(docker compose config --services | grep "^app-" | sort); do
        echo "Exchanging $replica."
        docker compose up -d --no-deps --no-build --wait "$replica"
    done
    docker compose up -d --no-deps --no-build scheduler worker supervisor
}

by_systemd() {
    save systemctl start posenc-backup.service
    systemctl start posenc-tables.service
    for port in "$@"; do
        echo "Exchanging the replica at port $port."
        systemctl restart "posenc-app@$port"
        until curl --fail --silent --output /dev/null "http://127.0.0.1:$port/ready"; do sleep 1; done
    done
    systemctl restart posenc-scheduler.service "posenc-worker@*" posenc-supervisor.service
}

kind=${1:-}
shift || true
case $kind in
    compose) by_compose ;;
    systemd) by_systemd "${@:?the ports of the replicas}" ;;
    *) sed -n '2,5s/^# //p' "$0"; exit 2 ;;
esac
