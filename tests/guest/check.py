#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""check.py OUT: checks what the guest left in OUT: lines of `results`, counts of doctest programs, pictures
that its card showed.

Prints a line for each check that failed or was skipped, a table of the results (OUT/seen.md), and "N passed,
N failed, N skipped". The pictures become PNG files. A check of a picture runs if the guest tried to take it
(then its .txt exists), and fails if there is no picture."""
import os
import re
import struct
import sys
import zlib

DOCTEST = re.compile(r'\[doctest\] test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed \|\s*(\d+) skipped')
BACKGROUND = (0x20, 0x40, 0x60)  # the background of inside.sh's weston and sway
out = sys.argv[1]
counts = {'pass': 0, 'fail': 0, 'skip': 0}
seen = []


def result(good, text):
    counts[good] += 1
    seen.append((good, text))
    if good != 'pass':
        print({'fail': 'FAILED: ', 'skip': 'skipped: '}[good] + text)


def check(condition, text):
    result('pass' if condition else 'fail', text)


def read_picture(name):
    """Returns (width, height, bytes of RGB), or None."""
    try:
        with open(f'{out}/{name}.ppm', 'rb') as f:
            magic, size, _, pixels = f.read().split(b'\n', 3)
    except (OSError, ValueError):
        return None
    width, height = map(int, size.split())
    return (width, height, pixels) if magic == b'P6' and len(pixels) == 3 * width * height else None


def write_png(picture, path):
    width, height, pixels = picture
    rows = b''.join(b'\0' + pixels[3 * y * width:3 * (y + 1) * width] for y in range(height))
    with open(path, 'wb') as f:
        f.write(b'\x89PNG\r\n\x1a\n')
        head = struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)
        for kind, data in ((b'IHDR', head), (b'IDAT', zlib.compress(rows)), (b'IEND', b'')):
            f.write(struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data)))


def tried(name):
    return os.path.exists(f'{out}/{name}.txt')


def colors(picture):
    """The number of pixels of each colour."""
    found = {}
    pixels = picture[2]
    for i in range(0, len(pixels), 3):
        c = pixels[i:i + 3]
        found[c] = found.get(c, 0) + 1
    return found


def strong(picture):
    """The channels (R, G, B) that are far above the other two in at least 100 pixels."""
    count = [0, 0, 0]
    for c, n in colors(picture).items():
        for i in range(3):
            if c[i] > 60 and c[i] > 2 * max(c[(i + 1) % 3], c[(i + 2) % 3]):
                count[i] += n
    return ''.join(name for name, n in zip('RGB', count) if n >= 100)


def share(picture, color):
    return colors(picture).get(bytes(color), 0) / (picture[0] * picture[1])


def difference(a, b):
    """Share of pixels that differ by more than 2 of 255, and the largest difference; None: other sizes."""
    if not a or not b or a[:2] != b[:2]:
        return None
    far = most = 0
    if a[2] != b[2]:
        for i in range(0, len(a[2]), 3):
            if a[2][i:i + 3] != b[2][i:i + 3]:
                d = max(abs(a[2][i + k] - b[2][i + k]) for k in range(3))
                far += d > 2
                most = max(most, d)
    return far / (a[0] * a[1]), most


def upside_down(picture):
    width, height, pixels = picture
    return width, height, b''.join(pixels[3 * y * width:3 * (y + 1) * width] for y in reversed(range(height)))


def compare(a, b, text, exact, turned=False):
    if not tried(a) or not tried(b):
        return
    left, right = read_picture(a), read_picture(b)
    d = difference(upside_down(left) if turned and left else left, right)
    if d is None:
        check(False, f'{text}: {a} or {b} is missing, or they have other sizes')
    else:
        check(d == (0, 0) if exact else d[0] < 0.01,
              f'{text}: {d[0]:.2%} of the pixels differ by more than 2, at most by {d[1]}')


def check_kmscube():
    for kind in ('', '-atomic', '-surfaceless', '-nv12'):
        name = f'kmscube{kind}-terrazzo'
        if not tried(f'{name}-20'):
            continue
        early, late = read_picture(f'{name}-2'), read_picture(f'{name}-20')
        check(bool(late) and len(colors(late)) > 500, f'{name}: the picture has many colours')
        check(bool(late) and share(late, (0x80, 0x80, 0x80)) > 0.3, f'{name}: the background is grey')
        if kind != '-nv12':
            check(bool(late) and 'R' in strong(late) and 'B' in strong(late),
                  f'{name}: the cube has red and blue corners')
        check(bool(early) and bool(late) and early[2] != late[2], f'{name}: it turns')
        compare(f'{name}-20', f'{name}-writeback', f'{name}: what the CRTC wrote back is the framebuffer',
                True)
        if kind != '-nv12':
            # The framebuffers of GL begin with the bottom row, which the card shows at the top.
            compare(f'{name}-20', 'kmscube-terrazzo-20', f'{name}: the picture of legacy mode', True,
                    kind == '-surfaceless')
        if tried(f'kmscube{kind}-mesa-20'):
            compare(f'{name}-20', f'kmscube{kind}-mesa-20', f'{name}: the picture of llvmpipe', False)


def check_compositor(name, still):
    if not tried(still):
        return
    picture = read_picture(still)
    check(bool(picture) and share(picture, BACKGROUND) > 0.5, f'{name}: the background has its colour')
    moving = [read_picture(f'{name}-{i}') for i in range(3)]
    check(all(moving) and len({m[2] for m in moving}) == 3, f'{name}: weston-simple-egl moves')
    colours = ''.join(sorted({c for m in moving if m for c in strong(m)}))
    check(set('RGB') <= set(colours) and not ({*'RG'} & {*strong(picture)} if picture else True),
          f'{name}: a red, green and blue triangle is on the screen (found {colours or "none"})')


def drawn_by(name, renderer):
    """Checks the program's log for the driver that it drew with."""
    with open(f'{out}/{name}.log', errors='replace') as f:
        check(renderer in f.read(), f'{name}: drawn by {renderer}')


def check_places(name, text, places):
    """places: (x, y, colour, tolerance)."""
    picture = read_picture(name)
    wrong = []
    for x, y, wanted, most in places:
        at = 3 * (y * picture[0] + x) if picture else 0
        found = tuple(picture[2][at:at + 3]) if picture else ()
        if len(found) != 3 or max(abs(a - b) for a, b in zip(found, wanted)) > most:
            wrong.append(f'({x}, {y}) is {found}, not {wanted}')
    check(not wrong, f'{name}: {text}' + ''.join(f'; {w}' for w in wrong[:3]))


def check_pointer(name, without):
    """The CRTC must add SDL's pointer, which has its own plane, at the top left."""
    made, plain = read_picture(name), read_picture(without)
    inside = found = outside = 0
    if made and plain and made[:2] == plain[:2]:
        for i in range(0, len(made[2]), 3):
            if made[2][i:i + 3] != plain[2][i:i + 3]:
                x, y = i // 3 % made[0], i // 3 // made[0]
                if x < 16 and y < 24:
                    inside += 1
                    found += made[2][i:i + 3] == b'\xff\xff\xff'
                else:
                    outside += 1
    check(inside > 20 and found == inside and not outside,
          f'{name}: the framebuffer and a white pointer at the top left ({found} white pixels, '
          f'{inside - found} others, {outside} elsewhere)')


def check_program(name, picture, text, places, pointer=False):
    """Checks a program that ran on both drivers."""
    if not tried(f'{name}-terrazzo{picture}'):
        return
    drawn_by(f'{name}-terrazzo', 'Terrazzo')
    check_places(f'{name}-terrazzo{picture}', text, places)
    if pointer:
        check_pointer(f'{name}-terrazzo-writeback', f'{name}-terrazzo{picture}')
    else:
        compare(f'{name}-terrazzo{picture}', f'{name}-terrazzo-writeback',
                f'{name}: what the CRTC wrote back is the framebuffer', True)
    if tried(f'{name}-mesa{picture}'):
        drawn_by(f'{name}-mesa', 'llvmpipe')
        compare(f'{name}-terrazzo{picture}', f'{name}-mesa{picture}', f'{name}: the picture of llvmpipe',
                False)


def check_toolkits():
    # tests/clients/scene.qml in the corner of a screen of 1024x768. The blended colours are a + (b - a) *
    # alpha.
    check_program('qt', '', 'the scene is there', [
        (900, 700, (240, 234, 214), 1), (60, 225, (240, 234, 214), 1),   # the window's colour
        (120, 26, (224, 82, 33), 4), (60, 154, (239, 204, 94), 4),       # a gradient from top to bottom
        (225, 170, (136, 197, 235), 2),                                  # a rotated square, half transparent
        (90, 335, (240, 234, 214), 1),                                   # below a clip
        (360, 225, (105, 148, 120), 2)])                                 # a rotated layer of opacity 0.7
    # testgles2 rotates its cube by the same angle each frame. Its corners have the colours of the RGB cube.
    check_program('sdl', '-20', 'black, and corners of red, green, cyan, yellow', [
        (2, 200, (0, 0, 0), 0), (637, 477, (0, 0, 0), 0), (300, 97, (255, 0, 0), 30),
        (176, 208, (0, 255, 0), 30),
        (240, 370, (0, 255, 255), 30), (382, 140, (255, 255, 0), 30)], pointer=True)
    if tried('sdl-terrazzo-20'):
        early, late = read_picture('sdl-terrazzo-2'), read_picture('sdl-terrazzo-20')
        check(bool(early) and bool(late) and early[2] != late[2], 'sdl: it rotates')
    # Bars of ffmpeg's smptebars (libavfilter/vsrc_testsrc.c), in BT.601 from 16 to 235: at the top, in the
    # middle, at the bottom.
    above = [(191, 191, 191), (191, 191, 0), (0, 191, 191), (0, 191, 0), (191, 0, 191), (191, 0, 0),
             (0, 0, 191)]
    middle = [above[6], (3, 3, 3), above[4], (3, 3, 3), above[2], (3, 3, 3), above[0]]
    below = [(0, 62, 104), (255, 255, 255), (63, 0, 119), (0, 0, 0)]
    check_program('mpv', '', 'the bars have their colours', [
        *((73 + 147 * i, y, c, 2) for y, bars in ((200, above), (506, above), (518, middle))
          for i, c in enumerate(bars)),
        *((147 + 147 * i + side, 200, above[i + (side > 0)], 2) for i in range(6) for side in (-8, 8)),
        *((92 + 186 * i, 670, c, 2) for i, c in enumerate(below))])
    for i in range(3):  # the columns of testsrc are the same in all frames
        if tried(f'mpv-plays-{i}'):
            check_places(f'mpv-plays-{i}', 'the columns have their colours', [
                (30, 50, (0, 0, 0), 2), (300, 400, (255, 0, 255), 2), (448, 50, (0, 0, 255), 2),
                (550, 50, (255, 255, 0), 2), (1000, 50, (255, 255, 255), 2)])


def check_units():
    for file in sorted(os.listdir(out)):
        if file.startswith('units-') and file.endswith('.log'):
            name = file[6:-4]
            with open(f'{out}/{file}', errors='replace') as f:
                found = DOCTEST.search(re.sub(r'\x1b\[[0-9;]*m', '', f.read()))
            passed, failed, _ = map(int, found.groups()) if found else (0, 1, 0)
            counts['pass'] += passed
            seen.append(('fail' if failed or not passed else 'pass',
                         f'test program {name}: {passed} cases passed, {failed} failed'))
            counts['fail'] += max(failed, not passed)
            if failed or not passed:
                print(f'FAILED: test program {name}: {failed} cases; see {out}/{file}')


try:
    with open(f'{out}/results') as f:
        for line in f:
            good, text = line.strip().split(' ', 1)
            result(good, text)
except OSError:
    result('fail', f'the guest left no results; see {out}/serial.log')
with open(f'{out}/serial.log', errors='replace') as f:
    check('guest: done' in f.read(), 'the guest came to its end')
check_kmscube()
check_compositor('weston-terrazzo', 'weston-terrazzo-still')
compare('weston-terrazzo-still', 'weston-mesa-still', "weston's desktop: the picture of llvmpipe", False)
compare('weston-terrazzo-last', 'weston-terrazzo-writeback',
        'weston: what the CRTC wrote back is the framebuffer', True)
check_compositor('sway', 'sway-still')
check_toolkits()
check_units()
os.makedirs(f'{out}/png', exist_ok=True)
for file in sorted(os.listdir(out)):
    if file.endswith('.ppm') and (picture := read_picture(file[:-4])):
        write_png(picture, f'{out}/png/{file[:-4]}.png')
with open(f'{out}/seen.md', 'w') as f:
    f.write('| result | what |\n|---|---|\n' + ''.join(f'| {good} | {text} |\n' for good, text in seen))
print(f'{counts["pass"]} passed, {counts["fail"]} failed, {counts["skip"]} skipped')
sys.exit(bool(counts['fail']) or not counts['pass'])
