# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Screens of compositors that draw on the client's own device and use the shim's /dev/dri. screens.py has the
other screens, and says what a screen is."""
import os
import subprocess

import screens
from screens import BACKGROUND, HEIGHT, START_S, WIDTH, Weston, end_process, wait_for


class WestonOnNode(Weston):
    """Draws on the client's device, under the shim, and offers the shim's node to clients."""
    same_device = True

    def prefix(self, driver):
        return ['env', f'LD_PRELOAD={driver.shim}'] if driver.ours else []


class Wlroots:
    """A headless compositor of wlroots. Its GLES renderer draws on the client's device, on the shim's node.
    Without a node wlroots has no GL renderer, so with llvmpipe it uses pixman. sway does not run as root."""
    same_device = True
    compositor, programs = 'sway', ('sway', 'grim')

    def __init__(self, driver, folder, env):
        self.folder = folder
        (folder / 'sway.conf').write_text(
            f'output HEADLESS-1 resolution {WIDTH}x{HEIGHT} bg #{BACKGROUND.hex()} solid_color\n'
            'default_border none\nxwayland disable\n' + self.more(folder))
        env = dict(env, WLR_BACKENDS='headless', WLR_LIBINPUT_NO_DEVICES='1', WLR_HEADLESS_OUTPUTS='1',
                   WLR_RENDERER='gles2' if driver.ours else 'pixman', WLR_RENDERER_ALLOW_SOFTWARE='1')
        preload = [f'LD_PRELOAD={driver.shim}'] if driver.ours else []
        command = driver.command(['env', *preload, *self.arguments(folder)])
        if os.getuid() == 0:
            subprocess.run(['chown', '-R', 'nobody', folder], check=True)
            as_user = ['runuser', '-u', 'nobody', '--']
            if subprocess.run([*as_user, 'test', '-w', '/dev/shm'], check=False).returncode:
                raise RuntimeError(f'{self.compositor} cannot start: the user nobody may not write to '
                                   '/dev/shm, through which wlroots shares memory')
            command = [*as_user, *command]
        with open(folder / f'{self.compositor}.log', 'w') as log:
            self.process = subprocess.Popen(command, env=driver.environment(env), stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL, start_new_session=True)
        if not wait_for(lambda: self.socket() is not None, START_S, self.process):
            self.end()
            log = (folder / f'{self.compositor}.log').read_text()[-800:]
            raise RuntimeError(f'{self.compositor} did not start: {log}')
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
            subprocess.run(['grim', str(path)], env=self.environment, timeout=60, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
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
    """Runs inside a headless sway: 0.7.4 needs a DRM file, which wlroots' headless backend does not have."""
    compositor, programs, outer = 'sway', ('sway', 'wayfire', 'grim'), 'wayland-1'

    def more(self, folder):
        (folder / 'wayfire.ini').write_text('[core]\nplugins = place\nxwayland = false\n'
                                            f'[output:WL-1]\nmode = {WIDTH}x{HEIGHT}\n')
        return f'exec env WLR_BACKENDS=wayland wayfire -c {folder}/wayfire.ini >{folder}/wayfire.log 2>&1\n'


SCREENS = {'wayland-node': WestonOnNode, 'sway': Wlroots, 'cage': Cage, 'wayfire': Wayfire}


def screen_of(platform):
    """The class of a platform's screen."""
    return SCREENS.get(platform) or screens.screen_of(platform)
