#!/bin/sh
# Puts the distribution together: one jar of all, native libraries, the launcher, and an AOT cache from a training run.
#
#   assemble.sh TARGET JAR JAVA_HOME
#
# PENSTOCK_AOT=off leaves the cache out; the server then only starts more slowly.
set -eu
target=$1 jar=$2 java_home=$3
here=$(cd "$(dirname "$0")" && pwd)
dist=$target/dist
lib=$dist/lib
mkdir -p "$lib/native"
printf '%s\n' "$java_home" >"$lib/java-home"

jars="$target/$jar $(ls "$target"/libraries/*.jar | LC_ALL=C sort)"
jvm_flags=$(sed -e 's/#.*//' "$here/jvm-flags" | tr '\n' ' ')
# The JVM does not notice that a jar has changed under its cache: the names of both have to.
hash=$( (sha256sum $jars | cut -d' ' -f1 && cat "$lib/java-home" "$java_home/release" "$here"/* && echo "$dist") |
    sha256sum | cut -c1-16)
name=penstock-$hash

if [ ! -e "$lib/$name.jar" ]; then
    "$java_home/bin/java" -XX:TieredStopAtLevel=1 "$here/MergeJars.java" "$lib/$name.jar.new" "$lib/native" $jars
    mv "$lib/$name.jar.new" "$lib/$name.jar"
fi
sed -e "s|@NAME@|$name|g" -e "s|@JVM_FLAGS@|$jvm_flags|" "$here/launcher.sh" >"$dist/nats-server.new"
chmod +x "$dist/nats-server.new"
mv "$dist/nats-server.new" "$dist/nats-server"

if [ "${PENSTOCK_AOT:-on}" = on ] && [ ! -e "$lib/$name.aot" ]; then
    sh "$here/train.sh" "$dist" "$lib/$name.aot" "$java_home" "$here" || {
        echo "training of the AOT cache failed; the server starts without it" >&2
    }
fi
# A server that runs keeps the files it has open; new ones start from the new.
for old in "$lib"/*.jar "$lib"/*.aot; do
    case $old in
        "$lib/$name".*) ;;
        *) rm -f "$old" ;;
    esac
done
