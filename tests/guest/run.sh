#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# Boots a QEMU guest with Debian's kernel and a virtual KMS card (vkms). There it runs programs that show what
# Terrazzo's CPU device draws on the card. run.sh [STEP...]: runs these steps of inside.sh, by default all.
# BUILT=1: does not build. BUILD is the build folder; results and pictures are written to GUEST_OUT
# (build/guest/out).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
build=$(cd "$top" && mkdir -p "${BUILD:-build}" && cd "${BUILD:-build}" && pwd)
work=$build/guest
out=${GUEST_OUT:-$work/out}
limit_s=${GUEST_LIMIT:-5400}
kernel=$work/kernel/${GUEST_KERNEL:-6.12}

sh "$top/tests/install-deps.sh" tests guest
[ -e "$build/build.ninja" ] || meson setup "$build" "$top" -Dwerror=true
[ -n "${BUILT:-}" ] || ninja -C "$build" >"$build/guest.ninja.log" || { tail -n 30 "$build/guest.ninja.log";
    exit 1; }
mkdir -p "$work"
sh "$here/kernel.sh" "$work/kernel"
cp "$here/inside.sh" "$work/"  # a copy: the file may be edited while the guest runs
rm -rf "$out"
mkdir -p "$out"
for program in scanout stop_at_frame; do
    shared=
    [ $program = scanout ] || shared='-shared -fPIC'
    # shellcheck disable=SC2046,SC2086 # split into words on purpose
    cc -O2 -Wall -Wextra -Werror $shared -o "$work/$program" "$here/$program.c" $(pkg-config --cflags \
        --libs libdrm)
done

# The initramfs: busybox, and the modules that the guest needs to reach its files.
root=$work/initramfs
rm -rf "$root"
mkdir -p "$root/bin"
cp "$(command -v busybox)" "$root/bin/"
install -m 755 "$here/init" "$root/init"
modules=$kernel/modules/lib/modules/$(cat "$kernel/done")
wanted() { # wanted MODULE...: prints the files of modules and of their dependencies
    for m; do sed -n "s|^\([^:]*/$m\.ko[^:]*\): *\(.*\)|\1 \2|p" "$modules/modules.dep"; done
}
for file in $(wanted virtio_pci 9pnet_virtio 9p vkms); do
    install -D -m 644 "$modules/$file" "$root/lib/modules/$(cat "$kernel/done")/$file"
done
cp "$modules"/modules.dep* "$root/lib/modules/$(cat "$kernel/done")/"
(cd "$root" && find . | cpio -o -H newc 2>/dev/null | gzip -1) >"$work/initramfs.gz"

boot() { # boot QEMU-ARGS...
    qemu-system-x86_64 "$@" -nodefaults -no-reboot -display none -m "${GUEST_MEMORY:-4096}" -smp "$(nproc)" \
        -kernel "$kernel/vmlinuz" -initrd "$work/initramfs.gz" -serial "file:$out/serial.log" \
        -append "console=ttyS0 panic=-1 random.trust_cpu=on guest.script=$work/inside.sh guest.build=$build\
 guest.clients=$top/tests/clients guest.steps=$(echo "$steps" | tr ' ' ,)" \
        -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
        -virtfs local,path="$out",mount_tag=out,security_model=none >"$out/qemu.log" 2>&1 &
    qemu=$!
}
steps="$*"
trap 'kill "$qemu" 2>/dev/null || true' EXIT
accelerator=TCG
# /dev/kvm may only interpret Debian's kernel (README.md, "KVM"): the kernel must print something within ten
# seconds.
if [ -w /dev/kvm ] && [ "${GUEST_KVM:-1}" = 1 ]; then
    boot -accel kvm -cpu host
    for _ in $(seq 100); do
        grep -q 'Linux version' "$out/serial.log" 2>/dev/null && accelerator=KVM && break
        kill -0 "$qemu" 2>/dev/null || break
        sleep 0.1
    done
fi
if [ $accelerator = TCG ]; then
    kill "${qemu:-}" 2>/dev/null || true
    wait 2>/dev/null || true
    boot -accel tcg,thread=multi -cpu max
fi
echo "The guest runs with $accelerator; its words: $out/serial.log"
began=$(date +%s)
while kill -0 "$qemu" 2>/dev/null; do
    [ $(($(date +%s) - began)) -lt "$limit_s" ] || { echo "FAILED: the guest did not end within $limit_s s";
        kill "$qemu"; break; }
    sleep 1
done
echo "The guest ran $(($(date +%s) - began)) s"
python3 "$here/check.py" "$out"
