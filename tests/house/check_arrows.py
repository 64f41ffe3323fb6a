#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Checks the arrows between the rooms (ARCHITECTURE.md) by the #include lines, that every source file has its
SPDX lines, and that every test is built. Prints each broken rule as file:line and ends with "N passed,
N failed". The checker checks itself first."""
import pathlib
import re
import sys

def vendors_of(root):
    """The names of the vendors: the choices of -Ddrivers=. A vendor is named there and in
    drivers/vendors/meson.build, which generates the lists."""
    choices = re.search(r"option\('drivers'[^)]*?choices: \[([^\]]*)\]", (root / 'meson.options').read_text())
    return re.findall(r"'(\w+)'", choices[1])


VENDORS = vendors_of(pathlib.Path(sys.argv[1]))
# room -> the rooms (or prefixes of paths) that it may include, besides itself. drivers/vendors/ has the entry
# points of each vendor.
ARROWS = {
    'api': ['state_tracker', 'winsys', 'pipe', 'shaders/cache', 'shaders/compile.h', 'drivers/vendors',
            'drivers/common/capture/capture.h', 'drivers/common/host/replay.h',
            'drivers/common/decode/file.h', 'drivers/common/fields/fields.h', 'drivers/soft/factory.h'],
    # OpenGL ES 1.1. It uses the state tracker like an application and does not include EGL.
    'api/es1': ['state_tracker', 'pipe', 'shaders/compile.h'],
    # Combines drivers with the virtual GPUs that they run on.
    'api/devices': ['winsys', 'pipe', 'drivers/vendors/list.h', 'drivers/vendors/screens.h',
                    'drivers/soft/factory.h'],
    'state_tracker': ['pipe', 'shaders'],
    'pipe': ['shaders/ir'],
    'shaders': [],
    'drivers/soft': ['pipe', 'shaders', 'winsys', 'drivers/common/threads', 'drivers/common/host_code'],
    # What the vendors' drivers and virtual GPUs share: tables of bits, command streams, units, waves.
    'drivers/common': ['pipe', 'shaders', 'winsys'],
    **{f'drivers/{vendor}': ['pipe', 'shaders', 'winsys', 'drivers/common'] for vendor in VENDORS},
    # The lists of vendors.
    'drivers/vendors': ['winsys'],
    'winsys': [],
    'winsys/environment': [],
    'examples': [],
}
# Folders of drivers/common for drivers only. A virtual GPU may not use them: a mistake in shared code would
# stay hidden.
DRIVERS_ONLY = ('drivers/common/memory/', 'drivers/common/blend/', 'drivers/common/clear/',
                'drivers/common/blit/', 'drivers/common/submission/', 'drivers/common/images/',
                'drivers/common/context/', 'drivers/common/screen/', 'drivers/common/program/',
                'drivers/common/shader_db/')
# Code that reaches all vendors through drivers/vendors/list.h and names none. (Comments and messages may.)
NAMES_NO_VENDOR = ('api/', 'state_tracker/', 'shaders/', 'winsys/shim/', 'drivers/soft/', 'drivers/vendors/')
NAMES_VENDOR = re.compile(rf"\b(?:{'|'.join(VENDORS)})(?:_|\b)", re.IGNORECASE)
NO_CODE = re.compile(r'"(?:[^"\\]|\\.)*"|//.*|\b(?:sim|noop):[\w-]+')  # texts, comments, names of devices
# The layers of a vendor's room, from bottom to top: a file may include its own folder and those below it.
# Contexts share `screen.h`; the files that create screens and contexts are at the top.
LAYERS = (('hw', 'isa'), ('compiler',),
          ('device.h', 'device.cpp', 'panthor.h', 'panthor.cpp', 'msm.h', 'msm.cpp', 'asahi.h', 'asahi.cpp'),
          ('stream',),
          ('images',), ('submission',), ('program',), ('state',), ('screen.h',), ('passes',), ('transfers',))
LAYER = {name: n for n, names in enumerate(LAYERS) for name in names}
# Files that every room may include. They include only system headers.
ENVIRONMENT, CLOCK, TRAP = 'winsys/environment', 'winsys/clock.h', 'winsys/trap.h'
FOR_ALL = (ENVIRONMENT, CLOCK, TRAP)
# With elevated rights the environment is not trusted: only one file reads it.
READS_ENVIRONMENT = re.compile(r'\b(?:(?:secure_)?getenv|environ|temp_directory_path|tmpnam|tempnam)\b')
# Only one file asks for the time, so that all deadlines use the same clock.
READS_CLOCK = re.compile(r'\bclock_gettime\b')
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
CODE = ('.h', '.cpp', '.c', '.inc', '.def')
ROOT_FILES = {'meson.build', 'meson.options', 'meson_options.txt', 'README.md', 'ARCHITECTURE.md',
              'GLOSSARY.md', 'HACKING.md', 'LICENSE'}
ROOMS = {'api', 'state_tracker', 'pipe', 'shaders', 'drivers', 'winsys', 'tests', 'examples'}


def room_of(path):
    return max((r for r in ARROWS if path == r or path.startswith(r + '/')), key=len, default=None)


def layer_of(path):
    """(vendor, height) of a file of a vendor's driver. None for other files: virtual GPUs and decoders have
    their own rules."""
    parts = path.split('/')
    if len(parts) < 3 or parts[0] != 'drivers' or parts[1] not in VENDORS or parts[2] in ('sim', 'decode'):
        return None
    return parts[1], LAYER.get(parts[2], len(LAYERS))


def check_layers(path, target):
    """The broken rule of an include inside a vendor's room, or None."""
    a, b = layer_of(path), layer_of(target)
    if not a or not b or a[0] != b[0] or b[1] <= a[1]:
        return None
    return f'"{target}" stands above {path.rsplit("/", 1)[0] if path.count("/") > 2 else path}'


def check_file(path, text):
    """Broken rules of one file as (line, message)."""
    out = []
    if 'SPDX-License-Identifier: MIT' not in text[:400]:
        out.append((1, 'no SPDX line'))
    room = room_of(path)
    if not room:
        return out
    simulator = re.match(r'drivers/(?!common/)\w+/(sim|decode)/', path)
    code = path.endswith(CODE)
    for number, line in enumerate(text.splitlines(), 1):
        statement = line.split('//')[0]
        if code and room not in ('examples', ENVIRONMENT) and READS_ENVIRONMENT.search(statement):
            out.append((number, f'only {ENVIRONMENT} may read the environment'))
        if code and room != 'examples' and path != CLOCK and READS_CLOCK.search(statement):
            out.append((number, f'only {CLOCK} may ask for the time'))
        if code and path.startswith(NAMES_NO_VENDOR) and NAMES_VENDOR.search(NO_CODE.sub('', line)):
            out.append((number, 'a vendor is one row of drivers/vendors: no other code names it'))
        m = INCLUDE.match(line)
        if not m or m.group(1).split('/')[0] not in ROOMS:  # a library's header, or one of the same folder
            continue
        target = m.group(1)
        allowed = [room, *FOR_ALL] + ARROWS[room]
        if not any(target == a or target.startswith(a + '/') for a in allowed):
            out.append((number, f'{room} may not include "{target}"'))
        if why := check_layers(path, target):
            out.append((number, why))
        if simulator and target.startswith(room) and not re.match(rf'{room}/(hw|isa|sim|decode)/', target):
            out.append((number, f'a simulator or decoder may not include driver code: "{target}"'))
        if simulator and target.startswith(DRIVERS_ONLY):
            out.append((number, f'a simulator or decoder may not include what drivers share: "{target}"'))
    return out


def check_tree(root):
    passed, broken = 0, []
    for entry in sorted(root.iterdir()):
        known = (entry.name in ROOT_FILES | ROOMS | {'out', 'debian'}
                 or entry.name.startswith(('.', 'build', 'obj-')))
        if not known:
            broken.append(f'{entry.name}: not a room or top-level file of the house')
    for path in sorted(p for r in ROOMS for p in (root / r).rglob('*')
                       if p.suffix in {'.h', '.cpp', '.c', '.inc', '.def', '.py'}):
        relative = path.relative_to(root).as_posix()
        rules = check_file(relative, path.read_text(errors='replace'))
        passed += not rules
        broken += [f'{relative}:{n}: {why}' for n, why in rules]
    builds = ' '.join(p.read_text() for p in (root / 'tests').rglob('meson.build'))
    tests = [p.relative_to(root).as_posix() for end in ('cpp', 'c', 'py')
             for p in (root / 'tests').rglob('*_test.' + end)]
    broken += [f'{n}: no meson.build names it' for n in unbuilt(tests, builds)]
    return passed, broken


def unbuilt(names, builds):
    """Tests that no meson.build names: they would never run."""
    return [n for n in names if pathlib.PurePath(n).stem not in builds]


def self_test():
    spdx = '// SPDX-License-Identifier: MIT\n'
    cases = [('shaders/a.cpp', '#include "pipe/format.h"', 1), ('pipe/a.h', '#include "shaders/ir/ir.h"', 0),
             ('pipe/a.h', '#include "shaders/link/link.h"', 1),
             ('drivers/soft/a.cpp', '#include "drivers/mali/x.h"', 1),
             ('api/egl/a.cpp', '#include "drivers/soft/context/context.h"', 1),
             ('api/egl/a.cpp', '#include "drivers/soft/factory.h"', 0),
             ('api/es1/a.cpp', '#include "state_tracker/programs/program.h"', 0),
             ('api/es1/a.cpp', '#include "api/egl/display.h"', 1),
             ('state_tracker/a.cpp', '#include "api/es1/context.h"', 1),
             ('api/command/a.cpp', '#include "drivers/vendors/compilers.h"', 0),
             ('api/command/a.cpp', '#include "drivers/mali/shader_db.h"', 1),
             ('api/devices/a.cpp', '#include "drivers/vendors/chips.h"', 1),
             ('api/command/a.cpp', '#include "drivers/mali/compiler/compile.h"', 1),
             ('drivers/mali/sim/a.cpp', '#include "drivers/mali/compiler/x.h"', 1),
             ('drivers/mali/sim/a.cpp', '#include "drivers/mali/isa/x.h"', 0),
             ('drivers/mali/sim/a.cpp', '#include "drivers/common/memory/bo.h"', 1),
             ('drivers/mali/sim/a.cpp', '#include "drivers/common/wave/lanes.h"', 0),
             ('drivers/common/decode/a.cpp', '#include "drivers/common/x.h"', 0),
             ('drivers/adreno/decode/a.cpp', '#include "drivers/adreno/x.h"', 1),
             ('drivers/mali/state/a.h', '#include "drivers/mali/images/x.h"', 0),
             ('drivers/mali/state/a.h', '#include "drivers/mali/passes/x.h"', 1),
             ('drivers/mali/passes/a.h', '#include "drivers/mali/screen.h"', 0),
             ('drivers/mali/passes/a.cpp', '#include "drivers/mali/context.h"', 1),
             ('drivers/mali/images/a.h', '#include "drivers/mali/screen.h"', 1),
             ('drivers/mali/screen.h', '#include "drivers/mali/passes/x.h"', 1),
             ('drivers/mali/screen.cpp', '#include "drivers/mali/context.h"', 0),
             ('drivers/mali/isa/a.h', '#include "drivers/mali/compiler/x.h"', 1),
             ('drivers/mali/images/a.cpp', '#include "drivers/mali/submission/x.h"', 1),
             ('drivers/mali/state/a.cpp', '#include "drivers/mali/program/x.h"', 0),
             ('drivers/mali/program/a.h', '#include "drivers/mali/state/x.h"', 1),
             ('drivers/mali/passes/a.h', '#include "drivers/mali/transfers/x.h"', 1),
             ('drivers/mali/decode/a.h', '#include "drivers/mali/hw/x.h"', 0),
             ('drivers/mali/a.cpp', '#include "drivers/common/x.h"', 0),
             ('drivers/agx/isa/a.cpp', '#include "drivers/common/isa/x.h"', 0),
             ('drivers/agx/isa/a.cpp', '#include "drivers/adreno/isa/x.h"', 1),
             ('drivers/common/a.cpp', '#include "drivers/mali/x.h"', 1),
             ('tests/a.cpp', '#include "pipe/format.h"', 0),
             ('pipe/a.cpp', '#include "llvm/IR/Module.h"', 0),
             ('shaders/a.cpp', '#include "winsys/environment/environment.h"', 0),
             ('shaders/a.cpp', '#include "winsys/drm/drm.h"', 1),
             ('winsys/environment/a.cpp', '#include "winsys/drm/drm.h"', 1),
             ('winsys/environment/a.cpp', 'std::getenv("X");', 0),
             ('api/egl/a.cpp', 'const char* x = std::getenv("X");', 1),
             ('winsys/shim/a.c', 'secure_getenv("X");', 1),
             ('pipe/a.cpp', 'for (char** v = environ; *v; ++v)', 1),
             ('pipe/a.cpp', 'int x;  // as getenv does', 0),
             ('shaders/a.cpp', '#include "winsys/clock.h"', 0),
             ('shaders/a.cpp', '#include "winsys/trap.h"', 0),
             ('pipe/a.cpp', 'clock_gettime(CLOCK_MONOTONIC, &t);', 1),
             ('winsys/clock.h', 'clock_gettime(clock, &t);', 0),
             ('tests/a.cpp', 'clock_gettime(clock, &t);', 0),
             ('api/a.cpp', 'mali::create_screen();', 1), ('state_tracker/a.cpp', 'adreno_is_best();', 1),
             ('api/a.cpp', 'print("sim:mali-g610");  // mali', 0),
             ('drivers/common/a.cpp', 'Vendor::Mali', 0), ('api/a.cpp', 'normalize();', 0),
             ('api/gen.py', 'environ', 0), ('tests/a.cpp', 'getenv("X");', 0),
             ('examples/a.c', 'getenv("X");', 0)]
    bad = [c for c in cases if len(check_file(c[0], spdx + c[1])) != c[2]]
    bad += [('spdx',)] if len(check_file('tests/a.cpp', 'int x;')) != 1 else []
    bad += [('unbuilt',)] if unbuilt(['tests/x/a_test.cpp', 'tests/b_test.cpp'],
                                     "files('x/a_test.cpp')") != ['tests/b_test.cpp'] else []
    return len(cases) + 2 - len(bad), [f'self-test: {b}' for b in bad]


def main():
    passed, broken = self_test()
    more, wrong = check_tree(pathlib.Path(sys.argv[1]))
    for line in broken + wrong:
        print(line)
    print(f'{passed + more} passed, {len(broken + wrong)} failed')
    sys.exit(bool(broken + wrong))


main()
