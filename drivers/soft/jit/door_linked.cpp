// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LLVM is linked in: static libraries, tests.
#include "drivers/soft/jit/maker.h"

namespace terrazzo::soft::jit {

const ObjectMaker* open_llvm(std::string*) {
    return terrazzo_llvm_module()->maker;
}

std::string llvm_file() {
    return {};
}

}  // namespace terrazzo::soft::jit
