#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""A set-user-ID program must not trust its environment. root's copy of client.c, run by another user, writes
no file for TERRAZZO_DEBUG, TERRAZZO_SHADER_DUMP and the shader cache, draws on the default device and
connects to no server. The same program without the set-user-ID bit does all of it, so that the test can fail.
Arguments: the client, the folder of the libraries, the shim. Exit code 77 (skipped) if set-user-ID programs
are not possible."""
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

NOBODY_ID = 65534
failures = 0


def check(what, good):
    global failures
    print('ok' if good else 'FAILED', what)
    failures += not good


def skip(why):
    print('skipped:', why)
    sys.exit(77)


def variables(to):
    return {'PATH': os.environ['PATH'], 'TERRAZZO_DEBUG': f'trace:{to}/trace,frames:{to}/frames',
            'TERRAZZO_SHADER_DUMP': f'{to}/dump',
            'TERRAZZO_SHADER_CACHE': f'{to}/cache', 'XDG_CACHE_HOME': f'{to}/xdg', 'HOME': str(to),
            'TERRAZZO_THREADS': '1',
            'EGL_PLATFORM': 'surfaceless'}


def run(program, words, env, user):
    identity = {'user': user, 'group': user, 'extra_groups': []} if user else {}
    try:
        r = subprocess.run([program, *words], env=env, capture_output=True, text=True, timeout=60, **identity)
    except subprocess.TimeoutExpired:
        return -1, '\n\n', 'did not end in 60 s'
    return r.returncode, r.stdout, r.stderr


def written(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob('*'))


def main():
    client, libraries, shim = map(pathlib.Path, sys.argv[1:4])
    if os.geteuid() != 0:
        skip('only root makes a set-user-ID program of another user')
    with tempfile.TemporaryDirectory(prefix='terrazzo-elevated-') as name:
        top = pathlib.Path(name)
        top.chmod(0o755)
        if os.statvfs(top).f_flag & os.ST_NOSUID:
            skip(f'{top} is on a file system without set-user-ID programs')
        for file in ('libterrazzo.so.0', 'libEGL.so.1', 'libterrazzo-llvm.so', 'libterrazzo-virtual.so'):
            if (libraries / file).exists():
                shutil.copy(libraries / file, top / file)
                (top / file).chmod(0o755)
        shutil.copy(shim, top / 'shim.so')
        (top / 'shim.so').chmod(0o755)
        plain, raised = top / 'plain', top / 'raised'
        shutil.copy(client, plain)
        shutil.copy(client, raised)
        plain.chmod(0o755)
        raised.chmod(0o4755)

        mine, roots = top / 'mine', top / 'roots'
        mine.mkdir()
        roots.mkdir(mode=0o700)
        code, out, err = run(plain, [top, top / 'shim.so'], variables(mine), None)
        check('a plain program draws', code == 0)
        files = written(mine)
        for expected in ('trace', 'dump', 'cache'):
            check(f'a plain program writes {expected}', any(f.startswith(expected) for f in files))

        code, out, err = run(raised, [top, top / 'shim.so'], variables(roots), NOBODY_ID)
        if 'elevated=1' not in out:
            skip('set-user-ID programs get no rights here: ' + (out + err).strip()[:200])
        check(f'a set-user-ID program draws ({code} {err.strip()})', code == 0 and 'pixel=4080bf' in out)
        check(f'it writes nothing: {written(roots)[:8]}', not written(roots))

        chosen = {**variables(roots), 'TERRAZZO_DEVICE': 'noop:mali-g610'}
        check('a plain program takes TERRAZZO_DEVICE',
              'Mali' in run(plain, [top], {**chosen, **variables(mine)}, None)[1].splitlines()[1])
        code, out, err = run(raised, [top, top / 'shim.so'], chosen, NOBODY_ID)
        check('a set-user-ID program does not', code == 0 and 'Software Rasterizer' in out.splitlines()[1])
        check('the shim opens for it', 'shim=1' in out)
        wrong = {**chosen, 'TERRAZZO_DEVICE': 'no-such-device'}
        code, out, err = run(raised, [top, top / 'shim.so'], wrong, NOBODY_ID)
        check('nor does the shim', code == 0 and 'shim=1' in out and 'no-such-device' not in err)
        check('nothing was written', not written(roots))

        servers = top / 'servers'
        servers.mkdir(mode=0o755)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(servers / 'wayland-0'))
            (servers / 'wayland-0').chmod(0o777)
            server.listen(8)
            server.settimeout(0.2)
            env = {'PATH': os.environ['PATH'], 'XDG_RUNTIME_DIR': str(servers),
                   'WAYLAND_DISPLAY': 'wayland-0', 'TERRAZZO_SHADER_CACHE': 'off'}

            def came():
                try:
                    server.accept()[0].close()
                    return True
                except TimeoutError:
                    return False
            run(plain, [top, 'probe'], env, None)
            if not came():
                print('(built without Wayland)')
            code, out, err = run(raised, [top], {**env, 'EGL_PLATFORM': 'wayland'}, NOBODY_ID)
            check('a set-user-ID program connects to no server of the environment', code == 0 and not came())
    return 1 if failures else 0


sys.exit(main())
