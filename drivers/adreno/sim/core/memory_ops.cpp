// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions of category 6 that the core executes itself: global, local and private memory, its atomics,
// constants, invocation ids.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "drivers/adreno/sim/core/execution.h"
#include "drivers/adreno/sim/core/stored.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;

unsigned size_B(isa::Type t) {
    switch (t) {
        case isa::Type::kF16:
        case isa::Type::kU16:
        case isa::Type::kS16:
            return 2;
        case isa::Type::kU8:
        case isa::Type::kU8In32:
            return 1;
        case isa::Type::kF32:
        case isa::Type::kU32:
        case isa::Type::kS32:
            return 4;
    }
    return 4;
}

uint32_t at(const Lanes& v, unsigned lane) {
    return v[lane / kGroupLanes][lane % kGroupLanes];
}

// In the table's order of operations. The comparison value of a compare-exchange comes last, in all memory:
// Mesa 25.0.7 collects NIR's second value, then its first one, whatever its variables are called.
enum class Atomic : uint8_t {
    Add,
    Sub,
    Exchange,
    Increment,
    Decrement,
    CompareExchange,
    Min,
    Max,
    And,
    Or,
    Xor
};

uint32_t apply(Atomic kind, bool is_signed, uint32_t old, uint32_t data, uint32_t replacement) {
    const auto s = [](uint32_t v) { return int32_t(v); };
    switch (kind) {
        case Atomic::Add:
            return old + data;
        case Atomic::Sub:
            return old - data;
        case Atomic::Exchange:
            return data;
        case Atomic::Increment:
            return old + 1;
        case Atomic::Decrement:
            return old - 1;
        case Atomic::CompareExchange:
            return old == data ? replacement : old;
        case Atomic::Min:
            return is_signed ? uint32_t(std::min(s(old), s(data))) : std::min(old, data);
        case Atomic::Max:
            return is_signed ? uint32_t(std::max(s(old), s(data))) : std::max(old, data);
        case Atomic::And:
            return old & data;
        case Atomic::Or:
            return old | data;
        case Atomic::Xor:
            return old ^ data;
    }
    return old;
}

constexpr unsigned kMostWords = 4;

}  // namespace

bool Execution::global() {
    const isa::Instr& i = s_->instr;
    const bool load = i.op == Op::kLdg || i.op == Op::kLdgA, indexed = i.op == Op::kLdgA || i.op == Op::kStgA;
    const unsigned count = i.size(), element_B = size_B(i.type());
    if (count > kMostWords) return fail("more than 4 registers are moved");
    Lanes address[2], index[1], data[kMostWords] = {};
    if (!words(unsigned(i.src[0].value), false, 2, address)) return false;
    if (indexed && !words(unsigned(i.src[1].value), false, 1, index)) return false;
    const isa::Src& source = i.src[indexed ? 2 : 1];
    if (!load && !words(unsigned(source.value), source.half, count, data)) return false;
    const LaneMask lanes = load ? exec_ : effective(), real = effective();
    StoredRange stored(core_.memory_.space());
    for (unsigned lane = 0; lane < w_.groups * kGroupLanes; ++lane) {
        if (!lanes.has(lane)) continue;
        uint64_t va = uint64_t(at(address[1], lane)) << 32 | at(address[0], lane);
        va += indexed ? (uint64_t(at(index[0], lane)) << i.shift()) * 4 + uint64_t(int64_t(i.offset)) * 4
                      : uint64_t(int64_t(i.offset));
        uint32_t v[kMostWords] = {};
        if (!load)
            for (unsigned k = 0; k < count; ++k)
                v[k] = at(data[k], lane);
        for (unsigned k = 0; k < count; ++k) {
            const uint64_t word_va = va + uint64_t(k) * element_B;
            const bool good = load ? core_.memory_.load(word_va, &v[k], element_B)
                                   : core_.memory_.store(word_va, v[k], element_B);
            // Values that helpers read do not matter.
            if (!good && real.has(lane)) return fail_access(lane);
            if (!load) stored.add(word_va, element_B);
            data[k][lane / kGroupLanes][lane % kGroupLanes] = v[k];
        }
    }
    for (unsigned k = 0; load && k < count; ++k)
        if (!write_result(s_->dst[0], k, data[k], isa::Sync::kSy)) return false;
    return true;
}

// Registers of local memory are halves for types of 16 bits, though the assembly text does not show it.
bool Execution::local() {
    const isa::Instr& i = s_->instr;
    const bool load = i.info().dest_count != 0, own = i.op == Op::kLdp || i.op == Op::kStp,
               half = isa::is_half(i.type());
    const unsigned count = i.size(), element_B = size_B(i.type());
    if (count > kMostWords) return fail("more than 4 registers are moved");
    Lanes address[1], data[kMostWords] = {};
    if (!words(unsigned(i.src[0].value), false, 1, address)) return false;
    if (!load && !words(unsigned(i.src[1].value), half, count, data)) return false;
    const uint64_t end = own ? w_.private_B : w_.shared.size();
    const LaneMask lanes = load || own ? exec_ : effective(), real = effective();
    for (unsigned lane = 0; lane < w_.groups * kGroupLanes; ++lane) {
        if (!lanes.has(lane)) continue;
        const int64_t from = uint32_t(at(address[0], lane) + uint32_t(i.offset));  // wraps around
        for (unsigned k = 0; k < count; ++k) {
            const int64_t place = from + int64_t(k) * element_B;
            uint32_t v = load ? 0 : at(data[k], lane);
            if (place < 0 || uint64_t(place) + element_B > end) {
                if (real.has(lane))
                    return fail(std::string(own ? "private" : "local") + " memory at " +
                                    std::to_string(place) + " is beyond its " + std::to_string(end) +
                                    " bytes",
                                lane);
            } else if (own) {
                const uint64_t va = w_.private_va + uint64_t(lane) * w_.private_B + uint64_t(place);
                if (!(load ? core_.memory_.read(va, &v, element_B) : core_.memory_.write(va, &v, element_B)))
                    return fail_access(lane);
            } else if (load) {
                std::memcpy(&v, &w_.shared[size_t(place)], element_B);
            } else {
                std::memcpy(&w_.shared[size_t(place)], &v, element_B);
            }
            data[k][lane / kGroupLanes][lane % kGroupLanes] = v;
        }
    }
    Operand d = s_->dst[0];
    d.half = half;
    if (load) d.from = file_of(i.dst[0].reg.index, half, &d.index);
    for (unsigned k = 0; load && k < count; ++k)
        if (!write_result(d, k, data[k], i.info().sync)) return false;
    return true;
}

bool Execution::global_atomic() {
    const isa::Instr& i = s_->instr;
    const auto kind = Atomic(unsigned(i.op) - unsigned(Op::kAtomicGAdd));
    if (i.atomic_type() != isa::AtomicType::kU32 && i.atomic_type() != isa::AtomicType::kS32)
        return fail("not implemented: atomics but of u32 and s32");
    if (i.src[0].kind != isa::SrcKind::kRegister || i.src[1].kind != isa::SrcKind::kRegister)
        return fail("not implemented: atomics of numbers");
    Lanes address[2], data[2] = {}, out = {};
    if (!words(unsigned(i.src[0].value), false, 2, address) ||
        !words(unsigned(i.src[1].value), false, kind == Atomic::CompareExchange ? 2 : 1, data))
        return false;
    const LaneMask lanes = effective();
    StoredRange stored(core_.memory_.space());
    for (unsigned lane = 0; lane < w_.groups * kGroupLanes; ++lane) {
        if (!lanes.has(lane)) continue;
        const uint64_t va = uint64_t(at(address[1], lane)) << 32 | at(address[0], lane);
        if (va % 4) return fail("an atomic at an address that is no multiple of 4", lane);
        uint8_t* bytes = core_.memory_.at(va, 4, window::Access::Write);
        if (!bytes || reinterpret_cast<uintptr_t>(bytes) % 4) return fail_access(lane);
        stored.add(va, 4);
        std::atomic_ref<uint32_t> word(*reinterpret_cast<uint32_t*>(bytes));
        uint32_t old = word.load(std::memory_order_relaxed);
        const bool swapped = kind == Atomic::CompareExchange;
        while (!word.compare_exchange_weak(old, apply(kind, i.atomic_type() == isa::AtomicType::kS32, old,
                                                      at(data[swapped], lane), at(data[!swapped], lane))))
            ;
        out[lane / kGroupLanes][lane % kGroupLanes] = old;
    }
    return write_result(s_->dst[0], 0, out, isa::Sync::kSy);
}

bool Execution::local_atomic() {
    const isa::Instr& i = s_->instr;
    const auto kind = Atomic(unsigned(i.op) - unsigned(Op::kAtomicAdd));
    if (i.type() != isa::Type::kU32 && i.type() != isa::Type::kS32)
        return fail("not implemented: atomics but of u32 and s32");
    Lanes address[1] = {}, data[2] = {}, out = {};
    const auto take = [&](const isa::Src& s, unsigned count, Lanes* to) {
        if (s.kind == isa::SrcKind::kRegister) return words(unsigned(s.value), false, count, to);
        for (U32& g : to[0])
            g = wave::splat(uint32_t(s.value));
        return count == 1 || fail("not implemented: atomics of numbers");
    };
    if (!take(i.src[0], 1, address) || !take(i.src[1], kind == Atomic::CompareExchange ? 2 : 1, data))
        return false;
    const LaneMask lanes = effective();
    for (unsigned lane = 0; lane < w_.groups * kGroupLanes; ++lane) {
        if (!lanes.has(lane)) continue;
        const uint64_t place = at(address[0], lane);
        if (place % 4 || place + 4 > w_.shared.size())
            return fail("an atomic at " + std::to_string(place) + " of " + std::to_string(w_.shared.size()) +
                            " bytes of local memory",
                        lane);
        uint32_t old;
        std::memcpy(&old, &w_.shared[place], 4);
        const bool swapped = kind == Atomic::CompareExchange;
        const uint32_t v =
            apply(kind, i.type() == isa::Type::kS32, old, at(data[swapped], lane), at(data[!swapped], lane));
        std::memcpy(&w_.shared[place], &v, 4);
        out[lane / kGroupLanes][lane % kGroupLanes] = old;
    }
    return write_result(s_->dst[0], 0, out, isa::Sync::kSs);
}

// The lowest lane's registers become constants.
bool Execution::store_constants() {
    const isa::Instr& i = s_->instr;
    if (!exec_.any()) return true;
    if (size_B(i.type()) != 4) return fail("not implemented: stc but of 32 bits");
    if (i.size() > kMostWords) return fail("more than 4 registers are moved");
    const unsigned lane = exec_.lowest();
    uint64_t to = i.constant_offset();
    if (i.constant_relative()) {
        const U32* a1;
        if (!read_address(1, h_.now, Reader::Unit, &a1)) return false;
        to += a1[lane / kGroupLanes][lane % kGroupLanes];
    }
    if (to + i.size() > w_.writable_constants.size())
        return fail("constant " + std::to_string(to) + " is written, and there are " +
                    std::to_string(w_.writable_constants.size()) + " words that may be");
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
        v[lane / kGroupLanes][lane % kGroupLanes] = lane;
    return write_result(s_->dst[0], 0, v, isa::Sync::kSs);
}

}  // namespace terrazzo::adreno::sim
