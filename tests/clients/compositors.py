# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Screens of compositors that draw on the client's own device and see the shim's /dev/dri. screens.py has the others, and says what a screen is."""
import os
import subprocess

import screens
from screens import BACKGROUND, HEIGHT, START_S, WIDTH, Weston, end_process, wait_for


class WestonOnNode(Weston):
    """On the client's device, and behind the shim, whose node it names to clients."""
    same_device = True

    def prefix(self, driver):
        return ['env', f'LD_PRELOAD={driver.shim}'] if driver.ours else []


class Wlroots:
    """A compositor of wlroots, headless: its GLES renderer on the client's device and the shim's node. wlroots takes no renderer of
    GL without a node, so beside llvmpipe it is pixman's. sway does not run as root."""
    same_device = True
    compositor, programs = 'sway', ('sway', 'grim')

    def __init__(self, driver, folder, env):
        self.folder = folder
        (folder / 'sway.conf').write_text(f'output HEADLESS-1 resolution {WIDTH}x{HEIGHT} bg #{BACKGROUND.hex()} solid_color\ndefault_border none\nxwayland disable\n'
                                          + self.more(folder))
        env = dict(env, WLR_BACKENDS='headless', WLR_LIBINPUT_NO_DEVICES='1', WLR_RENDERER='gles2' if driver.ours else 'pixman', WLR_RENDERER_ALLOW_SOFTWARE='1',
                   WLR_HEADLESS_OUTPUTS='1')
        command = driver.command(['env', *([f'LD_PRELOAD={driver.shim}'] if driver.ours else []), *self.arguments(folder)])
        if os.getuid() == 0:
            subprocess.run(['chown', '-R', 'nobody', folder], check=True)
            nobody = ['runuser', '-u', 'nobody', '--']
            if subprocess.run([*nobody, 'test', '-w', '/dev/shm'], check=False).returncode:
                raise RuntimeError(f'{self.compositor} cannot start: nobody may not write to /dev/shm, through which wlroots shares memory')
            command = [*nobody, *command]
        with open(folder / f'{self.compositor}.log', 'w') as log:
            self.process = subprocess.Popen(command, env=driver.environment(env), stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
        if not wait_for(lambda: self.socket() is not None, START_S, self.process):
            self.end()
            raise RuntimeError(f'{self.compositor} did not start: ' + (folder / f'{self.compositor}.log').read_text()[-800:])
        self.environment = dict(env, WAYLAND_DISPLAY=self.socket())

    def more(self, folder):
        del folder
        return ''

    def arguments(self, folder):
        return ['sway', '-c', str(folder / 'sway.conf')]

    def socket(self):
        return next((p.name for p in sorted(self.folder.glob('wayland-?')) if p.name != self.outer), None)

    outer = None

    def ready(self, shot):
        return bool(shot)

    def screenshot(self):
        path = self.folder / 'shot.png'
        path.unlink(missing_ok=True)
        try:
            subprocess.run(['grim', str(path)], env=self.environment, timeout=60, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            pass
        return path if path.exists() else None

    def end(self):
        end_process(self.process)


class Cage(Wlroots):
    compositor, programs = 'cage', ('cage', 'grim')

    def arguments(self, folder):
        del folder
        return ['cage', '--', 'sleep', '1000']


class Wayfire(Wlroots):
    """Inside a headless sway: 0.7.4 asks its backend for a DRM file, and wlroots' headless backend has none."""
    compositor, programs, outer = 'sway', ('sway', 'wayfire', 'grim'), 'wayland-1'

    def more(self, folder):
        (folder / 'wayfire.ini').write_text(f'[core]\nplugins = place\nxwayland = false\n[output:WL-1]\nmode = {WIDTH}x{HEIGHT}\n')
        return f'exec env WLR_BACKENDS=wayland wayfire -c {folder}/wayfire.ini >{folder}/wayfire.log 2>&1\n'


SCREENS = {'wayland-node': WestonOnNode, 'sway': Wlroots, 'cage': Cage, 'wayfire': Wayfire}


def screen_of(platform):
    """The class for a platform."""
    return SCREENS.get(platform) or screens.screen_of(platform)
