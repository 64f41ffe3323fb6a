// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// asmjit's texts of errors, in place of its file globals.cpp. In Debian's static library, only that file
// cannot be linked into a shared library (it references stderr in a position-dependent way). The linker omits
// it if everything it defines is here. This file also replaces a check of asmjit that costs too much.
#include <cstdio>
#include <cstdlib>

#include "drivers/common/host_code/asmjit.h"

// Named to the linker (meson.build), so that it takes this file before it sees asmjit's.
extern "C" const int terrazzo_asmjit_texts;
const int terrazzo_asmjit_texts = 1;

ASMJIT_BEGIN_NAMESPACE

const char* DebugUtils::errorAsString(Error error) noexcept {
    switch (error) {
        case kErrorOk:
            return "no error";
        case kErrorOutOfMemory:
            return "out of memory";
        case kErrorInvalidInstruction:
            return "an instruction that does not exist";
        case kErrorNoMorePhysRegs:
            return "registers cannot be allocated";
        case kErrorTooLarge:
            return "too much code";
        default:
            return "asmjit refuses it";
    }
}

void DebugUtils::debugOutput(const char* text) noexcept {
    std::fputs(text, stderr);
}

void DebugUtils::assertionFailed(const char* file, int line, const char* message) noexcept {
    std::fprintf(stderr, "asmjit: %s:%d: %s\n", file, line, message);
    std::abort();
}

// Debian's library is compiled with assertions, and checks the whole assignment of registers after each
// instruction: an eighth of the time to translate a shader. The linker prefers this definition to the
// library's weak one; in other builds of the library nothing calls it.
class RAAssignment {
  public:
    void verify() noexcept;
};
void RAAssignment::verify() noexcept {}

ASMJIT_END_NAMESPACE
