#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Files of rows with one mistake each. gen_fields.py must refuse them with the file, the line and the
mistake, and must write nothing.
Ends with "N passed, N failed"."""
import pathlib
import subprocess
import sys
import tempfile

CASES = [  # the rows, and the message after the file's name
    ('enum A\n  X 0\n  X 1\n', ':3: A.X is defined twice'),
    ('enum A\n  X 0\n  Y 0\n', ':3: A: 0 is X already'),
    ('enum A\n  X 0\nenum A\n', ':3: A is defined twice (first '),
    ('enum A\n  X zero\n', ':2: "zero" is no number'),
    ('enum A\n  1D 0\n', ':2: "1D" is no name'),
    ('enum A\n  X 8\nstruct S 4\n  a 0:0 3 A\n', ':4: S.a: A.X = 8 does not fit in 3 bits'),
    ('struct S 4\n  a 0:0 4 uint\n  b 0:3 4 uint\n', ':3: S.b overlaps a at 0:3'),
    ('struct S 4\n  a 0:30 4 uint\n', ':2: S.a: bit 33 is outside of its 32 bits'),
    ('struct S 4\n  a[5] 0:0 8 uint\n', ':2: S.a: bit 39 is outside of its 32 bits'),
    ('struct S 4\n  a 0:0 4 uint\n  a 0:8 4 uint\n', ':3: S.a is defined twice'),
    ('struct S 4\n  a 0:0 4 what\n', ':2: S.a: unknown type "what"'),
    ('struct S 4\n  a 0:0 4 uint = 16\n', ':2: S.a: the default 16 does not fit in 4 bits'),
    ('struct S 4\n  a 0:0 4 uint minus1 = 17\n', ':2: S.a: the default 17 does not fit in 4 bits'),
    ('struct S 4\n  a 0:0 4 uint minus1 = 0\n', ':2: S.a: the default 0 does not fit in 4 bits'),
    ('struct S 4\n  a 0:0 4 int = 8\n', ':2: S.a: the default 8 does not fit in 4 bits'),
    ('struct S 4\n  a 0:0 4 uint shr(4) = 24\n', ':2: S.a: the default 24 loses bits below 4'),
    ('struct S 4\n  a 0:0 4 uint log2 = 3\n', ':2: S.a: the default 3 is no power of two'),
    ('struct S 4\n  a 0:0 16 uint align(16) = 8\n', ':2: S.a: the default 8 is no multiple of 16'),
    ('struct S 4\n  a 0:0 1 bool = maybe\n', ':2: S.a: the default maybe is neither true nor false'),
    ('struct S 4\n  a 0:0 2 bool\n', ':2: S.a: bool cannot have 2 bits'),
    ('struct S 4\n  a 0:1 31 float\n', ':2: S.a: float cannot have 31 bits'),
    ('struct S 8\n  a 0:1 32 float\n', ':2: S.a: a float is a whole word'),
    ('struct S 4\n  a 0:0 4 bits\n', ':2: S.a: bits cannot have 4 bits'),
    ('struct S 4\n  a 0:0 8 int minus1\n', ':2: S.a: int takes no modifier'),
    ('struct S 4\n  a 0:0 8 uint minus1 log2\n', ':2: S.a: one of minus, shr, log2, align and groups'),
    ('struct S 4\n  a 0:0 8 uint twice\n', ':2: unknown modifier "twice"'),
    ('struct S 4\n  a 0:0 8 uint =\n', ':2: "=" needs something after it'),
    ('struct S 4\n  a 0:0 8 uint const\n', ':2: S.a: const needs a default, and is no array'),
    ('struct S 4\n  a[2] 0:0 8 uint every 4\n', ':2: S.a: elements every 4 bits are 8 bits wide'),
    ('struct S 4\n  a 0:32 8 uint\n', ':2: bit 32 of a word'),
    ('struct S 4\n  a 0:0\n', ':2: want: NAME WORD:BIT WIDTH TYPE'),
    ('struct S 4\n  new 0:0 4 uint\n', ':2: "new" is no name'),
    ('struct S 3\n', ':1: a struct is a whole number of 32-bit words, at least one'),
    ('struct S 4 align 3\n', ':1: an alignment of 3 is no power of two'),
    ('struct P bits 5\n  a 0 5 uint\nstruct S 4\n  p 0:0 6 P\n', ':4: S.p: P is 5 bits, not 6'),
    ('struct S 4\n  p 0:0 5 P\nstruct P bits 5\n  a 0 5 uint\n', ':2: S.p: P must be defined above'),
    ('struct S 4\n  a 0:0 1 bool\n  b 0:1 4 uint when c=true\n', ':3: S.b: no field c to depend on'),
    ('struct S 4\n  a 0:0 1 bool\n  b 0:1 4 uint when a=2\n', ':3: S.b: a is never 2'),
    ('struct S 4\n  a 0:0 4 uint\n  b 0:4 4 uint when a=2\n', ':3: S.b: a is no plain enum or bool'),
    ('struct S 4\n  a 0:0 1 bool\n  b 0:1 4 uint when a\n', ':3: "a" is no condition'),
    ('struct S 4\n  a 0:0 1 bool\n  b 0:1 4 uint when a=true\n  c 0:2 4 uint when a!=false\n',
     ':4: S.c overlaps b at 0:2'),
    ('  a 0:0 1 bool\n', ':1: a row outside of a block'),
    ('thing T\n', ':1: unknown kind of block "thing"'),
    ('instr A A 0\n', ':1: an instr needs a family above it'),
    ('family Op 1:24 8 size 8\ninstr A A 1\ninstr B B 1\n', ':3: opcode 1 is A already'),
    ('family Op 1:24 8 size 8\ninstr A X 1\ninstr B X 2\n', ':3: Op.X is defined twice'),
    ('family Op 1:24 8 size 8\ninstr A X 256\n', ':2: opcode 256 does not fit in 8 bits'),
    ('family Op 1:24 8 size 8\ninstr A X 1\n  a 0:0 64 hex\n', ':3: A.a overlaps opcode at 1:24'),
    ('family Op 1:24 8 size 8\ninstr A X 1\n  text X {b}\n  a 0:0 8 hex\n',
     ':3: A: the text names b, which is no field'),
    ('family Op 1:24 8 size 8\ninstr A X 1\n  text X {a\n  a 0:0 8 hex\n',
     ':3: A: the text has no "}" for a "{"'),
    ('family Op 1:24 8 size 8\ninstr A X 1\n  text X\n  text Y\n',
     ':4: only an instr has a text, and only one'),
    ('struct S 4\n  text S\n', ':2: only an instr has a text, and only one'),
    ('enum E\n  Y 0\nfamily Op 1:24 8 size 8\ninstr A X 1\n  text X {e}\n  e 0:0 8 E\n',
     ':5: A: the enumerators of E have no words'),
    ('enum E\n  X 0 x\n  Y 1\n', ':3: E: all enumerators have a text, or none has'),
    ('family Op 0:0 8 size 8\ninstr A X 1 size 3\n', ':2: A: 3 bytes are not a whole number of 16-bit words'),
    ('struct S 4\n  a 0:0 3 uint groups(8) = 12\n', ':2: S.a: the default 12 is no number of groups of 8'),
    ('struct S 4\n  a 0:0 3 uint groups(8) = 72\n', ':2: S.a: the default 72 is no number of groups of 8'),
    ('record R H\n', ':1: R: H is no struct of whole words above'),
    ('struct H bits 8\n  a 0 1 bool\nrecord R H\n', ':3: R: H is no struct of whole words above'),
    ('struct H 4\n  a 0:0 1 bool\nrecord R H\n  b H\n', ':4: R.b: H.b is no plain bool'),
    ('struct H 4\n  a 0:0 1 bool\nrecord R H\n  b What if a\n',
     ':4: R.b: What is no struct of whole words above'),
    ('struct H 4\n  a 0:0 1 bool\nrecord R H\n  a H\n  a H\n', ':5: R.a is defined twice'),
    ('struct H 4\n  a 0:0 1 bool\nrecord R H\n  a[4] H\n', ':4: want: NAME STRUCT [if FLAG]'),
    ('struct H 4\n  a 0:0 1 bool\nrecord R H\n  a[4] H times n\n', ':4: R.a: H.n is no plain uint'),
    ('struct H 4\n  a 0:0 1 bool\n  n 0:1 2 uint minus1\nrecord R H\n  a[3] H times n\n',
     ':5: R.a: n may be more than 3'),
    ('struct H 4\n  a 0:0 1 bool\n  n 0:1 2 uint shr(1)\nrecord R H\n  a[3] H times n\n',
     ':5: R.a: n may only have the modifier minus'),
    ('struct S 4\nrecord S S\n', ':2: S is defined twice (first '),
    ('registers R\n  a 0 2 address\n  b 1 1 uint\n', ':3: R: registers of b overlap those of a'),
    ('registers R\n  a 0 2 What\n', ':2: unknown type "What"'),
    ('struct S 4\nregisters R\n  a 0 2 S\n', ':3: S is not 2 registers long'),
    ('reg A 1\n', ':1: a reg needs a bank above it'),
    ('bank B\nbank B\n', ':2: B is defined twice'),
    ('bank B\nreg A\n', ':2: want: reg NAME'),
    ('bank B\nreg A 1 uint\nreg A 2 uint\n', ':3: A is defined twice'),
    ('bank B\nreg A 1 uint\nreg C 1 uint\n', ':3: register 0x1 of C is A already'),
    ('bank B\nreg A[2] 1 uint every 4\nreg C 5 uint\n', ':3: register 0x5 of C is A already'),
    ('bank B\nreg A 1 address\nbank D\nreg C 2 uint\n', ':4: register 0x2 of C is A already'),
    ('bank B\nreg A 0x10000 uint\n', ':2: A: a register number has 16 bits'),
    ('bank B\nreg A 0xffff address\n', ':2: A: a register number has 16 bits'),
    ('bank B\nreg A[2] 1 address every 1\n', ':2: A: elements every 1 registers are 2 registers long'),
    ('bank B\nreg A 1 What\n', ':2: A.value: unknown type "What"'),
    ('bank B\nreg A 1\n  a 30 4 uint\n', ':3: A.a: bit 33 is outside of its 32 bits'),
    ('packet P A 1\n', ':1: a packet needs packets above it'),
    ('packets C\n  A 1\npacket P B 1\n', ':3: C has no B'),
    ('packets C\n  A 1\npacket P A 1\npacket Q A 1\n', ':4: A has a packet already'),
    ('packets C\n  A 1\npacket P A 1 least 2\n', ':3: P: at least 2 of 1 words'),
    ('packets C\n  A 1\npacket P A one\n', ':3: want: packet STRUCT'),
]


def main():
    generator, failed = sys.argv[1], 0
    with tempfile.TemporaryDirectory() as folder:
        rows, header, source = (pathlib.Path(folder) / n for n in ('bad.rows', 'bad.h', 'bad.cpp'))
        for text, want in CASES:
            rows.write_text(text)
            run = subprocess.run([sys.executable, generator, '--namespace', 'n', '--header', str(header),
                                  '--source', str(source),
                                  str(rows)], capture_output=True, text=True)
            written = header.exists() or source.exists()
            if run.returncode == 0 or not run.stderr.startswith(str(rows) + want) or written:
                failed += 1
                print(f'want {want!r}, got {run.returncode} {run.stderr!r} of\n{text}')
    print(f'{len(CASES) - failed} passed, {failed} failed')
    sys.exit(bool(failed))


main()
