// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Between lanes: derivatives, exchanges within a quad, broadcasts. Lanes 4n to 4n + 3 are a quad: left and
// right of the upper row, then of the lower row.
#include <cstring>

#include "drivers/adreno/sim/core/execution.h"
#include "drivers/common/units/quad_half.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;
using wave::Four;
using FourFloats [[gnu::vector_size(16)]] = float;

// Calls f() with the four values of each quad, and replaces them by its result.
template <class F>
void each_quad(U32* v, unsigned groups, F&& f) {
    auto* at = reinterpret_cast<uint8_t*>(v);
    for (unsigned q = 0; q < groups * kGroupLanes / 4; ++q, at += sizeof(Four)) {
        Four quad;
        std::memcpy(&quad, at, sizeof(quad));
        quad = f(quad);
        std::memcpy(at, &quad, sizeof(quad));
    }
}
// The derivative in x or y. `fine`: each lane has that of its own row or column; otherwise all lanes have
// that of the first one.
Four difference(Four v, bool x, bool fine) {
    const auto of = [](Four high, Four low) { return Four(FourFloats(high) - FourFloats(low)); };
    if (!fine) return of(Four{} + v[x ? 1 : 2], Four{} + v[0]);
    return x ? of(__builtin_shufflevector(v, v, 1, 1, 3, 3), __builtin_shufflevector(v, v, 0, 0, 2, 2))
             : of(__builtin_shufflevector(v, v, 2, 3, 2, 3), __builtin_shufflevector(v, v, 0, 1, 0, 1));
}

template <class F>
void each(unsigned lanes, const Lanes& in, Lanes& out, F&& from) {
    for (unsigned lane = 0; lane < lanes; ++lane)
        put_at(out, lane, at(in, from(lane)));
}

}  // namespace

// dsx and dsy: one difference per quad. dsxpp and dsypp: that of the lane's own row or column; the second of
// a pair, with .p, computes it.
bool Execution::derivative() {
    const isa::Instr& i = s_->instr;
    const bool fine = i.op == Op::kDsxpp1 || i.op == Op::kDsypp1, x = i.op == Op::kDsx || i.op == Op::kDsxpp1,
               half = i.src[0].half, to_half = s_->dst[0].half;
    for (unsigned k = 0; k < 4; ++k) {
        if (!(i.write_mask() >> k & 1)) continue;
        Lanes v[1];
        if (!words(unsigned(i.src[0].value) + k, half, 1, v)) return false;
        if (fine && !i.projected()) continue;
        each_quad(v[0], w_.groups, [&](Four quad) {
            if (half) quad = Four(units::from_halves(quad));
            quad = difference(quad, x, fine);
            return to_half ? wave::to_four_halves(quad) : quad;
        });
        if (!write_result(s_->dst[0], k, v[0], isa::Sync::kSy)) return false;
    }
    return true;
}

bool Execution::quad_shuffle() {
    const isa::Instr& i = s_->instr;
    const unsigned exchanged = i.op == Op::kQuadHorizontal ? 1 : i.op == Op::kQuadVertical ? 2 : 3;
    Lanes which[1] = {};
    if (i.op == Op::kQuadBroadcast && !words(unsigned(i.src[1].value), i.src[1].half, 1, which)) return false;
    for (unsigned k = 0; k < 4; ++k) {
        if (!(i.write_mask() >> k & 1)) continue;
        Lanes v[1], out;
        if (!words(unsigned(i.src[0].value) + k, i.src[0].half, 1, v)) return false;
        each(w_.groups * kGroupLanes, v[0], out, [&](unsigned lane) {
            return i.op == Op::kQuadBroadcast ? (lane & ~3u) + (at(which[0], lane) & 3) : lane ^ exchanged;
        });
        if (!write_result(s_->dst[0], k, out, isa::Sync::kSy)) return false;
    }
    return true;
}

// brcst.active: the upper half of a cluster gets the value of the last running lane in the lower half.
bool Execution::broadcast_active() {
    const isa::Instr& i = s_->instr;
    const unsigned lanes = w_.groups * kGroupLanes, cluster = 2u << i.cluster();
    Lanes v[1], out;
    if (!words(unsigned(i.src[0].value), i.src[0].half, 1, v)) return false;
    const LaneMask all = exec_;
    LaneMask written;
    for (unsigned base = 0; base < lanes; base += cluster) {
        unsigned from = kMaxLanes;
        for (unsigned lane = base; lane < base + cluster / 2 && lane < lanes; ++lane)
            if (all.has(lane)) from = lane;
        for (unsigned lane = base + cluster / 2; from != kMaxLanes && lane < base + cluster && lane < lanes;
             ++lane) {
            if (all.has(lane)) written.set(lane);
            put_at(out, lane, at(v[0], from));
        }
    }
    exec_ = written;
    const bool good = write_result(s_->dst[0], 0, out, isa::Sync::kSy);
    exec_ = all;
    return good;
}

bool Execution::shuffle() {
    const isa::Instr& i = s_->instr;
    const unsigned lanes = w_.size ? w_.size : w_.groups * kGroupLanes;
    Lanes v[1] = {}, amount[1], out;
    if (!words(unsigned(i.src[0].value), i.src[0].half, 1, v)) return false;
    if (i.src[1].kind == isa::SrcKind::kImmediate) {
        for (U32& g : amount[0])
            g = wave::splat(uint32_t(i.src[1].value));
    } else if (!words(unsigned(i.src[1].value), false, 1, amount)) {
        return false;
    }
    each(w_.groups * kGroupLanes, v[0], out, [&](unsigned lane) -> unsigned {
        const unsigned n = at(amount[0], lane) % lanes;
        switch (i.shuffle()) {
            case isa::Shuffle::kXor:
                return lane ^ n;
            case isa::Shuffle::kUp:
                return lane >= n ? lane - n : lane;
            case isa::Shuffle::kDown:
                return lane + n < lanes ? lane + n : lane;
            case isa::Shuffle::kRotateUp:
                return (lane + lanes - n) % lanes;
            case isa::Shuffle::kRotateDown:
                return (lane + n) % lanes;
        }
        return lane;
    });
    return write_result(s_->dst[0], 0, out, isa::Sync::kSs);
}

}  // namespace terrazzo::adreno::sim
