#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Tests `terrazzo explain` with broken surroundings:
explain_test.py path/to/terrazzo path/to/a/library/that/crashes."""
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

TERRAZZO = os.path.abspath(sys.argv.pop(1))
CRASHES = os.path.abspath(sys.argv.pop(1))
FOLDER = os.path.dirname(os.path.dirname(TERRAZZO))
SHIM = os.path.join(os.path.dirname(FOLDER), 'winsys', 'shim', 'libterrazzo-shim.so')
NOBODY_ID = 65534


def explain(*args, command=(TERRAZZO,), timeout_s=100, **environment):
    """Runs the command in a small environment. Returns (exit code, stdout)."""
    env = {'PATH': os.environ['PATH'], 'TERRAZZO_SHADER_CACHE': 'off', **environment}
    r = subprocess.run([*command, 'explain', f'--timeout={timeout_s}', *args], env=env, capture_output=True,
                       text=True, timeout=120)
    if r.stderr:
        raise AssertionError(r.stderr)
    return r.returncode, r.stdout


class Explain(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, 'w', encoding='utf-8') as f:
                f.write(text)
        return path

    def report(self, **environment):
        code, out = explain('--json', **environment)
        report = json.loads(out)
        self.assertEqual(code, 0 if report['works'] else 1)
        return report

    def findings(self, section, subject=None, **environment):
        found = next(s for s in self.report(**environment)['sections'] if s['name'] == section)['findings']
        return [f for f in found if subject in (None, f['subject'])]

    def finding(self, section, subject, **environment):
        found = self.findings(section, subject, **environment)
        self.assertEqual(len(found), 1, found)
        return found[0]

    def check(self, finding, level, *words):
        self.assertEqual(finding['level'], level, finding)
        for word in words:
            self.assertIn(word, ' '.join(finding.values()))
        if level == 'wrong':
            self.assertTrue(finding.get('remedy'), finding)


class Page(Explain):
    def test_page_and_json_have_the_same_facts(self):
        environment = {'TERRAZZO_DEVICE': 'sim:nothing', 'WAYLAND_DISPLAY': 'no-such', 'HOME': self.folder}
        code, page = explain(**environment)
        report = self.report(**environment)
        self.assertEqual((code, report['works']), (1, False))
        words = ' '.join(page.split())
        marks = {'works': '+', 'unused': '-', 'wrong': '!'}
        for section in report['sections']:
            self.assertIn(section['title'], page)
            for f in section['findings']:
                said = [f['what']] + [f[k] for k in ('file',) if k in f]
                said += ['-> ' + f[k] for k in ('remedy',) if k in f]
                line = ' '.join([marks[f['level']], f['subject'], *said])
                self.assertIn(' '.join(line.split()), words)
        count = sum(len(s['findings']) for s in report['sections'])
        self.assertEqual(sum(line[:4] in ('  + ', '  - ', '  ! ') for line in page.splitlines()), count)
        lines = [line for line in page.splitlines() if ' /' not in line and 'LIBRARY' not in line]
        self.assertLessEqual(max(map(len, lines)), 110)

    def test_a_machine_as_it_is(self):
        code, page = explain()
        self.assertEqual(code, 0)
        self.assertRegex(page, r'\n  \+ program +gets OpenGL ES 3\.')
        for section in ('program', 'libraries', 'vendors', 'devices', 'platforms', 'surroundings'):
            self.assertTrue(self.findings(section))

    def test_text_from_outside_is_one_line_of_utf8(self):
        f = self.finding('surroundings', 'XDG_RUNTIME_DIR', XDG_RUNTIME_DIR='/a\nb\x1b[31m\udcff\u00e4\u20ac')
        self.assertEqual(f['what'], '/a b?[31m?\u00e4\u20ac')


class Libraries(Explain):
    def test_ours(self):
        for name in ('libEGL.so.1', 'libGLESv2.so.2', 'libGLESv1_CM.so.1', 'libterrazzo.so.0'):
            f = self.finding('libraries', name, LD_LIBRARY_PATH=FOLDER)
            self.check(f, 'works', "Terrazzo's, of this build")
            self.assertEqual(f['file'], os.path.realpath(os.path.join(FOLDER, name)))

    def test_ours_of_another_folder_and_two_that_are_mixed(self):
        shutil.copy(os.path.join(FOLDER, 'libEGL.so.1'), self.path('libEGL.so.1'))
        found = self.findings('libraries', 'libEGL.so.1', LD_LIBRARY_PATH=f'{self.folder}:{FOLDER}')
        self.check(found[0], 'works', "Terrazzo's, but not this command's", self.folder)
        self.check(found[1], 'wrong', 'is not of one build with the libterrazzo.so.0 that it uses, ')

    def test_one_that_cannot_be_loaded(self):
        self.path('libEGL.so.1', 'this is text')
        self.check(self.finding('libraries', 'libEGL.so.1', LD_LIBRARY_PATH=self.folder), 'wrong',
                   'cannot be loaded', 'file too short')

    def test_a_preload_that_is_not_there(self):
        env = {'PATH': os.environ['PATH'], 'LD_PRELOAD': '/no/such.so'}
        out = subprocess.run([TERRAZZO, 'explain', '--json', '--timeout=100'], env=env, capture_output=True,
                             text=True, timeout=120).stdout
        found = [f for s in json.loads(out)['sections'] for f in s['findings']
                 if f['subject'] == 'LD_PRELOAD']
        self.check(found[0], 'wrong', '/no/such.so is not loaded', 'No such file')

    def installed_without(self, *names):
        """Runs a copy of the command and its libraries, without the named ones."""
        os.makedirs(self.path('api/command'))
        shutil.copy(TERRAZZO, self.path('api/command'))
        for name in os.listdir(FOLDER):
            if name.startswith('lib') and '.so' in name and not name.endswith('.p') and name not in names:
                os.symlink(os.path.join(FOLDER, name), self.path('api/' + name))
        code, out = explain('--json', command=(self.path('api/command/terrazzo'),))
        return code, {f['subject']: f for s in json.loads(out)['sections'] for f in s['findings']}

    def test_folders_that_are_not_whole(self):
        code, found = self.installed_without('libterrazzo-virtual.so')
        self.assertEqual(code, 0)
        self.check(found['libterrazzo-virtual.so'], 'unused', 'there are no virtual GPUs')
        self.assertNotIn('virtual GPUs', found)

    def test_a_library_of_another_build(self):
        self.path('stamp.c', 'static const char *module[] = {"another stamp"}; '
                             'const void *terrazzo_virtual_module(void) { return module; }')
        os.makedirs(self.path('api'))
        if subprocess.run(['cc', '-shared', '-fPIC', '-o', self.path('api/libterrazzo-virtual.so'),
                           self.path('stamp.c')]).returncode:
            self.skipTest('no C compiler')
        code, found = self.installed_without('libterrazzo-virtual.so')
        self.assertEqual(code, 0)
        self.check(found['libterrazzo-virtual.so'], 'wrong', 'belongs to another build')

    def test_no_libraries_at_all(self):
        code, found = self.installed_without('libterrazzo.so.0')
        self.assertEqual(code, 1)
        self.check(found['program'], 'wrong', 'gets no context', 'libterrazzo.so.0')
        self.check(found["Terrazzo's folder"], 'wrong', 'libterrazzo.so.0')

    def test_a_gbm_backend_that_is_missing(self):
        for folders, level, word in ((self.folder, 'wrong', 'nothing_gbm.so'),
                                     ('', 'unused', 'GBM_BACKENDS_PATH is not set')):
            found = self.findings('libraries', 'GBM_BACKEND=nothing', GBM_BACKEND='nothing',
                                  GBM_BACKENDS_PATH=folders)
            if 'does not read it' in found[0]['what']:
                self.skipTest("the system's libgbm has no backends")
            self.check(found[0], level, word)


class Vendors(Explain):
    def setUp(self):
        super().setUp()
        if 'is not libglvnd' in self.findings('vendors')[0]['what']:
            self.skipTest("the system's libEGL is not libglvnd's")

    def description(self, name, library, version='1.0.0'):
        return self.path(name, json.dumps({'file_format_version': version, 'ICD': {'library_path': library}}))

    def test_each_is_listed_in_order_and_what_is_broken_has_its_reason(self):
        self.description('50_terrazzo.json', os.path.join(FOLDER, 'glvnd', 'libEGL_terrazzo.so.0'))
        self.path('10_broken.json', '{"file_format_version": ')
        self.path('11_empty.json', '')
        self.path('12_no_library.json', '{"file_format_version": "1.0.0", "ICD": {"library_path": 3}}')
        self.description('13_missing.json', 'libEGL_nothing.so.0')
        self.description('14_version.json', 'libEGL_nothing.so.0', '2.0.0')
        self.description('15_no_vendor.json', os.path.join(FOLDER, 'libterrazzo.so.0'))
        self.description('60_again.json', os.path.join(FOLDER, 'glvnd', 'libEGL_terrazzo.so.0'))
        os.symlink(os.path.join(FOLDER, 'glvnd', 'libEGL_terrazzo.so.0'), self.path('link.so'))
        self.description('70_relative.json', './link.so')
        self.path('not_read.txt', 'no')
        found = self.findings('vendors', __EGL_VENDOR_LIBRARY_DIRS=self.folder)
        self.check(found[0], 'works', '__EGL_VENDOR_LIBRARY_DIRS', self.folder)
        wanted = (('wrong', '10_broken.json: it is no JSON'), ('wrong', '11_empty.json'),
                  ('wrong', '12_no_library.json: ICD has no library_path'),
                  ('wrong', '13_missing.json names libEGL_nothing.so.0, which cannot be loaded: '),
                  ('wrong', 'file_format_version is 2.0.0'),
                  ('wrong', 'no vendor: it has no __egl_Main'), ('works', '50_terrazzo.json'),
                  ('unused', 'an earlier vendor'),
                  ('unused', 'names ./link.so, which an earlier vendor is already'))
        self.assertEqual(len(found), 1 + len(wanted), found)
        for i, (level, word) in enumerate(wanted):
            self.assertEqual(found[1 + i]['subject'], f'vendor {i + 1}')
            self.check(found[1 + i], level, word)

    def test_files_come_before_folders(self):
        missing = self.path('missing.json')
        found = self.findings('vendors', __EGL_VENDOR_LIBRARY_FILENAMES=missing,
                              __EGL_VENDOR_LIBRARY_DIRS='/no/such')
        self.check(found[0], 'works', '__EGL_VENDOR_LIBRARY_FILENAMES')
        self.check(found[1], 'wrong', missing, 'No such file')
        self.check(found[2], 'unused', 'is none of them', 'terrazzo run')

    def test_no_vendors_at_all(self):
        self.check(self.findings('vendors', __EGL_VENDOR_LIBRARY_DIRS=self.folder)[1], 'wrong',
                   'there is none', self.folder)

    def test_one_that_crashes_ends_nothing_but_its_probe(self):
        found = self.findings('vendors', __EGL_VENDOR_LIBRARY_FILENAMES=self.description('crash.json',
            CRASHES))
        self.check(found[-1], 'wrong', 'crashed while it was looked at: Aborted')
        self.assertIn('printed: this library crashes', [f['what'] for f in found])


class Devices(Explain):
    def test_the_cpu(self):
        self.check(self.finding('devices', 'soft', TERRAZZO_THREADS='1'), 'works', 'Software Rasterizer',
                   ', 1 thread')

    def test_devices_that_are_chosen(self):
        name = 'TERRAZZO_DEVICE=sim:adreno-630'
        self.check(self.finding('devices', name, TERRAZZO_DEVICE='sim:adreno-630'), 'works', 'Adreno 630')
        report = self.report(TERRAZZO_DEVICE='sim:adreno-63')
        self.assertFalse(report['works'])
        f = self.finding('devices', 'TERRAZZO_DEVICE=sim:adreno-63', TERRAZZO_DEVICE='sim:adreno-63')
        self.check(f, 'wrong', 'there is: soft')
        self.check(self.finding('program', 'program', TERRAZZO_DEVICE='sim:adreno-63'), 'wrong',
                   'gets no context')

    def test_a_device_that_draws_nothing(self):
        report = self.report(TERRAZZO_DEVICE='noop:mali-g610')
        self.assertFalse(report['works'])
        self.check(report['sections'][0]['findings'][0], 'wrong',
                   'does not draw: a pixel that was cleared to 51 102 153 reads as', 'unset TERRAZZO_DEVICE')

    def test_a_node_that_must_not_be_read(self):
        node = self.path('renderD128', '')
        os.chmod(node, 0)
        os.chmod(self.folder, 0o755)
        command = (TERRAZZO,)
        if os.geteuid() == 0:
            version = ['setpriv', f'--reuid={NOBODY_ID}', '--clear-groups', TERRAZZO, '--version']
            if not shutil.which('setpriv') or subprocess.run(version, capture_output=True).returncode:
                self.skipTest('no other user can run the command')
            command = ('setpriv', f'--reuid={NOBODY_ID}', f'--regid={NOBODY_ID}', '--clear-groups', TERRAZZO)
        code, out = explain('--json', command=command, TERRAZZO_DEVICE=node)
        self.assertEqual(code, 1)
        found = {f['subject']: f for s in json.loads(out)['sections'] for f in s['findings']}
        self.check(found[node], 'wrong', 'Permission denied', 'mode 0000', 'chmod')

    def test_nodes_of_dev(self):
        nodes = ('mkdir -p /dev/dri; echo > /dev/dri/renderD200; mknod /dev/dri/renderD201 c 1 3 && '
                 'chgrp 4242 /dev/dri/renderD201 && chmod 660 /dev/dri/renderD201')
        script = (f'mount -t tmpfs none /dev && chmod 755 /dev && {nodes}; '
                  f'exec setpriv --reuid={NOBODY_ID} --regid={NOBODY_ID} --clear-groups "$@"')
        command = ('unshare', '-m', 'sh', '-c', script, 'sh', TERRAZZO)
        mount = [*command[:4], f'mount -t tmpfs none /dev; {nodes}']
        if (os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode
                or subprocess.run([*command, '--version'], capture_output=True).returncode):
            self.skipTest('/dev cannot be another one')
        code, out = explain('--json', command=command)
        self.assertEqual(code, 0)
        found = {f['subject']: f for s in json.loads(out)['sections'] for f in s['findings']}
        self.check(found['/dev/dri/renderD200'], 'wrong', 'no device')
        self.check(found['/dev/dri/renderD201'], 'wrong', 'Permission denied', 'group 4242, mode 0660',
                   'which is not in that group', 'usermod -aG 4242')

    def test_without_dev_proc_sys_and_an_environment(self):
        script = 'for f in /dev /proc /sys; do mount -t tmpfs none $f || exit 9; done; exec env -i "$@"'
        command = ('unshare', '-m', 'sh', '-c', script, 'sh', TERRAZZO)
        if os.geteuid() != 0 or subprocess.run([*command, '--version'], capture_output=True).returncode:
            self.skipTest('/dev cannot be another one')
        code, page = explain(command=command)
        self.assertEqual(code, 0)
        self.assertRegex(page, r'\n  - /proc +is not there')
        self.assertIn('is only in memory: neither HOME nor XDG_CACHE_HOME is set', ' '.join(page.split()))

    def test_the_node_of_the_shim(self):
        if not os.path.exists(SHIM):
            self.skipTest('the shim is not built')
        report = self.report(LD_PRELOAD=SHIM, TERRAZZO_DEVICE='sim:adreno-630')
        found = {f['subject']: f for s in report['sections'] for f in s['findings']}
        self.check(found['/dev/dri/renderD128'], 'works', 'kernel driver msm, shown by the shim',
                   'Adreno 630')
        self.check(found['/dev/dri/card0'], 'works', 'the card of /dev/dri/renderD128')
        self.check(found['GBM /dev/dri/renderD128'], 'works', 'sim:adreno-630 draws')
        report = self.report(LD_PRELOAD=SHIM, TERRAZZO_DEVICE='soft')
        found = {f['subject']: f for s in report['sections'] for f in s['findings']}
        self.check(found['/dev/dri/renderD128'], 'works', 'kernel driver vgem', '`soft` draws for it')


class Wayland(Explain):
    def finding_of(self, **environment):
        return self.finding('platforms', 'Wayland', **environment)

    def test_no_socket(self):
        self.check(self.finding_of(WAYLAND_DISPLAY='wayland-7', XDG_RUNTIME_DIR=self.folder), 'wrong',
                   f'there is no socket {self.folder}/wayland-7')
        self.check(self.finding_of(WAYLAND_DISPLAY='wayland-7'), 'wrong', 'XDG_RUNTIME_DIR does not say')
        self.check(self.finding_of(XDG_RUNTIME_DIR=self.folder), 'unused',
                   f'there is no socket {self.folder}/wayland-0')
        self.check(self.finding_of(), 'unused', 'neither WAYLAND_DISPLAY nor XDG_RUNTIME_DIR is set')

    def test_what_is_no_server(self):
        path = self.path('wayland-7', '')
        self.check(self.finding_of(WAYLAND_DISPLAY=path), 'wrong', 'is no socket')
        os.unlink(path)
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(path)
        self.check(self.finding_of(WAYLAND_DISPLAY=path), 'wrong', 'no process listens at')

    def test_a_server_that_says_nothing_has_a_time_limit(self):
        path = self.path('wayland-7')
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(path)
            s.listen(8)
            report = self.report(WAYLAND_DISPLAY=path, timeout_s=3)
        found = {f['subject']: f for section in report['sections'] for f in section['findings']}
        self.assertFalse(report['works'])
        self.check(found['Wayland'], 'wrong', 'did not answer within 3 s')
        self.check(found['X11'], 'unused', 'DISPLAY is not set')


class X11(Explain):
    def finding_of(self, display):
        f = self.finding('platforms', 'X11', DISPLAY=display)
        if 'built without' in f['what']:
            self.skipTest(f['what'])
        return f

    def test_no_server(self):
        self.check(self.finding_of(':7653'), 'wrong', 'no server listens at /tmp/.X11-unix/X7653')
        self.check(self.finding_of('nonsense'), 'wrong', "no name of a display")
        self.check(self.finding('platforms', 'X11'), 'unused', 'DISPLAY is not set')

    def test_a_server_that_refuses(self):
        reason = b'Clients are refused.'
        answer = bytes((0, len(reason), 11, 0, 0, 0)) + (len(reason) // 4).to_bytes(2, sys.byteorder) + reason

        def serve(server):
            while True:
                try:
                    client = server.accept()[0]
                except OSError:
                    return
                with client, contextlib.suppress(OSError):  # it may only check for a server
                    client.recv(4096)
                    client.sendall(answer)

        with socket.socket(socket.AF_UNIX) as server:
            server.bind('\0/tmp/.X11-unix/X7654')
            server.listen(8)
            threading.Thread(target=serve, args=(server,), daemon=True).start()
            found = self.finding_of(':7654')
            server.shutdown(socket.SHUT_RDWR)
        self.check(found, 'wrong', 'the server refuses: Clients are refused.', 'XAUTHORITY')


class Surroundings(Explain):
    def test_the_shader_cache(self):
        def cache(**environment):
            return self.finding('surroundings', 'shader cache', **environment)
        fine = self.path('cache')
        self.check(cache(TERRAZZO_SHADER_CACHE=fine), 'works', 'will be created', fine)
        os.makedirs(fine + '/ab', 0o700)
        self.path('cache/ab/cd', 'x' * 2048)
        self.check(cache(TERRAZZO_SHADER_CACHE=fine), 'works', '1 entries, 0.0 MiB', fine)
        os.chmod(fine, 0o777)
        self.check(cache(TERRAZZO_SHADER_CACHE=fine), 'wrong', 'can be written to by others')
        os.symlink(fine, self.path('link'))
        self.check(cache(TERRAZZO_SHADER_CACHE=self.path('link')), 'wrong', 'is a link')
        self.check(cache(TERRAZZO_SHADER_CACHE=self.path('file', '')), 'wrong', 'is no folder')
        if os.geteuid() == 0:
            os.chmod(fine, 0o700)
            os.chown(fine, NOBODY_ID, NOBODY_ID)
            self.check(cache(TERRAZZO_SHADER_CACHE=fine), 'wrong',
                       f'belongs to user {NOBODY_ID}, and not to 0')
        self.check(cache(TERRAZZO_SHADER_CACHE='off'), 'unused', 'is off')

    def test_variables(self):
        self.check(self.finding('surroundings', 'TERRAZZO_THREADS', TERRAZZO_THREADS='3'), 'works', '3')
        self.check(self.finding('surroundings', 'TERRAZZO_DEVISE', TERRAZZO_DEVISE='soft'), 'wrong',
                   'means nothing')
        found = self.findings('surroundings', 'TERRAZZO_DEBUG', TERRAZZO_DEBUG='egl,mistake')
        self.check(found[-1], 'wrong', "has no 'mistake'")

    def test_nothing_is_written(self):
        trace, counters = self.path('trace'), self.path('counters')
        self.report(TERRAZZO_DEVICE='sim:mali-g610', TERRAZZO_DEBUG=f'trace:{trace},frames:{self.folder}',
                    TERRAZZO_COUNTERS=counters, TERRAZZO_SHADER_DUMP=self.path('dump'))
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == '__main__':
    program = unittest.main(exit=False, argv=[sys.argv[0]])
    r = program.result
    bad = len(r.failures) + len(r.errors)
    print(f'{r.testsRun - bad} passed, {bad} failed')
    sys.exit(bad != 0)
