#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Shows what clients draw on Terrazzo and on Debian's llvmpipe: runs each row of a table and takes a picture
of its screen.

  look.py TERRAZZO TABLE.tsv [--only PATTERN] [--devices A,B] [--out FOLDER] [--most DIFFERENCE]

The columns of a row are: client, version, platform, device, command, looked_at, terrazzo, llvmpipe.
- `platform` is the screen: wayland (weston, headless, GL), x11 (Xvfb), wayland-seat (weston in Xvfb, for
  clients that need a seat). wayland-node (weston), sway, cage and wayfire are compositors on the client's
  device; both use the shim's /dev/dri. With any other word the command writes a PNG or PPM to $PICTURE; with
  `gbm` it uses the shim's /dev/dri.
- `device` is a list of the devices that the client draws on. weston draws on `soft`, or on llvmpipe if the
  client does.
- `command` is a shell command. $CLIENTS is this folder, and $PAGES has copies of its web pages, because
  pictures may show their path.
- `looked_at`, `terrazzo` and `llvmpipe` are what a person saw.

The picture is taken when the screen has changed and no longer changes, or LOOK_SETTLE seconds (8) later. A
command that begins with LOOK_WAIT=N has N more seconds, for what is loaded later. LOOK_NO_GL=1: the client
itself draws without GL. WAYLAND_DEBUG=1: the kinds of the windows' buffers are counted. FOLDER receives small
PNGs, logs and index.html. A row fails if nothing was drawn, if the client crashed, or if none of its
processes had the driver's library; with --most, also if the picture differs from llvmpipe's by more than
DIFFERENCE of 255 on average. The result is "skipped" (77) if the programs of all rows are missing. A client
that ends with 77 is skipped, too."""
import argparse
import csv
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import picture
from compositors import screen_of
from screens import Driver, File, end_process

COLUMNS = ('client', 'version', 'platform', 'device', 'command', 'looked_at', 'terrazzo', 'llvmpipe')
FIRST_S, SETTLE_S, SLOWER = 60, 8, 5
PAGES = pathlib.Path('/tmp/terrazzo-page')
MARK, SKIPPED = 'TERRAZZO_LOOK', 'skipped: the client says that something is not installed'


def read_table(path):
    with open(path, newline='') as file:
        rows = list(csv.DictReader(file, delimiter='\t', quoting=csv.QUOTE_NONE))
    for row in rows:
        if set(row) != set(COLUMNS) or None in row.values():
            sys.exit(f'{path}: a row has {len(COLUMNS)} columns: {row}')
        row['name'] = re.sub(r'[^a-z0-9]+', '-', f'{row["client"]}-{row["platform"]}'.lower()).strip('-')
    names = [row['name'] for row in rows]
    for name in names:
        if names.count(name) > 1:
            sys.exit(f'{path}: two rows are called {name}')
    return rows


def setting(command, name, default):
    m = re.match(rf'(?:\w+=\S+ )*?{name}=(\d+) ', command)
    return int(m[1]) if m else default


def program(command):
    """The first word that is not an assignment."""
    return next((w for w in command.split() if not re.match(r'\w+=', w)), '')


class Processes:
    """All processes with our mark in their environment: a client may start others in new sessions."""

    def __init__(self, mark):
        self.mark = f'{MARK}={mark}'.encode()

    def all(self):
        for folder in pathlib.Path('/proc').glob('[0-9]*'):
            try:
                if self.mark in (folder / 'environ').read_bytes().split(b'\0'):
                    yield folder
            except OSError:
                pass

    def have(self, library):
        for folder in self.all():
            try:
                # Ignore `terrazzo run` itself: it opens the device as a check.
                is_client = os.path.basename(os.readlink(folder / 'exe')) != 'terrazzo'
                if is_client and library in (folder / 'maps').read_text(errors='replace'):
                    return True
            except OSError:
                pass
        return False

    def end(self):
        for folder in self.all():
            try:
                os.kill(int(folder.name), 9)
            except ProcessLookupError:
                pass


class Look:
    """One client on one device."""

    def __init__(self, options, row, device, folder):
        self.options, self.row, self.device, self.folder = options, row, device, folder
        self.driver = Driver(options.terrazzo, device)
        self.slow = SLOWER if device.startswith('sim:') else 1
        self.mapped = False

    def run(self):
        """Returns (the error or '', the picture or None)."""
        (self.folder / 'home').mkdir(parents=True)
        os.chmod(self.folder, 0o700)
        env = {k: v for k, v in os.environ.items() if k not in ('DISPLAY', 'WAYLAND_DISPLAY', 'EGL_PLATFORM')}
        env.update(XDG_RUNTIME_DIR=str(self.folder), HOME=str(self.folder / 'home'),
                   CLIENTS=str(pathlib.Path(__file__).resolve().parent), PAGES=str(PAGES),
                   NO_AT_BRIDGE='1', GTK_A11Y='none', GSETTINGS_BACKEND='memory')
        kind = screen_of(self.row['platform'])
        own = not self.driver.ours or getattr(kind, 'same_device', False)
        driver = self.driver if own else Driver(self.options.terrazzo, self.options.server)
        screen = kind(driver, self.folder, env)
        try:
            before = self.empty(screen)
            return self.client(screen, before)
        finally:
            screen.end()

    def empty(self, screen):
        """The screen before the client starts, once it no longer changes."""
        if isinstance(screen, File):
            return None
        last, end = None, time.monotonic() + FIRST_S
        while time.monotonic() < end:
            shot = screen.screenshot()
            now = picture.read(shot) if shot else None
            if now and now == last and screen.ready(now):
                return now
            last = now
            time.sleep(0.2)
        return last

    def client(self, screen, before):
        mark = f'{os.getpid()}-{time.monotonic_ns()}'
        processes = Processes(mark)
        env = dict(self.driver.environment(screen.environment), **{MARK: mark},
                   TERRAZZO_COUNTERS=str(self.folder / 'counters'))
        if self.device != 'soft':
            del env['TERRAZZO_COUNTERS']
        inner = ['sh', '-c', self.row['command']]
        sees_node = (self.row['platform'] == 'gbm'
                     or getattr(screen_of(self.row['platform']), 'same_device', False))
        if sees_node and self.driver.ours:
            inner = ['env', f'LD_PRELOAD={self.driver.shim}', *inner]
        with open(self.folder / 'client.log', 'w') as log:
            process = subprocess.Popen(self.driver.command(inner), env=env, stdin=subprocess.DEVNULL,
                                       stdout=log,
                                       stderr=log, start_new_session=True)
        try:
            shot = self.wait(screen, before, process, processes)
            status = process.poll()
        finally:
            end_process(process)
            processes.end()
        # A process that writes a file may end before its libraries can be checked.
        without_gl = setting(self.row['command'], 'LOOK_NO_GL', 0)
        seen = self.mapped or isinstance(screen, File) or without_gl
        wrong = 'nothing drawn' if not shot else '' if seen else f'no process has {self.driver.library}'
        if self.device == 'soft' and not wrong and not without_gl and not (self.folder / 'counters').exists():
            wrong = 'drawn without OpenGL ES'
        if status == 77:
            return SKIPPED, None
        if status is not None and (status < 0 or status > 128 or (status and not shot)):
            wrong = f'ended with status {status}'
        return wrong, shot

    def wait(self, screen, before, process, processes):
        """The picture, once the client has drawn and the screen no longer changes, or time is up."""
        started = time.monotonic()
        drawn, last, last_shot = None, None, None
        least, most = (self.slow * setting(self.row['command'], n, d)
                       for n, d in (('LOOK_WAIT', 0), ('LOOK_SETTLE', SETTLE_S)))
        while True:
            self.mapped = self.mapped or processes.have(self.driver.library)
            ended = process.poll() is not None
            now = self.take(screen)
            if now and now != last and (drawn or not before or picture.changed(before, now) > 1):
                drawn = drawn or time.monotonic()
                last_shot = now
            at = time.monotonic()
            still = now and now == last
            last = now
            if drawn and at > drawn + least and (still or at > drawn + least + most):
                return last_shot
            if ended and (drawn or isinstance(screen, File) or at > started + 5):
                return last_shot
            if not drawn and at > started + FIRST_S * self.slow:
                return None
            time.sleep(0.5)

    def take(self, screen):
        shot = screen.screenshot()
        try:
            return picture.read(shot) if shot else None
        except (ValueError, IndexError, TypeError, OSError, KeyError):  # an unfinished file
            return None


def page(path, rows, results):
    devices = list(dict.fromkeys(d for r in results.values() for d in r))
    cells = ['<tr><th>client</th>' + ''.join(f'<th>{html.escape(d)}</th>' for d in devices) + '</tr>']
    for row in rows:
        text = {name: html.escape(row[name]) for name in COLUMNS}
        line = f'<td><b>{text["client"]}</b> {text["version"]}, {text["platform"]}<br>' \
               f'<code>{text["command"]}</code>' \
               f'<p>{text["looked_at"]}<p>Terrazzo: {text["terrazzo"]}<p>llvmpipe: {text["llvmpipe"]}</td>'
        for device in devices:
            note, name = results.get(row['name'], {}).get(device, ('', None))
            line += '<td>' + (f'<img src="{name}"><br>' if name else '') + html.escape(note) + '</td>'
        cells.append(f'<tr>{line}</tr>')
    path.write_text('<!doctype html><meta charset="utf-8"><title>Clients on Terrazzo</title><style>'
                    'body{font:14px sans-serif}td{vertical-align:top;'
                    'border-top:1px solid #ccc;padding:6px;max-width:330px}code{font-size:11px}'
                    '</style><table>' + '\n'.join(cells) + '</table>\n')


def buffers(log):
    """The kinds of the windows' buffers, from the output of a client with WAYLAND_DEBUG=1."""
    text = log.read_text(errors='replace') if log.exists() else ''
    counts = [len(re.findall(request, text)) for request in (r'-> zwp_linux_buffer_params_v1@\d+\.create',
                                                             r'-> wl_shm_pool@\d+\.create_buffer')]
    return f', {counts[0]} dma-bufs, {counts[1]} of wl_shm' if any(counts) else ''


def put_pages():
    """Copies the web pages to a fixed path, so that a browser's address bar shows no personal folder."""
    PAGES.mkdir(exist_ok=True)
    if PAGES.is_symlink() or PAGES.stat().st_uid != os.getuid():
        sys.exit(f'{PAGES} is not ours')
    for path in pathlib.Path(__file__).resolve().parent.glob('*.html'):
        with tempfile.NamedTemporaryFile(dir=PAGES, delete=False) as copy:
            copy.write(path.read_bytes())
        os.replace(copy.name, PAGES / path.name)


def look_at(options, row, device, reference, out):
    """Returns (failed, note, small picture or None); writes NAME.DEVICE.png and logs."""
    label = f'{row["name"]}.{device.replace(":", "-")}'
    logs = out / 'logs' / label
    shutil.rmtree(logs, ignore_errors=True)
    # The path of a socket must be short.
    folder = pathlib.Path(tempfile.mkdtemp(prefix='look'))
    started = time.monotonic()
    try:
        wrong, shot = Look(options, row, device, folder).run()
    except RuntimeError as error:
        wrong, shot = str(error), None
    took = time.monotonic() - started
    logs.mkdir(parents=True)
    for log in folder.glob('*.log'):
        shutil.copy(log, logs)
    shutil.rmtree(folder, ignore_errors=True)
    small = picture.shrink(shot) if shot else None
    note = (wrong or 'drawn') + buffers(logs / 'client.log')
    if small:
        picture.write_png(out / f'{label}.png', small, options.bits)
        if reference:
            far = picture.difference(small, reference)
            note += f', differs from llvmpipe by {far:.1f} of 255'
            if far > options.most:
                wrong = wrong or 'differs'
    return bool(wrong), f'{note} ({took:.0f} s)', small


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('terrazzo')
    parser.add_argument('table', type=pathlib.Path)
    parser.add_argument('--only', default='', help='rows whose names (client-platform) this pattern finds')
    parser.add_argument('--devices', help='of the row\'s devices, only these; llvmpipe is one')
    parser.add_argument('--server', default='soft', help="weston's device")
    parser.add_argument('--out', type=pathlib.Path, default=pathlib.Path('look'))
    parser.add_argument('--most', type=float, default=255,
                        help='difference from llvmpipe at which a row fails')
    parser.add_argument('--bits', type=int, default=6, help='of a channel in the small pictures')
    options = parser.parse_args()
    table = read_table(options.table)
    rows = [row for row in table if re.search(options.only, row['name'])]
    if any('$PAGES' in row['command'] for row in rows):
        put_pages()
    options.out.mkdir(parents=True, exist_ok=True)
    failed, passed, skipped = 0, 0, 0
    stored = options.out / 'results.json'  # of earlier runs, too: {row: {device: (note, picture)}}
    results = json.loads(stored.read_text()) if stored.exists() else {}
    for row in rows:
        programs = (program(row['command']), *screen_of(row['platform']).programs)
        missing = [p for p in programs if not shutil.which(p)]
        if missing:
            print(f'skipped: {row["name"]}: {missing[0]} is not installed', flush=True)
            skipped += 1
            continue
        reference = None
        for device in ['llvmpipe'] + row['device'].split(','):
            if options.devices and device not in options.devices.split(','):
                continue
            bad, note, small = look_at(options, row, device, reference, options.out)
            bad = bad and not note.startswith(SKIPPED)
            if device == 'llvmpipe':
                reference = small
            elif note.startswith(SKIPPED):
                skipped += 1
            elif bad:
                failed += 1
            else:
                passed += 1
            label = f'{row["name"]}.{device.replace(":", "-")}.png'
            results.setdefault(row['name'], {})[device] = (note, label if small else None)
            print(f'{"FAILED: " if bad else ""}{row["name"]} on {device}: {note}', flush=True)
            stored.write_text(json.dumps(results, indent=1))
            page(options.out / 'index.html', table, results)
    print(f'{passed} passed, {failed} failed, {skipped} skipped; {options.out}/index.html')
    sys.exit(1 if failed else 77 if not passed else 0)


main()
