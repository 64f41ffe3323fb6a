#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# kernel.sh FOLDER: writes a kernel of Debian 12 for the guest to FOLDER (vmlinuz, modules/), once. Nothing is
# installed on this machine. Debian builds no vkms module. It is compiled, unchanged, from Debian's own source
# of the same kernel and with its headers. The kernel is 6.12 of bookworm-security, because Debian 12's 6.1
# was built without /dev/udmabuf; GUEST_KERNEL=6.1 selects that one.
set -eu
folder=$1
series=${GUEST_KERNEL:-6.12}
[ -e "$folder/$series/done" ] && exit 0

shown() { apt-cache show "$1" | sed -n "s/^$2: //p"; }
# The package that always depends on the newest kernel of a series. The one of 6.1 has no number in its name,
# and its versions in the backports are of another series.
newest=linux-image-$series-amd64
[ "$series" != 6.1 ] || newest=linux-image-amd64
image=$(shown "$newest" Depends | sed -n "s/.*\(linux-image-$series\.[^ ]*\) .*/\1/p" | sort -V | tail -n 1)
[ -n "$image" ] || { echo "kernel.sh: apt knows no Linux $series: run apt-get update" >&2; exit 1; }
release=${image#linux-image-}
version=$(shown "$image" Version | head -n 1)
common=$(echo "$release" | sed 's/-amd64$/-common/')
kbuild=$(shown "linux-headers-$release" Depends | sed -n 's/.*\(linux-kbuild-[^ ,]*\).*/\1/p' | head -n 1)
compiler=$(shown "linux-headers-$release" Depends | sed -n 's/.*\(linux-compiler-gcc-[^ ,]*\).*/\1/p' \
    | head -n 1)

echo "Fetching Linux $release ($version) and the source of its vkms"
rm -rf "${folder:?}/$series"
mkdir -p "$folder/$series/deb" "$folder/$series/unpacked"
cd "$folder/$series"
(cd deb && apt-get download -q "$image=$version" "linux-headers-$release=$version" \
    "linux-headers-$common=$version" \
    "$kbuild=$version" ${compiler:+"$compiler=$version"} "linux-source-$series=$version" >../download.log \
        2>&1) || {
    cat download.log >&2
    exit 1
}
for deb in deb/*.deb; do
    case $deb in
        deb/linux-source-*) dpkg-deb --fsys-tarfile "$deb" | tar -xO "./usr/src/linux-source-$series.tar.xz" |
            tar -xJ --strip-components=1 "linux-source-$series/drivers/gpu/drm/vkms" ;;
        *) dpkg-deb -x "$deb" unpacked ;;
    esac
done
rm -rf deb
# Debian's headers refer to each other by their installed paths.
headers=$PWD/unpacked/usr/src/linux-headers-$release
find "$headers" "$PWD/unpacked/usr/src/linux-headers-$common" -maxdepth 1 -name Makefile -exec sed -i \
    "s|/usr/src/|$PWD/unpacked/usr/src/|" {} +
make -C "$headers" M="$PWD/drivers/gpu/drm/vkms" CONFIG_DRM_VKMS=m CONFIG_DEBUG_INFO_BTF_MODULES= modules \
    >build.log 2>&1 || {
    tail -n 30 build.log >&2
    exit 1
}
cp "unpacked/boot/vmlinuz-$release" vmlinuz
modules=unpacked/lib/modules/$release
[ -d "$modules" ] || modules=unpacked/usr/lib/modules/$release
mkdir -p modules/lib/modules
mv "$modules" "modules/lib/modules/$release"
cp drivers/gpu/drm/vkms/vkms.ko "modules/lib/modules/$release/kernel/"
busybox depmod -b "$PWD/modules" "$release"
rm -rf unpacked
echo "$release" >done
