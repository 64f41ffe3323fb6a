# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""library_stamp.py OUTPUT HEADER NAMESPACE VERSION FILES...

Writes a C++ file that defines kStamp (a hash of the files' contents and the version) and kVersion; HEADER
declares them. A library that is opened later (library.h) must have the stamp of its opener: else they are
different builds."""
import hashlib
import sys

output, header, namespace, version, files = *sys.argv[1:5], sys.argv[5:]
digest = hashlib.sha256(version.encode())
for name in files:
    with open(name, 'rb') as f:
        digest.update(hashlib.sha256(f.read()).digest())
with open(output, 'w', encoding='utf-8') as f:
    f.write(f'#include "{header}"\n'
            f'namespace {namespace} {{\n'
            f'const char kStamp[] = "{digest.hexdigest()[:32]}";\n'
            f'const char kVersion[] = "{version}";\n'
            '}\n')
