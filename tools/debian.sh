#!/bin/sh
# debian.sh PROGRAM PACKAGE: installs the Debian package if the program, or the file of this path, is missing.
set -eu
if [ -e "$1" ] || command -v "$1" >/dev/null 2>&1; then exit 0; fi
as_root=$([ "$(id -u)" -eq 0 ] || echo sudo)
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "$2" >/dev/null
