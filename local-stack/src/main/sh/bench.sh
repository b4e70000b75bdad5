# Sourced by ./penstock: measurements of whole processes against the reference server.
. "$ROOT/local-stack/src/main/sh/tools.sh"

run_bench() {
  if [ "${1:-}" = terraform ]; then bench_terraform; return; fi
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

# How long an apply of 500 streams and a plan over them take, on a stack of its own.
bench_terraform() {
  . "$ROOT/local-stack/src/main/sh/suites.sh"
  need_go; install_terraform
  on_a_stack 1 measure_terraform
}

measure_terraform() {
  (cd "$ROOT/terraform" && TF_ACC=1 TF_ACC_TERRAFORM_PATH=$TERRAFORM "$GO" test -run '^$' -bench . -benchtime 1x -timeout 30m ./acceptance)
}
