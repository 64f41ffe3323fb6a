// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A build without asmjit: every block is interpreted.
#include "drivers/common/core/translate.h"

namespace terrazzo::core {

bool has_translator(VectorWidth) {
    return false;
}

bool can_translate() {
    return false;
}

std::unique_ptr<Translation> translate(const MicroBlock&, VectorWidth) {
    return nullptr;
}

}  // namespace terrazzo::core
