// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Device memory, the stack, threadgroup memory, and stores to uniform registers. Addresses are a base and an
// index in elements. A mask leaves elements out in memory, not in registers. Sources: applegpu.py; Mesa
// 25.0.7, agx_pack.c, agx_compile.c.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "drivers/agx/sim/core/execution.h"
#include "drivers/agx/sim/core/memory_format.h"
#include "drivers/common/core/atomic.h"
#include "drivers/common/core/lane_memory.h"
#include "drivers/common/units/find_value.h"
#include "pipe/half.h"

namespace terrazzo::agx::sim {

using isa::Op;
using isa::Operand;
using isa::OperandKind;

namespace {

/// Bytes of an element in memory; the formats of several components in a word are words.
unsigned element_B(isa::Format f) {
    switch (f) {
        case isa::Format::kI8:
        case isa::Format::kU8Norm:
        case isa::Format::kS8Norm:
        case isa::Format::kSrgba8:
            return 1;
        case isa::Format::kI16:
        case isa::Format::kF16:
        case isa::Format::kU16Norm:
        case isa::Format::kS16Norm:
            return 2;
        default:
            return 4;
    }
}
bool is_plain(isa::Format f) {
    return f == isa::Format::kI8 || f == isa::Format::kI16 || f == isa::Format::kI32;
}

/// Component `k` of the bits that were loaded for it, as applegpu's emulator converts them: NaNs become the
/// same one, and sRGB's components are multiples of 1/4095.
uint32_t converted(const MemoryFormat& f, unsigned k, uint32_t bits, unsigned register_bits) {
    uint8_t memory[4 * 4] = {};
    std::memcpy(memory + k * f.component_B, &bits, f.component_B ? f.component_B : 4);
    uint32_t out[4];
    load_pixel(f, 1u << k, 32, memory, out);
    float v = std::bit_cast<float>(out[k]);
    if (f.reader.format == pipe::Format::R8_SRGB && k < 3) v = float(std::nearbyint(v * 4095.0) / 4095);
    if (std::isnan(v)) v = std::bit_cast<float>(0x7fc00000);
    return register_bits == 16 ? pipe::float_to_half(v) : std::bit_cast<uint32_t>(v);
}

constexpr std::pair<isa::Atomic, core::AtomicOp> kAtomics[] = {
    {isa::Atomic::kAdd, core::AtomicOp::Add},
    {isa::Atomic::kSub, core::AtomicOp::Sub},
    {isa::Atomic::kXchg, core::AtomicOp::Exchange},
    {isa::Atomic::kCmpxchg, core::AtomicOp::CompareExchange},
    {isa::Atomic::kUmin, core::AtomicOp::MinUnsigned},
    {isa::Atomic::kImin, core::AtomicOp::MinSigned},
    {isa::Atomic::kUmax, core::AtomicOp::MaxUnsigned},
    {isa::Atomic::kImax, core::AtomicOp::MaxSigned},
    {isa::Atomic::kAnd, core::AtomicOp::And},
    {isa::Atomic::kOr, core::AtomicOp::Or},
    {isa::Atomic::kXor, core::AtomicOp::Xor}};

}  // namespace

bool Execution::memory(const Step& s) {
    switch (s.instr.op) {
        case Op::kDeviceLoad:
        case Op::kDeviceStore:
            return device(s);
        case Op::kAtomic:
            return atomic(s);
        case Op::kStackLoad:
        case Op::kStackStore:
            return stack(s);
        case Op::kStackGetPtr:
        case Op::kStackAdjust:
        case Op::kStackAdjust2:
            return stack_pointer(s);
        case Op::kThreadgroupLoad:
        case Op::kThreadgroupStore:
            return local(s);
        case Op::kThreadgroupAtomic:
            return local_atomic(s);
        default:
            return uniform_store(s);
    }
}

bool Execution::device(const Step& s) {
    const isa::Instr& i = s.instr;
    const bool stores = i.op == Op::kDeviceStore;
    const Operand &data = stores ? i.src[0] : i.dest, &base = i.src[stores], &index = i.src[stores + 1];
    const auto mask = unsigned(i.mask());
    const isa::Format format = i.format();
    std::optional<MemoryFormat> converts;
    if (!is_plain(format) && (stores || format != isa::Format::kF16)) {
        converts = memory_format(format);
        if (stores || !converts) return fail("this conversion of a format in device memory is not modelled");
    }
    // Formats of several components in a word ignore the shift, and load all of them.
    const bool packed = converts && !converts->component_B;
    if (packed && mask != (format == isa::Format::kRgb10A2 ? 15u : 7u))
        return fail("the mask does not have the components of the format");
    const unsigned unit_B = element_B(format);
    if (data.size == 16 && format == isa::Format::kI32) return fail("words need registers of 32 bits");
    Words offsets;
    read(index, 0, offsets);
    const unsigned shift = packed ? 0 : std::min<unsigned>(i.shift(), 2);
    unsigned n = 0;
    for (unsigned k = 0; k < 4; ++k) {
        if (!(mask >> k & 1)) continue;
        Words value{};
        if (stores) read(data, n, value);
        for (unsigned v = 0; v < kVectors; ++v) {
            const uint32_t lanes =
                g_.executing >> v * wave::kLanes & 0xffff & ~(stores ? g_.helpers >> v * wave::kLanes : 0);
            uint64_t at[wave::kLanes];
            wave::each_lane(lanes, [&](unsigned l) {
                const uint32_t o = offsets[v][l];
                const int64_t elements = index.kind == OperandKind::kImmediate ? int64_t(index.value)
                                         : i.unsigned_index()                  ? int64_t(o)
                                                                               : int64_t(int32_t(o));
                const uint64_t first = read_wide(base, v * wave::kLanes + l);
                at[l] =
                    (first & ~uint64_t(unit_B - 1)) +
                    uint64_t((elements * (int64_t(1) << shift) + int64_t(packed ? 0 : k)) * int64_t(unit_B));
            });
            const core::LaneElements e{&value[v], 1, unit_B, unit_B};
            using core::Direction;
            const int refused = stores ? core::move_lanes<Direction::Store>(core_.memory_, at, lanes, e)
                                       : core::move_lanes<Direction::Load>(core_.memory_, at, lanes, e);
            if (refused >= 0) return fail_access(core_.memory_.fault(), v * wave::kLanes + unsigned(refused));
            if (stores && lanes) {
                const core::LaneRange r = core::range_of(at, lanes, unit_B);
                core_.memory_.space().stored(r.first, r.end - r.first);
            }
        }
        if (converts)
            wave::each_lane(g_.executing, [&](unsigned t) {
                wave::put_at(value, t, converted(*converts, k, wave::at(value, t), data.size));
            });
        if (!stores) write(data, n, value);
        ++n;
    }
    return true;
}

// A pair of cmpxchg has the new word, then the one to compare with.
void Execution::read_operands(const Operand& o, Words& operand, Words& compared) const {
    read(o, 0, operand);
    if (o.size == 64)
        read(o, 1, compared);
    else
        std::fill_n(compared, kVectors, U32{});
}

bool Execution::atomic(const Step& s) {
    const isa::Instr& i = s.instr;
    const auto op = units::find_value(kAtomics, i.atomic());
    if (!op) return fail("the virtual GPU does not know this atomic operation");
    Words offsets, operand, compared, old{};
    read(i.src[1], 0, offsets);
    read_operands(i.src[2], operand, compared);
    for (uint32_t left = g_.executing & ~g_.helpers; left; left &= left - 1) {
        const auto n = unsigned(std::countr_zero(left));
        const uint32_t o = wave::at(offsets, n);
        const int64_t elements = i.src[1].kind == OperandKind::kImmediate ? int64_t(i.src[1].value)
                                 : i.unsigned_index()                     ? int64_t(o)
                                                                          : int64_t(int32_t(o));
        uint32_t before = 0;
        window::AccessFault refused;
        if (!core::update<uint32_t>(core_.memory_, read_wide(i.src[0], n) + uint64_t(elements * 4), *op,
                                    wave::at(operand, n), wave::at(compared, n), &before, &refused))
            return fail_access(refused, n);
        wave::put_at(old, n, before);
    }
    if (i.dest.kind == OperandKind::kRegister) write(i.dest, 0, old);
    return true;
}

// ---- The stack: bytes of each thread ----

bool Execution::stack(const Step& s) {
    const isa::Instr& i = s.instr;
    const bool stores = i.op == Op::kStackStore;
    const Operand &data = stores ? i.src[0] : i.dest, &index = i.src[stores];
    if (!is_plain(i.format())) return fail("conversions of formats on the stack are not modelled");
    const unsigned unit_B = element_B(i.format());
    Words offsets;
    read(index, 0, offsets);
    unsigned n = 0;
    for (unsigned k = 0; k < 4; ++k) {
        if (!(unsigned(i.mask()) >> k & 1)) continue;
        Words value{};
        if (stores) read(data, n, value);
        for (uint32_t left = g_.executing; left; left &= left - 1) {
            const auto t = unsigned(std::countr_zero(left));
            const uint64_t at_B = uint64_t(wave::at(offsets, t)) + k * unit_B;
            if (at_B + unit_B > g_.stack_at_B || g_.stack_at_B > g_.stack_B)
                return fail_lane(t, "byte ", at_B, " of the stack, of which ", g_.stack_at_B, " are in use");
            uint8_t* const p = g_.stack.data() + size_t(t) * g_.stack_B + at_B;
            uint32_t word = wave::at(value, t);
            if (stores)
                std::memcpy(p, &word, unit_B);
            else
                word = 0, std::memcpy(&word, p, unit_B), wave::put_at(value, t, word);
        }
        if (!stores) write(data, n, value);
        ++n;
    }
    return true;
}

bool Execution::stack_pointer(const Step& s) {
    const isa::Instr& i = s.instr;
    if (i.op == Op::kStackGetPtr) {
        Words v;
        v[0] = v[1] = wave::splat(0);
        write(i.dest, 0, v);
        return true;
    }
    if (i.op == Op::kStackAdjust2) return fail("the virtual GPU does not execute this instruction");
    const int64_t at = int64_t(g_.stack_at_B) + 4 * int64_t(i.src[0].value);  // words
    if (at < 0 || at > int64_t(g_.stack_B))
        return fail("the stack would have ", at, " bytes, of ", g_.stack_B, " of the program");
    g_.stack_at_B = unsigned(at);
    return true;
}

// ---- Threadgroup memory ----

// The places of the threads' elements. `base`: the source with the base; the next one has the index.
bool Execution::find_local(const Step& s, unsigned base, unsigned size_B, unsigned unit_B,
                           uint32_t (&at)[kThreads]) {
    Words first, index;
    read(s.instr.src[base], 0, first);
    read(s.instr.src[base + 1], 0, index);
    const bool is_number = s.instr.src[base + 1].kind == OperandKind::kImmediate;
    for (uint32_t left = g_.executing; left; left &= left - 1) {
        const auto n = unsigned(std::countr_zero(left));
        const int64_t elements =
            is_number ? int64_t(s.instr.src[base + 1].value) : int64_t(wave::at(index, n));
        const int64_t place = int64_t(wave::at(first, n)) + elements * unit_B;
        if (place < 0 || uint64_t(place) + size_B > g_.local.size() || place % unit_B)
            return fail_lane(n, "byte ", place, " of threadgroup memory, which has ", g_.local.size());
        at[n] = uint32_t(place);
    }
    return true;
}

bool Execution::local(const Step& s) {
    const isa::Instr& i = s.instr;
    const bool stores = i.op == Op::kThreadgroupStore;
    const Operand& data = stores ? i.src[0] : i.dest;
    if (!is_plain(i.format())) return fail("conversions of formats in threadgroup memory are not modelled");
    const unsigned unit_B = element_B(i.format());
    const auto mask = unsigned(i.mask());
    uint32_t at[kThreads] = {};
    if (!find_local(s, stores, unsigned(std::bit_width(mask)) * unit_B, unit_B, at)) return false;
    unsigned n = 0;
    for (unsigned k = 0; k < 4; ++k) {
        if (!(mask >> k & 1)) continue;
        Words value{};
        if (stores) read(data, n, value);
        wave::each_lane(stores ? g_.executing & ~g_.helpers : g_.executing, [&](unsigned t) {
            uint8_t* const p = g_.local.data() + at[t] + k * unit_B;
            uint32_t word = wave::at(value, t);
            if (stores)
                std::memcpy(p, &word, unit_B);
            else
                word = 0, std::memcpy(&word, p, unit_B), wave::put_at(value, t, word);
        });
        if (!stores) write(data, n, value);
        ++n;
    }
    return true;
}

bool Execution::local_atomic(const Step& s) {
    const isa::Instr& i = s.instr;
    const auto op = units::find_value(kAtomics, i.atomic());
    if (!op) return fail("the virtual GPU does not know this atomic operation");
    uint32_t at[kThreads] = {};
    if (!find_local(s, 0, 4, 4, at)) return false;
    Words operand, compared, old{};
    read_operands(i.src[2], operand, compared);
    wave::each_lane(g_.executing & ~g_.helpers, [&](unsigned t) {
        uint32_t word;
        std::memcpy(&word, g_.local.data() + at[t], 4);
        wave::put_at(old, t, word);
        word = core::updated(*op, word, wave::at(operand, t), wave::at(compared, t));
        std::memcpy(g_.local.data() + at[t], &word, 4);
    });
    if (i.dest.kind == OperandKind::kRegister) write(i.dest, 0, old);
    return true;
}

// A preshader's result: a half for each component.
bool Execution::uniform_store(const Step& s) {
    const isa::Instr& i = s.instr;
    if (!g_.uniforms) return fail("the program has no uniform registers");
    if (i.format() != isa::Format::kI16 || i.src[0].size != 16)
        return fail("only halves can be stored to uniform registers");
    if (!g_.executing) return true;
    Words index, value;
    read(i.src[1], 0, index);
    const unsigned thread = wave::lowest(g_.executing);
    unsigned n = 0;
    for (unsigned k = 0; k < 4; ++k) {
        if (!(unsigned(i.mask()) >> k & 1)) continue;
        const unsigned half = wave::at(index, thread) + k;
        if (half >= isa::kUniformHalves) return fail("there is no uniform register ", half);
        read(i.src[0], n++, value);
        g_.uniforms->bind(half, uint16_t(wave::at(value, thread)));
    }
    return true;
}

}  // namespace terrazzo::agx::sim
