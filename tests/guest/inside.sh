#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# inside.sh BUILD OUT: runs in the guest. Each step writes pictures to OUT, which check.py checks on the host,
# and lines to OUT/results: "pass WHAT", "fail WHAT", "skip WHAT". OUT/STEP.log has the output of programs.
build=$1 out=$2
guest=$build/guest
clients=$(sed -n 's/.*guest\.clients=\([^ ]*\).*/\1/p' /proc/cmdline)
card=/dev/dri/card0
patience_s=600  # for each program: a busy machine may leave the guest a tenth of a CPU
steps=$(sed -n 's/.*guest\.steps=\([^ ]*\).*/\1/p' /proc/cmdline | tr , ' ')
result() { echo "$*" >>"$out/results"; echo "guest: $(cut -d ' ' -f 1 /proc/uptime) s: $*" >/dev/console; }
# on terrazzo|mesa CMD...: runs CMD with Terrazzo's libraries, or Debian's Mesa. No Terrazzo variable is set.
# It replaces the calling shell: use it in the background or in a subshell, ( on ... ).
on() {
    libraries=
    [ "$1" = mesa ] || libraries=$build/api
    shift
    exec env LD_LIBRARY_PATH="$libraries" "$@" <&3
}
# kmscube ends as soon as its standard input is readable.
mkfifo /tmp/quiet
exec 3<>/tmp/quiet
# until_true SECONDS CMD...
until_true() {
    until_s=$(($(date +%s) + $1))
    shift
    until "$@"; do
        [ "$(date +%s)" -lt "$until_s" ] || return 1
        sleep 0.5
    done
}
state_is() { [ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null)" = "$2" ]; }
gone() { state_is "$1" Z || [ ! -e "/proc/$1" ]; }
stopped_or_gone() { state_is "$1" T || gone "$1"; }
# there_is PID FILE: waits for the file while the program lives, until the time is up.
there_is() {
    until_true $patience_s sh -c "[ -e '$2' ] || ! kill -0 $1 2>/dev/null"
    [ -e "$2" ]
}
# stop PID: ends the process and waits for its end.
stop() {
    kill -CONT "$1" 2>/dev/null
    kill "$1" 2>/dev/null
    until_true 20 sh -c "! kill -0 $1 2>/dev/null || grep -q ') Z' /proc/$1/stat" || kill -9 "$1"
    wait "$1" 2>/dev/null
}
# dump NAME: writes the framebuffer that the card shows now.
dump() { "$guest/scanout" fb "$card" "$out/$1.ppm" >>"$out/$1.txt" 2>&1; }

# frames_of NAME DRIVER PROGRAM...: writes the program's 2nd and 20th frame to NAME-2.ppm and NAME-20.ppm, and
# the writeback of the 20th to NAME-writeback.ppm.
frames_of() {
    name=$1 driver=$2
    shift 2
    on "$driver" env STOP_AT=2,20 LD_PRELOAD="$guest/stop_at_frame" "$@" >"$out/$name.log" 2>&1 &
    pid=$!
    for frame in 2 20; do
        until_true $patience_s stopped_or_gone $pid
        state_is $pid T || {
            result "fail $name: it ended before frame $frame: $(tail -n 1 "$out/$name.log")"
            stop $pid
            return
        }
        dump "$name-$frame"
        [ $frame = 2 ] && kill -CONT $pid && until_true 5 sh -c "! grep -q ') T' /proc/$pid/stat"
    done
    "$guest/scanout" writeback "$card" "$out/$name-writeback.ppm" $pid >>"$out/$name-writeback.txt" 2>&1
    result "pass $name: 20 frames"
    stop $pid
}

# freeze PID, thaw PID: stop a program while its buffer is read, so that it cannot draw there, and continue
# it.
freeze() {
    kill -STOP "$1"
    until_true 10 stopped_or_gone "$1"
}
thaw() { kill -CONT "$1"; }

# moving NAME PID: NAME-0.ppm, NAME-1.ppm and NAME-2.ppm must be different pictures of the card's output,
# within the time.
moving() {
    known=
    n=0
    end=$(($(date +%s) + patience_s))
    while [ $n -lt 3 ] && ! gone "$2" && [ "$(date +%s)" -lt $end ]; do
        freeze "$2"
        dump "$1-$n"
        thaw "$2"
        hash=$(tail -n 1 "$out/$1-$n.txt" | sed 's/.*hash //')
        case " $known " in *" $hash "*) sleep 2 ;; *) known="$known $hash" n=$((n + 1)) ;; esac
    done
    [ $n = 3 ] && result "pass $1: the picture moves" ||
        result "fail $1: $n different pictures before it ended, or in $patience_s s"
}

step_facts() {
    { uname -a; ls -l /dev/dri /dev/udmabuf; cat /proc/modules; "$build/api/command/terrazzo" explain;
        } >"$out/facts.log" 2>&1
    [ -c $card ] && result "pass $(uname -r) has a card without a GPU" || result "fail there is no $card"
}

step_kmscube() {
    for driver in terrazzo mesa; do
        frames_of kmscube-$driver $driver kmscube -D $card
    done
    # llvmpipe has no fences for it.
    frames_of kmscube-atomic-terrazzo terrazzo kmscube -D $card -A
    frames_of kmscube-nv12-terrazzo terrazzo kmscube -D $card -M nv12-1img
}

# Its own buffers, created with a modifier and used as EGL images.
step_surfaceless() {
    for driver in terrazzo mesa; do
        frames_of kmscube-surfaceless-$driver $driver kmscube -D $card -x -m 0
    done
}

step_weston() {
    cat >/tmp/weston.ini <<C
[core]
require-input=false
idle-time=0
[shell]
background-color=0xff204060
clock-format=none
locking=false
animation=none
startup-animation=none
close-animation=none
C
    for driver in terrazzo mesa; do
        export XDG_RUNTIME_DIR=/tmp/weston-$driver
        mkdir -p -m 700 $XDG_RUNTIME_DIR
        on $driver weston --backend=drm-backend.so --tty=2 --config=/tmp/weston.ini --socket=guest \
            --log="$out/weston-$driver.log" >"$out/weston-$driver.out" 2>&1 &
        pid=$!
        if there_is $pid "$XDG_RUNTIME_DIR/guest"; then
            settled weston-$driver-still $pid
            [ $driver = mesa ] || weston_client
        else
            result "fail weston-$driver does not start: $(tail -n 1 "$out/weston-$driver.log")"
        fi
        stop $pid
    done
}
# A client of the weston $pid.
weston_client() {
    export WAYLAND_DISPLAY=guest
    on terrazzo weston-simple-egl >"$out/weston-client.log" 2>&1 &
    client=$!
    moving weston-terrazzo $pid
    freeze $pid
    dump weston-terrazzo-last
    "$guest/scanout" writeback "$card" "$out/weston-terrazzo-writeback.ppm" $pid \
        >"$out/weston-terrazzo-writeback.txt" 2>&1
    thaw $pid
    stop $client
    unset WAYLAND_DISPLAY
}

# settled NAME PID: writes NAME.ppm once the card has shown the same picture five times.
settled() {
    before= same=0
    end=$(($(date +%s) + patience_s))
    while [ $same -lt 4 ] && ! gone "$2" && [ "$(date +%s)" -lt $end ]; do
        sleep 1
        freeze "$2"
        dump "$1"
        thaw "$2"
        hash=$(tail -n 1 "$out/$1.txt" | sed 's/.* lit //')
        case $hash in "$before") same=$((same + 1)) ;; *) same=0 ;; esac
        case $hash in 0.000* | scanout:*) same=0 ;; esac
        before=$hash
    done
}

step_sway() {
    export XDG_RUNTIME_DIR=/tmp/sway
    mkdir -m 700 $XDG_RUNTIME_DIR
    chown nobody $XDG_RUNTIME_DIR
    cat >/tmp/sway.config <<C
output * bg #204060 solid_color
xwayland disable
C
    SEATD_VTBOUND=0 seatd -u nobody >"$out/seatd.log" 2>&1 &
    seatd=$!
    until_true 10 [ -S /run/seatd.sock ]
    on terrazzo setpriv --reuid=nobody --regid=nogroup --clear-groups env LIBSEAT_BACKEND=seatd \
        WLR_LIBINPUT_NO_DEVICES=1 WLR_BACKENDS=drm \
        WLR_DRM_DEVICES=$card WLR_RENDERER=gles2 WLR_RENDERER_ALLOW_SOFTWARE=1 XDG_CURRENT_DESKTOP=sway sway \
            -d -c /tmp/sway.config >"$out/sway.log" 2>&1 &
    pid=$!
    if there_is $pid $XDG_RUNTIME_DIR/wayland-1; then
        export WAYLAND_DISPLAY=wayland-1
        settled sway-still $pid
        on terrazzo setpriv --reuid=nobody --regid=nogroup --clear-groups weston-simple-egl \
            >"$out/sway-client.log" 2>&1 &
        client=$!
        moving sway $pid
        stop $client
    else
        result "fail sway does not start: $(grep -i error "$out/sway.log" | tail -n 1)"
    fi
    stop $pid
    stop $seatd
}

step_glmark2() {
    command -v glmark2-es2-drm >/dev/null || { result "skip glmark2-es2-drm is not installed"; return; }
    on terrazzo glmark2-es2-drm -b build:duration=600 >"$out/glmark2.log" 2>&1 &
    pid=$!
    until_true 60 grep -q 'GL_RENDERER' "$out/glmark2.log"
    moving glmark2 $pid
    stop $pid
}

# still NAME DRIVER PROGRAM...: for a program whose picture stops changing. Writes it to NAME.ppm, and the
# CRTC's writeback of it to NAME-writeback.ppm.
still() {
    name=$1 driver=$2
    shift 2
    on "$driver" "$@" >"$out/$name.log" 2>&1 &
    pid=$!
    settled "$name" $pid
    if [ $same = 4 ]; then
        freeze $pid
        "$guest/scanout" writeback "$card" "$out/$name-writeback.ppm" $pid >"$out/$name-writeback.txt" 2>&1
        result "pass $name: it draws, and then the picture does not change"
    else
        result "fail $name: the picture still changed when it ended, or after $patience_s s: $(
            tail -n 1 "$out/$name.log")"
    fi
    stop $pid
}

# Qt Quick without a window system. QSG_INFO names the driver.
step_qt() {
    for driver in terrazzo mesa; do
        still qt-$driver $driver env QT_QPA_PLATFORM=eglfs QT_QPA_EGLFS_INTEGRATION=eglfs_kms QSG_INFO=1 \
            /usr/bin/python3 "$clients/qt_scene.py"
    done
}

step_sdl() {
    for driver in terrazzo mesa; do
        frames_of sdl-$driver $driver env SDL_VIDEODRIVER=KMSDRM /usr/libexec/installed-tests/SDL2/testgles2
    done
}

# Bars of known colours, and a moving clip. With llvmpipe mpv gets no GBM surface: it asks for one with
# modifiers.
step_mpv() {
    set -- mpv -v --no-config --no-audio --no-osc --osd-level=0 --vo=gpu --gpu-context=drm --opengl-es=yes
    still mpv-terrazzo terrazzo "$@" --pause av://lavfi:smptebars=size=320x240:rate=1
    on terrazzo "$@" av://lavfi:testsrc=size=320x240:rate=1 >"$out/mpv-plays.log" 2>&1 &
    pid=$!
    until_true $patience_s grep -q 'first video frame' "$out/mpv-plays.log"
    moving mpv-plays $pid
    stop $pid
}

# units NAME PROGRAM...: runs a doctest program. Each of its cases counts.
units() {
    name=$1
    shift
    (cd "$build" && on terrazzo timeout $patience_s "$@") >"$out/units-$name.log" 2>&1
    echo "$?" >"$out/units-$name.status"
}
step_memory() {
    units winsys tests/winsys/test_winsys -tc='*shared memory*,*sync file*,*surfaceless*'
}
step_units() {
    units egl env EGL_PLATFORM=surfaceless tests/api/test_api -tc='*dma-buf*,*dmabuf*,*fence*,*sync*'
    units gbm env TERRAZZO_DEVICE=soft tests/api/gbm/test_gbm
    units gbm-card env GBM_TEST_NODE=$card tests/api/gbm/test_gbm
}

for step in ${steps:-facts memory kmscube surfaceless weston sway glmark2 qt sdl mpv units}; do
    step_"$step"
done
