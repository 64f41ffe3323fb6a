// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory accesses lane by lane, in the order of lanes. Atomics are atomic for the host's threads, too,
// because cores run in parallel.
#include "drivers/mali/sim/core/memory_ops.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <string_view>

#include "drivers/common/core/atomic.h"
#include "drivers/common/core/lane_memory.h"
#include "drivers/common/core/stored_range.h"
#include "drivers/common/units/find_value.h"

namespace terrazzo::mali::sim {

namespace {

using isa::Op;

constexpr unsigned kMostWords = 4;

bool refuse(const MessageIn& m, int refused, AccessFault* fault, uint32_t* lane) {
    *fault = m.memory.fault();
    *lane = unsigned(refused);
    return false;
}

uint64_t offset_of(const isa::Instr& i) {
    return uint64_t(int64_t(i.immediate(isa::Imm::kOffset)));
}
uint64_t address(const MessageIn& m, unsigned lane) {
    return uint64_t(m.src[1][lane]) << 32 | m.src[0][lane];
}

// The place of the lowest bit of the loaded value in its first register, and the width to which it is
// extended; 0: it is not changed. By isa::LoadLane8, whose last values are those of the wider loads.
struct Place {
    unsigned shift = 0, bits = 0;
};
constexpr Place kPlaces[] = {{0, 8}, {8, 8}, {16, 8}, {24, 8}, {0, 16}, {16, 16}, {0, 32}, {0, 64}};
Place place_of(const isa::Instr& i) {
    switch (i.op) {
        case Op::kLoadI8:
        case Op::kLdBufferI8:
            return kPlaces[unsigned(i.load_lane_8())];
        case Op::kLoadI16:
        case Op::kLdBufferI16:
            return kPlaces[unsigned(isa::LoadLane8::kH0) + unsigned(i.load_lane_16())];
        case Op::kLoadI32:
        case Op::kLdBufferI32:
            return kPlaces[unsigned(isa::LoadLane8::kW0) + unsigned(i.load_lane_32())];
        default:
            return {};
    }
}

constexpr std::pair<isa::AtomicOp, core::AtomicOp> kAtomics[] = {
    {isa::AtomicOp::kAdd, core::AtomicOp::Add},
    {isa::AtomicOp::kSmin, core::AtomicOp::MinSigned},
    {isa::AtomicOp::kSmax, core::AtomicOp::MaxSigned},
    {isa::AtomicOp::kUmin, core::AtomicOp::MinUnsigned},
    {isa::AtomicOp::kUmax, core::AtomicOp::MaxUnsigned},
    {isa::AtomicOp::kAnd, core::AtomicOp::And},
    {isa::AtomicOp::kOr, core::AtomicOp::Or},
    {isa::AtomicOp::kXor, core::AtomicOp::Xor},
    {isa::AtomicOp::kXchg, core::AtomicOp::Exchange},
};
// Of an operand of 1; by isa::AtomicOneOp.
constexpr core::AtomicOp kOfOne[] = {core::AtomicOp::Add, core::AtomicOp::Sub, core::AtomicOp::MaxUnsigned,
                                     core::AtomicOp::MaxSigned, core::AtomicOp::Or};

template <class T>
T operand_at(const MessageIn& m, unsigned first, unsigned lane) {
    if constexpr (sizeof(T) == 8)
        return uint64_t(m.in[first + 1][lane]) << 32 | m.in[first][lane];
    else
        return m.in[first][lane];
}

template <class T>
bool atomic(const MessageIn& m, U32* out, AccessFault* fault, uint32_t* lane) {
    constexpr unsigned kWords = sizeof(T) / 4;
    const bool one = m.instr.op == Op::kAtom1ReturnI32 || m.instr.op == Op::kAtom1ReturnI64;
    const bool compare =
        (m.instr.op == Op::kAtomReturnI32 || m.instr.op == Op::kAtomReturnI64) && m.instr.compare();
    const core::AtomicOp op = one       ? kOfOne[unsigned(m.instr.atomic_one())]
                              : compare ? core::AtomicOp::CompareExchange
                                        : *units::find_value(kAtomics, m.instr.atomic());
    const uint64_t offset = offset_of(m.instr);
    for (uint32_t left = m.active; left; left &= left - 1) {
        const unsigned l = *lane = unsigned(std::countr_zero(left));
        T old;
        if (!core::update(m.memory, address(m, l) + offset, op, one ? T(1) : operand_at<T>(m, 0, l),
                          compare ? operand_at<T>(m, kWords, l) : T(0), &old, fault))
            return false;
        if (!m.out_count) continue;
        out[0][l] = uint32_t(old);
        if constexpr (kWords == 2) out[1][l] = uint32_t(old >> 32);
    }
    return true;
}

}  // namespace

uint64_t atomic_address(const MessageIn& m, unsigned lane) {
    return address(m, lane) + offset_of(m.instr);
}

unsigned atomic_B(Op op) {
    return op == Op::kAtomI64 || op == Op::kAtom1ReturnI64 || op == Op::kAtomReturnI64 ? 8 : 4;
}

unsigned access_B(Op op) {
    static const auto table = [] {  // by the number at the end of "LOAD.i24"
        std::array<uint8_t, isa::kOpCount> t{};
        for (unsigned i = 0; i < isa::kOpCount; ++i) {
            const isa::OpInfo& info = isa::info(Op(i));
            const bool moves = info.message == isa::Message::kLoad || info.message == isa::Message::kStore;
            const std::string_view name = info.name;
            const size_t type = name.find(".i");
            unsigned bits = 0;
            if (moves && type != name.npos)
                std::from_chars(name.data() + type + 2, name.data() + name.size(), bits);
            t[i] = uint8_t(bits / 8);
        }
        return t;
    }();
    return table[unsigned(op)];
}

void place_loaded(const isa::Instr& i, unsigned count, const U32* old, U32* out) {
    const Place p = place_of(i);
    if (p.bits == 0 || count == 0) return;
    const unsigned loaded = access_B(i.op) * 8;
    U32 v = out[0];
    if (loaded < 32 && loaded < p.bits)
        v = i.is_unsigned() ? v & ((1u << loaded) - 1)
                            : U32(wave::I32(v << (32 - loaded)) >> int(32 - loaded));
    if (p.bits >= 32) {
        out[0] = v;
        if (p.bits == 64 && count > 1) out[1] = i.is_unsigned() ? U32{} : U32(wave::I32(v) >> 31);
        return;
    }
    const uint32_t keep = ~(((1u << p.bits) - 1) << p.shift);
    out[0] = (old[0] & keep) | (v << p.shift & ~keep);
}

// Loads need not have ".force": Mesa 25.0.7's compiler never sets it (va_pack_load). The threads' local
// memories are consecutive.
const char* find_addresses(const Warp& warp, const MessageIn& m, Addresses* out, uint32_t* lane) {
    constexpr uint64_t kStraddled_B = 16;
    const uint64_t size_B = access_B(m.instr.op), offset = offset_of(m.instr);
    const bool forced =
        m.instr.info().has(isa::Mod::kMemoryAccess) && m.instr.memory_access() == isa::MemoryAccess::kForce;
    const bool loads = m.instr.info().message == isa::Message::kLoad;
    for (uint32_t left = m.active; left; left &= left - 1) {
        const unsigned l = *lane = uint32_t(std::countr_zero(left));
        out->va[l] = address(m, l) + offset;
        const uint64_t at = out->va[l] - warp.local_base;
        const bool among_local = at < uint64_t(warp.local_B) * kWarpLanes;
        if (!forced && !(loads && among_local)) {
            if (among_local) return "threads' own memory without .force";
            continue;
        }
        if (!warp.local_B) return "the draw gives threads no memory of their own";
        if (at >= warp.local_B || size_B > warp.local_B - at) return "beyond the thread's own memory";
        if (at / kStraddled_B != (at + size_B - 1) / kStraddled_B)
            return "an access to the thread's own memory goes over a multiple of 16 bytes";
        out->local |= 1u << l;
        out->va[l] += uint64_t(l) * warp.local_B;
    }
    return nullptr;
}

bool run_load(const Addresses& at, const MessageIn& m, U32* out, AccessFault* fault, uint32_t* lane) {
    const unsigned size_B = access_B(m.instr.op);
    U32 room[kMostWords];  // is used if there are fewer registers than loaded words
    const bool fits = m.out_count * 4 >= size_B;
    const int refused =
        core::move_lanes<core::Direction::Load>(m.memory, at.va, m.active, {fits ? out : room, 1, size_B, 4});
    if (refused >= 0) return refuse(m, refused, fault, lane);
    if (!fits) std::copy_n(room, m.out_count, out);
    return true;
}

bool run_store(const Warp& warp, const Addresses& at, const MessageIn& m, AccessFault* fault,
               uint32_t* lane) {
    const unsigned size_B = access_B(m.instr.op);
    core::StoredRange stored(m.memory.space(), core::StoredRange::Joins::Page);
    if (warp.tells_stores) each_lane(m.active & ~at.local, [&](unsigned l) { stored.add(at.va[l], size_B); });
    U32 room[kMostWords] = {};  // words without a register are stored as 0
    const bool fits = m.in_count * 4 >= size_B;
    if (!fits) std::copy_n(m.in, m.in_count, room);
    const int refused = core::move_lanes<core::Direction::Store>(
        m.memory, at.va, m.active, {fits ? const_cast<U32*>(m.in) : room, 1, size_B, 4});
    return refused < 0 || refuse(m, refused, fault, lane);
}

bool run_atomic(const MessageIn& m, U32* out, AccessFault* fault, uint32_t* lane) {
    return atomic_B(m.instr.op) == 8 ? atomic<uint64_t>(m, out, fault, lane)
                                     : atomic<uint32_t>(m, out, fault, lane);
}

}  // namespace terrazzo::mali::sim
