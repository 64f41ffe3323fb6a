# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""stamp.py OUTPUT LLVM_VERSION FILES...: a C++ file with a hash of the files' contents and LLVM's version."""
import hashlib
import sys

output, version, files = sys.argv[1], sys.argv[2], sys.argv[3:]
digest = hashlib.sha256(version.encode())
for name in files:
    with open(name, 'rb') as f:
        digest.update(hashlib.sha256(f.read()).digest())
with open(output, 'w') as f:
    f.write('#include "drivers/soft/jit/maker.h"\n'
            'namespace terrazzo::soft::jit {\n'
            f'const char kStamp[] = "{digest.hexdigest()[:32]}";\n'
            f'const char kLlvmVersion[] = "{version}";\n'
            '}\n')
