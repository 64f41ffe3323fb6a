// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions of category 6 that the core executes itself: global, local and private memory, its atomics,
// constants, invocation ids.
#include <algorithm>
#include <bit>
#include <cstring>

#include "drivers/adreno/sim/core/atomics.h"
#include "drivers/adreno/sim/core/execution.h"
#include "drivers/common/core/lane_memory.h"
#include "drivers/common/core/stored_range.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;

constexpr unsigned kMostWords = 4;

uint64_t address_of(const Lanes* v, unsigned lane) {
    return uint64_t(at(v[1], lane)) << 32 | at(v[0], lane);
}

}  // namespace

// Loads or stores the elements of a lane, one by one. For helpers, memory that cannot be accessed reads as 0,
// and stores to it are dropped.
template <core::Direction kDirection>
bool Execution::move_lane(Place place, uint64_t to, const core::LaneElements& e, unsigned lane) {
    constexpr bool kLoad = kDirection == core::Direction::Load;
    const bool real = effective().has(lane);
    const uint64_t end = place == Place::Own ? w_.private_B : w_.shared.size();
    U32* v = e.v;
    for (unsigned k = 0; k < e.size_B; k += e.element_B, to += e.element_B, v += e.stride) {
        uint32_t word = kLoad ? 0 : (*v)[lane % kGroupLanes];
        if (place != Place::Global && to + e.element_B > end) {
            if (real)
                return fail_lane(lane, place == Place::Own ? "private" : "local", " memory at ", to,
                                 " is beyond its ", end, " bytes");
        } else if (place == Place::Local) {
            uint8_t* const at = &w_.shared[to];
            kLoad ? window::load_units(at, &word, e.element_B) : window::store_units(at, &word, e.element_B);
        } else {
            const uint64_t va = place == Place::Own ? w_.private_va + uint64_t(lane) * w_.private_B + to : to;
            if (!(kLoad ? core_.memory_.load(va, &word, e.element_B)
                        : core_.memory_.store(va, &word, e.element_B)) &&
                (real || place == Place::Own))
                return fail_access(lane);
        }
        if (kLoad) (*v)[lane % kGroupLanes] = word;
    }
    return true;
}

// Loads or stores for the lanes of a group, all at once if all of them may access their memory.
template <core::Direction kDirection>
bool Execution::move_lanes(Place place, uint64_t* to, const core::LaneElements& e, unsigned group,
                           uint32_t lanes) {
    if (!lanes) return true;
    const auto one_by_one = [&](uint32_t some) {
        for (; some; some &= some - 1) {
            const auto n = unsigned(std::countr_zero(some));
            if (!move_lane<kDirection>(place, to[n], e, group * kGroupLanes + n)) return false;
        }
        return true;
    };
    if (place != Place::Global) {
        const uint64_t end = place == Place::Own ? w_.private_B : w_.shared.size();
        if (core::range_of(to, lanes, e.size_B).end > end) return one_by_one(lanes);
    }
    if (place == Place::Local) {
        core::move_lanes<kDirection>(w_.shared.data(), to, 0, lanes, e);
        return true;
    }
    const uint32_t real = place == Place::Own ? lanes : lanes & effective().group(group);
    for (unsigned n = 0; place == Place::Own && n < kGroupLanes; ++n)
        to[n] += w_.private_va + uint64_t(group * kGroupLanes + n) * w_.private_B;
    const int refused = core::move_lanes<kDirection>(core_.memory_, to, real, e);
    if (refused >= 0) return fail_access(group * kGroupLanes + unsigned(refused));
    return one_by_one(lanes & ~real);
}

// Loads and stores. Registers of local memory are halves for types of 16 bits, though the assembly text does
// not show it.
bool Execution::access(Place place) {
    const isa::Instr& i = s_->instr;
    const bool load = i.info().dest_count != 0, global = place == Place::Global,
               indexed = i.op == Op::kLdgA || i.op == Op::kStgA;
    const isa::Src& source = i.src[indexed ? 2 : 1];
    const bool half = global ? source.half : isa::is_half(i.type());
    const unsigned count = i.size(), element_B = bits_of(i.type()) / 8;
    if (count > kMostWords) return fail("more than 4 registers are moved");
    Lanes room[3], data[kMostWords];
    const U32 *from[2], *index[1];
    if (!sources(unsigned(i.src[0].value), false, global ? 2 : 1, from, room)) return false;
    if (indexed && !sources(unsigned(i.src[1].value), false, 1, index, room + 2)) return false;
    if (!load && !words(unsigned(source.value), half, count, data)) return false;
    core::StoredRange stored(core_.memory_.space());
    const LaneMask lanes = load || place == Place::Own ? exec_ : effective();
    for (unsigned g = 0; g < w_.groups; ++g) {
        const uint32_t some = lanes.group(g);
        uint64_t to[kGroupLanes];
        for (unsigned n = 0; n < kGroupLanes; ++n) {
            to[n] = uint32_t(from[0][g][n] + uint32_t(i.offset));  // wraps around
            if (global)
                to[n] = (uint64_t(from[1][g][n]) << 32 | from[0][g][n]) +
                        uint64_t(int64_t(i.offset)) * (indexed ? 4 : 1);
            if (indexed) to[n] += (uint64_t(index[0][g][n]) << i.shift()) * 4;
        }
        const core::LaneElements e{&data[0][g], kMaxGroups, count * element_B, element_B};
        if (!(load ? move_lanes<core::Direction::Load>(place, to, e, g, some)
                   : move_lanes<core::Direction::Store>(place, to, e, g, some)))
            return false;
        if (global && !load) each_lane(some, [&](unsigned n) { stored.add(to[n], e.size_B); });
    }
    Operand d = s_->dst[0];
    if (!global) d.half = half;
    if (!global && load) d.from = file_of(i.dst[0].reg.index, half, &d.index);
    for (unsigned k = 0; load && k < count; ++k)
        if (!write_result(d, k, data[k], i.info().sync)) return false;
    return true;
}

// The comparison value of a compare-exchange comes last: Mesa 25.0.7 collects NIR's second value, then its
// first one, whatever its variables are called. Only local memory's operands may be numbers.
bool Execution::atomic(bool global) {
    const isa::Instr& i = s_->instr;
    const Atomic& row = kAtomics[unsigned(i.op) - unsigned(global ? Op::kAtomicGAdd : Op::kAtomicAdd)];
    const bool is_signed = global ? i.atomic_type() == isa::AtomicType::kS32 : i.type() == isa::Type::kS32,
               is_unsigned = global ? i.atomic_type() == isa::AtomicType::kU32 : i.type() == isa::Type::kU32;
    if (!is_signed && !is_unsigned) return fail("not implemented: atomics but of u32 and s32");
    const core::AtomicOp op = is_signed ? row.of_signed : row.op;
    Lanes from[2] = {}, data[2] = {}, out = {};
    const auto read_source = [&](const isa::Src& s, unsigned count, Lanes* to) {
        if (s.kind == isa::SrcKind::kRegister) return words(unsigned(s.value), false, count, to);
        if (global || count > 1) return fail("not implemented: atomics of numbers");
        std::fill_n(to[0], kMaxGroups, wave::splat(uint32_t(s.value)));
        return true;
    };
    if (!read_source(i.src[0], global ? 2 : 1, from) ||
        !read_source(i.src[1], op == core::AtomicOp::CompareExchange ? 2 : 1, data))
        return false;
    core::StoredRange stored(core_.memory_.space());
    const bool good = every_lane(effective(), [&](unsigned lane) {
        const uint32_t operand = row.number ? row.number : at(data[0], lane), compared = at(data[1], lane);
        uint32_t old = 0;
        if (global) {
            const uint64_t va = address_of(from, lane);
            window::AccessFault refused;
            if (va % 4) return fail_lane(lane, "an atomic at an address that is no multiple of 4");
            if (!core::update(core_.memory_, va, op, operand, compared, &old, &refused))
                return fail_access(lane);
            stored.add(va, 4);
        } else {
            const uint64_t to = at(from[0], lane);
            if (to % 4 || to + 4 > w_.shared.size())
                return fail_lane(lane, "an atomic at ", to, " of ", w_.shared.size(),
                                 " bytes of local memory");
            std::memcpy(&old, &w_.shared[to], 4);
            const uint32_t v = core::updated(op, old, operand, compared);
            std::memcpy(&w_.shared[to], &v, 4);
        }
        put_at(out, lane, old);
        return true;
    });
    return good && write_result(s_->dst[0], 0, out, global ? isa::Sync::kSy : isa::Sync::kSs);
}

// The lowest lane's registers become constants.
bool Execution::store_constants() {
    const isa::Instr& i = s_->instr;
    if (!exec_.any()) return true;
    if (bits_of(i.type()) != 32) return fail("not implemented: stc of another type than 32 bits");
    if (i.size() > kMostWords) return fail("more than 4 registers are moved");
    const unsigned lane = exec_.lowest();
    uint64_t to = i.constant_offset();
    if (i.constant_relative()) {
        const U32* a1;
        if (!read_address(1, h_.now, Reader::Unit, &a1)) return false;
        to += at(a1, lane);
    }
    if (to + i.size() > w_.writable_constants.size())
        return fail("constant ", to, " is written, and there are ", w_.writable_constants.size(),
                    " words that may be");
    Lanes data[kMostWords];
    if (!words(unsigned(i.src[0].value), false, i.size(), data)) return false;
    for (unsigned k = 0; k < i.size(); ++k)
        w_.writable_constants[to + k] = at(data[k], lane);
    h_.constants_ss = true;
    return true;
}

bool Execution::identity() {
    Lanes v = {};
    for (unsigned lane = 0; s_->instr.op == Op::kGetfiberid && lane < w_.groups * kGroupLanes; ++lane)
        put_at(v, lane, lane);
    return write_result(s_->dst[0], 0, v, isa::Sync::kSs);
}

}  // namespace terrazzo::adreno::sim
