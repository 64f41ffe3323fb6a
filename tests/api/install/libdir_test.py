#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Where `meson install` writes libraries on a Debian without dpkg-architecture: libdir_test.py SOURCE. The
loader and pkg-config must search there."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
SCRIPT = SOURCE / 'api/install/libdir.py'
ABSENT = 'dpkg-architecture'


class Script(unittest.TestCase):
    def libdir(self, listed, prefix='/usr/local', libdir='lib64', cpu='x86_64'):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / 'a.conf').write_text('# a comment\n' + '\n'.join(listed) + '\n')
            return subprocess.run([sys.executable, SCRIPT, prefix, libdir, cpu, folder], check=True,
                                  capture_output=True, text=True).stdout.strip()

    def test_the_loader_decides(self):
        debian = ['/usr/local/lib', '/usr/local/lib/x86_64-linux-gnu', '/lib/x86_64-linux-gnu',
                  '/usr/lib/x86_64-linux-gnu']
        self.assertEqual(self.libdir(debian), 'lib/x86_64-linux-gnu')
        self.assertEqual(self.libdir(debian, prefix='/usr'), 'lib/x86_64-linux-gnu')
        self.assertEqual(self.libdir(debian, cpu='aarch64'), 'lib64')
        self.assertEqual(self.libdir(['/usr/local/lib/arm-linux-gnueabihf'], cpu='arm'),
                         'lib/arm-linux-gnueabihf')

    def test_what_was_asked_for_or_can_be_found_stays(self):
        debian = ['/usr/local/lib/x86_64-linux-gnu']
        self.assertEqual(self.libdir(debian, libdir='lib'), 'lib')
        self.assertEqual(self.libdir(debian, libdir='lib/own'), 'lib/own')
        self.assertEqual(self.libdir(debian, prefix='/opt/terrazzo'), 'lib64')
        self.assertEqual(self.libdir(debian + ['/usr/local/lib64']), 'lib64')
        self.assertEqual(self.libdir([]), 'lib64')


@unittest.skipUnless(shutil.which('meson') and os.path.exists('/etc/debian_version'), 'this is no Debian')
class Setup(unittest.TestCase):
    def test_without_dpkg_architecture(self):
        with tempfile.TemporaryDirectory() as folder:
            # The programs of this machine, except this one.
            programs = pathlib.Path(folder, 'bin')
            programs.mkdir()
            for place in reversed(os.environ['PATH'].split(':')):
                for file in pathlib.Path(place).glob('*') if os.path.isdir(place) else ():
                    if file.name != ABSENT:
                        (programs / file.name).unlink(missing_ok=True)
                        (programs / file.name).symlink_to(file)
            env = dict(os.environ, PATH=str(programs))
            self.assertIsNone(shutil.which(ABSENT, path=env['PATH']))
            build = pathlib.Path(folder, 'build')
            r = subprocess.run(['meson', 'setup', build, SOURCE, '-Dtests=false'], env=env,
                               capture_output=True, text=True, timeout=300)
            self.assertEqual(r.returncode, 0, r.stdout + r.stderr)
            plan = json.loads((build / 'meson-info/intro-installed.json').read_text())
            libraries = {os.path.dirname(to) for to in plan.values() if '/libterrazzo.so.0' in to}
            self.assertEqual(len(libraries), 1, libraries)
            library = libraries.pop()
            listed = subprocess.run(['ldconfig', '-v', '-N'], env=env
                                    | {'PATH': f'{programs}:/sbin:/usr/sbin'},
                                    capture_output=True, text=True).stdout
            self.assertIn(library, listed
                          + ''.join(f.read_text() for f in pathlib.Path('/etc/ld.so.conf.d').glob('*.conf')))
            if shutil.which('pkg-config'):
                searched = subprocess.run(['pkg-config', '--variable', 'pc_path', 'pkg-config'], check=True,
                                          capture_output=True, text=True).stdout
                pc = next(os.path.dirname(to) for to in plan.values() if to.endswith('/terrazzo.pc'))
                self.assertIn(pc, searched.strip().split(':'))
                text = next((build / 'meson-private').glob('terrazzo.pc')).read_text()
                self.assertEqual([l for l in text.splitlines() if l.startswith('Libs:') and 'lib64' in l], [])


unittest.main(verbosity=0)
