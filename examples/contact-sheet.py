#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Combines PNG pictures of one size: contact-sheet.py OUT.png COLUMNS SHRINK IN.png...

SHRINK 2 averages four pixels into one, which smooths edges. Reads the PNGs of `gallery`: 8 bits per channel,
RGB or RGBA, not interlaced.
README's picture is created like this, in the repository's root, after examples/build-and-render.sh (10 s):
    build/api/command/terrazzo run -- build/examples/gallery --out out/small --size 320x320
    cd out/small && python3 ../../examples/contact-sheet.py ../../examples/scenes.png 6 2 \\
        torus.png terrain.png fur.png deferred.png million.png volume.png \\
        blur.png julia.png cube_map.png particles.png instances.png cube.png \\
        layers.png render_to_texture.png batches.png points_lines.png stencil.png mipmaps.png \\
        texture_formats.png blend.png triangle.png scissor.png
"""
import struct
import sys
import zlib


def unfilter(kind, line, above, bpp):
    """Reverses a row's filter (PNG specification, 9.2), in place."""
    for i in range(len(line)):
        left = line[i - bpp] if i >= bpp else 0
        up = above[i]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            corner = above[i - bpp] if i >= bpp else 0
            guess = min((left, up, corner), key=lambda v: abs(left + up - corner - v))
        line[i] = (line[i] + guess) & 255


def read(path):
    """-> width, rows of RGB bytes"""
    data = open(path, 'rb').read()
    at, packed = 8, b''
    while at < len(data):
        size, kind = struct.unpack_from('>I4s', data, at)
        body = data[at + 8:at + 8 + size]
        at += size + 12
        if kind == b'IHDR':
            width, height, depth, colour, _, _, interlaced = struct.unpack('>2I5B', body)
            if depth != 8 or colour not in (2, 6) or interlaced:
                sys.exit(f'{path}: not 8-bit RGB or RGBA')
            bpp = 3 if colour == 2 else 4
        elif kind == b'IDAT':
            packed += body
    raw = zlib.decompress(packed)
    rows, above, pitch = [], bytearray(width * bpp), width * bpp
    for y in range(height):
        start = y * (pitch + 1)
        line = bytearray(raw[start + 1:start + 1 + pitch])
        if raw[start]:
            unfilter(raw[start], line, above, bpp)
        above = line
        rows.append(line if bpp == 3 else bytearray(v for i, v in enumerate(line) if i % 4 != 3))
    return width, rows


def shrink(width, rows, n):
    """The means of n x n pixels."""
    return [bytes(sum(rows[y + j][3 * (x + i) + c] for j in range(n) for i in range(n)) // (n * n)
                  for x in range(0, width - n + 1, n) for c in range(3))
                  for y in range(0, len(rows) - n + 1, n)]


def write(path, rows):
    def chunk(kind, body):
        return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))

    raw, above = bytearray(), bytes(len(rows[0]))
    for line in rows:
        # The filter with the smallest sum of differences, as libpng chooses.
        left = bytes(3) + line[:-3]
        corner = bytes(3) + above[:-3]
        paeth = bytes(min((a, b, c), key=lambda v: abs(a + b - c - v))
                      for a, b, c in zip(left, above, corner))
        mean = bytes((a + b) // 2 for a, b in zip(left, above))
        tries = [bytes((v - g) & 255 for v, g in zip(line, guess))
                 for guess in (bytes(len(line)), left, above, mean, paeth)]
        best = min(range(5), key=lambda k: sum(min(v, 256 - v) for v in tries[k]))
        raw += bytes([best]) + tries[best]
        above = line
    header = struct.pack('>2I5B', len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    with open(path, 'wb') as out:
        out.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header)
                  + chunk(b'IDAT', zlib.compress(bytes(raw), 9)) + chunk(b'IEND', b''))


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    out, columns, n, paths = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    pictures = [shrink(*read(p), n) for p in paths]
    gap = 4
    width_B = 3 * (columns * (len(pictures[0][0]) // 3 + gap) - gap)
    sheet = []
    for first in range(0, len(pictures), columns):
        group = pictures[first:first + columns]
        if sheet:
            sheet += [b'\xff' * width_B] * gap
        for lines in zip(*group):
            sheet.append((b'\xff' * 3 * gap).join(lines).ljust(width_B, b'\xff'))
    write(out, sheet)


main()
