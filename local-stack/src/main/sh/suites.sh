# Sourced by ./penstock: the test suites.
. "$ROOT/local-stack/src/main/sh/tools.sh"
. "$ROOT/local-stack/src/main/sh/terraform.sh"

SUITES="quick wire faults console acceptance e2e chaos shots terraform"

suite_help() {
  cat <<'EOF'
Usage: ./penstock test [SUITE ...]      without a name: all, as CI does; ONE+OTHER runs two side by side

  quick     gates (format, Error Prone, lint) and unit, property and simulation tests of every Java module and of
            the Terraform provider against a server by the API document
  wire      real clients and tools against a real node; the same rows against nats-server
  faults    SIGKILL, power loss, bit flips, full disks
  console   type check, lint, unit and component tests of the web console
  acceptance the Terraform provider's kinds, kills and secrets against the real stack, with the newest Terraform
  e2e       the journeys of a new user in a browser, on the whole stack
  chaos     four short runs, drawn anew each time, of three nodes under load and faults, their invariants checked; left
            out where there is no root or no network namespace

Longer, on request:
  shots     pictures of every page on the whole stack, at two widths, light and dark, into local-stack/e2e/shots
  terraform the provider with Terraform 1.11 and 1.15, against the API document and against the real stack, with 500
            streams
EOF
}


suite_quick() { build_console; mvn_run --fail-at-end -T 2 install; provider_gates; provider_unit; }

# What the provider's sources have to pass.
provider_gates() {
  local unformatted
  need_go; install_staticcheck
  unformatted=$(cd "$ROOT/terraform" && "$(dirname -- "$GO")/gofmt" -l .)
  [ -z "$unformatted" ] || die "not formatted, run gofmt -w: $unformatted"
  (cd "$ROOT/terraform" && "$GO" vet ./... && "$TOOL_BIN/staticcheck" ./...)
}

# $1: the Terraform to test with; default the newest.
provider_unit() {
  install_terraform
  (cd "$ROOT/terraform" && TF_ACC= TF_ACC_TERRAFORM_PATH=${1:-$TERRAFORM} "$GO" test -count=1 ./...)
}

# The provider's pages have to be those of its schemas.
provider_docs() {
  local before=$TOOLS/provider-docs
  rm -rf "$before" && cp -r "$ROOT/terraform/docs" "$before"
  (cd "$ROOT/terraform" && PATH=$(dirname -- "$TERRAFORM"):$PATH "$GO" generate ./... >/dev/null) || die "the provider's pages could not be generated"
  diff -r "$before" "$ROOT/terraform/docs" >&2 || die "the provider's pages were not up to date; they are now: commit terraform/docs"
}

suite_acceptance() {
  need_go; install_terraform; install_go_tools
  on_a_stack 1 acceptance_newest
}

acceptance_newest() { acceptance "$TERRAFORM" -skip 'TestAccFiveHundredStreams|TestAccThreeNodes|TestAccKilledControlPlane'; }

suite_terraform() {
  provider_gates; install_terraform; install_go_tools; provider_docs
  provider_unit "$TERRAFORM_1_11"; provider_unit "$TERRAFORM"
  on_a_stack 3 acceptance_all
}

# Terraform 1.11 has no actions; many objects, replicas and a killed control plane are the same to every Terraform.
acceptance_all() {
  acceptance "$TERRAFORM" &&
    acceptance "$TERRAFORM_1_11" -skip 'TestAccNewer|TestAccFiveHundredStreams|TestAccThreeNodes|TestAccKilledControlPlane'
}

# $1: broker nodes; $2: what to run with the address and a token of a new stack in the environment, and PENSTOCK_TEST_STACK as
# the command that stops and starts parts of it.
on_a_stack() {
  local home code=0 variables
  need_java; build_all
  home=$(mktemp -d "${TMPDIR:-/tmp}/penstock-terraform.XXXXXX")
  printf '#!/bin/sh\nexec "%s/bin/java" -Xmx384m -Dpenstock.root="%s" -jar "%s" "$@" --home "%s"\n' "$JAVA_HOME" "$ROOT" "$STACK_JAR" "$home" >"$home.sh"
  chmod +x "$home.sh"
  (stack up --home "$home" --ports random --nodes "$1") >&2
  variables=$(stack token --home "$home" 2>/dev/null) && eval "$variables" && PENSTOCK_TEST_STACK=$home.sh "$2" || code=1
  (stack down --home "$home") >&2
  rm -f "$home.sh"
  [ "$code" -ne 0 ] || rm -rf "$home"
  [ "$code" -eq 0 ] || die "acceptance tests failed; the stack's logs are in $home/logs"
}

# The provider with a real Terraform against the stack of PENSTOCK_ENDPOINT. $1: the Terraform; the rest goes to go test.
acceptance() {
  local terraform=$1; shift
  (cd "$ROOT/terraform" && TF_ACC=1 TF_ACC_TERRAFORM_PATH=$terraform "$GO" test -count=1 -timeout 60m -parallel 4 "$@" ./acceptance/...)
}

# They wait for processes most of the time: two classes at a time.
suite_wire() {
  install_go_tools; need_installed
  mvn_run --fail-at-end -Dquick -DforkCount=2 -Dtest.included.tags=wire -Dtest.excluded.tags=faults surefire:test
}

# In a mount namespace of its own: a disk that was cut must not stay mounted in somebody else's.
suite_faults() {
  local apart=
  install_go_tools; install_fault_tools; need_installed; need_maven
  [ "$(id -u)" != 0 ] || apart="unshare -m --propagation private"
  (cd "$ROOT" && $apart "$MAVEN" -B --fail-at-end -Dquick -DforkCount=2 -Dtest.included.tags=faults -Dtest.excluded.tags=bench surefire:test)
}

# Short runs: what they draw differs each time. The long ones are ./penstock chaos cluster.
suite_chaos() {
  if [ "$(id -u)" != 0 ]; then
    say "chaos needs root for its networks and disks: left out"
    return 0
  fi
  install_fault_tools
  if ! has_networks; then
    say "chaos needs network namespaces, which this machine does not give: left out"
    return 0
  fi
  "$ROOT/penstock" chaos cluster --runs 4 --seconds 10
}

# Whether networks of their own and rules in them can be had.
has_networks() {
  unshare -n -m sh -c 'ip link add penstock0 type veth peer name penstock1 && ip link set penstock0 up && nft add table inet penstock' >&2
}

suite_console() { build_console; (cd "$ROOT/web-console" && npm test); }

suite_e2e() {
  install_go_tools; install_browser; install_clients; build_all
  # The control plane against the real identity provider, account-service and node.
  mvn_run -Dquick -pl control-plane -Dtest.included.tags=e2e -Dtest.excluded.tags= test
  (cd "$ROOT/local-stack/e2e" && npm test)
}

suite_shots() {
  install_go_tools; install_browser; install_clients; build_all
  (cd "$ROOT/local-stack/e2e" && npm run shots)
}

# Tagged suites run on what `quick` compiled.
need_installed() {
  [ -d "$ROOT/data-plane/server/target/test-classes" ] || mvn_run -q -Dquick -DskipTests install
}

# How a suite ended. $1: its name; $2: its exit code.
ended() {
  [ "$2" -eq 0 ] || { FAILED="$FAILED $1"; say "=== $1 FAILED"; }
}

# $1: a suite, or two as "one+other": the other runs beside the one, and what it says comes behind. No suite is run inside
# `if` or `||`: that would switch errexit off within it.
run_suite() {
  local one=${1%+*} other=${1#*+} log=
  if [ "$one" != "$other" ]; then
    log=$(mktemp "${TMPDIR:-/tmp}/penstock-test.XXXXXX")
    (set -e; "suite_$other") >"$log" 2>&1 &
  fi
  say "=== $one"
  set +e
  (set -e; "suite_$one")
  ended "$one" $?
  if [ -n "$log" ]; then
    wait $!
    local code=$?
    say "=== $other"
    cat "$log"
    rm -f "$log"
    ended "$other" $code
  fi
  set -e
}

run_suites() {
  local suite
  FAILED=
  case ${1:-} in -h | --help) suite_help; return 0 ;; esac
  # Both of faults and acceptance wait for processes most of the time.
  [ $# -gt 0 ] || set -- console quick wire faults+acceptance e2e chaos
  for suite in ${*//+/ }; do
    case " $SUITES " in *" $suite "*) ;; *) say "penstock: there is no suite \"$suite\""; suite_help >&2; exit 2 ;; esac
  done
  for suite in "$@"; do run_suite "$suite"; done
  [ -z "$FAILED" ] || die "failed:$FAILED"
  say "All suites passed: $*"
}
