#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Sets every variable of winsys/environment/environment.cpp to a value that is not allowed:
environment_test.py path/to/terrazzo path/to/environment.cpp. A program that draws must print one line, which
names the variable and the allowed values."""
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # no cache next to the sources
from debug_words_test import PLAIN, draw  # noqa: E402

NO_FOLDER = '/proc/terrazzo/none'  # where no user, not even root, can create a folder
NO_WORDS = {'TERRAZZO_SHADER_CACHE': 'off'}
# Variable -> (a bad value, the rest of the environment, a pattern of the line). None: every value is allowed.
BAD = {
    'TERRAZZO_COUNTERS': ('/no/such/folder/file', NO_WORDS,
                          'the file cannot be opened: No such file or directory; allowed is a file'),
    'TERRAZZO_DEBUG': ('mistake', NO_WORDS, "has no 'mistake'; help prints what there is"),
    'TERRAZZO_DEVICE': ('sim:foo', NO_WORDS, 'no such device; there is: soft .*and noop: in place of sim:'),
    'TERRAZZO_DRAW_LIMIT': ('soon', NO_WORDS, 'is ignored: allowed is seconds, as 2.5, or off'),
    'TERRAZZO_GLES_VERSION': ('4', NO_WORDS, 'is ignored: allowed is 2.0, 3.0, 3.1 or 3.2'),
    'TERRAZZO_SHADER_CACHE': (NO_FOLDER, {}, 'the shader cache is unusable: No such file or directory; '
                                             'allowed is a folder of this user .*or off'),
    'TERRAZZO_SHADER_DUMP': (NO_FOLDER, NO_WORDS,
                             'no file can be created there: No such file or directory; allowed is a folder'),
    'TERRAZZO_SHIM_INTERFACE': ('old', NO_WORDS, 'is ignored: allowed is current or older'),
    'TERRAZZO_THREADS': ('abc', NO_WORDS, 'is ignored: allowed is a number from 1 to 256'),
    'XDG_CACHE_HOME': ('cache', {'HOME': '/'} | NO_WORDS, 'is ignored: allowed is an absolute path'),
    'HOME': ('me', NO_WORDS, 'is ignored: allowed is an absolute path'),
    'EGL_PLATFORM': ('screen', NO_WORDS,
                     'is ignored: allowed is wayland, x11, gbm, drm, surfaceless or device'),
    'XDG_RUNTIME_DIR': ('run', NO_WORDS, 'is ignored: allowed is an absolute path'),
    'WAYLAND_DISPLAY': ('nowhere', {'XDG_RUNTIME_DIR': '/'} | NO_WORDS,
                        'the platform is surfaceless; allowed is the socket of a Wayland server'),
    'WAYLAND_SOCKET': ('abc', NO_WORDS, 'is ignored: allowed is the number of an open socket'),
    'DISPLAY': (':4711', {'EGL_PLATFORM': 'x11'} | NO_WORDS,
                'EGL_NOT_INITIALIZED: (no X server answers at |Terrazzo was built without)'),
    'LD_LIBRARY_PATH': None,
}


def lines_of(**environment):
    """The lines that a program prints on stderr which draws on two displays."""
    env = {'PATH': os.environ['PATH'], **environment}
    r = subprocess.run([TERRAZZO, 'run', '--', sys.executable, os.path.abspath(__file__), 'draw'], env=env,
                       stdin=subprocess.DEVNULL,
                       capture_output=True, text=True, timeout=120)
    if r.returncode not in (0, 3):
        raise AssertionError((r.returncode, r.stderr))
    return r.stderr.splitlines()


class Environment(unittest.TestCase):
    def test_each_variable_of_the_table(self):
        names = re.findall(r'\{Variable::\w+, "(\w+)"', TABLE.read_text())
        self.assertEqual(sorted(names), sorted(BAD))
        for name, bad in BAD.items():
            with self.subTest(name):
                if bad is None:
                    continue
                value, rest, says = bad
                found = lines_of(**{name: value}, **rest)
                self.assertEqual(len(found), 1, found)
                self.assertRegex(found[0], says)
                self.assertIn(name if name == 'TERRAZZO_DEBUG' else f'{name}={value}', found[0])

    def test_right_values_and_none_are_silent(self):
        self.assertEqual(lines_of(**NO_WORDS), [])
        self.assertEqual(lines_of(TERRAZZO_THREADS='2', TERRAZZO_DRAW_LIMIT='2.5',
                                  TERRAZZO_GLES_VERSION='3.0',
                                  EGL_PLATFORM='device', HOME='/', **NO_WORDS), [])
        self.assertEqual(lines_of(TERRAZZO_THREADS='', TERRAZZO_DRAW_LIMIT='', TERRAZZO_DEVICE='',
                                  EGL_PLATFORM='', **NO_WORDS), [])

    def test_two_variables_are_two_lines(self):
        found = lines_of(TERRAZZO_THREADS='many', TERRAZZO_DRAW_LIMIT='soon', **NO_WORDS)
        self.assertEqual(len(found), 2, found)

    def test_a_virtual_gpu_says_it_no_second_time(self):
        self.assertEqual(len(lines_of(TERRAZZO_THREADS='many', TERRAZZO_DEVICE='sim:mali-g610', **NO_WORDS)),
                         1)

    def test_the_folder_of_the_cache(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            found = lines_of(TERRAZZO_SHADER_CACHE=folder)
            self.assertEqual(len(found), 1, found)
            self.assertRegex(found[0], f'TERRAZZO_SHADER_CACHE={folder}: .*others may write to it')
            os.chmod(folder, 0o700)
            self.assertEqual(lines_of(TERRAZZO_SHADER_CACHE=folder), [])
        found = lines_of(HOME=NO_FOLDER)
        self.assertEqual(len(found), 1, found)
        self.assertIn(f'HOME={NO_FOLDER}: ', found[0])

    def test_words_of_terrazzo_debug_that_a_device_does_not_know(self):
        found = lines_of(TERRAZZO_DEBUG='trace,gl', **NO_WORDS)
        self.assertEqual(found, ['terrazzo: TERRAZZO_DEBUG=trace has no effect on soft: '
                                 'it is for virtual GPUs (sim:, noop:)'])
        found = lines_of(TERRAZZO_DEBUG='noubwc,nocrc', TERRAZZO_DEVICE='sim:mali-g610', **NO_WORDS)
        self.assertEqual(found, ['terrazzo: TERRAZZO_DEBUG=noubwc has no effect on sim:mali-g610: '
                                 'it is for Adreno'])

    @unittest.skipUnless(os.environ.get('SHIM'), 'the shim is not built')
    def test_the_shim_says_it_once(self):
        env = {'PATH': os.environ['PATH'], 'LD_PRELOAD': os.environ['SHIM'], 'TERRAZZO_DEVICE': 'sim:foo'}
        r = subprocess.run(['cat', '/dev/dri/renderD128', '/dev/dri/renderD128',
                            '/sys/class/drm/renderD128/device/uevent'],
                           env=env, capture_output=True, text=True, timeout=60)
        found = [line for line in r.stderr.splitlines() if line.startswith('terrazzo')]
        self.assertEqual(len(found), 1, r.stderr)
        self.assertRegex(found[0],
                         '^terrazzo: TERRAZZO_DEVICE=sim:foo: the shim has no such device and shows '
                                   'another: sim:mali-g610; allowed is soft, ')
        self.assertIn('DRIVER=panthor', r.stdout)

    def test_run_leaves_it_to_the_program(self):
        program = [sys.executable, os.path.abspath(__file__), 'draw']
        env = {'PATH': os.environ['PATH'], 'TERRAZZO_THREADS': 'abc', 'TERRAZZO_DEBUG': 'mistake,trace',
               **NO_WORDS}
        r = subprocess.run([TERRAZZO, 'run', '--device', 'soft', '--', *program], env=env,
                           capture_output=True, text=True, timeout=120)
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertEqual(sorted(line.split('=')[0].split(' has')[0] for line in r.stderr.splitlines()),
                         ['terrazzo: TERRAZZO_DEBUG', 'terrazzo: TERRAZZO_DEBUG',
                          'terrazzo: TERRAZZO_THREADS'], r.stderr)
        r = subprocess.run([TERRAZZO, 'run', '--device', 'soft', '--', 'printenv', 'TERRAZZO_THREADS',
                            'TERRAZZO_DEBUG'], env=env, capture_output=True, text=True, timeout=60)
        self.assertEqual((r.stdout, r.stderr), ('abc\nmistake,trace\n', ''))

    def test_the_command_itself_says_it_once(self):
        for command in ('info', 'explain'):
            env = {'PATH': os.environ['PATH'], 'TERRAZZO_THREADS': 'abc', **NO_WORDS}
            r = subprocess.run([TERRAZZO, command], env=env, capture_output=True, text=True, timeout=120)
            said = (r.stdout + r.stderr).count('TERRAZZO_THREADS')
            self.assertEqual(said, 1, (command, r.stdout, r.stderr))
            self.assertIn('allowed is a number from 1 to 256', r.stdout + r.stderr)


def draw_twice():
    try:
        draw(PLAIN)
        draw(PLAIN)
    except AssertionError:
        sys.exit(3)


if __name__ == '__main__':
    if sys.argv[1] == 'draw':
        with contextlib.redirect_stdout(None):
            draw_twice()
    else:
        TERRAZZO, TABLE = os.path.abspath(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))
        result = unittest.main(exit=False).result
        bad = len(result.failures) + len(result.errors)
        print(f'{result.testsRun - bad} passed, {bad} failed')
        sys.exit(bool(bad))
