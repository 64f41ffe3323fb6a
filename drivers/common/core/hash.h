// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Hashes of micro-operations within a process. Private to core/.
#pragma once

#include "drivers/common/core/micro.h"

namespace terrazzo::core {

inline uint64_t mix_hash(uint64_t hash, uint64_t v) {
    hash = (hash ^ v) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}
inline uint64_t mix_hash(uint64_t hash, const Value& v) {
    return mix_hash(hash, uint64_t(v.kind) << 32 | v.index);
}
/// Of what it computes, not of where the result goes.
inline uint64_t mix_hash(uint64_t hash, const MicroInstr& i) {
    hash = mix_hash(hash, uint64_t(i.op) | uint64_t(i.imm.first) << 8 | uint64_t(i.imm.bits) << 16 |
                              uint64_t(i.imm.round) << 24 | uint64_t(i.imm.range) << 32);
    hash = mix_hash(hash, i.imm.data);
    hash = mix_hash(hash, reinterpret_cast<uintptr_t>(i.kernel));
    for (const Value& v : i.from)
        hash = mix_hash(hash, v);
    return hash;
}

}  // namespace terrazzo::core
