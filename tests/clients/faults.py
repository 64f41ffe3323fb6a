#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Clients and compositors that are killed (SIGKILL): the surviving side loses nothing.

  faults.py TERRAZZO WINDOW_CLIENT [--devices A,B] [--kills N]

Clients of a weston (headless, GL) are killed in the middle of a frame. Afterwards weston must hold as many
descriptors and mappings of shared memory as before. The number varies a little with the pools of a GPU's
memory, because each of their blocks is a descriptor of the virtual kernel; but nothing may grow with each
client. A client whose weston was killed gets EGL_BAD_NATIVE_WINDOW from eglSwapBuffers, can terminate EGL,
and has no descriptor left. It must not hang."""
import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

DEADLINE_S = 60
BAD_NATIVE_WINDOW = '0x300b'
WARM_UP = 8  # clients until weston's pools have their full size
# What a round of kills may leave, less than one for each client: weston holds what its last frames use until
# it submits the next one.
POOLS = {True: 1, False: 3}
ROUNDS = 4  # one of them must leave no more: a leak grows in all
# Growth of weston's private memory for each client: heaps of threads, code that is compiled meanwhile. 40
# clients need at most 4 KiB each.
GROWTH_KB = 1024


def wait_until(condition, what):
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    raise RuntimeError(f'in {DEADLINE_S} s: {what}')


class Weston:
    def __init__(self, terrazzo, device, folder):
        self.folder = folder
        self.env = dict(os.environ, XDG_RUNTIME_DIR=str(folder), TERRAZZO_SHADER_CACHE='off')
        for name in ('DISPLAY', 'WAYLAND_DISPLAY', 'TERRAZZO_DEBUG', 'TERRAZZO_DEVICE'):
            self.env.pop(name, None)
        with open(folder / 'weston.log', 'w') as log:
            self.process = subprocess.Popen([terrazzo, 'run', '--device', device, '--', 'weston',
                                             '--backend=headless-backend.so', '--use-gl',
                                             '--socket=faults', '--idle-time=0', '--width=320',
                                             '--height=240'], env=self.env, stdout=log, stderr=log)
        try:
            wait_until((folder / 'faults').exists, 'weston does not start')
        except RuntimeError as error:
            self.kill()
            raise RuntimeError(f'{error}: '
                               + (folder / 'weston.log').read_text(errors='replace')[-800:]) from None
        self.env['WAYLAND_DISPLAY'] = 'faults'

    def counts(self):
        """Returns (descriptors, mappings of shared memory, private memory in KiB)."""
        proc = pathlib.Path(f'/proc/{self.process.pid}')
        shared = sum(1 for line in (proc / 'maps').read_text().splitlines() if 'memfd:' in line
                     or 'dmabuf' in line)
        status = (proc / 'status').read_text().splitlines()
        private = next(int(line.split()[1]) for line in status if line.startswith('RssAnon'))
        return len(os.listdir(proc / 'fd')), shared, private

    def settled_counts(self):
        """The smallest counts of a while: weston releases a client a little later."""
        seen = []
        for _ in range(10):
            seen.append(self.counts())
            time.sleep(0.1)
        return tuple(min(s[i] for s in seen) for i in range(3))

    def kill(self):
        self.process.kill()
        self.process.wait()


class Run:
    def __init__(self, options):
        self.options, self.bad = options, 0

    def check(self, good, text):
        print(f'{"" if good else "FAILED: "}{text}')
        self.bad += not good

    def start(self, weston, device):
        client = subprocess.Popen([self.options.terrazzo, 'run', '--device', device, '--',
                                   self.options.client, 'until-lost'],
                                  env=weston.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  text=True)
        line = client.stdout.readline()
        if 'drawing' not in line:
            raise RuntimeError(f'the client does not draw: {line}')
        return client

    def killed_clients(self, weston, device):
        def kill_one():
            client = self.start(weston, 'soft')
            time.sleep(random.uniform(0, 0.02))  # at any point of a frame
            client.kill()
            client.wait()

        for _ in range(WARM_UP):
            kill_one()
        pools = POOLS[device == 'soft']
        counts = [weston.settled_counts()]

        def grows():
            more = [now - before for before, now in zip(counts[-2], counts[-1])]
            return more[0] > pools or more[1] > 2 * pools or more[2] > GROWTH_KB * self.options.kills

        while len(counts) == 1 or (len(counts) <= ROUNDS and grows()):
            for _ in range(self.options.kills):
                kill_one()
            counts.append(weston.settled_counts())
        self.check(not grows(), f'{device}: {self.options.kills} clients killed, again and again; '
                                f'descriptors, shared mappings and KiB of weston: {counts}')
        self.check(weston.process.poll() is None, f'{device}: weston still runs')

    def killed_compositor(self, weston, device):
        clients = [self.start(weston, device) for _ in range(2)]
        weston.kill()
        for client in clients:
            try:
                out, _ = client.communicate(timeout=DEADLINE_S)
            except subprocess.TimeoutExpired:
                client.kill()
                out = 'it hangs'
            self.check(client.returncode == 0 and out.count(BAD_NATIVE_WINDOW) == 2
                       and ' 0 descriptors' in out,
                       f'{device}: weston killed: {out.strip()} (exit status {client.returncode})')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('terrazzo')
    parser.add_argument('client')
    parser.add_argument('--devices', default='soft,sim:adreno-630')
    parser.add_argument('--kills', type=int, default=4)
    options = parser.parse_args()
    options.terrazzo, options.client = os.path.abspath(options.terrazzo), os.path.abspath(options.client)
    if not shutil.which('weston'):
        print('skipped: weston is not installed')
        sys.exit(77)
    run = Run(options)
    for device in options.devices.split(','):
        folder = pathlib.Path(tempfile.mkdtemp())
        weston = Weston(options.terrazzo, device, folder)
        try:
            run.killed_clients(weston, device)
            run.killed_compositor(weston, device)
        finally:
            weston.kill()
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(bool(run.bad))


main()
