#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Tests `terrazzo help`, the manual page and bash's completion:
manual_test.py path/to/terrazzo path/to/the/source."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TERRAZZO, SOURCE = os.path.abspath(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))


def terrazzo(*args):
    r = subprocess.run([TERRAZZO, *args], capture_output=True, text=True, timeout=60)
    return r.returncode, r.stdout, r.stderr


def commands():
    """The commands that --help lists."""
    code, out, _ = terrazzo('--help')
    assert code == 0
    return re.findall(r'(?m)^  ([\w-]+) ', out.split('Subcommands:')[1])


def options(command):
    """The options that a command's --help lists."""
    code, out, _ = terrazzo(command, '--help')
    assert code == 0
    return {name for line in re.findall(r'(?m)^  (-\S+)', out) for name in line.split(',')}


class Help(unittest.TestCase):
    def test_help_is_a_command(self):
        self.assertEqual(terrazzo('help'), terrazzo('--help'))
        self.assertIn('help', commands())
        for command in commands():
            self.assertEqual(terrazzo('help', command), terrazzo(command, '--help'), command)
            self.assertIn(f'Usage: terrazzo {command}', terrazzo('help', command)[1])
        code, out, err = terrazzo('help', 'frob')
        self.assertEqual((code, out, err.count('\n')), (2, '', 1))
        self.assertIn('frob', err)

    def test_devices_are_listed_with_those_that_do_nothing(self):
        code, out, err = terrazzo('help', '--devices')
        self.assertEqual((code, err), (0, ''))
        names = out.split()
        self.assertEqual(names[0], 'soft')
        sims = [n.removeprefix('sim:') for n in names if n.startswith('sim:')]
        self.assertTrue(sims)
        self.assertEqual([n.removeprefix('noop:') for n in names if n.startswith('noop:')], sims)
        listed = terrazzo('info', '-v')[1]
        for name in names:
            self.assertIn(f'  {name}\n', listed)


class ManualPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        code, cls.page, err = terrazzo('help', '--man')
        assert (code, err) == (0, '')
        cls.plain = re.sub(r'\\f[BIR]', '', cls.page).replace('\\-', '-')

    def test_every_command_and_option_is_there(self):
        for command in commands():
            begin = self.plain.index(f'.SS {command}\n')
            section = self.plain[begin:self.plain.index('.S', begin + 3)]
            heads = re.findall(r'(?m)^\.TP\n(-.*)', section)
            names = {name for head in heads for name in re.findall(r'(?:^|, )(-[\w-]+)', head)}
            self.assertEqual(names, options(command), command)

    def test_every_variable_and_word_is_there(self):
        variables = re.findall(r'\{Variable::\w+, "(\w+)"',
                               (SOURCE / 'winsys/environment/environment.cpp').read_text())
        words = re.findall(r'\{DebugWord::\w+,\s+"([\w-]+)"', (SOURCE / 'pipe/debug.cpp').read_text())
        self.assertGreater(len(variables), 10)
        self.assertGreater(len(words), 20)
        for name in variables + words:
            self.assertRegex(self.plain, rf'(?m)^\.TP\n{re.escape(name)}($|:|\[)')

    @unittest.skipUnless(shutil.which('groff'), 'groff is not installed')
    def test_it_can_be_formatted(self):
        r = subprocess.run(['groff', '-man', '-Tutf8', '-ww'], input=self.page, capture_output=True,
                           text=True, check=True)
        self.assertEqual(r.stderr, '')


@unittest.skipUnless(shutil.which('bash'), 'bash is not installed')
class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        code, text, err = terrazzo('help', '--bash-completion')
        assert (code, err) == (0, '')
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.script = os.path.join(folder.name, 'terrazzo.bash')
        pathlib.Path(cls.script).write_text(text)

    def complete(self, line):
        code = 'source "$1"; COMP_LINE=$2; COMP_POINT=${#2}; _terrazzo; printf "%s\\n" "${COMPREPLY[@]}"'
        r = subprocess.run(['bash', '-c', code, 'bash', self.script, line], capture_output=True, text=True,
                           timeout=60)
        self.assertEqual(r.stderr, '', line)
        return r.stdout.split()

    def test_commands(self):
        self.assertEqual(set(commands()) | {'-h', '--help', '--version'}, set(self.complete('terrazzo ')))
        self.assertEqual(self.complete('terrazzo expl'), ['explain'])
        self.assertEqual(self.complete('terrazzo help cou'), ['counters'])

    def test_options_of_each_command(self):
        for command in commands():
            self.assertEqual(set(self.complete(f'terrazzo {command} -')), options(command), command)

    def test_devices(self):
        self.assertEqual(self.complete(f'{TERRAZZO} run --device so'), ['soft'])
        # The completion after the last colon.
        self.assertIn('mali-g610', self.complete(f'{TERRAZZO} counters --device sim:'))
        self.assertIn('noop:mali-g610', self.complete(f'{TERRAZZO} run --device '))
        self.assertIn('all', self.complete(f'{TERRAZZO} shader-db --device '))
        self.assertIn('adreno-630', self.complete(f'{TERRAZZO} shader-db --device adr'))

    def test_a_programs_words_are_its_own(self):
        self.assertIn('printenv', self.complete('terrazzo run --device soft -- printe'))
        self.assertEqual(self.complete('terrazzo run -- printenv --'), [])
        self.assertEqual(self.complete('terrazzo run printenv --dev'), [])
        version = '/etc/debian_version'
        self.assertEqual(self.complete('terrazzo decode /etc/debian_vers'),
                         [version] if os.path.exists(version) else [])


if __name__ == '__main__':
    result = unittest.main(exit=False).result
    bad = len(result.failures) + len(result.errors)
    print(f'{result.testsRun - bad} passed, {bad} failed')
    sys.exit(bool(bad))
