# Sourced by ./penstock: Terraform with the provider of this checkout, against the running stack.

PROVIDER_DIR=$ROOT/terraform/target

terraform_usage() {
  cat <<'EOF'
Usage: ./penstock terraform [--home DIR] ARGS...

Runs Terraform with the provider of this checkout (a development override, so that no init is needed for it) and with
PENSTOCK_ENDPOINT, PENSTOCK_TOKEN and PENSTOCK_ORG of the running stack, unless PENSTOCK_TOKEN is set already.

  ./penstock terraform -chdir=terraform/examples/quickstart apply
EOF
}

need_go() {
  GO=$(command -v go || ls /usr/local/go/bin/go /usr/lib/go*/bin/go 2>/dev/null | head -n 1) ||
    die "Go is needed to build the Terraform provider. Install Go 1.25 or newer."
}

build_provider() {
  need_go
  newer "$PROVIDER_DIR/terraform-provider-penstock" terraform || return 0
  say "Building the Terraform provider …"
  (cd "$ROOT/terraform" && "$GO" build -o "$PROVIDER_DIR/terraform-provider-penstock" .) >&2 || die "the provider could not be built (see above)"
}

# A CLI configuration that points to the built provider and to nothing else.
write_cli_config() {
  mkdir -p "$(dirname -- "$1")"
  printf 'provider_installation {\n  dev_overrides {\n    "penstock/penstock" = "%s"\n  }\n  direct {}\n}\n' "$PROVIDER_DIR" >"$1"
}

run_terraform() {
  local home=${PENSTOCK_HOME:-$ROOT/.penstock} variables
  case ${1:-} in
    -h | --help | "") terraform_usage; return 0 ;;
    --home) home=${2:?--home needs a folder}; shift 2 ;;
  esac
  [ -e "$STACK_JAR" ] || die "nothing is built yet: run ./penstock up first."
  . "$ROOT/local-stack/src/main/sh/tools.sh"
  install_terraform
  build_provider
  write_cli_config "$home/terraform.tfrc"
  if [ -z "${PENSTOCK_TOKEN:-}" ]; then
    variables=$(stack token --home "$home") || die "no token for Terraform (see above)"
    eval "$variables"
  fi
  export TF_CLI_CONFIG_FILE=$home/terraform.tfrc CHECKPOINT_DISABLE=1
  exec "$TERRAFORM" "$@"
}
