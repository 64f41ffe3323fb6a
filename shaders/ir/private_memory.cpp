// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/ir/private_memory.h"

namespace terrazzo::ir {

uint64_t private_scalars(const Shader& s) {
    uint64_t total = 0;
    for (const Var* v : s.vars())
        if (v->storage == Storage::Local) total += uint64_t(v->count) * (bit_size(v->type) == 64 ? 2 : 1);
    return total;
}

}  // namespace terrazzo::ir
