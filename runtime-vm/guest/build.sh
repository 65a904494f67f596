#!/bin/sh
# Builds the guest program to the place where it is kept in the repository, with a file that says from what, or
# to another place: build.sh [OUTPUT]. The same compiler and C library make the same bytes.
set -eu
export LC_ALL=C
cd "$(dirname "$0")"
kept=../src/main/resources/dev/berth/vm/kernel/guest-init
output=${1:-$kept}
gcc -std=gnu17 -D_GNU_SOURCE -Os -static -s -Wall -Wextra -Werror -Wno-format-truncation -Wno-unused-result \
  -ffunction-sections -fdata-sections -fstack-protector-strong -D_FORTIFY_SOURCE=2 \
  -Wl,--gc-sections -Wl,--build-id=none -Wl,-z,noseparate-code -o "$output" *.c
if [ "$output" = "$kept" ]; then
  {
    cat build.sh *.c *.h | sha256sum | cut -d' ' -f1
    cat "$(gcc -print-file-name=libc.a)" "$(gcc -print-prog-name=cc1)" | sha256sum | cut -d' ' -f1
  } > "$kept.sources"
fi
