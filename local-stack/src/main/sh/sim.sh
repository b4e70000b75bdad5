# Sourced by ./penstock: simulations of streams, consumers and metadata by seeds.
SIMULATIONS="stream replicated cluster metadata"

sim_help() {
  cat <<'EOF'
Usage: ./penstock sim [--seeds N] [--from S] [--threads T] [NAME ...]

Plays each simulation, or those named, with N seeds (default 1000) from S on (default 1), T at a time (default 1).
Tells how far it is, each seed that fails at once, and all of them in the end; play one again with --seeds 1 --from S.

  stream      one node: random operations, crashes with and without lost entries
  replicated  three nodes: crashes at any write, cuts, leader changes, moves between groups
  cluster     four nodes with metadata: lost disks, members that come and go
  metadata    the metadata's log and snapshots on three nodes
EOF
}

sim_test() {
  case $1 in
    stream) echo SimulationTest ;;
    replicated) echo ReplicatedSimulationTest ;;
    cluster) echo ClusterSimulationTest ;;
    metadata) echo MetaSimulationTest ;;
    *) die "no simulation is called '$1': there are $SIMULATIONS." ;;
  esac
}

run_sim() {
  local seeds=1000 from=1 threads=1 names= tests= name
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help) sim_help; return ;;
      --seeds | --from | --threads)
        case ${2:-} in '' | *[!0-9]*) die "$1 needs a number." ;; esac
        case $1 in --seeds) seeds=$2 ;; --from) from=$2 ;; *) threads=$2 ;; esac
        shift ;;
      -*) die "unknown flag $1; see ./penstock sim --help." ;;
      *) names="$names $1" ;;
    esac
    shift
  done
  for name in ${names:-$SIMULATIONS}; do
    tests=$tests,$(sim_test "$name") || exit 1
  done
  build_server
  mvn_run -q -Dquick -pl data-plane/jetstream test -Dtest="${tests#,}" -Dpenstock.seeds="$seeds" \
    -Dpenstock.seeds.from="$from" -Dpenstock.seeds.threads="$threads" -Dmaven.test.redirectTestOutputToFile=false
}
