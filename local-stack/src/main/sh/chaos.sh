# Sourced by ./penstock: a cluster of whole processes under faults.
. "$ROOT/local-stack/src/main/sh/tools.sh"

run_chaos() {
  local jar=$ROOT/data-plane/chaos/target/penstock-chaos.jar apart= server=
  need_java
  [ -x "$SERVER_DIST/nats-server" ] || build_server
  if newer "$jar" data-plane/chaos/src data-plane/chaos/pom.xml data-plane/testkit/src; then
    mvn_run -q -Dquick -DskipTests -pl data-plane/testkit,data-plane/chaos install
  fi
  case " $* " in
    *" --help "* | *" -h "* | "  ") exec "$JAVA_HOME/bin/java" -jar "$jar" "$@" ;;
    *" --server "*) ;;
    *) server="--server $SERVER_DIST/nats-server" ;;
  esac
  [ "$(id -u)" = 0 ] || die "chaos needs root: it makes networks and disks for its nodes."
  install_fault_tools
  # In a mount namespace of its own: a disk that was cut must not stay mounted in somebody else's.
  exec unshare -m --propagation private "$JAVA_HOME/bin/java" -XX:+UseSerialGC -Xmx512m -jar "$jar" "$@" $server
}
