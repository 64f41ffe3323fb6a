// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions of category 6 that the core executes itself: global, local and private memory, its atomics,
// constants, invocation ids.
#include <algorithm>
#include <cstring>

#include "drivers/adreno/sim/core/atomics.h"
#include "drivers/adreno/sim/core/execution.h"
#include "drivers/common/core/stored_range.h"

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

constexpr unsigned kMostWords = 4;

uint64_t address(const Lanes* v, unsigned lane) {
    return uint64_t(at(v[1], lane)) << 32 | at(v[0], lane);
}

}  // namespace

// One element of a lane, loaded if the instruction has a result. What helpers may not read is 0.
bool Execution::move_element(Place place, uint64_t to, uint32_t* v, unsigned size_B, unsigned lane) {
    const bool load = s_->instr.info().dest_count != 0, real = effective().has(lane);
    window::Window& memory = core_.memory_;
    if (place == Place::Global) {
        const bool good = load ? memory.load(to, v, size_B) : memory.store(to, *v, size_B);
        return good || !real || fail_access(lane);
    }
    const uint64_t end = place == Place::Own ? w_.private_B : w_.shared.size();
    if (to + size_B > end)
        return !real || fail(std::string(place == Place::Own ? "private" : "local") + " memory at " +
                                 std::to_string(to) + " is beyond its " + std::to_string(end) + " bytes",
                             lane);
    if (place == Place::Own) {
        const uint64_t va = w_.private_va + uint64_t(lane) * w_.private_B + to;
        return (load ? memory.read(va, v, size_B) : memory.write(va, v, size_B)) || fail_access(lane);
    }
    load ? std::memcpy(v, &w_.shared[to], size_B) : std::memcpy(&w_.shared[to], v, size_B);
    return true;
}

// Loads and stores. Registers of local memory are halves for types of 16 bits, though the assembly text does
// not show it.
bool Execution::access(Place place) {
    const isa::Instr& i = s_->instr;
    const bool load = i.info().dest_count != 0, global = place == Place::Global,
               indexed = i.op == Op::kLdgA || i.op == Op::kStgA;
    const isa::Src& source = i.src[indexed ? 2 : 1];
    const bool half = global ? source.half : isa::is_half(i.type());
    const unsigned count = i.size(), element_B = size_B(i.type());
    if (count > kMostWords) return fail("more than 4 registers are moved");
    Lanes from[2] = {}, index[1] = {}, data[kMostWords] = {};
    if (!words(unsigned(i.src[0].value), false, global ? 2 : 1, from)) return false;
    if (indexed && !words(unsigned(i.src[1].value), false, 1, index)) return false;
    if (!load && !words(unsigned(source.value), half, count, data)) return false;
    core::StoredRange stored(core_.memory_.space());
    const bool good = every_lane(load || place == Place::Own ? exec_ : effective(), [&](unsigned lane) {
        uint64_t to = uint32_t(at(from[0], lane) + uint32_t(i.offset));  // wraps around
        if (global) to = address(from, lane) + uint64_t(int64_t(i.offset)) * (indexed ? 4 : 1);
        if (indexed) to += (uint64_t(at(index[0], lane)) << i.shift()) * 4;
        for (unsigned k = 0; k < count; ++k, to += element_B) {
            uint32_t v = load ? 0 : at(data[k], lane);
            if (!move_element(place, to, &v, element_B, lane)) return false;
            if (global && !load) stored.add(to, element_B);
            put_at(data[k], lane, v);
        }
        return true;
    });
    Operand d = s_->dst[0];
    if (!global) d.half = half;
    if (!global && load) d.from = file_of(i.dst[0].reg.index, half, &d.index);
    for (unsigned k = 0; good && load && k < count; ++k)
        if (!write_result(d, k, data[k], i.info().sync)) return false;
    return good;
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
            const uint64_t va = address(from, lane);
            window::AccessFault refused;
            if (va % 4) return fail("an atomic at an address that is no multiple of 4", lane);
            if (!core::update(core_.memory_, va, op, operand, compared, &old, &refused))
                return fail_access(lane);
            stored.add(va, 4);
        } else {
            const uint64_t to = at(from[0], lane);
            if (to % 4 || to + 4 > w_.shared.size())
                return fail("an atomic at " + std::to_string(to) + " of " + std::to_string(w_.shared.size()) +
                                " bytes of local memory",
                            lane);
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
    if (size_B(i.type()) != 4) return fail("not implemented: stc but of 32 bits");
    if (i.size() > kMostWords) return fail("more than 4 registers are moved");
    const unsigned lane = exec_.lowest();
    uint64_t to = i.constant_offset();
    if (i.constant_relative()) {
        const U32* a1;
        if (!read_address(1, h_.now, Reader::Unit, &a1)) return false;
        to += at(a1, lane);
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
        put_at(v, lane, lane);
    return write_result(s_->dst[0], 0, v, isa::Sync::kSs);
}

}  // namespace terrazzo::adreno::sim
