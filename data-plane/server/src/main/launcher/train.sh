#!/bin/sh
# Trains the AOT cache: runs the server once with a short session of clients, so that what a start and a first client
# need is loaded, linked and profiled in the cache. Every class in it costs each start a little, so listeners that few
# servers have (monitoring, WebSocket, TLS) are left out.
#
#   train.sh DIST CACHE JAVA_HOME SCRIPTS
set -eu
dist=$1 cache=$2 java_home=$3 scripts=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/training.conf" <<CONF
listen: "127.0.0.1:-1"
server_name: training
ports_file_dir: "$work"
jetstream { store_dir: "$work/store", max_mem: 64MB, max_file: 64MB }
accounts {
    A { users: [ {user: a, password: a} ], jetstream: enabled }
    \$SYS { users: [ {user: s, password: s} ] }
}
no_auth_user: a
CONF
JAVA_HOME=$java_home PENSTOCK_JAVA_OPTS="-XX:AOTCacheOutput=$work/new.aot" \
    "$dist/nats-server" -c "$work/training.conf" >"$work/log" 2>&1 &
server=$!
fail() {
    kill -9 "$server" 2>/dev/null || true
    cat "$work/log" >&2
    exit 1
}
timeout 120 "$java_home/bin/java" -XX:TieredStopAtLevel=1 "$scripts/TrainingClient.java" "$work" "$server" \
    >>"$work/log" 2>&1 || fail
# Not INT: a shell's background jobs ignore it.
kill -TERM "$server"
# The JVM writes the cache on its way out, by a process of its own.
waited=0
while kill -0 "$server" 2>/dev/null; do
    [ "$waited" -lt 180 ] || fail
    waited=$((waited + 1))
    sleep 1
done
[ -s "$work/new.aot" ] || fail
mv "$work/new.aot" "$cache"
