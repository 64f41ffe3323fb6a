#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Explicit and implicit synchronization with Debian's weston.

  fences.py TERRAZZO WINDOW_CLIENT SHIM [--devices A,B] [--implicit WESTON+CLIENT,...] [--seconds N]

The client draws slowly, each frame in two halves of one colour. It commits before the GPU has finished, then
waits for the GPU. No screenshot may have two colours of the client: then weston would have shown a frame too
early.
Explicit (zwp_linux_explicit_synchronization_v1), both on each of the devices: weston runs under the shim, so
that it can use the sync files of virtual GPUs. WAYLAND_DEBUG must show that weston gets acquire fences, and
that releases have a fence, for which the client must have waited. (No screenshot can show that it draws over
a buffer that weston still reads: weston reads the pixels back first, and releases the buffer later.)
Implicit, on pairs of devices: weston has no shim, so that no fence is sent. Both sides wait for the fences of
the memory itself."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import picture
import screens

DEADLINE_S = 90
COLOURS = [bytes(c) for c in ((255, 0, 0), (0, 255, 0), (0, 0, 255),
                              (255, 255, 0), (0, 255, 255), (255, 0, 255))]
SIZE_PX = 128
SHOTS = 6


class Pair:
    """The devices of weston and of the client, and their kind of synchronization."""
    def __init__(self, weston, client, explicit):
        self.weston, self.client, self.explicit = weston, client, explicit
        self.name = f'{"explicit" if explicit else "implicit"}, weston on {weston}, client on {client}'


class ShimDriver(screens.Driver):
    """Only weston runs under the shim, not the command that starts it."""
    def __init__(self, terrazzo, device, shim):
        super().__init__(terrazzo, device)
        self.shim = os.path.abspath(shim)

    def command(self, command):
        return super().command(['env', f'LD_PRELOAD={self.shim}', *command])


def colours_of(shot):
    """The number of pixels of each of the client's colours."""
    pixels = shot[2]
    rows = {}
    for i in range(0, len(pixels), 3):
        p = pixels[i:i + 3]
        if p in COLOURS:
            rows[p] = rows.get(p, 0) + 1
    return rows


def slow(log):
    """Whether the client has begun to draw slow frames."""
    return re.search(r'^slow$', log.read_text(errors='replace'), re.M)


def look(options, pair):
    """Returns (the errors, how often the client waited for a release's fence)."""
    folder = pathlib.Path(tempfile.mkdtemp())
    env = dict(os.environ, XDG_RUNTIME_DIR=str(folder), TERRAZZO_SHADER_CACHE='off')
    for name in ('DISPLAY', 'WAYLAND_DISPLAY', 'TERRAZZO_DEBUG', 'TERRAZZO_DEVICE'):
        env.pop(name, None)
    driver = screens.Driver(options.terrazzo, pair.weston)
    if pair.explicit:
        driver = ShimDriver(options.terrazzo, pair.weston, options.shim)
    screen = screens.Weston(driver, folder, env)
    bad, seen, log = [], [], folder / 'client.log'
    try:
        with open(log, 'w') as out:
            command = [options.terrazzo, 'run', '--device', pair.client, '--', options.client, 'halves',
                       str(options.cost), str(options.seconds)]
            client_env = dict(screen.environment, WAYLAND_DEBUG='1', TERRAZZO_DEBUG='perf',
                              WINDOW_SIZE=f'{SIZE_PX}x{SIZE_PX}')
            client = subprocess.Popen(command, env=client_env, stdin=subprocess.PIPE, stdout=out, stderr=out)
        end = time.monotonic() + DEADLINE_S
        while len(seen) < SHOTS and time.monotonic() < end and client.poll() is None:
            path = screen.screenshot()
            found = path and colours_of(picture.read_png(path))
            # While frames are cheap, the screenshot seldom shows the frame that is being drawn.
            if found and slow(log):
                seen.append(found)
        client.stdin.close()
        client.wait(DEADLINE_S)
        bad += [f'a screenshot has {len(s)} colours of the client: {s}' for s in seen if len(s) != 1]
        if len(seen) < 2:
            bad.append(f'the client was on {len(seen)} screenshots')
        text = log.read_text(errors='replace')
        counts = {name: len(re.findall(pattern, text)) for name, pattern in (
            ('commits', r'-> wl_surface@\d+\.commit'),
            ('acquire fences', r'-> zwp_linux_surface_synchronization_v1@\d+\.set_acquire_fence\(fd'),
            ('releases with a fence', r'\d\] zwp_linux_buffer_release_v1@\d+\.fenced_release\(fd'),
            ('releases without', r'\d\] zwp_linux_buffer_release_v1@\d+\.immediate_release'))}
        fences = not counts['acquire fences']
        if pair.explicit:
            fences = counts['acquire fences'] and counts['releases with a fence']
        if not fences or client.returncode:
            bad.append(f'{"no" if pair.explicit else "explicit"} fences: {counts}; '
                       f'the client ended with {client.returncode}')
        end_text = re.search(r'a window was shown \d+ frames, 0 of them by a copy, '
                             r'with 0 copies between images; (\d+) fences', text)
        if not end_text:
            bad.append('frames were copied, or not counted')
        print(f'{pair.name}: {counts}; {len(seen)} screenshots; '
              f'waits for releases: {end_text and end_text[1]}; {text.splitlines()[-1]}')
    finally:
        screen.end()
        if options.keep:
            shutil.copytree(folder, options.keep, dirs_exist_ok=True, ignore=shutil.ignore_patterns('look*'))
        shutil.rmtree(folder, ignore_errors=True)
    return bad, int(end_text[1]) if end_text else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('terrazzo')
    parser.add_argument('client')
    parser.add_argument('shim')
    parser.add_argument('--devices', default='sim:mali-g610,sim:adreno-630')
    parser.add_argument('--implicit', default='sim:adreno-630+sim:mali-g610,soft+sim:adreno-630')
    parser.add_argument('--seconds', type=float, default=60, help='of slow frames, at most')
    parser.add_argument('--cost', type=int, default=300)
    parser.add_argument('--keep')
    options = parser.parse_args()
    options.terrazzo, options.client = os.path.abspath(options.terrazzo), os.path.abspath(options.client)
    for program in screens.Weston.programs:
        if not shutil.which(program):
            print(f'skipped: {program} is not installed')
            sys.exit(77)
    bad, waits = [], 0
    pairs = [Pair(d, d, True) for d in options.devices.split(',') if d]
    pairs += [Pair(*p.split('+'), False) for p in options.implicit.split(',') if p]
    for pair in pairs:
        texts, waited = look(options, pair)
        bad += [f'FAILED: {pair.name}: {text}' for text in texts]
        waits += waited
    if options.devices and not waits:
        bad.append('FAILED: no client waited for the fence of a release')
    print('\n'.join(bad))
    sys.exit(bool(bad))


main()
