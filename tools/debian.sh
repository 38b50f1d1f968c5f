#!/bin/sh
# debian.sh PROGRAM PACKAGE: installs a Debian package where the program is missing.
set -eu
command -v "$1" >/dev/null 2>&1 && exit 0
as_root=$([ "$(id -u)" -eq 0 ] || echo sudo)
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "$2" >/dev/null
