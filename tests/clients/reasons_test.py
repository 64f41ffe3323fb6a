#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""What the client tests print on a machine that lacks something they need: reasons_test.py path/to/terrazzo
path/to/libterrazzo-shim.so. Each case runs a test in its own mount namespace, as root. The exit code is 77
(skipped) if that is not possible."""
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TERRAZZO, SHIM = sys.argv[1:3]
del sys.argv[1:]
SWAY_PROGRAMS = all(map(shutil.which, ('sway', 'grim', 'weston-simple-egl')))


def run(script, prepare, path=None):
    """Runs a test after shell commands that change its mounts. Returns (exit code, output)."""
    shell = ['sh', '-c', f'{prepare}\nexec sh "$@"', 'sh', HERE / script, TERRAZZO, SHIM]
    r = subprocess.run(['unshare', '--mount', *shell], capture_output=True, text=True, timeout=200,
                       env=dict(os.environ, **({'PATH': path} if path else {})))
    return r.returncode, r.stdout + r.stderr


class Reasons(unittest.TestCase):
    @unittest.skipUnless(SWAY_PROGRAMS, 'sway, grim or weston is not installed')
    def test_nobody_may_not_write_to_dev_shm(self):
        code, out = run('sway.sh', 'mount -t tmpfs -o mode=755 tmpfs /dev/shm')
        self.assertEqual(out.splitlines(), ['skipped: the user nobody may not write to /dev/shm (mode 755), '
                                            'where wlroots shares memory',
                                            '0 passed, 0 failed, 1 skipped'])
        self.assertEqual(code, 77)

    @unittest.skipUnless(SWAY_PROGRAMS, 'sway, grim or weston is not installed')
    def test_nobody_may_not_reach_the_command(self):
        folder = pathlib.Path(TERRAZZO).resolve().parent
        code, out = run('sway.sh', 'mount -t tmpfs -o mode=700 tmpfs /mnt && mkdir /mnt/c && '
                                   f'mount --rbind {folder} /mnt/c && set -- "$1" /mnt/c/terrazzo "$3"')
        self.assertIn('skipped: the user nobody may not reach /mnt/c/terrazzo', out)
        self.assertEqual(code, 77, out)

    @unittest.skipUnless(shutil.which('weston'), 'weston is not installed')
    def test_a_server_that_does_not_start_shows_its_log(self):
        code, out = run('wayland.sh', 'mount -t tmpfs tmpfs /mnt && '
                                      'printf "#!/bin/sh\\necho the reason\\nexit 1\\n" >/mnt/weston && '
                                      'chmod 755 /mnt/weston',
                        path='/mnt:' + os.environ['PATH'])
        self.assertIn('FAILED: weston did not start:\nthe reason\n', out)
        self.assertEqual(code, 1, out)


TMPFS = ['unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']
if os.getuid() or subprocess.run(TMPFS, capture_output=True, check=False).returncode:
    print('skipped: no mount namespace can be created\n0 passed, 0 failed, 1 skipped')
    sys.exit(77)
result = unittest.main(exit=False, verbosity=0).result
bad, skipped = len(result.failures) + len(result.errors), len(result.skipped)
print(f'{result.testsRun - bad - skipped} passed, {bad} failed, {skipped} skipped')
sys.exit(bool(bad))
