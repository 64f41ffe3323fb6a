// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The door of static libraries and tests, which link LLVM.
#include "drivers/soft/jit/maker.h"

namespace terrazzo::soft::jit {

const ObjectMaker* open_llvm(std::string* why) {
    if (const LlvmModule* const module = terrazzo_llvm_module()) return module->maker;
    *why = "no memory for LLVM";
    return nullptr;
}

std::string llvm_file() {
    return {};
}

}  // namespace terrazzo::soft::jit
