#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# Installs missing packages of Debian 12 with apt: those of the build; with the word `tests` also those of the
# tests; with `guest` those of the guest (tests/guest); with `fuzz` those of the fuzzers (tests/fuzz). Prints
# nothing if nothing is missing.
set -eu

packages='meson ninja-build g++ pkg-config python3 llvm-19-dev libasmjit-dev glslang-dev libxxhash-dev
    libzstd-dev libb2-dev zlib1g-dev libxml2-dev khronos-api libegl-dev libgles-dev libgbm-dev
    libglvnd-core-dev libwayland-dev libwayland-egl-backend-dev wayland-protocols libxcb1-dev
    libxcb-dri3-dev libxcb-present-dev libxcb-shm0-dev libxcb-xfixes0-dev libcli11-dev nlohmann-json3-dev
    libpng-dev doctest-dev'
for word; do
    case $word in
        tests) packages="$packages libdrm-dev sway grim weston glmark2-es2-wayland mesa-utils waffle-utils
            piglit xvfb python3-opengl libsdl2-tests xwayland" ;;
        guest) packages="$packages libdrm-dev qemu-system-x86 busybox-static cpio make gcc libelf-dev kmscube
            weston sway seatd util-linux libgl1-mesa-dri glmark2-es2-drm libsdl2-tests mpv
            python3-pyqt6.qtquick qml6-module-qtquick qml6-module-qtquick-window" ;;
        fuzz) packages="$packages clang-14 libclang-rt-14-dev llvm-14" ;;
    esac
done

missing=
for p in $packages; do
    case $(dpkg-query -W -f '${Status}' "$p" 2>/dev/null || true) in
        *' installed') ;;
        *) missing="$missing $p" ;;
    esac
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "install-deps: this is no Debian; what the build needs is called there:$missing" >&2
    exit 0
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
        echo "install-deps: run as root, or have root run: apt-get install$missing" >&2
        exit 1
    }
    as_root=sudo
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
    # shellcheck disable=SC2086 # split into words on purpose
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends $missing >"$log" 2>&1
}
echo "Installing$missing"
# The package lists of a new machine may be missing or old.
install || { $as_root apt-get update -q >"$log" 2>&1 && install; } || {
    cat "$log" >&2
    exit 1
}
