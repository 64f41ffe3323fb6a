// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/load_runs.h"

#include <algorithm>
#include <bit>

namespace terrazzo::ir {

namespace {

/// Loads that are further away are not worth the registers that hold their results until then.
constexpr unsigned kLookAhead = 192;
constexpr uint32_t kMostWords = 4;

unsigned multiple(const Value* v, unsigned most, unsigned depth) {
    constexpr unsigned kDeep = 8;
    const auto shifted = [&](unsigned by, uint64_t count) {
        return unsigned(std::min<uint64_t>(most, uint64_t(by) << std::min<uint64_t>(count, 31)));
    };
    if (!v) return most;
    if (is_const(v)) return shifted(1, uint64_t(std::countr_zero(uint32_t(const_bits(v)))));
    const Instr* d = v->def;
    if (!d || depth > kDeep) return 1;
    const auto of = [&](unsigned n) { return multiple(d->operand(n), most, depth + 1); };
    switch (d->op) {
        case Op::IShl:
            if (!is_const(d->operand(1))) return of(0);
            return shifted(of(0), const_bits(d->operand(1)) & 31);
        case Op::IMul:
            return std::min(most, of(0) * of(1));
        case Op::IAdd:
        case Op::ISub:
        case Op::IMin:
        case Op::IMax:
        case Op::UMin:
        case Op::UMax:
            return std::min(of(0), of(1));
        default:
            return 1;
    }
}

}  // namespace

const Value* index_of(const Instr& i) {
    const unsigned at = i.op == Op::StoreVar ? 1 : 0;
    return i.operand_count > at ? i.operand(at) : nullptr;
}

uint32_t place_of(const Instr& i) {
    return i.op == Op::LoadUniform ? i.u.io.slot : i.u.io.component;
}

unsigned known_multiple(const Value* v, unsigned most) {
    return multiple(v, most, 0);
}

LoadRun find_load_run(const Instr& i, uint32_t group, const std::function<bool(uint32_t)>& elsewhere) {
    const uint32_t at = place_of(i);
    const bool uniform = i.op == Op::LoadUniform;
    const Value* const index = index_of(i);
    uint32_t wanted = 0;  // bit 3: `at`
    unsigned looked_at = 0;
    for (const Instr* k = &i; k && looked_at < kLookAhead; k = k->next, looked_at++) {
        if (!uniform && (k->region_count || (k->op == Op::StoreVar && k->var == i.var))) break;
        if (k->op != i.op || index_of(*k) != index || (!uniform && k->var != i.var)) continue;
        const uint32_t place = place_of(*k);
        if (place + 3 < at || place > at + 3) continue;
        if (group && place / group != at / group) continue;
        if (elsewhere(place)) continue;
        wanted |= 1u << (place + 3 - at);
    }
    LoadRun best{at, 1};
    int most = 0;
    for (unsigned first = 0; first < kMostWords; first++) {
        const uint32_t window = wanted >> first & 15;
        if (!(window & 1) || std::popcount(window) <= most) continue;
        most = std::popcount(window);
        best = {at + first - 3, unsigned(std::bit_width(window))};
    }
    return best;
}

}  // namespace terrazzo::ir
