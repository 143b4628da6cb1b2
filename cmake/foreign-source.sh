#!/usr/bin/env bash
# foreign-source.sh PACKAGE FOLDER FILE...: unpacks files of the source of a Debian package in a
# folder. Nothing is installed, and apt's own lists stay as they are: lists of sources are kept for
# this download only. apt checks the archive's signatures.
set -euo pipefail
package=$1 folder=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists,cache/archives}/partial "$work/parts" "$folder"
# The archives of Debian that apt knows; if it has no lists yet, Debian's own.
keys=/usr/share/keyrings/debian-archive-keyring.gpg
entry="deb-src [signed-by=$keys]"
apt-get indextargets --format "$entry \$(SITE) \$(RELEASE) \$(COMPONENT)" "Created-By: Packages" \
  "Origin: Debian" | sort -u >"$work/parts/sources.list"
if [ ! -s "$work/parts/sources.list" ]; then
  . /etc/os-release
  echo "$entry http://deb.debian.org/debian $VERSION_CODENAME main" >"$work/parts/sources.list"
fi
cat >"$work/apt.conf" <<END
Dir::State::Lists "$work/lists";
Dir::Cache "$work/cache";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$work/parts";
APT::Sandbox::User "$(id -un)";
Debug::NoLocking "true";
END
export APT_CONFIG=$work/apt.conf
cd "$work"
apt-get -qq update || true # a list that is missing may be of another archive
apt-get -qq source --download-only "$package"
for file in "$@"; do
  tar -xf "$package"_*.orig.tar.* -C "$folder" --strip-components=1 --wildcards "*/$file"
done
