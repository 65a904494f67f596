#!/usr/bin/env bash
# Builds the launcher of QEMU into the resources; needs gcc and the kernel's headers (linux-libc-dev). The built file is
# in the repository, so that nobody needs them. With an argument: builds into that file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
output=${1:-../src/main/resources/dev/berth/vm/machine/machine-launcher}
mkdir -p "$(dirname "$output")"
gcc -std=c11 -Os -Wall -Wextra -Werror -static -nostdlib -ffreestanding -fno-stack-protector \
  -fno-asynchronous-unwind-tables -fno-pie -no-pie -Wl,--build-id=none -Wl,-z,noexecstack -s \
  -o "$output" machine-launcher.c
