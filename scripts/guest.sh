# The packages of .ci/guest-packages; sourced by ./dev. They are unpacked into target/guest and never installed: a kernel
# would be the next one that this machine boots.

# Never fails the run: tests that need them are skipped.
unpack_guest() {
  local guest=$ROOT/target/guest packages
  command -v apt-get >/dev/null && command -v qemu-system-x86_64 >/dev/null || return 0
  cmp -s .ci/guest-packages "$guest/packages" && return 0
  say "unpacking Debian packages for the virtual machine of some tests"
  rm -rf "$guest" && mkdir -p "$guest/archives" || return 0
  mapfile -t packages < <(sed 's/ *#.*//; /^$/d' .ci/guest-packages)
  if unpack "${packages[@]}" >"$LOGS/guest.log" 2>&1; then
    rm -r "$guest/archives" && cp .ci/guest-packages "$guest/packages"
  else
    say "that failed; its output is in $LOGS/guest.log; skipped without it: control groups of version 2, systemd"
  fi
}

unpack() (
  kernel=$(kernel_package) || { apt-get update -q && kernel=$(kernel_package); } || exit 1
  cd "$guest/archives" || exit 1
  # apt-get leaves its privileges behind, which its own user may not be able to do here.
  apt-get -o APT::Sandbox::User=root -q download "$kernel" "$@" ||
    { apt-get update -q && apt-get -o APT::Sandbox::User=root -q download "$kernel" "$@"; } || exit 1
  for archive in *.deb; do dpkg-deb -x "$archive" "$guest" || exit 1; done
  busybox depmod -b "$guest" "${kernel#linux-image-}"
)

# The newest that Debian builds for virtual machines.
kernel_package() {
  apt-cache depends linux-image-cloud-amd64 2>/dev/null | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | grep .
}
