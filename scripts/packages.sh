# The Debian packages of .ci/debian-packages; sourced by ./dev.

# Prints "package<TAB>tests" for each package whose command is not on the PATH.
missing_packages() {
  local package command tests
  while read -r package command tests; do
    [[ -z $package || $package == \#* ]] && continue
    PATH="$PATH:/usr/sbin:/sbin" command -v "$command" >/dev/null || printf '%s\t%s\n' "$package" "$tests"
  done <"$ROOT/.ci/debian-packages"
}

# As root installs what is missing; otherwise names it and says what will be skipped. Never fails the run.
install_missing_packages() {
  local missing package tests names=()
  missing=$(missing_packages)
  [[ -n $missing ]] || return 0
  while IFS=$'\t' read -r package tests; do names+=("$package"); done <<<"$missing"
  if ((EUID == 0)) && command -v apt-get >/dev/null; then
    say "installing Debian packages: ${names[*]}"
    apt_install "${names[@]}" && return 0
    say "apt-get failed; its output is in $LOGS/apt.log"
  else
    say "not root, so nothing is installed; missing: apt-get install ${names[*]}"
  fi
  while IFS=$'\t' read -r package tests; do say "skipped without $package: $tests"; done < <(missing_packages)
}

# Tests start their own servers, so the packages' daemons must stay down: policy-rc.d refuses their start.
apt_install() (
  policy=/usr/sbin/policy-rc.d
  if [[ ! -e $policy ]]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
  fi
  export DEBIAN_FRONTEND=noninteractive
  {
    apt-get install -y -q --no-install-recommends "$@" ||
      { apt-get update -q && apt-get install -y -q --no-install-recommends "$@"; }
  } >"$LOGS/apt.log" 2>&1
)
