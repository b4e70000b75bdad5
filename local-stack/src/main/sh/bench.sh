# Sourced by ./penstock: measurements of whole processes against the reference server.
. "$ROOT/local-stack/src/main/sh/tools.sh"

run_bench() {
  local jar=$ROOT/data-plane/benchmarks/target/penstock-benchmarks.jar
  install_go_tools
  [ -x "$SERVER_DIST/nats-server" ] || build_server
  need_java
  if newer "$jar" data-plane/benchmarks/src data-plane/benchmarks/pom.xml; then
    mvn_run -q -Dquick -DskipTests -pl data-plane/benchmarks package
  fi
  if [ $# -eq 0 ] || [ "$1" = -h ] || [ "$1" = --help ]; then
    exec "$JAVA_HOME/bin/java" -jar "$jar" --help
  fi
  exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -Xmx128m -jar "$jar" "$@" \
    --ours "$SERVER_DIST/nats-server" --reference "$TOOL_BIN/nats-server" --nats "$TOOL_BIN/nats"
}
