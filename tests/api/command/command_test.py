#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Tests the `terrazzo` command:command_test.py path/to/terrazzo."""
import gzip
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

TERRAZZO = os.path.abspath(sys.argv.pop(1))
FOLDER = os.path.dirname(os.path.dirname(TERRAZZO))


def terrazzo(*args, **environment):
    """Runs the command in a small environment. Returns (exit code, stdout, stderr)."""
    clean = {k: v for k, v in os.environ.items()
             if not k.startswith(('TERRAZZO_', 'EGL_', '__EGL', 'WAYLAND_', 'LD_'))
             and k not in ('DISPLAY', 'XDG_RUNTIME_DIR')}
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
        for word in ('run', 'counters', 'info', 'explain', 'decode', 'replay', 'shader-db'):
            self.assertIn('  ' + word + ' ', out)

    def test_bad_command_lines_are_one_line_on_stderr(self):
        for args in ([], ['frob'], ['--frob'], ['run'], ['run', '--'], ['run', '--device'],
                     ['run', '--frob', '--', 'true'], ['info', '--frob'], ['shader-db'],
                     ['shader-db', '--frob'], ['info', 'frob'], ['explain', '--frob'], ['explain', 'frob'],
                     ['decode'], ['decode', 'a', 'b'], ['replay'], ['counters'], ['counters', '--html']):
            code, out, err = terrazzo(*args)
            self.assertEqual(code, 2, args)
            self.assertEqual(out, '', args)
            self.assertEqual(err.count('\n'), 1, (args, err))
            self.assertTrue(err.startswith('terrazzo: '), err)


class Counters(unittest.TestCase):
    GALLERY = os.path.join(os.path.dirname(FOLDER), 'examples', 'gallery')

    def test_a_program_that_draws_nothing(self):
        code, _, err = terrazzo('counters', '--', 'sh', '-c', 'exit 3')
        self.assertEqual(code, 3)
        self.assertIn('no context of the program', err)

    def test_a_device_that_counts_nothing_says_so_before_the_program_runs(self):
        code, out, err = terrazzo('counters', '--device', 'sim:mali-g610', '--', 'sh', '-c', 'echo ran')
        self.assertEqual((code, out), (1, ''))
        self.assertEqual(err.count('\n'), 1, err)
        self.assertRegex(err, r'counts nothing \(it has no GL_AMD_performance_monitor\)')

    @unittest.skipUnless(os.path.exists(GALLERY), 'no examples')
    def test_two_contexts_have_one_clock(self):
        draws = f'"{self.GALLERY}" --out "$0" --size 32x32 triangle'
        with tempfile.TemporaryDirectory() as folder:
            code, _, err = terrazzo('counters', '--', 'sh', '-c', f'{draws} && sleep 0.6 && {draws}', folder,
                                    TERRAZZO_DEVICE='soft')
            self.assertEqual(code, 0, err)
            times = [float(t) for t in re.findall(r'(?m)^(\d+\.\d) ms, (?:frame|flush):', err)]
            self.assertGreater(times[-1] - times[0], 500, err)
            self.assertEqual(times, sorted(times))

    @unittest.skipUnless(os.path.exists(GALLERY), 'no examples')
    def test_an_interrupt_finishes_the_page_and_leaves_no_file(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with tempfile.TemporaryDirectory() as folder:
                page = os.path.join(folder, 'counters.html')
                script = ('echo "$TERRAZZO_COUNTERS"; "$1" --out "$0" --size 32x32 triangle >/dev/null; '
                          'echo drawn; exec sleep 60')
                run = subprocess.Popen([TERRAZZO, 'counters', '--html', page, '--', 'sh', '-c', script,
                                        folder,
                                        self.GALLERY],
                                       env=dict(os.environ, TERRAZZO_DEVICE='soft',
                                                TERRAZZO_SHADER_CACHE='off'),
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                log = run.stdout.readline().strip()
                self.assertTrue(os.path.exists(log), log)
                self.assertEqual(run.stdout.readline(), 'drawn\n')
                run.send_signal(number)
                _, err = run.communicate(timeout=30)
                self.assertEqual(run.returncode, 128 + number, err)
                self.assertFalse(os.path.exists(log))
                with open(page) as f:
                    self.assertIn('<b>CPU/draws</b> sum 1', f.read())

    @unittest.skipUnless(os.path.exists(GALLERY), 'no examples')
    def test_lines_and_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, 'counters.html')
            code, out, err = terrazzo('counters', '--html', page, '--', self.GALLERY, '--out', folder,
                                      '--size',
                                      '32x32', 'triangle', TERRAZZO_DEVICE='soft')
            self.assertEqual(code, 0, err)
            self.assertRegex(err, r'(?m)^\d+\.\d ms, (frame|flush): '
                                  r'.*CPU/draws 1, CPU/vertices 3, CPU/primitives 1')
            self.assertRegex(err, r'(?m)^CPU/draws +\d+ +\d+ +1$')
            with open(page) as f:
                html = f.read()
            self.assertIn('<b>CPU/draws</b> sum 1', html)
            for name in ('CPU/tiles', 'CPU/fragments'):
                self.assertIn(f'<b>{name}</b>', html)
            self.assertIn('<polyline', html)


class Run(unittest.TestCase):
    def test_the_program_gets_our_libraries_its_arguments_and_our_exit_code(self):
        code, out, err = terrazzo('run', '--', 'sh', '-c',
                                  'echo "$LD_LIBRARY_PATH|$TERRAZZO_DEVICE|$1|$2"; exit 7',
                                  'sh', '--device', 'x y')
        self.assertEqual((code, out, err), (7, f'{FOLDER}||--device|x y\n', ''))

    def test_dashes_may_be_left_out(self):
        self.assertEqual(terrazzo('run', 'sh', '-c', 'exit 3')[0], 3)

    def test_the_old_library_path_stays_behind_ours(self):
        code, out, _ = terrazzo('run', '--', 'printenv', 'LD_LIBRARY_PATH', LD_LIBRARY_PATH='/a:/b')
        self.assertEqual(out, f'{FOLDER}:/a:/b\n')

    def test_variables_that_lead_elsewhere_are_removed(self):
        code, out, _ = terrazzo('run', '--', 'printenv', '__EGL_VENDOR_LIBRARY_FILENAMES',
                                __EGL_VENDOR_LIBRARY_FILENAMES='/x.json')
        self.assertEqual((code, out), (1, ''))

    def test_a_device_is_handed_on(self):
        for args in (['--device', 'soft'], ['--device=soft']):
            self.assertEqual(terrazzo('run', *args, '--', 'printenv', 'TERRAZZO_DEVICE'), (0, 'soft\n', ''))

    def test_an_unknown_device_is_one_line(self):
        code, out, err = terrazzo('run', '--device', 'sim:none', '--', 'true')
        self.assertEqual((code, out), (1, ''))
        self.assertEqual(err.count('\n'), 1, err)
        self.assertIn('--device sim:none: no such device', err)
        self.assertNotIn('TERRAZZO_DEVICE', err)
        self.assertIn('soft', err)
        self.assertIn('noop:', err)

    GLVND = ('libEGL.so.1', 'libterrazzo.so.0', 'command/terrazzo', 'glvnd/libEGL_terrazzo.so.0',
             'glvnd/60_terrazzo.json')

    def moved(self):
        """The command in a copy of the build tree."""
        if not all(os.path.exists(os.path.join(FOLDER, name)) for name in self.GLVND):
            self.skipTest('built without libglvnd')
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name in self.GLVND:
            os.makedirs(os.path.dirname(os.path.join(folder.name, 'api', name)), exist_ok=True)
            shutil.copy(os.path.join(FOLDER, name), os.path.join(folder.name, 'api', name))
        return os.path.join(folder.name, 'api')

    def vendor(self, api):
        """Runs a program that asks the system's libEGL for its vendor: (exit code, stdout, stderr)."""
        code = ('import ctypes\negl = ctypes.CDLL("libEGL.so.1")\n'
                'egl.eglGetPlatformDisplay.restype = ctypes.c_void_p\n'
                'egl.eglQueryString.restype = ctypes.c_char_p\n'
                'd = ctypes.c_void_p(egl.eglGetPlatformDisplay(0x31DD, None, None))\n'
                'egl.eglInitialize(d, None, None)\nprint(egl.eglQueryString(d, 0x3053).decode())\n'
                'print(*{l.split()[-1] for l in open("/proc/self/maps") if "libEGL_terrazzo" in l})')
        r = subprocess.run([os.path.join(api, 'command/terrazzo'), 'run', '--glvnd', '--', sys.executable,
                            '-c', code], capture_output=True, text=True,
                           env={'PATH': os.environ['PATH'], 'TERRAZZO_SHADER_CACHE': 'off'}, timeout=60)
        if 'ASan runtime' in r.stderr:
            self.skipTest('Python has no sanitizer')
        return r.returncode, r.stdout, r.stderr

    def test_a_vendor_after_a_move(self):
        api = self.moved()
        code, out, err = self.vendor(api)
        if 'libEGL.so.1: cannot open' in err:
            self.skipTest('the system has no libEGL.so.1')
        self.assertEqual((code, out), (0, f'Terrazzo\n{api}/glvnd/libEGL_terrazzo.so.0\n'), err)

    def test_a_vendor_that_cannot_be_loaded_has_its_reason(self):
        api = self.moved()
        os.remove(os.path.join(api, 'glvnd/libEGL_terrazzo.so.0'))
        code, out, err = self.vendor(api)
        self.assertEqual((code, out, err.count('\n')), (1, '', 1), err)
        self.assertIn('60_terrazzo.json names ./libEGL_terrazzo.so.0, which cannot be loaded: ', err)
        os.remove(os.path.join(api, 'glvnd/60_terrazzo.json'))
        code, out, err = self.vendor(api)
        self.assertEqual((code, out, err.count('\n')), (1, '', 1), err)
        self.assertIn('60_terrazzo.json is missing', err)

    def test_what_is_not_there_or_not_a_program(self):
        for program, want in (('no-such-program-here', 127), ('./no-such-program-here', 127),
                              ('/etc/passwd', 126)):
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

    def test_files_without_an_end(self):
        """decode and replay stop reading a file that is no capture, and never read more than their limit"""
        for command in 'decode', 'replay':
            for name in '/dev/zero', '/dev/full':
                code, out, err = terrazzo(command, name)
                self.assertEqual((code, out), (1, ''))
                self.assertIn('not a Terrazzo capture', err)
        with tempfile.TemporaryDirectory() as folder:
            large = os.path.join(folder, 'large')
            with open(large, 'wb') as f:
                f.write(b'TRZCAP\0\1')
                f.truncate((1 << 30) + 1)
            code, out, err = terrazzo('decode', large)
            self.assertEqual((code, out), (1, ''))
            self.assertIn('larger than 1024 MiB', err)
            bomb = os.path.join(folder, 'bomb.rd.gz')
            with open(bomb, 'wb') as f:  # its header claims 2 GiB
                f.write(gzip.compress(bytes(1 << 20))[:-4] + (2 << 30).to_bytes(4, 'little'))
            for command in 'decode', 'replay':
                code, out, err = terrazzo(command, bomb)
                self.assertEqual(code, 1)
                self.assertIn('holds more than is read', err)

    def test_bad_files_are_one_line(self):
        note = self.record(4, b'so far')
        for name, want, what in (('/no/such/file', '', 'No such file'),
                                 (TERRAZZO, '', 'not a Terrazzo capture'),
                                 (self.capture(note, note[:-1]), 'Note: so far\n', 'ends within a record')):
            code, out, err = terrazzo('decode', name)
            self.assertEqual((code, out), (1, want), name)
            self.assertEqual(err.count('\n'), 1, err)
            self.assertIn(name, err)
            self.assertIn(what, err)


def read_png(file):
    """Rows of (r, g, b) of a PNG with 8 bits a channel that is not interlaced."""
    with open(file, 'rb') as f:
        data = f.read()
    width, height, depth, kind = struct.unpack('>IIBB', data[16:26])
    channels = {2: 3, 6: 4}[kind]
    assert depth == 8
    packed, at = b'', 8
    while at < len(data):
        size, name = struct.unpack('>I4s', data[at:at + 8])
        if name == b'IDAT':
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    raw, rows, before = zlib.decompress(packed), [], bytes(width * channels)
    for y in range(height):
        at = y * (width * channels + 1)
        how, row = raw[at], bytearray(raw[at + 1:at + 1 + width * channels])
        for i in range(len(row)):
            a = row[i - channels] if i >= channels else 0
            b, c = before[i], before[i - channels] if i >= channels else 0
            p = a + b - c
            paeth = b if abs(p - b) <= abs(p - c) else c
            if abs(p - a) <= abs(p - b) and abs(p - a) <= abs(p - c):
                paeth = a
            row[i] = row[i] + (0, a, b, (a + b) // 2, paeth)[how] & 255
        rows.append([tuple(row[x * channels:x * channels + 3]) for x in range(width)])
        before = bytes(row)
    return rows


def read_ppm(file):
    with open(file, 'rb') as f:
        magic, size, most, data = f.read().split(b'\n', 3)
    width, height = map(int, size.split())
    assert (magic, most, len(data)) == (b'P6', b'255', width * height * 3)
    return [[tuple(data[(y * width + x) * 3:][:3]) for x in range(width)] for y in range(height)]


@unittest.skipUnless(os.path.exists(os.path.join(os.path.dirname(FOLDER), 'examples', 'gallery')),
                     'no examples')
class Replay(unittest.TestCase):
    GALLERY = os.path.join(os.path.dirname(FOLDER), 'examples', 'gallery')

    def test_each_vendor_draws_its_capture_again(self):
        for device, debug in (('sim:mali-g610', ''), ('sim:mali-g610', ',linear'),
                              ('sim:adreno-630', ',sysmem'),
                              ('sim:adreno-630', ',gmem')):
            with self.subTest(device + debug), tempfile.TemporaryDirectory() as folder:
                streams, out = os.path.join(folder, 'streams'), os.path.join(folder, 'pictures')
                code, _, err = terrazzo('run', '--device', device, '--', self.GALLERY, '--out', folder,
                                        '--size',
                                        '48x40', 'cube', TERRAZZO_DEBUG=f'trace:{streams}{debug}')
                self.assertEqual(code, 0, err)
                code, text, err = terrazzo('replay', '--out', out, streams)
                self.assertEqual((code, err), (0, ''), text)
                self.assertRegex(text, r'(?m)^\d+ submissions, .*\b[1-9]\d* draws, .* 0 faults$')
                pictures = sorted(os.listdir(out))
                self.assertRegex(text, rf'(?m)^{len(pictures)} pictures in ')
                drawn = read_png(os.path.join(folder, 'cube.png'))
                self.assertGreater(len({p for row in drawn for p in row}), 10)
                self.assertEqual(read_ppm(os.path.join(out, pictures[-1])), drawn)
                code, _, _ = terrazzo('replay', '--out', out, '--top-down', streams)
                self.assertEqual(read_ppm(os.path.join(out, pictures[-1])), drawn[::-1])
                # The streams without their draws draw nothing.
                none = os.path.join(folder, 'none')
                code, text, _ = terrazzo('replay', '--no-draws', '--out', none, streams)
                self.assertEqual(code, 0, text)
                self.assertIn('\n0 pictures in ', text)

    def test_bad_files_and_folders_are_one_line(self):
        with tempfile.NamedTemporaryFile() as f:
            f.write(b'no capture')
            f.flush()
            for args in (('/nowhere',), (f.name,), ('--out', '/proc/nowhere', f.name)):
                code, _, err = terrazzo('replay', *args)
                self.assertEqual((code, err.count('\n')), (1, 1), err)
                self.assertTrue(err.startswith('terrazzo: replay: '), err)


class ShaderDb(unittest.TestCase):
    VERTEX = 'attribute vec4 p, q; varying vec4 v; void main() { gl_Position = p; v = q * %d.0; }'
    FRAGMENT = 'varying vec4 v; uniform vec4 u; void main() { gl_FragColor = v%s; }'

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.makedirs(self.path('set/deep'))
        for i in range(9):
            self.write(f'set/deep/pair{i}.vert', self.VERTEX % (i + 1))  # times 0 needs no varying
            self.write(f'set/deep/pair{i}.frag', self.FRAGMENT % (' + u' * i))
        test = ('[require]\nGLSL ES >= %s\n\n[vertex shader]\n%s\n[fragment shader]\n'
                'precision mediump float;\n%s\n[test]\ndraw rect -1 -1 2 2\n')
        self.write('set/one.shader_test', test % ('1.00', self.VERTEX % 1, self.FRAGMENT % ''))
        self.write('set/new.shader_test', '[require]\nGLSL ES >= 3.10\n\n[compute shader]\n#version 310 es\n'
                   'layout(local_size_x = 1) in;\nvoid main() {}\n')
        self.write('set/alone.frag', 'void main() {}')
        self.write('set/notes.txt', 'no shader')

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), 'w') as f:
            f.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name)) as f:
            return f.read()

    def test_folders_are_searched_and_every_part_is_a_row(self):
        code, out, err = terrazzo('shader-db', '--json', '-', self.path('set'))
        self.assertEqual((code, err), (0, ''))
        result = json.loads(out)
        self.assertEqual([s['name'] for s in result['skipped']], ['set/alone.frag'])
        self.assertEqual(result['failed'], [])
        pairs = ['set/deep/pair%d' % i for i in range(9)]
        parts = ('fragment', 'position', 'varying')
        self.assertEqual([(r['name'], r['part']) for r in result['shaders']],
                         [(n, p) for n in pairs for p in parts] + [('set/new', 'compute')] +
                         [('set/one', p) for p in parts])
        self.assertEqual(result['devices'], [{'name': 'mali-g610',
                                              'units': ['fma', 'cvt', 'sfu', 'v', 't', 'ls',
                                                                             'latency']}])
        for r in result['shaders']:
            self.assertEqual(len(r['cycles']), 7)
            self.assertGreater(r['instructions'], 0)
            self.assertGreater(r['time_us'], 0)

    def test_text_has_rows_and_sums(self):
        code, out, err = terrazzo('shader-db', self.path('set'))
        self.assertEqual((code, err), (0, ''))
        self.assertRegex(out, r'(?m)^mali-g610 +part +inst +cycles by +fma ')
        self.assertRegex(out, r'(?m)^set/one +varying +\d+ ')
        self.assertRegex(out, r'(?m)^total of 31 +all +\d+ ')
        self.assertIn('skipped: 1\n', out)
        quiet = terrazzo('shader-db', '-q', self.path('set'))[1]
        self.assertNotIn('set/one', quiet)
        self.assertIn('total of 31', quiet)

    def test_shards_and_threads_give_the_same_as_one_run(self):
        def run(*args):
            code, out, err = terrazzo('shader-db', '--no-times', '--json', '-', *args)
            self.assertEqual((code, err), (0, ''))
            return out
        whole = run('-j', '1', '--device', 'mali-g610,mali-g310', self.path('set'))
        # The device, 30 shaders, and the stage that it does not support.
        self.assertEqual(run('-j', '4', '--device', 'all', self.path('set')).count('mali-g610"'), 32)
        self.assertEqual(run('-j', '3', '--device', 'mali-g610', '--device', 'mali-g310', self.path('set')),
                         whole)
        pieces = []
        for i in (1, 2, 3):
            piece = run('--shard', f'{i}/3', '--device', 'mali-g610,mali-g310', self.path('set'))
            self.assertNotEqual(piece, whole)
            pieces.append(self.write(f'piece{i}.json', piece))
        self.assertEqual(run('--merge', *reversed(pieces)), whole)
        self.assertIn('2 of 3 shards', terrazzo('shader-db', '--merge', *pieces[:2])[1])
        code, out, err = terrazzo('shader-db', '--merge', pieces[0], pieces[0])
        self.assertEqual((code, out, err.count('\n')), (1, '', 1))
        self.assertIn('there twice', err)

    def test_two_runs_are_compared(self):
        old, new = self.path('old.json'), self.path('new.json')
        self.assertEqual(terrazzo('shader-db', '-q', '--json', old, self.path('set'))[0], 0)
        self.write('set/deep/pair4.frag', self.FRAGMENT % '')
        code, out, err = terrazzo('shader-db', '--compare', old, '--json', new, '--html',
                                  self.path('new.html'),
                                  self.path('set'))
        self.assertEqual((code, err), (0, ''))
        self.assertRegex(out, r'(?m)^inst helped: set/deep/pair4 fragment: \d+ -> \d+ \(-')
        self.assertRegex(out, r'(?m)^total inst .* helped 1, hurt 0$')
        again = terrazzo('shader-db', '--compare', old, new)
        self.assertEqual(again, (0, out, ''))
        again = terrazzo('shader-db', '--compare', new, old)[1]
        self.assertRegex(again, r'(?m)^total inst .* helped 0, hurt 1$')
        page = self.read('new.html')
        self.assertTrue(page.startswith('<!doctype html>'))
        self.assertIn('set/deep/pair4', page)

    def test_failures_are_one_line_each_and_the_exit_code(self):
        self.write('set/bad.vert', 'void main() { gl_Position = nothing; }')
        self.write('set/bad.frag', 'void main() {}')
        code, out, err = terrazzo('shader-db', '-q', self.path('set'))
        self.assertEqual(code, 1)
        self.assertRegex(err, r"^terrazzo: shader-db: set/bad: vertex shader: ERROR: .*'nothing'.*\n$")
        self.assertIn('failed: 1\n', out)
        self.assertIn('total of 31', out)

    def test_pairs_may_be_named(self):
        a, b = self.path('set/deep/pair1.vert'), self.path('set/deep/pair2.frag')
        code, out, _ = terrazzo('shader-db', '--json', '-', f'{a},{b}', b, b)
        self.assertEqual(code, 0)
        self.assertEqual(sorted({r['name'] for r in json.loads(out)['shaders']}), ['pair1+pair2', 'pair2'])

    def test_bad_options_are_one_line(self):
        something = self.path('set/one.shader_test')
        for args, want in (([], 'no files'), (['/no/such'], '/no/such'),
                           ([self.path('set/notes.txt')], 'notes.txt'),
                           (['--device', 'mali-g0', something], 'mali-g610'),
                           (['--shard', '3/2', something], '3/2'),
                           (['--merge', something], 'one.shader_test')):
            code, out, err = terrazzo('shader-db', *args)
            self.assertEqual((code, out, err.count('\n')), (2, '', 1), args)
            self.assertIn(want, err)
        for args, want in ((['/no/such.json'], '/no/such.json'), ([self.write('x.json', '{}')], 'no results'),
                           (['--json', '/no/such/file', something], '/no/such/file')):
            code, out, err = terrazzo('shader-db', *args)
            self.assertEqual((code, out, err.count('\n')), (1, '', 1), args)
            self.assertIn(want, err)


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
        self.assertEqual((f['device'], f['device_reason']),
                         ('soft', 'the default; TERRAZZO_DEVICE is not set'))
        self.assertEqual(f['platform'], 'surfaceless')
        self.assertIn('Software Rasterizer', f['renderer'])
        self.assertTrue(f['gl_version'].startswith('OpenGL ES 3.'), f['gl_version'])
        self.assertNotIn('gl_extensions', f)

    def test_reasons_follow_the_environment(self):
        f = self.facts(TERRAZZO_DEVICE='soft', EGL_PLATFORM='surfaceless', TERRAZZO_THREADS='3')
        self.assertEqual((f['device_reason'], f['platform_reason']),
                         ('TERRAZZO_DEVICE=soft', 'EGL_PLATFORM=surfaceless'))
        self.assertEqual((f['threads'], f['threads_reason']), ('3', 'TERRAZZO_THREADS=3'))
        self.assertEqual(f['shader_cache'], 'off')

    def test_the_words_of_terrazzo_debug(self):
        code, out, err = terrazzo('info', TERRAZZO_DEBUG='help')
        self.assertEqual(code, 0)
        self.assertTrue(err.startswith('terrazzo: TERRAZZO_DEBUG is a comma list of\n'), err)
        for word in ('egl', 'gl', 'perf', 'ir', 'shaders', 'sync', 'flush', 'trace[:FILE]', 'trace-limit:N',
                     'frames:FOLDER', 'noafbc',
                     'nocrc', 'nofp16', 'noearlyz', 'linear', 'nohiz', 'gmem', 'sysmem'):
            self.assertRegex(err, rf'(?m)^  {re.escape(word)} ')
        code, out, err = terrazzo('info', TERRAZZO_DEBUG='egl,mistake,gl,')
        self.assertEqual(code, 0)
        self.assertEqual(err, "terrazzo: TERRAZZO_DEBUG has no 'mistake'; help prints what there is\n")

    def test_verbose_lists_extensions(self):
        code, out, _ = terrazzo('info', '--json', '-v')
        f = json.loads(out)
        self.assertEqual(code, 0)
        self.assertIn('GL_OES_vertex_array_object', f['gl_extensions'])
        self.assertIn('EGL_KHR_debug', f['egl_client_extensions'])
        self.assertIn('EGL_KHR_surfaceless_context', f['egl_display_extensions'])
        self.assertTrue(f['egl_configs'])

    def test_virtual_gpus_are_devices(self):
        f = self.facts(TERRAZZO_DEVICE='sim:mali-g610')
        self.assertEqual((f['device'], f['device_reason']),
                         ('sim:mali-g610', 'TERRAZZO_DEVICE=sim:mali-g610'))
        self.assertIn('Mali-G610', f['renderer'])
        self.assertEqual(f['compiler'], "the driver's own")

    def devices(self, **environment):
        return json.loads(terrazzo('info', '--json', '-v', **environment)[1])['devices']

    def test_devices_are_listed_soft_first_and_what_does_nothing_where_it_is_asked_for(self):
        plain = self.devices()
        self.assertEqual(plain[0], 'soft')
        virtual = [d for d in plain if not d.startswith('/dev/')]
        self.assertEqual(virtual[:2], ['soft', 'sim:mali-g610'])
        self.assertTrue(all(d.startswith('sim:') for d in virtual[1:]), virtual)
        self.assertEqual(plain, plain[:1] + [d for d in plain if d.startswith('/dev/')] + virtual[1:])
        asked = self.devices(TERRAZZO_DEVICE='noop:mali-g610')
        self.assertEqual(asked, ['noop:mali-g610'] + plain)
        # A program that uses the first device must get the requested one, whether it is there or not.
        self.assertEqual(self.devices(TERRAZZO_DEVICE='sim:mali-g610'),
                         ['sim:mali-g610'] + [d for d in plain if d != 'sim:mali-g610'])

    def test_nodes_of_a_kernel_driver_that_we_know_are_devices(self):
        shim = os.path.join(os.path.dirname(FOLDER), 'winsys', 'shim', 'libterrazzo-shim.so')
        if not os.path.exists(shim):
            self.skipTest('the shim is not built')
        self.assertEqual(self.devices(LD_PRELOAD=shim)[1], '/dev/dri/renderD128')

    def test_nodes_that_are_none_have_their_reason(self):
        for node, what in (('/dev/dri/renderD999', 'No such file'), ('/dev/null', 'no node of a GPU')):
            code, out, err = terrazzo('info', TERRAZZO_DEVICE=node)
            self.assertEqual((code, out, err.count('\n')), (1, '', 1))
            self.assertIn(f'TERRAZZO_DEVICE={node}: ', err)
            self.assertIn(what, err)

    def test_a_bad_device_has_its_reason(self):
        code, out, err = terrazzo('info', TERRAZZO_DEVICE='nothing')
        self.assertEqual((code, out, err.count('\n')), (1, '', 1))
        self.assertIn('TERRAZZO_DEVICE=nothing', err)

    def test_an_adreno_has_a_driver(self):
        code, out, err = terrazzo('info', TERRAZZO_DEVICE='sim:adreno-630')
        self.assertEqual((code, err), (0, ''))
        self.assertIn('Terrazzo Adreno 630', out)
        self.assertIn('sim:adreno-630', terrazzo('info', '-v')[1])


class RealClients(unittest.TestCase):
    """The messages to a program that makes mistakes. The program is this Python, with our libraries."""

    def client(self, text, *options, **environment):
        code = f"""
import ctypes, sys, time
egl, gl = ctypes.CDLL('{FOLDER}/libEGL.so.1'), ctypes.CDLL('{FOLDER}/libGLESv2.so.2')
egl.eglGetPlatformDisplay.restype = ctypes.c_void_p
def lines(*words):
    return (ctypes.c_int * len(words))(*words)
def display():
    dpy = ctypes.c_void_p(egl.eglGetPlatformDisplay(0x31DD, None, None))
    assert egl.eglInitialize(dpy, None, None)
    return dpy
{text}"""
        result = terrazzo('run', *options, '--', sys.executable, '-c', code, **environment)
        if 'ASan runtime' in result[2] or 'TSan' in result[2] or 'libasan' in result[2]:
            self.skipTest('Python has no sanitizer')
        self.assertEqual(result[0], 0, result)
        return result[2]

    def test_gl_without_a_context_is_told_of(self):
        err = self.client('gl.glClear(0x4000)', TERRAZZO_DEBUG='gl')
        self.assertIn('glClear: no context is current', err)
        self.assertEqual(self.client('gl.glClear(0x4000)'), '')

    def test_a_choice_without_configs_names_the_attribute(self):
        choose = """
n, dpy = ctypes.c_int(-1), display()
assert egl.eglChooseConfig(dpy, lines(%s, 0x3038), None, 0, ctypes.byref(n)) and n.value == 0
"""
        for words, expected in (('0x3033, 4, 0x3040, 4', 'EGL_SURFACE_TYPE EGL_WINDOW_BIT'),
                                ('0x3040, 4', 'EGL_SURFACE_TYPE EGL_WINDOW_BIT (the default)'),
                                ('0x3033, 1, 0x3040, 8', 'EGL_RENDERABLE_TYPE EGL_OPENGL_BIT'),
                                ('0x3033, 1, 0x3040, 0x9',
                                 'EGL_RENDERABLE_TYPE EGL_OPENGL_ES_BIT|EGL_OPENGL_BIT'),
                                ('0x3033, 1, 0x3040, 4, 0x3025, 32', 'EGL_DEPTH_SIZE of at least 32'),
                                ('0x3033, 1, 0x3040, 4, 0x3031, 16', 'EGL_SAMPLES of at least 16'),
                                ('0x3033, 1, 0x3040, 4, 0x3024, 10, 0x3021, 8',
                                 'EGL_RED_SIZE of at least 10')):
            err = self.client(choose % words, TERRAZZO_DEBUG='egl')
            self.assertIn('eglChooseConfig: no config has ', err)
            self.assertIn(expected, err)
        self.assertEqual(self.client(choose % '0x3040, 4'), '')
        # The default, OpenGL ES 1.1, has configs: GTK uses it.
        self.client(choose.replace('n.value == 0', 'n.value > 0') % '0x3033, 1')

    def test_messages_have_names(self):
        err = self.client('egl.eglGetConfigAttrib(display(), None, 0x3033, None)\nn = ctypes.c_int()\n'
                          'egl.eglChooseConfig(display(), lines(0x3057, 1, 0x3038), None, 0, '
                          'ctypes.byref(n))',
                          TERRAZZO_DEBUG='egl')
        self.assertIn('attribute EGL_WIDTH is unknown', err)

    def test_another_gl_in_the_program_is_told_of(self):
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, 'libGLX_mesa.so.0')
            with open(os.path.join(FOLDER, 'libGLESv2.so.2'), 'rb') as original, open(other, 'wb') as copy:
                copy.write(original.read())
            load = f"other = ctypes.CDLL('{other}')\ntime.sleep(2)"
            self.assertIn(f'has loaded {other}', self.client(load))
            self.assertEqual(self.client('time.sleep(0.5)'), '')
            # Also if none of our libraries is loaded: a libEGL of another folder.
            front = os.path.join(folder, 'libEGL.so.1')
            os.rename(other, front)
            code, _, err = terrazzo('run', '--', sys.executable, '-c',
                                    f"import ctypes, time; ctypes.CDLL('{front}'); time.sleep(2)")
            if code == 0:
                self.assertIn(f'has loaded {front}', err)


if __name__ == '__main__':
    program = unittest.main(exit=False, argv=[sys.argv[0]])
    r = program.result
    bad = len(r.failures) + len(r.errors)
    print(f'{r.testsRun - bad} passed, {bad} failed')
    sys.exit(bad != 0)
