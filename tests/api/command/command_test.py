#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""The `terrazzo` command from outside: command_test.py path/to/terrazzo."""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

TERRAZZO = os.path.abspath(sys.argv.pop(1))
FOLDER = os.path.dirname(os.path.dirname(TERRAZZO))


def terrazzo(*args, **environment):
    """(exit code, stdout, stderr) of the command in a small environment."""
    clean = {k: v for k, v in os.environ.items()
             if not k.startswith(('TERRAZZO_', 'EGL_', '__EGL', 'WAYLAND_', 'LD_')) and k not in ('DISPLAY', 'XDG_RUNTIME_DIR')}
    clean.update(environment, TERRAZZO_SHADER_CACHE='off')
    r = subprocess.run([TERRAZZO, *args], env=clean, capture_output=True, text=True, timeout=60)
    return r.returncode, r.stdout, r.stderr


class CommandLine(unittest.TestCase):
    def test_version(self):
        code, out, err = terrazzo('--version')
        self.assertEqual((code, err), (0, ''))
        self.assertRegex(out, r'^terrazzo \d+\.\d+\.\d+\n$')

    def test_help_names_the_subcommands_that_exist(self):
        code, out, _ = terrazzo('--help')
        self.assertEqual(code, 0)
        for word in ('run', 'info', 'decode'):
            self.assertIn('  ' + word + ' ', out)

    def test_bad_command_lines_are_one_line_on_stderr(self):
        for args in ([], ['frob'], ['--frob'], ['run'], ['run', '--'], ['run', '--device'], ['run', '--frob', '--', 'true'],
                     ['info', '--frob'], ['info', 'frob'], ['decode'], ['decode', 'a', 'b']):
            code, out, err = terrazzo(*args)
            self.assertEqual(code, 2, args)
            self.assertEqual(out, '', args)
            self.assertEqual(err.count('\n'), 1, (args, err))
            self.assertTrue(err.startswith('terrazzo: '), err)


class Run(unittest.TestCase):
    def test_the_program_gets_our_libraries_its_arguments_and_our_exit_code(self):
        code, out, err = terrazzo('run', '--', 'sh', '-c', 'echo "$LD_LIBRARY_PATH|$TERRAZZO_DEVICE|$1|$2"; exit 7', 'sh', '--device', 'x y')
        self.assertEqual((code, out, err), (7, f'{FOLDER}||--device|x y\n', ''))

    def test_dashes_may_be_left_out(self):
        self.assertEqual(terrazzo('run', 'sh', '-c', 'exit 3')[0], 3)

    def test_the_old_library_path_stays_behind_ours(self):
        self.assertEqual(terrazzo('run', '--', 'printenv', 'LD_LIBRARY_PATH', LD_LIBRARY_PATH='/a:/b')[1], f'{FOLDER}:/a:/b\n')

    def test_variables_that_lead_elsewhere_are_removed(self):
        code, out, _ = terrazzo('run', '--', 'printenv', '__EGL_VENDOR_LIBRARY_FILENAMES', __EGL_VENDOR_LIBRARY_FILENAMES='/x.json')
        self.assertEqual((code, out), (1, ''))

    def test_a_device_is_handed_on(self):
        for args in (['--device', 'soft'], ['--device=soft']):
            self.assertEqual(terrazzo('run', *args, '--', 'printenv', 'TERRAZZO_DEVICE'), (0, 'soft\n', ''))

    def test_an_unknown_device_is_one_line(self):
        code, out, err = terrazzo('run', '--device', 'sim:none', '--', 'true')
        self.assertEqual((code, out), (1, ''))
        self.assertEqual(err.count('\n'), 1, err)
        self.assertIn('sim:none', err)
        self.assertIn('soft', err)

    def test_what_is_not_there_or_not_a_program(self):
        for program, want in (('no-such-program-here', 127), ('./no-such-program-here', 127), ('/etc/passwd', 126)):
            code, out, err = terrazzo('run', '--', program)
            self.assertEqual((code, out), (want, ''), program)
            self.assertEqual(err.count('\n'), 1, err)
            self.assertIn(program, err)


class Decode(unittest.TestCase):
    @staticmethod
    def record(kind, body):
        return struct.pack('<IIQ', kind, 0, len(body)) + body + bytes(-len(body) % 8)

    def capture(self, *records):
        file = tempfile.NamedTemporaryFile(suffix='.cap')
        self.addCleanup(file.close)
        file.write(b'TRZCAP\0\1' + b''.join(records))
        file.flush()
        return file.name

    def test_a_stream_is_printed(self):
        chip = self.record(1, struct.pack('<IIII', 1, 0xa8670000, 0, 0))
        memory = self.record(2, struct.pack('<QQQ', 0x1000, 0x0028123456789abc, 0x0128123456789abc))
        submit = self.record(3, struct.pack('<QQII', 0x1000, 16, 2, 0))
        self.assertEqual(terrazzo('decode', self.capture(chip, memory, submit)), (0, """\
Chip: Mali-G610 (0xa8670000, variant 0)
Submission 0: queue 2, 16 bytes @0x1000
000000001000  0028123456789abc  NOP // 0x28123456789ABC
000000001008  0128123456789abc  MOVE d40, #0x123456789ABC
""", ''))

    def test_bad_files_are_one_line(self):
        note = self.record(4, b'so far')
        for name, want, what in (('/no/such/file', '', 'No such file'), (TERRAZZO, '', 'not a Terrazzo capture'),
                                 (self.capture(note, note[:-1]), 'Note: so far\n', 'ends within a record')):
            code, out, err = terrazzo('decode', name)
            self.assertEqual((code, out), (1, want), name)
            self.assertEqual(err.count('\n'), 1, err)
            self.assertIn(name, err)
            self.assertIn(what, err)


class Info(unittest.TestCase):
    def facts(self, **environment):
        code, out, err = terrazzo('info', '--json', **environment)
        self.assertEqual((code, err), (0, ''))
        return json.loads(out)

    def test_text(self):
        code, out, err = terrazzo('info')
        self.assertEqual((code, err), (0, ''))
        for word in ('Terrazzo', 'device', 'platform', 'renderer', 'OpenGL ES', 'threads', 'shader cache'):
            self.assertRegex(out, rf'(?m)^{word} ')

    def test_json_says_what_and_why(self):
        f = self.facts()
        self.assertEqual(f['libraries'], FOLDER)
        self.assertEqual((f['device'], f['device_reason']), ('soft', 'the default; TERRAZZO_DEVICE is not set'))
        self.assertEqual(f['platform'], 'surfaceless')
        self.assertIn('Software Rasterizer', f['renderer'])
        self.assertTrue(f['gl_version'].startswith('OpenGL ES 2.0'), f['gl_version'])
        self.assertNotIn('gl_extensions', f)

    def test_reasons_follow_the_environment(self):
        f = self.facts(TERRAZZO_DEVICE='soft', EGL_PLATFORM='surfaceless', TERRAZZO_THREADS='3')
        self.assertEqual((f['device_reason'], f['platform_reason']), ('TERRAZZO_DEVICE=soft', 'EGL_PLATFORM=surfaceless'))
        self.assertEqual((f['threads'], f['threads_reason']), ('3', 'TERRAZZO_THREADS=3'))
        self.assertEqual(f['shader_cache'], 'off')

    def test_verbose_lists_extensions(self):
        code, out, _ = terrazzo('info', '--json', '-v')
        f = json.loads(out)
        self.assertEqual(code, 0)
        self.assertIn('GL_OES_vertex_array_object', f['gl_extensions'])
        self.assertIn('EGL_KHR_debug', f['egl_client_extensions'])
        self.assertIn('EGL_KHR_surfaceless_context', f['egl_display_extensions'])
        self.assertTrue(f['egl_configs'])

    def test_a_bad_device_has_its_reason(self):
        code, out, err = terrazzo('info', TERRAZZO_DEVICE='nothing')
        self.assertEqual((code, out, err.count('\n')), (1, '', 1))
        self.assertIn('TERRAZZO_DEVICE=nothing', err)


if __name__ == '__main__':
    program = unittest.main(exit=False, argv=[sys.argv[0]])
    r = program.result
    bad = len(r.failures) + len(r.errors)
    print(f'{r.testsRun - bad} passed, {bad} failed')
    sys.exit(bad != 0)
