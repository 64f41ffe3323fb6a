// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Loads, stores and atomic operations of images and storage buffers. Untyped ones address elements of the
// instruction's type from the buffer's start; typed ones convert by the image's format. Source: Mesa 25.0.7,
// src/freedreno/ir3/ir3_a6xx.c.
#include <algorithm>
#include <bit>

#include "drivers/adreno/sim/core/atomics.h"
#include "drivers/adreno/sim/texture/decode.h"
#include "drivers/adreno/sim/texture/shader_units.h"
#include "drivers/common/core/stored_range.h"
#include "pipe/half.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;
using isa::Type;

constexpr unsigned kData = 8;  // of UnitCall::in

uint32_t in_word(const UnitCall& call, unsigned k, unsigned lane) {
    return call.in[k][lane / kGroupLanes][lane % kGroupLanes];
}
void put(UnitCall& call, unsigned k, unsigned lane, uint32_t v) {
    call.out[k][lane / kGroupLanes][lane % kGroupLanes] = v;
}

// Converts registers' values of the instruction's type to 32 bits: halves become floats, and the unused high
// bits of small integers are replaced.
U32 from_registers(Type type, U32 bits) {
    switch (type) {
        case Type::kF16:
            return wave::map(
                bits, [](uint32_t w) { return std::bit_cast<uint32_t>(pipe::half_to_float(uint16_t(w))); });
        case Type::kS16:
            return U32(wave::as_signed(bits << 16) >> 16);
        case Type::kU16:
            return bits & 0xffffu;
        case Type::kU8:
            return bits & 0xffu;
        case Type::kF32:
        case Type::kU32:
        case Type::kS32:
        case Type::kU8In32:
            break;
    }
    return bits;
}

void place_of(const UnitCall& call, unsigned lane, uint32_t at[3]) {
    for (unsigned c = 0; c < 3; ++c)
        at[c] = c < call.instr.dimensions() ? in_word(call, c, lane) : 0;
    if (call.instr.has_offset) at[0] += uint32_t(call.instr.offset);
}

bool access_texels(UnitCall& call, ImageState& image, bool stores, std::string* why) {
    const Type type = call.instr.type();
    core::StoredRange stored(call.memory.space());
    for (unsigned g = 0; g < call.wave.groups; ++g) {
        const uint32_t lanes = call.active.group(g);
        if (!lanes) continue;
        U32 at[3], v[4] = {{}, {}, {}, wave::splat(image.format().one())};
        for (unsigned c = 0; c < 3; ++c)
            at[c] = c < call.instr.dimensions() ? call.in[c][g] : U32{};
        if (call.instr.has_offset) at[0] += uint32_t(call.instr.offset);
        if (stores) {
            for (unsigned c = 0; c < call.instr.components(); ++c)
                v[c] = from_registers(type, call.in[kData + c][g]);
            if (!image.write_lanes(call.memory, lanes, at, v, &stored, why)) return false;
            continue;
        }
        if (!image.read_lanes(call.memory, lanes, at, v, why)) return false;
        for (unsigned c = 0; c < 4; ++c)
            call.out[c][g] = to_registers(type, image.kind(), v[c]);
    }
    return true;
}

bool access_words(UnitCall& call, const ImageState& image, bool stores, std::string* why) {
    if (!image.is_null() && !image.is_buffer()) return refuse(why, "an untyped access to what is no buffer");
    const uint64_t unit_B = isa::is_half(call.instr.type()) ? 2 : 4;
    const uint64_t size_B = image.is_null() ? 0 : image.buffer_B();
    core::StoredRange stored(call.memory.space());
    for (LaneMask left = call.active; left.any(); left.clear(left.lowest())) {
        const unsigned lane = left.lowest();
        uint32_t place[3];
        place_of(call, lane, place);
        for (unsigned c = 0; c < call.instr.components() && c < UnitCall::kMaxOut; ++c) {
            const uint64_t at = (uint64_t(place[0]) + c) * unit_B;
            uint32_t v = stores ? in_word(call, kData + c, lane) : 0;
            if (at + unit_B <= size_B) {
                const uint64_t va = image.buffer_va() + at;
                const bool good =
                    stores ? call.memory.store(va, v, unit_B) : call.memory.load(va, &v, unit_B);
                if (!good) return refuse(why, call.memory.fault());
                if (stores) stored.add(va, unit_B);
            }
            if (!stores) put(call, c, lane, v);
        }
    }
    return true;
}

// Where the word is that an atomic operation changes; 0 without `why`: outside the image.
uint64_t atomic_va(UnitCall& call, ImageState& image, const uint32_t at[3], std::string* why) {
    const uint64_t offset = uint64_t(at[0]) * 4;
    if (call.instr.typed() == isa::Typed::kUntyped)
        return image.is_null() || offset + 4 > image.buffer_B() ? 0 : image.buffer_va() + offset;
    if (!image.has(at)) return 0;
    uint64_t va = 0;
    if (image.format().size_B != 4 || !image.find(at, &va))
        *why = "atomic access to texels that are not 32 bits at an address of their own";
    return va;
}

bool run_atomic(UnitCall& call, ImageState& image, std::string* why) {
    const isa::AtomicType type = call.instr.atomic_type();
    if (type != isa::AtomicType::kU32 && type != isa::AtomicType::kS32)
        return refuse(why, "atomic operations are executed on u32 and s32 alone");
    if (call.instr.typed() == isa::Typed::kUntyped && !image.is_null() && !image.is_buffer())
        return refuse(why, "an untyped access to what is no buffer");
    const Atomic& row = image_atomic(call.instr.op);
    const core::AtomicOp op = type == isa::AtomicType::kS32 ? row.of_signed : row.op;
    why->clear();
    core::StoredRange stored(call.memory.space());
    for (LaneMask left = call.active; left.any(); left.clear(left.lowest())) {
        const unsigned lane = left.lowest();
        uint32_t at[3], old = 0;
        place_of(call, lane, at);
        const uint64_t va = atomic_va(call, image, at, why);
        if (!why->empty()) return false;
        if (va % 4) return refuse(why, "an atomic operation on a word that is not aligned");
        window::AccessFault refused;
        // The compared value comes after the new one.
        if (va && !core::update(call.memory, va, op, in_word(call, kData, lane),
                                in_word(call, kData + 1, lane), &old, &refused))
            return refuse(why, to_string(refused));
        if (va) stored.add(va, 4);
        put(call, 0, lane, old);
    }
    return true;
}

// Always three results: for buffers the number of elements.
void resource_info(UnitCall& call, const ImageState& image) {
    const hw::TexConst& d = image.desc();
    uint32_t v[3] = {};
    if (!image.is_null() && image.is_buffer()) v[0] = uint32_t(image.elements());
    if (!image.is_null() && !image.is_buffer()) v[0] = d.width, v[1] = d.height, v[2] = std::max(1u, d.depth);
    for (unsigned lane = 0; lane < call.wave.groups * kGroupLanes; ++lane)
        for (unsigned c = 0; c < 3 && call.active.has(lane); ++c)
            put(call, c, lane, v[c]);
}

}  // namespace

bool ShaderUnits::image(UnitCall& call, std::string* why) {
    ImageState* image = find_image(call, why);
    if (!image) return false;
    const bool typed = call.instr.typed() == isa::Typed::kTyped;
    bool good = true;
    switch (call.instr.op) {
        case Op::kLdibB:
            good = typed ? access_texels(call, *image, false, why) : access_words(call, *image, false, why);
            break;
        case Op::kStibB:
            good = typed ? access_texels(call, *image, true, why) : access_words(call, *image, true, why);
            break;
        case Op::kResinfoB:
            resource_info(call, *image);
            break;
        default:
            good = is_image_atomic(call.instr.op) ? run_atomic(call, *image, why)
                                                  : refuse(why, "is not executed");
            break;
    }
    if (good) return true;
    return refuse(
        why, call.instr.info().name, " of ",
        to_string(DescriptorRef{DescriptorKind::Image, call.bindless, call.base, call.texture}, stage_), ": ",
        *why);
}

}  // namespace terrazzo::adreno::sim
