# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Pictures of screens: reads PNG, PPM and XWD (a file of Xvfb -fbdir), shrinks and compares pictures, writes
small PNGs.

A picture is (width, height, RGB): the bytes of its rows from the top, three a pixel."""
import re
import struct
import zlib


def _paeth(left, up, corner):
    p = left + up - corner
    return min((left, up, corner), key=lambda v: abs(p - v))


def _unfilter(row, before, kind, channels):
    """Reverses a row's filter (PNG specification, section 9) in place."""
    if kind == 1:
        for i in range(channels, len(row)):
            row[i] = (row[i] + row[i - channels]) & 255
    elif kind == 2:
        row[:] = bytes((a + b) & 255 for a, b in zip(row, before))
    elif kind:
        for i in range(len(row)):
            left, up, corner = 0, before[i], 0
            if i >= channels:
                left, corner = row[i - channels], before[i - channels]
            row[i] = (row[i] + ((left + up) // 2 if kind == 3 else _paeth(left, up, corner))) & 255


def rgb_of(pixels, channels, order=(0, 1, 2)):
    """Returns the RGB bytes of pixels with more channels, or in another order."""
    out = bytearray(len(pixels) // channels * 3)
    for to, source in enumerate(order):
        out[to::3] = pixels[source::channels]
    return bytes(out)


def read_png(path):
    """Reads an 8-bit picture in RGB or RGBA that is not interlaced."""
    data, at, packed = path.read_bytes(), 8, b''
    while at < len(data):
        size, kind = int.from_bytes(data[at:at + 4], 'big'), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + size]
        if kind == b'IHDR':
            width, height = int.from_bytes(body[:4], 'big'), int.from_bytes(body[4:8], 'big')
            channels = {2: 3, 6: 4}[body[9]]
        elif kind == b'IDAT':
            packed += body
        at += 12 + size
    raw, stride, before, rows = zlib.decompress(packed), width * channels, bytes(width * channels), []
    for y in range(height):
        at = y * (stride + 1)
        row = bytearray(raw[at + 1:at + 1 + stride])
        _unfilter(row, before, raw[at], channels)
        rows.append(row)
        before = row
    pixels = b''.join(rows)
    return width, height, pixels if channels == 3 else rgb_of(pixels, channels)


def read_ppm(path):
    data = path.read_bytes()
    m = re.match(rb'P6\s+(\d+)\s+(\d+)\s+255\s', data)
    return int(m[1]), int(m[2]), data[m.end():]


def read_xwd(path):
    """Reads the screen of Xvfb: 32 bits a pixel, blue first."""
    data = path.read_bytes()
    header = struct.unpack('>25I', data[:100])
    size, width, height = header[0], header[4], header[5]
    bits, stride, colours = header[11], header[12], header[19]
    if bits != 32:
        raise ValueError(f'{path}: {bits} bits a pixel')
    first = size + 12 * colours
    rows = (data[first + y * stride:first + y * stride + width * 4] for y in range(height))
    return width, height, rgb_of(b''.join(rows), 4, (2, 1, 0))


def read(path):
    """Reads a file of any of these kinds."""
    start = path.read_bytes()[:8]
    reader = read_png if start.startswith(b'\x89PNG') else read_ppm if start.startswith(b'P6') else read_xwd
    return reader(path)


def changed(a, b):
    """The percentage of pixels that clearly differ."""
    if a[:2] != b[:2]:
        return 100.0
    far = sum(1 for i, (x, y) in enumerate(zip(a[2], b[2])) if i % 3 == 1 and abs(x - y) > 3)
    return 100.0 * far / (a[0] * a[1])


def difference(a, b):
    """The mean difference of the bytes of two small pictures, from 0 to 255."""
    if a[:2] != b[:2]:
        return 255.0
    return sum(abs(x - y) for x, y in zip(a[2], b[2])) / len(a[2])


def shrink(picture, most=320):
    """Shrinks a picture to this width at most; a pixel is the mean of a square."""
    width, height, rgb = picture
    step = -(-width // most)
    if step == 1:
        return picture
    w, h, out = width // step, height // step, bytearray()
    for y in range(h):
        sums = [0] * (3 * w)
        for line in range(y * step, (y + 1) * step):
            row = rgb[line * width * 3:(line + 1) * width * 3]
            for c in range(3):
                for i in range(step):
                    sums[c::3] = map(int.__add__, sums[c::3], row[3 * i + c:3 * step * w:3 * step])
        out += bytes(s // (step * step) for s in sums)
    return w, h, bytes(out)


def write_png(path, picture, bits=8):
    """Writes this many bits of each channel; fewer bits result in a smaller file."""
    width, height, rgb = picture
    if bits < 8:
        most = (1 << bits) - 1
        rgb = rgb.translate(bytes((v * most + 127) // 255 * 255 // most for v in range(256)))
    rows, before = [], bytes(width * 3)
    for y in range(height):
        row = rgb[y * width * 3:(y + 1) * width * 3]
        rows.append(b'\2' + bytes((a - b) & 255 for a, b in zip(row, before)))
        before = row
    out = b'\x89PNG\r\n\x1a\n'
    for kind, body in ((b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)),
                       (b'IDAT', zlib.compress(b''.join(rows), 9)), (b'IEND', b'')):
        out += struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
    path.write_bytes(out)
