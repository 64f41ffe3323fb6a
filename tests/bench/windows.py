#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Windows on Wayland: frames a second and swap latency. Compares Terrazzo's CPU driver with Debian's Mesa
(llvmpipe), in the same run.

  windows.py TERRAZZO WINDOW_CLIENT [SHIM] [--rounds N] [--seconds S] [--size WxH] [--glmark2 SCENES]

Each side has its own compositor, weston (headless, GL), which draws with the side's OpenGL ES, and its own
clients. With SHIM also sway (headless) is measured. It draws with Terrazzo for both sides, because there is
no node that Mesa could use. Rounds alternate between the sides. The table has medians and their ratio (above
1: Terrazzo is better). window_client checks pixels of its frames, and prints the size that it drew. The
copies are counted by Terrazzo itself (TERRAZZO_DEBUG=perf)."""
import argparse
import os
import pathlib
import pwd
import re
import shutil
import statistics
import subprocess
import tempfile
import time

START_S = 60
MESA_VENDOR = '/usr/share/glvnd/egl_vendor.d/50_mesa.json'
THREADS = {'TERRAZZO_THREADS': '2', 'LP_NUM_THREADS': '2'}
SWAY_CONFIG = ('output HEADLESS-1 resolution 1024x768 bg #204060 solid_color\n'
               'default_border none\nxwayland disable\n')


class Side:
    """The OpenGL ES that a program uses: 'terrazzo' or 'llvmpipe'."""

    def __init__(self, name, terrazzo):
        self.name, self.terrazzo = name, terrazzo

    def command(self, command):
        if self.name == 'terrazzo':
            return [self.terrazzo, 'run', '--device', 'soft', '--', *command]
        return ['env', 'LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu', 'LIBGL_ALWAYS_SOFTWARE=1',
                'GALLIUM_DRIVER=llvmpipe',
                f'__EGL_VENDOR_LIBRARY_FILENAMES={MESA_VENDOR}', *command]


class Compositor:
    """A compositor's process; `env` is the environment of its clients."""

    def __init__(self, command, socket, env, user=None):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.env = dict(env, XDG_RUNTIME_DIR=str(self.folder))
        if user:
            shutil.chown(self.folder, user)
        (self.folder / 'sway').write_text(SWAY_CONFIG)
        (self.folder / 'sway').chmod(0o644)
        with open(self.folder / 'log', 'w') as log:
            self.process = subprocess.Popen([a.replace('FOLDER', str(self.folder)) for a in command],
                                            env=self.env, stdout=log, stderr=log,
                                            start_new_session=True)
        end = time.monotonic() + START_S
        while not (self.folder / socket).exists():
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError((self.folder / 'log').read_text()[-600:])
            time.sleep(0.1)
        self.env['WAYLAND_DISPLAY'] = socket

    def end(self):
        os.killpg(self.process.pid, 15)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def client_output(side, compositor, command, **env):
    result = subprocess.run(side.command(command), env=dict(compositor.env, **env), stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True,
                            timeout=180, check=False)
    return result.stdout if result.returncode in (0, 124) else ''  # 124: timeout(1) ended it, as intended


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else ''


class Case:
    """A client's figure; `inverse`: lower is better."""

    def __init__(self, name, command, pattern, inverse=False):
        self.name, self.command, self.pattern, self.inverse = name, command, pattern, inverse

    def run(self, side, compositor):
        """(figure, size) or None."""
        found = re.findall(self.pattern, client_output(side, compositor, self.command), re.M)
        if not found:
            return None
        last = found[-1]
        return (float(last[1]), last[0]) if isinstance(last, tuple) else (float(last), '')


def cases(options):
    client, size = options.client, options.size
    out = [Case('frames a second', [client, 'rate', str(options.seconds)], r'^(\d+x\d+) ([\d.]+)$'),
           Case('swap to frame callback, us', [client, 'latency', str(options.seconds)],
                r'^(\d+x\d+) (\d+) \d+$', inverse=True),
           Case('weston-simple-egl -b, frames a second',
                ['timeout', '-s', 'INT', '9', 'weston-simple-egl', '-b', '-o'],
                r'frames in 5 seconds: ([\d.]+) fps')]
    for scene in options.glmark2.split():
        command = ['glmark2-es2-wayland', '-s', size, '-b', f'{scene}:duration={options.seconds}']
        out.append(Case(f'glmark2 {scene}', command, r'FPS: *(\d+)'))
    return out


def compare(where, sides, compositors, options):
    print(f'{where:<42} {"Terrazzo":>10} {"llvmpipe":>10} {"ratio":>7}', flush=True)
    for case in cases(options):
        figures = {s.name: [] for s in sides}
        sizes = set()
        for _ in range(options.rounds):
            for side in sides:
                result = case.run(side, compositors[side.name])
                if result:
                    figures[side.name].append(result[0])
                    sizes.add(result[1])
        if any(not f for f in figures.values()):
            print(f'  {case.name:<40} failed: {figures}', flush=True)
            continue
        if len(sizes) > 1:
            print(f'  {case.name:<40} the sides draw different sizes: {sizes}', flush=True)
            continue
        ours, peer = (statistics.median(figures[n]) for n in ('terrazzo', 'llvmpipe'))
        ratio = peer / ours if case.inverse else ours / peer
        print(f'  {case.name:<40} {ours:>10.1f} {peer:>10.1f} {ratio:>7.2f}', flush=True)


def copies(where, side, compositor, options):
    text = client_output(side, compositor, [options.client, 'rate', '1'], TERRAZZO_DEBUG='perf')
    found = re.search(r'a window was shown (\d+) frames, (\d+) of them by a copy', text)
    print(f'{where}: {found[0] if found else "no counts: " + last_line(text)}', flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('terrazzo')
    parser.add_argument('client')
    parser.add_argument('shim', nargs='?')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seconds', type=int, default=2)
    parser.add_argument('--size', default='800x600')
    parser.add_argument('--glmark2', default='build texture shading desktop')
    options = parser.parse_args()
    options.terrazzo, options.client = os.path.abspath(options.terrazzo), os.path.abspath(options.client)
    env = dict(os.environ, WINDOW_SIZE=options.size, **THREADS)
    for name in ('DISPLAY', 'WAYLAND_DISPLAY', 'TERRAZZO_DEBUG', 'TERRAZZO_DEVICE', 'LD_PRELOAD',
                 'LD_LIBRARY_PATH'):
        env.pop(name, None)
    sides = [Side('terrazzo', options.terrazzo), Side('llvmpipe', options.terrazzo)]
    weston = ['weston', '--backend=headless-backend.so', '--socket=bench', '--idle-time=0', '--width=1024',
              '--height=768']
    started = []

    def start(command, *args):
        started.append(Compositor(command, *args))
        return started[-1]

    try:
        westons = {s.name: start(s.command([*weston, '--use-gl']), 'bench', env) for s in sides}
        compare('weston, each on its own', sides, westons, options)
        copies('weston with dma-bufs', sides[0], westons['terrazzo'], options)
        copies('weston without dma-bufs', sides[0], start([*weston, '--use-pixman'], 'bench', env), options)
        if options.shim and shutil.which('sway'):
            user = ['runuser', '-u', 'nobody', '--'] if os.getuid() == 0 else []
            wlroots = {'WLR_BACKENDS': 'headless', 'WLR_LIBINPUT_NO_DEVICES': '1', 'WLR_RENDERER': 'gles2',
                       'WLR_RENDERER_ALLOW_SOFTWARE': '1'}
            shim = f'LD_PRELOAD={os.path.abspath(options.shim)}'
            sway = start([*user, options.terrazzo, 'run', '--device', 'soft', '--', 'env', shim, 'sway', '-c',
                          'FOLDER/sway'], 'wayland-1', dict(env, **wlroots),
                         pwd.getpwnam('nobody').pw_name if user else None)
            compare('sway on Terrazzo', sides, {s.name: sway for s in sides}, options)
            copies('sway with dma-bufs', sides[0], sway, options)
    finally:
        for compositor in started:
            compositor.end()


main()
