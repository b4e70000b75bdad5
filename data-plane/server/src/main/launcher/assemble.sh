#!/bin/sh
# Puts the distribution together: lib/ with all jars, the launcher, and an AOT cache from a training run.
#
#   assemble.sh TARGET JAR JAVA_HOME
#
# PENSTOCK_AOT=off leaves the cache out; the server then only starts more slowly.
set -eu
target=$1 jar=$2 java_home=$3
here=$(cd "$(dirname "$0")" && pwd)
dist=$target/dist
lib=$dist/lib

mkdir -p "$lib"
# The order of the class path is part of the cache, so it is fixed here.
wanted=
for source in "$target/$jar" $(ls "$target"/libraries/*.jar | LC_ALL=C sort); do
    name=${source##*/}
    wanted="$wanted $name"
    cmp -s "$source" "$lib/$name" || {
        cp "$source" "$lib/$name.new"
        mv "$lib/$name.new" "$lib/$name"
    }
done
for present in "$lib"/*.jar; do
    case " $wanted " in
        *" ${present##*/} "*) ;;
        *) rm -f "$present" ;;
    esac
done
printf '%s\n' "$java_home" >"$lib/java-home"

jvm_flags=$(sed -e 's/#.*//' "$here/jvm-flags" | tr '\n' ' ')
# The JVM does not notice that a jar has changed under its cache: the name of the file has to.
hash=$( (cd "$lib" && sha256sum $wanted && cat java-home "$java_home/release" && echo "$jvm_flags") | sha256sum | cut -c1-16)
cache=penstock-$hash.aot

class_path=
for name in $wanted; do
    class_path="$class_path:\$home/lib/$name"
done
class_arguments="-cp \"${class_path#:}\" io.penstock.server.Main"
sed -e "s|@CACHE@|$cache|g" -e "s|@JVM_FLAGS@|$jvm_flags|" -e "s|@CLASS_ARGUMENTS@|$class_arguments|g" \
    "$here/launcher.sh" >"$dist/nats-server.new"
chmod +x "$dist/nats-server.new"
mv "$dist/nats-server.new" "$dist/nats-server"

if [ "${PENSTOCK_AOT:-on}" = on ] && [ ! -e "$lib/$cache" ]; then
    sh "$here/train.sh" "$dist" "$lib/$cache" "$java_home" "$here" || {
        echo "training of the AOT cache failed; the server starts without it" >&2
    }
fi
for old in "$lib"/*.aot; do
    [ "$old" = "$lib/$cache" ] || rm -f "$old"
done
