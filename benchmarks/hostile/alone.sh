#!/bin/sh
# Run a command as on a server that reaches nobody: what leaves this machine, questions for names too,
# is swallowed without an answer, and memory ends at 4 GB. Says what this machine does not allow.
#   alone.sh COMMAND …
group=/sys/fs/cgroup/memory$(sed -n 's/.*:memory://p' /proc/self/cgroup)/posenc-hostile
swallow='ip link set lo up && ip route add default dev lo'

if [ -d /run/systemd/system ] && [ "$(id -u)" = 0 ]; then
    set -- systemd-run --quiet --scope -p MemoryMax=4G -p MemorySwapMax=0 "$@"
elif mkdir -p "$group" 2>/dev/null && echo 4G >"$group/memory.limit_in_bytes"; then
    echo $$ >"$group/cgroup.procs"
else
    echo "No memory group can be made here: memory does not end at 4 GB." >&2
fi
for way in "unshare --net" "unshare --map-root-user --net"; do
    $way sh -c "$swallow" 2>/dev/null && exec $way sh -c "$swallow && exec \"\$@\"" sh "$@"
done
echo "No network of its own can be made here: names and the way out are not swallowed." >&2
exec "$@"
