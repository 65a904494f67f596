#!/bin/sh
# Builds the guest program: build.sh OUTPUT. The same compiler and libraries give the same bytes.
set -eu
here=$(dirname "$0")
output=$(realpath "$1")
cd "$here"
LC_ALL=C gcc -std=gnu17 -D_GNU_SOURCE -Os -static -s -Wall -Wextra -Werror -Wno-format-truncation -Wno-unused-result -ffunction-sections -fdata-sections \
  -fstack-protector-strong -D_FORTIFY_SOURCE=2 -Wl,--gc-sections -Wl,--build-id=none -Wl,-z,noseparate-code \
  -o "$output" $(LC_ALL=C ls ./*.c)
