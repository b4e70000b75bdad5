#!/bin/sh
# Starts the server in this process: the pid stays the same, and nothing is printed that the server does not print.
# Finds a JDK of version 25 or later in JAVA_HOME, where the build found it, on the PATH, then in the usual places.

self=$0
case $self in
    */*) ;;
    *) self=$(command -v -- "$0") ;;
esac
name=${0##*/}
while [ -h "$self" ]; do
    target=$(readlink "$self")
    case $target in
        /*) self=$target ;;
        *) self=${self%/*}/$target ;;
    esac
done
home=${self%/*}

# Whether $1 is the home of a JDK that is new enough; reads its release file without starting anything.
suits() {
    [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
    while IFS== read -r key value; do
        if [ "$key" = JAVA_VERSION ]; then
            value=${value#\"}
            value=${value%%[!0-9]*}
            [ "${value:-0}" -ge 25 ]
            return
        fi
    done <"$1/release"
    return 1
}

find_java() {
    [ -n "$JAVA_HOME" ] && suits "$JAVA_HOME" && java_home=$JAVA_HOME && return
    [ -r "$home/lib/java-home" ] && read -r built <"$home/lib/java-home" && suits "$built" &&
        java_home=$built && return
    on_path=$(command -v java) && on_path=$(readlink -f "$on_path") &&
        suits "${on_path%/bin/java}" && java_home=${on_path%/bin/java} && return
    for candidate in /usr/lib/jvm/*25* /usr/lib/jvm/* /opt/java/* /opt/jdk* "$HOME"/.sdkman/candidates/java/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home; do
        suits "$candidate" && java_home=$candidate && return
    done
    echo "$name: no JDK of version 25 or later found; set JAVA_HOME to one" >&2
    exit 1
}
find_java

set -- -cp "$home/lib/@NAME@.jar" -Djava.library.path="$home/lib/native" io.penstock.server.Main "$@"
# The cache belongs to exactly this jar and JDK; without a fitting one the server only starts more slowly.
if [ -r "$home/lib/@NAME@.aot" ]; then
    set -- -XX:AOTCache="$home/lib/@NAME@.aot" -Xlog:aot=off -Xlog:cds=off "$@"
fi
exec "$java_home/bin/java" @JVM_FLAGS@ $PENSTOCK_JAVA_OPTS -Dpenstock.executable="$name" -Dpenstock.pid=$$ "$@"
