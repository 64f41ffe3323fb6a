# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""What clients draw on: a headless weston, an X server without a screen, or a file. `environment` is the
environment of its clients. A screen is `ready()` for the first client, `screenshot()` returns the path of a
picture, and `end()` ends it."""
import os
import pathlib
import shutil
import signal
import subprocess
import time

import picture

WIDTH, HEIGHT = 640, 480
START_S = 60
# No clock and no animation: without a client the screen does not change.
BACKGROUND = b'\x20\x40\x60'
WESTON_INI = ('[core]\nidle-time=0\n[shell]\npanel-position=none\n'
              'background-color=0xff' + BACKGROUND.hex() + '\nanimation=none\nstartup-animation=none\n'
              'close-animation=none\nlocking=false\n')
MESA_VENDOR = '/usr/share/glvnd/egl_vendor.d/50_mesa.json'


class Driver:
    """The OpenGL ES of clients: Terrazzo's on a device, or Debian's llvmpipe (device 'llvmpipe')."""

    def __init__(self, terrazzo, device):
        self.terrazzo, self.device = os.path.abspath(terrazzo), device
        self.ours = device != 'llvmpipe'
        # The library that a process has mapped if it draws with this driver. Many programs are linked with
        # libEGL and draw without it.
        self.library = 'libterrazzo.so' if device == 'soft' else 'libterrazzo-virtual.so'
        if not self.ours:
            self.library = '_dri.so'
        self.shim = pathlib.Path(self.terrazzo).parents[2] / 'winsys/shim/libterrazzo-shim.so'

    def command(self, command):
        return [self.terrazzo, 'run', '--device', self.device, '--', *command] if self.ours else list(command)

    def environment(self, env):
        env = dict(env)
        for name in ('TERRAZZO_DEVICE', 'LD_PRELOAD', 'LD_LIBRARY_PATH', '__EGL_VENDOR_LIBRARY_FILENAMES'):
            env.pop(name, None)
        if not self.ours:
            env.update(LIBGL_ALWAYS_SOFTWARE='1', GALLIUM_DRIVER='llvmpipe')
            if os.path.exists(MESA_VENDOR):
                env['__EGL_VENDOR_LIBRARY_FILENAMES'] = MESA_VENDOR
        return env


def end_process(process, seconds=5):
    """Ends a process that was started with start_new_session, and its group."""
    for what in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, what)
        except ProcessLookupError:
            pass
        try:
            process.wait(seconds)
            return
        except subprocess.TimeoutExpired:
            pass


def wait_for(condition, seconds, process):
    """Whether the condition became true before the process ended or time was up."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        if condition():
            return True
        time.sleep(0.1)
    return bool(condition())


class Weston:
    programs = ('weston', 'weston-screenshooter')
    backend = ('--backend=headless-backend.so', '--use-gl')

    def __init__(self, driver, folder, env):
        self.folder, self.environment = folder, dict(env, WAYLAND_DISPLAY='look')
        (folder / 'weston.ini').write_text(WESTON_INI)
        with open(folder / 'weston.log', 'w') as log:
            self.process = subprocess.Popen(
                driver.command([*self.prefix(driver), 'weston', *self.backend, '--socket=look',
                                f'--config={folder}/weston.ini',
                                f'--width={WIDTH}', f'--height={HEIGHT}', '--debug']),
                env=driver.environment(env), stdout=log, stderr=log, start_new_session=True)
        if not wait_for((folder / 'look').exists, START_S, self.process):
            self.end()
            raise RuntimeError('weston did not start: ' + (folder / 'weston.log').read_text()[-800:])

    def prefix(self, driver):
        del driver
        return []

    def ready(self, shot):
        """Whether the screen has only the background's colour, except a pointer."""
        blue = shot[2][2::3]
        return blue.count(BACKGROUND[2]) > 0.98 * len(blue)

    def screenshot(self):
        """The PNG's path; None if weston wrote none."""
        shots = self.folder / 'shots'
        shutil.rmtree(shots, ignore_errors=True)
        shots.mkdir()
        try:
            subprocess.run(['weston-screenshooter'], env=self.environment, cwd=shots, timeout=60,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            pass
        return next(shots.glob('*.png'), None)

    def end(self):
        end_process(self.process)


class Xvfb:
    programs = ('Xvfb',)

    def __init__(self, driver, folder, env):
        del driver
        self.folder = folder
        read, write = os.pipe()
        with open(folder / 'xvfb.log', 'w') as log:
            self.process = subprocess.Popen(['Xvfb', '-displayfd', str(write), '-screen', '0',
                                             f'{WIDTH}x{HEIGHT}x24', '-fbdir', str(folder), '-nolisten',
                                             'tcp'],
                                            env=env, pass_fds=[write], stdout=log, stderr=log,
                                            start_new_session=True)
        os.close(write)
        with os.fdopen(read) as pipe:
            display = pipe.readline().strip()
        if not display:
            self.end()
            raise RuntimeError('Xvfb did not start: ' + (folder / 'xvfb.log').read_text()[-800:])
        self.environment = dict(env, DISPLAY=':' + display)

    def ready(self, shot):
        return bool(shot)

    def screenshot(self):
        return self.folder / 'Xvfb_screen0'

    def end(self):
        end_process(self.process)


class WestonInXvfb(Weston):
    """A weston with a seat. The headless backend has none, and SDL 2.26 crashes without one."""
    programs = ('weston', 'Xvfb')
    backend = ('--backend=x11-backend.so',)

    def __init__(self, driver, folder, env):
        self.server = Xvfb(driver, folder, env)
        try:
            super().__init__(driver, folder, self.server.environment)
        except RuntimeError:
            self.server.end()
            raise
        del self.environment['DISPLAY']

    def screenshot(self):
        return self.server.screenshot()

    def end(self):
        super().end()
        self.server.end()


class File:
    """No window system: the client writes the picture to $PICTURE itself."""
    programs = ()

    def __init__(self, driver, folder, env):
        self.path = folder / 'picture'
        self.environment = dict(env, PICTURE=str(self.path), SHIM=str(driver.shim) if driver.ours else '')

    def screenshot(self):
        return self.path if self.path.exists() and self.path.stat().st_size else None

    def end(self):
        pass


SCREENS = {'wayland': Weston, 'wayland-seat': WestonInXvfb, 'x11': Xvfb}


def screen_of(platform):
    """The class of a platform's screen. Unknown platforms write files."""
    return SCREENS.get(platform, File)
