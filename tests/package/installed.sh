#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# Tests the files of `ninja install` in a minimal Debian 12 with a compiler, pkg-config and libgles-dev (the
# headers of OpenGL ES), but without dpkg-dev: `pkg-config terrazzo` works, a program is linked with it and
# runs, `terrazzo run` runs a program that uses only the system's EGL, and `terrazzo explain` finds no
# problem.
#   sh tests/package/installed.sh BUILD     BUILD: a finished build with the default prefix on this Debian
# It needs root, mmdebstrap and the network, and is not part of CI. WORK (default /tmp/terrazzo-package) keeps
# the fresh system as minimal.tar for the next run. The last line is "N passed, N failed, N skipped".
set -eu
cd "$(dirname "$0")/../.."
build=$1
work=${WORK:-/tmp/terrazzo-package}
[ "$(id -u)" -eq 0 ] && command -v mmdebstrap >/dev/null || { echo "skipped: needs root and mmdebstrap";
    exit 77; }
mkdir -p "$work"
root=$(mktemp -d "$work/root.XXXXXX")
end() { ! mountpoint -q "$root/proc" || umount -l "$root/proc"; rm -rf --one-file-system "$root" "$root".*; }
trap end EXIT
[ -e "$work/minimal.tar" ] || {  # complete, or not there at all
    mmdebstrap --quiet --variant=minbase --include=g++,pkg-config,libgles-dev bookworm "$root.base.tar" \
        http://deb.debian.org/debian
    mv "$root.base.tar" "$work/minimal.tar"
}
chmod 755 "$root"
tar -xf "$work/minimal.tar" -C "$root" --exclude="./dev/*"
for d in null zero urandom; do [ -e "$root/dev/$d" ] || cp -a "/dev/$d" "$root/dev/$d"; done
mount -t proc proc "$root/proc"
inside() {
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        TERRAZZO_SHADER_CACHE=off EGL_PLATFORM=surfaceless chroot "$root" "$@"
}
passed=0 failed=0
check() {
    what=$1
    shift
    if "$@" >"$root.log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what"
        tail -n 15 "$root.log"
    fi
}

check 'there is no dpkg-architecture' sh -c "! ls '$root/usr/bin/dpkg-architecture' 2>/dev/null"
# The libraries that Terrazzo needs are copied from this machine; a user of a minimal Debian installs their
# packages.
LIBDIR=$(pkg-config --variable=libdir libpng 2>/dev/null || echo /usr/lib)
DESTDIR=$root meson install -C "$build" --no-rebuild --quiet >"$root.install" 2>&1 || { cat "$root.install";
    exit 1; }
for file in $(find "$root/usr/local" -name '*.so*' -type f) "$root/usr/local/bin/terrazzo"; do
    ldd "$file" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p'
done | sort -u | while read -r library; do
    case $library in "$root"*) continue ;; esac
    [ -e "$root$library" ] || cp -L "$library" "$root$LIBDIR/"
done
check ldconfig inside ldconfig
check 'pkg-config terrazzo' inside pkg-config --exists --print-errors terrazzo
cp examples/embed.c "$root/tmp/embed.c"
check 'a program is compiled and linked' inside sh -c \
    'cc -o /tmp/embed /tmp/embed.c $(pkg-config --cflags --libs terrazzo)'
check 'it runs' inside /tmp/embed /tmp/embed.ppm
check 'its picture' test -s "$root/tmp/embed.ppm"
check 'terrazzo info' inside terrazzo info
check 'terrazzo explain' inside terrazzo explain
check 'a virtual GPU' inside terrazzo run --device sim:mali-g610 -- true
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
