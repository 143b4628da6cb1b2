#!/usr/bin/env bash
# foreign-package.sh ARCHITECTURE PACKAGE FOLDER: unpacks a Debian package of another architecture in
# a folder. Nothing is installed: apt's lists of that architecture are kept for this download only.
set -euo pipefail
architecture=$1 package=$2 folder=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists,cache/archives}/partial "$folder"
cat >"$work/apt.conf" <<END
APT::Architectures { "$(dpkg --print-architecture)"; "$architecture"; };
Dir::State::Lists "$work/lists";
Dir::Cache "$work/cache";
APT::Sandbox::User "$(id -un)";
Debug::NoLocking "true";
END
export APT_CONFIG=$work/apt.conf
cd "$work"
apt-get -qq update || true # a list that is missing may be of another archive
apt-get -qq download "$package:$architecture"
dpkg -x "$package"_*_"$architecture".deb "$folder"
