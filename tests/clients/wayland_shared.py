#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Debian's clients in weston (headless, GL), both on Terrazzo: frames must reach the screen without a copy,
and with the right pixels.

  wayland_shared.py TERRAZZO [--server DEVICE] [--devices A,B] [--seconds N] [--keep FOLDER]

WAYLAND_DEBUG=1 prints each client's requests: every buffer of its window must be a dma-buf, and there may be
at most four. Cursors and decorations are no EGL surfaces and may be in wl_shm. TERRAZZO_DEBUG=frames writes
the frames of a full-screen window; weston's screenshot must be one of them. Usually there is no /dev/udmabuf
here: then the devices share memfds."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from picture import read_png, read_ppm

WIDTH, HEIGHT = 256, 192
# glmark2 ends by itself; the other clients are ended once they have been looked at.
CLIENTS = [['weston-simple-egl'], ['es2gears_wayland'],
           ['glmark2-es2-wayland', '-s', f'{WIDTH}x{HEIGHT}', '-b', 'build:duration=1',
            '-b', 'texture:duration=1', '-b', 'desktop:duration=1']]
MOST_BUFFERS = 4
LEAST_FRAMES = 10
EDGES = 5  # screenshots in a row that may show the rotating triangle from its edge, where it has no pixel
DEADLINE_S = 120  # other tests run at the same time


def window_buffers(log):
    """For the surface with most frames: {buffer: 'dma-buf' or 'wl_shm'}, and the number of frames."""
    kinds, shown = {}, {}
    for line in log.splitlines():
        if m := re.search(r'params_v1@\d+\.create(?:d\(|_immed\()new id wl_buffer@(\d+)', line):
            kinds[m[1]] = 'dma-buf'
        elif m := re.search(r'wl_shm_pool@\d+\.create_buffer\(new id wl_buffer@(\d+)', line):
            kinds[m[1]] = 'wl_shm'
        elif m := re.search(r'wl_surface@(\d+)\.attach\(wl_buffer@(\d+)', line):
            shown.setdefault(m[1], []).append((m[2], kinds.get(m[2], 'unknown')))
    frames = max(shown.values(), key=len, default=[])
    return dict(frames), len(frames)


def wait_for(condition):
    """The condition's value once it is true, or after DEADLINE_S."""
    end = time.monotonic() + DEADLINE_S
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.1)
    return value


class Compositor:
    def __init__(self, terrazzo, device, folder):
        self.env = dict(os.environ, XDG_RUNTIME_DIR=str(folder), WAYLAND_DISPLAY='shared',
                        TERRAZZO_SHADER_CACHE='off')
        for name in ('DISPLAY', 'TERRAZZO_DEBUG', 'TERRAZZO_DEVICE'):
            self.env.pop(name, None)
        self.folder = folder
        with open(folder / 'weston.log', 'w') as log:
            self.process = subprocess.Popen(
                [terrazzo, 'run', '--device', device, '--', 'weston', '--backend=headless-backend.so',
                 '--use-gl', '--socket=shared',
                 '--idle-time=0', f'--width={WIDTH}', f'--height={HEIGHT}', '--debug'],
                env={k: v for k, v in self.env.items() if k != 'WAYLAND_DISPLAY'}, stdout=log, stderr=log)
        if wait_for(lambda: (folder / 'shared').exists() or self.process.poll() is not None) and (
                self.process.poll() is None):
            return
        self.end()
        raise RuntimeError('weston did not start: '
                           + (folder / 'weston.log').read_text(errors='replace')[-800:])

    def screenshot(self):
        subprocess.run(['weston-screenshooter'], env=self.env, cwd=self.folder, check=True, timeout=60,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return max(self.folder.glob('wayland-screenshot-*.png'))

    def end(self):
        self.process.terminate()
        self.process.wait()


class Run:
    def __init__(self, options, compositor, device):
        self.options, self.compositor, self.device, self.bad = options, compositor, device, []

    def start(self, client, log, **env):
        env = dict(self.compositor.env, WAYLAND_DEBUG='1', **env)
        return subprocess.Popen([self.options.terrazzo, 'run', '--device', self.device, '--', *client],
                                env=env, stdout=log, stderr=log)

    def check(self, good, text):
        print(f'{"" if good else "FAILED: "}{self.device}: {text}')
        if not good:
            self.bad.append(text)

    def client(self, client):
        path = self.compositor.folder / f'{self.device}-{client[0]}.log'
        with open(path, 'w') as log:
            process = self.start(client, log)
            enough = time.monotonic() + self.options.seconds

            def looked_at():
                return process.poll() is not None or (
                    client[0] != 'glmark2-es2-wayland' and time.monotonic() > enough
                    and window_buffers(path.read_text(errors='replace'))[1] >= LEAST_FRAMES)
            wait_for(looked_at)
            process.terminate()
            process.wait()
        text = path.read_text(errors='replace')
        buffers, frames = window_buffers(text)
        kinds = sorted(set(buffers.values()))
        self.check(kinds == ['dma-buf'] and len(buffers) <= MOST_BUFFERS and frames >= LEAST_FRAMES
                   and 'wl_display@1.error' not in text,
                   f'{client[0]}: {frames} frames in {len(buffers)} buffers, {" and ".join(kinds) or "none"}')

    def pixels(self):
        """Checks the pixels of a window that fills the screen."""
        folder = self.compositor.folder / ('frames-' + self.device.replace(':', '-'))
        folder.mkdir()
        with open(self.compositor.folder / f'{self.device}-pixels.log', 'w') as log:
            process = self.start(['weston-simple-egl', '-f'], log, TERRAZZO_DEBUG=f'frames:{folder}')
            def written():
                return len(list(folder.glob('*.ppm')))

            def wait_for_frames(count):
                wait_for(lambda: process.poll() is not None or written() >= count)
            wait_for_frames(LEAST_FRAMES)
            first = read_png(self.compositor.screenshot())
            for _ in range(EDGES):
                time.sleep(1.1)  # the triangle rotates in 1.8 s; the names of screenshots have seconds
                width, height, screen = read_png(self.compositor.screenshot())
                colours = len({screen[i:i + 3] for i in range(0, len(screen), 3)})
                if colours > 100:
                    break
            # The frame that the screen shows may not be written yet. A new one is written after it.
            wait_for_frames(written() + 3)
            process.terminate()
            process.wait()
        frames = [f for f in (read_ppm(p) for p in sorted(folder.glob('*.ppm'))
                              if p.stat().st_size > WIDTH * HEIGHT * 3)
                  if f[:2] == (width, height)]
        same = [i for i, f in enumerate(frames) if f[2] == screen]
        rows = [screen[y * width * 3:(y + 1) * width * 3] for y in range(height)]
        upright = screen != b''.join(reversed(rows))
        self.check(bool(same) and colours > 100 and upright and first[2] != screen,
                   f'the screen shows frame {same[-1:]} of {len(frames)}, {colours} colours')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('terrazzo')
    parser.add_argument('--server', default='soft')
    parser.add_argument('--devices', default='soft,sim:mali-g610,sim:adreno-630')
    parser.add_argument('--seconds', type=float, default=2)
    parser.add_argument('--keep')
    options = parser.parse_args()
    options.terrazzo = os.path.abspath(options.terrazzo)
    for program in ['weston', 'weston-screenshooter'] + [c[0] for c in CLIENTS]:
        if not shutil.which(program):
            print(f'skipped: {program} is not installed')
            sys.exit(77)
    folder = pathlib.Path(options.keep or tempfile.mkdtemp()).resolve()
    folder.mkdir(mode=0o700, exist_ok=True)
    compositor, bad = Compositor(options.terrazzo, options.server, folder), []
    try:
        for device in options.devices.split(','):
            run = Run(options, compositor, device)
            for client in CLIENTS:
                run.client(client)
            run.pixels()
            bad += run.bad
    finally:
        compositor.end()
        if not options.keep:
            shutil.rmtree(folder)
    sys.exit(bool(bad))


main()
