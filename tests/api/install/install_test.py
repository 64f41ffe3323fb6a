#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Tests `meson install` and `ninja uninstall`: install_test.py BUILD. Installs into a temporary folder that
already has files with the names of the system's libraries: these must stay unchanged, programs must run with
the installed files, and after the removal the folder must be as before. Exit code 77 (skipped): not
everything that is installed has been built."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
MESON = os.environ.get('MESON', 'meson')
# The only record of the files that `ninja uninstall` removes. The developer's own one is restored.
LOG = BUILD / 'meson-logs/install-log.txt'
PLAN = json.loads((BUILD / 'meson-info/intro-installed.json').read_text())
OPTIONS = {o['name']: o['value']
           for o in json.loads((BUILD / 'meson-info/intro-buildoptions.json').read_text())}
PREFIX = OPTIONS['prefix']
# The folder of the library, which may differ from Meson's libdir (api/install/libdir.py).
LIBDIR = next(os.path.relpath(os.path.dirname(to), PREFIX) for to in PLAN.values()
              if to.endswith('/libterrazzo.so.0'))
DROP_INS = OPTIONS['drop_in_libdir'] or LIBDIR + '/terrazzo'
FOREIGN = ['libEGL.so.1', 'libGLESv2.so.2', 'libgbm.so.1', 'pkgconfig/egl.pc']


def listing(folder):
    """Path -> content, for everything in the folder."""
    return {p.relative_to(folder).as_posix(): os.readlink(p) if p.is_symlink() else None if p.is_dir()
            else p.read_bytes()
            for p in folder.rglob('*')}


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = pathlib.Path(tempfile.mkdtemp(prefix='terrazzo-install-'))
        cls.addClassCleanup(shutil.rmtree, cls.top)
        log = LOG.read_bytes() if LOG.exists() else None
        cls.addClassCleanup(lambda: LOG.write_bytes(log) if log is not None else LOG.unlink(missing_ok=True))
        cls.prefix = cls.top / PREFIX.lstrip('/')
        cls.libdir = cls.prefix / LIBDIR
        if DROP_INS != LIBDIR:
            for name in FOREIGN:
                (cls.libdir / name).parent.mkdir(parents=True, exist_ok=True)
                (cls.libdir / name).write_text('the system\'s')
        cls.before = listing(cls.top)
        subprocess.run([MESON, 'install', '-C', BUILD, '--no-rebuild', '--quiet', '--destdir', cls.top],
                       check=True, stdout=subprocess.DEVNULL)
        cls.installed = listing(cls.top)

    def command(self, *args, **environment):
        """The stdout of the installed command, in an environment without references to the build tree."""
        ours = ('TERRAZZO_', 'EGL_', '__EGL', 'GBM_', 'LD_', 'WAYLAND_', 'DISPLAY')
        env = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
        env.update(TERRAZZO_SHADER_CACHE='off', EGL_PLATFORM='surfaceless', **environment)
        r = subprocess.run([self.prefix / 'bin/terrazzo', *args], env=env, capture_output=True, text=True,
                           timeout=60)
        self.assertEqual(r.returncode, 0, r.stderr)
        return r.stdout

    def test_nothing_of_the_system_is_overwritten(self):
        for path, content in self.before.items():
            self.assertEqual(self.installed[path], content, path)

    def test_info_finds_all_from_where_it_is(self):
        facts = json.loads(self.command('info', '--json'))
        text = json.dumps(facts)
        self.assertIn(str(self.prefix / DROP_INS), text)
        self.assertNotIn(str(BUILD), text)
        if OPTIONS['llvm'] != 'disabled' and (self.libdir / 'terrazzo/libterrazzo-llvm.so').exists():
            self.assertIn(str(self.libdir / 'terrazzo/libterrazzo-llvm.so'), text)

    def test_virtual_gpus_are_found(self):
        out = self.command('run', '--device', 'sim:mali-g610', '--', 'printenv', 'LD_LIBRARY_PATH',
                           'TERRAZZO_DEVICE')
        self.assertEqual(out, f'{self.prefix / DROP_INS}\nsim:mali-g610\n')

    @unittest.skipUnless(shutil.which('eglinfo'), 'eglinfo is not installed')
    def test_a_program_runs_on_what_was_installed(self):
        for words in ([], ['--glvnd']):
            vendor = self.prefix / OPTIONS['datadir'] / 'glvnd/egl_vendor.d/60_terrazzo.json'
            if words and not vendor.exists():
                continue
            out = self.command('run', *words, '--', 'sh', '-c', 'LD_DEBUG=libs eglinfo 2>&1 || true')
            self.assertIn('EGL vendor string: Terrazzo', out, words)
            loaded = {os.path.normpath(l.split()[-1]) for l in out.splitlines() if 'calling init: /' in l}
            self.assertIn(str(self.libdir / 'libterrazzo.so.0'), loaded, words)
            self.assertEqual([l for l in loaded if l.startswith(str(BUILD))], [], words)

    @unittest.skipUnless(shutil.which('eglinfo'), 'eglinfo is not installed')
    def test_a_vendor_that_is_named_without_a_path_is_found_after_a_move(self):
        description = self.prefix / OPTIONS['datadir'] / 'glvnd/egl_vendor.d/60_terrazzo.json'
        if not description.exists():
            self.skipTest('built without libglvnd')
        text = description.read_text()
        # With the prefix /usr the loader finds it by its name.
        description.write_text(re.sub(r'"[^"]*/(libEGL_terrazzo\.so\.0)"', r'"\1"', text))
        try:
            self.assertNotIn('/lib', description.read_text())
            out = self.command('run', '--glvnd', '--', 'sh', '-c', 'eglinfo 2>&1 || true')
            self.assertIn('EGL vendor string: Terrazzo', out)
        finally:
            description.write_text(text)

    def test_pkg_config_files_lead_there(self):
        pkg_config = shutil.which('pkg-config')
        if not pkg_config:
            self.skipTest('no pkg-config')
        path = f'{self.libdir}/pkgconfig:{self.prefix / DROP_INS}/pkgconfig'
        env = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=str(self.top), PKG_CONFIG_PATH=path)
        for module, library, folder in (('terrazzo', 'terrazzo', self.libdir),
                                        ('egl', 'EGL', self.prefix / DROP_INS)):
            out = subprocess.run([pkg_config, '--libs', module], env=env, capture_output=True, text=True,
                                 check=True).stdout
            self.assertIn(f'-l{library}', out.split())
            folders = [os.path.normpath(w[2:]) for w in out.split() if w.startswith('-L')]
            self.assertIn(str(folder), folders)
            self.assertTrue((folder / f'lib{library}.so').exists())

    def test_zz_uninstall_leaves_nothing(self):
        self.assertGreater(len(self.installed), len(self.before) + 20)
        subprocess.run(['ninja', '-C', BUILD, 'uninstall'], check=True, stdout=subprocess.DEVNULL)
        after = listing(self.top)
        self.assertEqual(sorted(after), sorted(self.before))
        self.assertEqual(after, self.before)


missing = [p for p in PLAN if p.startswith('/') and not os.path.lexists(p)]
if missing:
    print('skipped: not built:', *missing[:5])
    sys.exit(77)
unittest.main(verbosity=0)
