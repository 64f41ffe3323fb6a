#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Draws every default scene of glmark2-es2-wayland on two devices, and compares them frame by frame.

  glmark2_frames.py TERRAZZO STEADY_CLOCK.so [--devices A,B] [--frames N] [--size WxH] [--keep FOLDER]
                    [--scenes a:b=c ...]

The program is unmodified, but sees a clock that advances by the same amount at each query (steady_clock.c).
Therefore frame n of a scene is the same picture on each device. TERRAZZO_DEBUG=frames writes the frames that
the window shows; other words in TERRAZZO_DEBUG (gmem, sysmem, ...) are kept. At most 1 % of a frame's pixels
may differ by more than 2 of 255 (as in the example scenes, tests/golden). If the centres of pixels are at the
corners of texels and filters are `nearest`, rounding decides. At 128x128 this happens only in TIES; at
200x150, for example, in all of effect2d, whose picture has 800x600."""
import argparse
import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TOLERANCE, SHARE = 2, 0.01
# (scene, frame) -> why the pictures may differ.
TIES = {('texture texture-filter=nearest', 0):
        'every pixel of the face towards the viewer is at corners of texels: the last bit decides'}


def read_ppm(path):
    data = path.read_bytes()
    m = re.match(rb'P6\n(\d+) (\d+)\n255\n', data)
    return int(m[1]), int(m[2]), data[m.end():]


def difference(a, b):
    """Returns (share of pixels beyond the tolerance, worst difference), or None if sizes differ."""
    if a[:2] != b[:2] or len(a[2]) != len(b[2]):
        return None
    if a[2] == b[2]:
        return 0.0, 0
    worst, beyond = 0, set()
    for i, (x, y) in enumerate(zip(a[2], b[2])):
        if x != y:
            d = abs(x - y)
            worst = max(worst, d)
            if d > TOLERANCE:
                beyond.add(i // 3)
    return len(beyond) / (a[0] * a[1]), worst


class Compositor:
    """A headless weston, which only receives the frames."""

    def __init__(self, folder):
        self.env = dict(os.environ, XDG_RUNTIME_DIR=str(folder), WAYLAND_DISPLAY='frames')
        self.env.pop('DISPLAY', None)
        log = open(folder / 'weston.log', 'w')
        self.process = subprocess.Popen(['weston', '--backend=headless-backend.so', '--socket=frames',
                                         '--idle-time=0', '--width=640', '--height=480'],
                                        env={k: v for k, v in self.env.items()
                                                                              if k != 'WAYLAND_DISPLAY'},
                                        stdout=log, stderr=log)
        for _ in range(1200):
            if (folder / 'frames').exists():
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.end()
        raise RuntimeError('weston did not start: '
                           + (folder / 'weston.log').read_text(errors='replace')[-800:])

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def draw(options, compositor, device, folder):
    """Returns the scenes' names in order, and the frames."""
    folder.mkdir()
    words = [w for w in (os.environ.get('TERRAZZO_DEBUG'), f'frames:{folder}') if w]
    env = dict(compositor.env, LD_PRELOAD=os.path.abspath(options.clock), TERRAZZO_DEBUG=','.join(words),
               TERRAZZO_SHADER_CACHE='off')
    scenes = [f'{s}:nframes={options.frames}' for s in options.scenes] or [f':nframes={options.frames}']
    command = [options.terrazzo, 'run', '--device', device, '--', 'glmark2-es2-wayland', '-s', options.size]
    for s in scenes:
        command += ['-b', s]
    r = subprocess.run(command, env=env, capture_output=True, text=True, errors='replace',
                       timeout=options.timeout)
    names = re.findall(r'^\[([^\]]+)\] (\S+?):(?: |$)', r.stdout, re.M)
    if r.returncode or not names:
        print(r.stdout[-1000:] + r.stderr[-2000:])
        raise RuntimeError(f'glmark2 on {device}: exit status {r.returncode}')
    return [' '.join(n) for n in names], sorted(folder.glob('*.ppm'))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('terrazzo')
    parser.add_argument('clock')
    parser.add_argument('--devices', default='soft,sim:mali-g610')
    parser.add_argument('--frames', type=int, default=3)
    parser.add_argument('--size', default='128x128')
    parser.add_argument('--keep')
    parser.add_argument('--timeout', type=int, default=800)
    parser.add_argument('--scenes', nargs='*', default=[])
    options = parser.parse_args()
    missing = [p for p in ('weston', 'glmark2-es2-wayland') if not shutil.which(p)]
    if missing:
        print(f'skipped: {", ".join(missing)} not installed\n0 passed, 0 failed, 1 skipped')
        return 77
    passed = failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        base = pathlib.Path(temporary)
        base.chmod(0o700)
        compositor = Compositor(base)
        try:
            drawn = [draw(options, compositor, d, base / str(i))
                     for i, d in enumerate(options.devices.split(','))]
        finally:
            compositor.end()
        (names, frames), (other_names, other_frames) = drawn
        if names != other_names or len(frames) != len(other_frames) or len(frames) % len(names):
            print(f'{len(names)} and {len(other_names)} scenes, {len(frames)} and {len(other_frames)} frames')
            failed += 1
        each = max(len(frames) // len(names), 1)
        results = collections.defaultdict(dict)
        for n, (a, b) in enumerate(zip(frames, other_frames)):
            results[n // each][n % each] = difference(read_ppm(a), read_ppm(b))
        for n, name in enumerate(names):
            r = results[n]
            for (scene, frame), why in TIES.items():
                if scene == name and r.pop(frame, None):
                    print(f'        {name}: frame {frame} is not compared ({why})')
            good = r and all(d and d[0] <= SHARE for d in r.values())
            passed, failed = passed + bool(good), failed + (not good)
            share, worst = (max((d[i] if d else (1, 255)[i] for d in r.values()), default=(1, 255)[i])
                            for i in (0, 1))
            print(f'{"        " if good else "FAILED: "}{name}: of {len(r)} frames at most '
                  f'{100 * share:.2f} % of the pixels '
                  f'differ by more than {TOLERANCE}, by up to {worst}')
        if options.keep:
            shutil.rmtree(options.keep, ignore_errors=True)
            shutil.copytree(base, options.keep, ignore=shutil.ignore_patterns('frames*', 'weston*'))
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return failed != 0


sys.exit(main())
