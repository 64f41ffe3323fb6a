#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# Tests the Debian packages in a fresh Debian 12: they are installed with apt, used, and purged. Afterwards
# every file must be as before.
#   sh tests/package/run.sh [FOLDER]     FOLDER has the packages. By default they are built with
#                                        dpkg-buildpackage -us -uc -b
# It needs root, mmdebstrap and the network, and is not part of CI. WORK (default /tmp/terrazzo-package) keeps
# the fresh system as base.tar for the next run. GALLERY is examples/gallery of the same build (default: that
# of the packages' build). The last line is "N passed, N failed, N skipped".
set -eu
cd "$(dirname "$0")/../.."
here=$PWD/tests/package
work=${WORK:-/tmp/terrazzo-package}
arch=$(dpkg --print-architecture)
gallery=${GALLERY:-obj-$(dpkg-architecture -qDEB_HOST_GNU_TYPE)/examples/gallery}
[ "$(id -u)" -eq 0 ] && command -v mmdebstrap >/dev/null || { echo "skipped: needs root and mmdebstrap";
    exit 77; }
mkdir -p "$work"
root=$(mktemp -d "$work/root.XXXXXX")

debs=${1:-}
if [ -z "$debs" ]; then
    dpkg-buildpackage -us -uc -b >"$work/build.log" 2>&1 || { tail -n 30 "$work/build.log"; exit 1; }
    debs=..
fi
version=$(dpkg-parsechangelog -S Version)

# Debian's programs and Mesa are installed before Terrazzo and stay after it.
end() { ! mountpoint -q "$root/proc" || umount -l "$root/proc"; rm -rf --one-file-system "$root" "$root".*; }
trap end EXIT
[ -e "$work/base.tar" ] || {  # complete, or not there at all
    mmdebstrap --quiet --variant=apt \
        --include=mesa-utils,libegl-mesa0,libgl1-mesa-dri,libgles1,libgles2,xvfb,libpng16-16,weston bookworm \
        "$root.base.tar" http://deb.debian.org/debian
    mv "$root.base.tar" "$work/base.tar"
}
chmod 755 "$root"
tar -xf "$work/base.tar" -C "$root" --exclude="./dev/*"
for d in null zero urandom; do [ -e "$root/dev/$d" ] || cp -a "/dev/$d" "$root/dev/$d"; done
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/resolv.conf"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"  # apt must not start services here
chmod +x "$root/usr/sbin/policy-rc.d"
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/fresh"
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERRAZZO_SHADER_CACHE=off \
        DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 chroot "$root" "$@"
}
apt() {
    inside apt-get -y -q -o APT::Sandbox::User=root --no-install-recommends "$@" >"$root.apt.log" 2>&1 || {
        tail -n 20 "$root.apt.log"
        exit 1
    }
}
apt update

mkdir -p "$root/tmp/debs" "$root/tmp/out" "$root/tmp/golden"
cp "$debs"/libterrazzo*_"${version}_$arch".deb "$debs"/terrazzo-tools_"${version}_$arch".deb "$root/tmp/debs/"
cp "$gallery" "$root/tmp/gallery"
cp tests/golden/*.png "$root/tmp/golden/"
cp "$here/inside.sh" "$root/tmp/inside.sh"

# Lists every file with its kind, owner, rights, size and content, except the records of apt and of the
# loader.
listing() {
    (cd "$root" && find . -xdev -regextype posix-extended -regex "$records" -prune \
        -o -printf '%p %y %m %u %g %l\n' -type f -exec sha256sum {} +) | sort
}
records='\./(proc|dev|tmp|run|var/log|var/lib/apt|var/cache|etc/ld\.so\.cache'
records="$records"'|var/lib/dpkg/(.*-old|status|available|lock.*|triggers))'
listing >"$root.before"
status=0
inside sh /tmp/inside.sh install >"$root.log" 2>&1 || status=$?
cat "$root.log"
[ "$status" -eq 0 ] || exit 1
set -- $(tail -n 1 "$root.log" | tr -dc '0-9 ')
passed=$1 failed=$2 skipped=$3
# A program that this machine's compiler builds with libterrazzo-dev.
pc=$root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/pkgconfig
# shellcheck disable=SC2046 # split into words on purpose
if cc -o "$root/tmp/embed" examples/embed.c $(PKG_CONFIG_LIBDIR=$pc PKG_CONFIG_SYSROOT_DIR=$root pkg-config \
    --cflags --libs terrazzo) &&
    inside /tmp/embed /tmp/embed.ppm && [ -s "$root/tmp/embed.ppm" ]; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAILED: examples/embed.c with libterrazzo-dev"
fi
apt purge --autoremove 'libterrazzo*' terrazzo-tools
listing >"$root.after"
if cmp -s "$root.before" "$root.after"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAILED: purged, but the system is not as before:"
    diff "$root.before" "$root.after" | head -n 20
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
