# Programs of other architectures; sourced by ./dev. They are unpacked into target/foreign and never installed.

# Never fails the run: tests that need them are skipped.
unpack_foreign() {
  local foreign=$ROOT/target/foreign
  command -v apt-get >/dev/null && command -v qemu-aarch64-static >/dev/null || return 0
  [[ -x $foreign/arm64/bin/busybox && -x $foreign/armhf/bin/busybox ]] && return 0
  say "unpacking Debian's busybox for arm64 and armhf, for tests with images of several architectures"
  rm -rf "$foreign"
  download_foreign "$foreign" >"$LOGS/foreign.log" 2>&1 ||
    say "that failed; its output is in $LOGS/foreign.log; skipped without it: a second architecture on real containerd"
}

# With lists of its own, so that the machine's package manager keeps its architectures.
download_foreign() (
  mkdir -p "$1/lists/partial" "$1/cache" && cd "$1" || exit 1
  cat >apt.conf <<CONF
APT::Architecture "$(dpkg --print-architecture)";
APT::Architectures { "$(dpkg --print-architecture)"; "arm64"; "armhf"; };
APT::Sandbox::User "root";
Dir::State::lists "$1/lists";
Dir::Cache "$1/cache";
CONF
  export APT_CONFIG=$1/apt.conf
  # Other lists than that of the main archive may fail.
  apt-get -q update
  apt-get -q download busybox-static:arm64 busybox-static:armhf || exit 1
  for architecture in arm64 armhf; do
    dpkg-deb -x busybox-static_*_"$architecture".deb "$architecture" || exit 1
  done
  rm -rf lists cache ./*.deb
)
