#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# Runs in the fresh system of run.sh: installs the packages of /tmp/debs one after another and uses them. The
# last line is "N passed, N failed, N skipped".
passed=0 failed=0 skipped=0
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED: $*"; tail -n 15 /tmp/log; }
# check WHAT CMD...: the command must succeed; its output is in /tmp/log.
check() { what=$1; shift; if "$@" >/tmp/log 2>&1; then pass; else fail "$what"; fi; }
# expect PATTERN WHAT CMD...: the command must print a line that matches, with any exit status.
expect() {
    pattern=$1 what=$2
    shift 2
    "$@" >/tmp/log 2>&1
    if grep -Eq -- "$pattern" /tmp/log; then pass; else fail "$what: no line matches '$pattern'"; fi
}
install() { check "apt install $*" apt-get -y -q -o APT::Sandbox::User=root \
    --no-install-recommends install "$@"; }
json=/usr/share/glvnd/egl_vendor.d/60_terrazzo.json
libdir=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo "$(uname -m)-linux-gnu")
export EGL_PLATFORM=surfaceless MESA_SHADER_CACHE_DISABLE=1

# The command and its dependencies, without Terrazzo as a vendor.
install /tmp/debs/libterrazzo0_*.deb /tmp/debs/terrazzo-tools_*.deb
expect '^libraries +'"$libdir/terrazzo" 'terrazzo info' terrazzo info
expect '^shader compiler '"$libdir/terrazzo/libterrazzo-llvm.so" 'terrazzo info: LLVM' terrazzo info
expect 'sim:mali-g610' 'terrazzo info: virtual GPUs' terrazzo info -v
check 'gallery' terrazzo run -- /tmp/gallery --out /tmp/out --size 256x256
for golden in /tmp/golden/*.png; do
    case $golden in *.es2.png) ;; *) check "the picture ${golden##*/}" cmp "$golden" \
        "/tmp/out/${golden##*/}" ;; esac
done
for device in sim:mali-g610 sim:adreno-630; do
    check "gallery on $device" terrazzo run --device $device -- /tmp/gallery --out /tmp/out-sim \
        --size 32x32 triangle
done
expect 'EGL vendor string: Terrazzo' 'eglinfo' terrazzo run -- eglinfo
expect 'EGL vendor string: Mesa' 'eglinfo without Terrazzo' eglinfo
check 'the manual page' test -s /usr/share/man/man1/terrazzo.1.gz
check 'the completion' bash -n /usr/share/bash-completion/completions/terrazzo.bash
check 'no --glvnd without its package' sh -c "! terrazzo run --glvnd -- true"

# As a vendor of libglvnd: Mesa stays the default.
install /tmp/debs/libterrazzo-egl_*.deb
expect 'EGL vendor string: Mesa' 'eglinfo: the default' eglinfo
eglinfo >/tmp/eglinfo 2>&1
check 'eglinfo: no platform is Terrazzo by default' sh \
    -c "! sed '/^Device platform/,\$d' /tmp/eglinfo | grep -q Terrazzo"
check 'eglinfo: its devices are listed' sh -c \
    "sed -n '/^Device platform/,\$p' /tmp/eglinfo | grep -q 'EGL vendor string: Terrazzo'"
expect 'EGL vendor string: Terrazzo' 'eglinfo with the variable' env __EGL_VENDOR_LIBRARY_FILENAMES=$json \
    eglinfo
expect 'EGL vendor string: Terrazzo' 'eglinfo with --glvnd' terrazzo run --glvnd -- eglinfo
check 'gallery through libglvnd' env __EGL_VENDOR_LIBRARY_FILENAMES=$json /tmp/gallery --out /tmp/out-glvnd \
    --size 256x256 cube
check 'its picture' cmp /tmp/golden/cube.png /tmp/out-glvnd/cube.png
mkdir -p /etc/glvnd/egl_vendor.d
ln -s $json /etc/glvnd/egl_vendor.d/
expect 'EGL vendor string: Terrazzo' 'eglinfo with the link' eglinfo
check 'gallery with the link' /tmp/gallery --out /tmp/out-link --size 256x256 gears
check 'its picture' cmp /tmp/golden/gears.png /tmp/out-link/gears.png
rm /etc/glvnd/egl_vendor.d/60_terrazzo.json

# Windows: an X server, and a Wayland server that draws with Terrazzo.
Xvfb :70 -screen 0 640x480x24 >/dev/null 2>&1 & xvfb=$!
for _ in $(seq 100); do [ -S /tmp/.X11-unix/X70 ] && break; sleep 0.2; done
export DISPLAY=:70
unset EGL_PLATFORM
expect 'EGL_VENDOR: Terrazzo' 'es2_info' terrazzo run -- es2_info
expect 'EGL_VENDOR: Terrazzo' 'es2_info through libglvnd' env __EGL_VENDOR_LIBRARY_FILENAMES=$json es2_info
expect 'EGL_VENDOR: Mesa' 'es2_info: the default' es2_info
kill $xvfb
unset DISPLAY
export XDG_RUNTIME_DIR=/tmp/runtime
mkdir -m 700 $XDG_RUNTIME_DIR
__EGL_VENDOR_LIBRARY_FILENAMES=$json weston --backend=headless-backend.so --use-gl --socket=fresh \
    --idle-time=0 >/tmp/weston.log 2>&1 & weston=$!
for _ in $(seq 200); do [ -S $XDG_RUNTIME_DIR/fresh ] && break; sleep 0.2; done
expect 'GL renderer: .*Terrazzo' 'weston through libglvnd' cat /tmp/weston.log
expect 'frames in' 'weston-simple-egl through libglvnd' env WAYLAND_DISPLAY=fresh \
    __EGL_VENDOR_LIBRARY_FILENAMES=$json stdbuf -oL timeout 20 weston-simple-egl
kill $weston
wait

install /tmp/debs/libterrazzo-dev_*.deb
check 'terrazzo.h' test -e /usr/include/terrazzo.h
check 'libterrazzo.so' test -e "$libdir/libterrazzo.so"
for file in $(dpkg -L libterrazzo0 libterrazzo-egl terrazzo-tools | grep -E '\.so(\.|$)|/bin/'); do
    [ -f "$file" ] && check "what $file needs" sh -c \
        "! LD_LIBRARY_PATH=$libdir/terrazzo ldd $file | grep -q 'not found'"
done
echo "$passed passed, $failed failed, $skipped skipped"
