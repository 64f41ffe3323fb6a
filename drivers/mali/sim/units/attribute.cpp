// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attributes and buffers. Sources: Mesa 25.0.7, genxml/v10.xml (Attribute, Buffer), pan_cmdstream.c and
// pan_attributes.c (divisors). Reads beyond a buffer's size return zeros.
#include "drivers/common/units/decode_once.h"
#include "drivers/mali/sim/core/memory_ops.h"
#include "drivers/mali/sim/machine.h"
#include "drivers/mali/sim/units/shader_units.h"

namespace terrazzo::mali::sim {

namespace {

using isa::Op;

uint64_t key_of(ResourceTables t, Handle h) {
    return t.packed * 0x9e3779b97f4a7c15ull ^ (uint64_t(h.table) << 32 | h.index);
}

void put_address(U32* out, unsigned lane, uint64_t va) {
    out[0][lane] = uint32_t(va);
    out[1][lane] = uint32_t(va >> 32);
}

// For packed formats, the size of all components together.
uint32_t component_B(pipe::Format f) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    return info.channel[0].bits % 8 ? info.block_B : info.channel[0].bits / 8;
}

// Whether a register has the bits of a component that is a word.
bool copies_words(isa::RegisterFormat f, units::NumberKind kind) {
    switch (f) {
        case isa::RegisterFormat::kAuto:
            return true;
        case isa::RegisterFormat::kF32:
            return kind == units::NumberKind::Float;
        case isa::RegisterFormat::kS32:
        case isa::RegisterFormat::kU32:
            return kind != units::NumberKind::Float;
        case isa::RegisterFormat::kF16:
        case isa::RegisterFormat::kS16:
        case isa::RegisterFormat::kU16:
            break;
    }
    return false;
}

unsigned first_lane(uint32_t active) {
    return active ? unsigned(__builtin_ctz(active)) : 0;
}

}  // namespace

void ShaderUnits::forget() {
    attributes_.clear();
    buffers_.clear();
    textures_.forget();
}

uint32_t AttributeState::index_of(uint32_t vertex, uint32_t instance, uint32_t attribute_offset) const {
    const uint32_t from = d.frequency == hw::AttributeFrequency::Instance
                              ? instance
                              : vertex + (d.offset_enable ? attribute_offset : 0);
    switch (d.attribute_type) {
        case hw::AttributeType::N1dPotDivisor:
            return from >> d.divisor_r;
        case hw::AttributeType::N1dNpotDivisor:
            return uint32_t((uint64_t(from) + d.divisor_e) * (d.divisor_d | 0x80000000u) >> 32 >>
                            d.divisor_r);
        case hw::AttributeType::N1d:
        case hw::AttributeType::N1dPrimitiveIndexBuffer:
        case hw::AttributeType::VertexPacket:
            break;
    }
    return from;
}

bool AttributeState::find(uint32_t index, uint64_t* va) const {
    const int64_t offset = int64_t(d.offset) + int64_t(uint64_t(index) * d.stride);
    *va = buffer.address + uint64_t(offset);
    return offset >= 0 && uint64_t(offset) + format.size_B <= buffer.size;
}

const uint8_t* AttributeState::element(Window& memory, uint32_t index, uint64_t* va) const {
    if (find(index, va)) return memory.at(*va, format.size_B, Access::Read);
    *va = 0;
    return nullptr;
}

const AttributeState* ShaderUnits::find_attribute(Window& memory, ResourceTables tables, Handle h,
                                                  std::string* why) {
    return units::decode_once(attributes_, key_of(tables, h), [&](AttributeState* a) {
        uint64_t va = 0;
        if (!find_descriptor(memory, tables, h, &va, why) ||
            !read_descriptor(memory, va, &a->d, "attribute descriptor", why))
            return false;
        const std::string name = "attribute descriptor at " + hex_text(va);
        if (a->d.attribute_type == hw::AttributeType::VertexPacket ||
            a->d.attribute_type == hw::AttributeType::N1dPrimitiveIndexBuffer)
            return refuse(why, name, ": this type is not executed");
        const hw::Buffer* buffer = find_buffer(memory, tables, {a->d.table, a->d.buffer_index}, why);
        if (!buffer) return false;
        a->buffer = *buffer;
        a->format = attribute_format(a->d.format);
        if (!a->format) return refuse(why, name, ": no format ", hex_text(a->d.format));
        // Hardware does not support unaligned elements (Mesa 25.0.7, pan_screen.c).
        const uint32_t size_B = component_B(a->format.format);
        return ((buffer->address + uint64_t(int64_t(a->d.offset))) | a->d.stride) % size_B == 0 ||
               refuse(why, name, ": its elements are not aligned to their ", size_B, " bytes");
    });
}

const hw::Buffer* ShaderUnits::find_buffer(Window& memory, ResourceTables tables, Handle h,
                                           std::string* why) {
    return units::decode_once(buffers_, key_of(tables, h), [&](hw::Buffer* buffer) {
        uint64_t va = 0;
        return find_descriptor(memory, tables, h, &va, why) &&
               read_descriptor(memory, va, buffer, "buffer descriptor", why);
    });
}

bool ShaderUnits::load_attribute(Stage& stage, const MessageIn& m, Handle h, U32* out, std::string* why) {
    const AttributeState* a = find_attribute(m.memory, stage.shader->resources, h, why);
    if (!a) return false;
    const unsigned count = unsigned(m.instr.vector_size()) + 1;
    const U32 vertex = m.low(0), instance = m.low(1);
    const bool copies = a->format.reads_words() && copies_words(m.instr.register_format(), a->format.kind);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (!(m.active >> lane & 1)) continue;
        const uint32_t index = a->index_of(vertex[lane], instance[lane], stage.attribute_offset);
        uint64_t va = 0;
        uint32_t v[4] = {};
        if (a->find(index, &va)) {
            if (const char* mistake = loads ? loads->loaded(va, a->format.size_B) : nullptr)
                return refuse(why, "attribute at ", hex_text(va), " ", mistake);
            if (const uint8_t* p = copies ? m.memory.known(va, a->format.size_B, Access::Read) : nullptr) {
                a->format.read(p, v);
                for (unsigned c = 0; c < count; ++c)
                    out[c][lane] = v[c];
                continue;
            }
            uint8_t element[16];
            if (!m.memory.read(va, element, a->format.size_B))
                return refuse(why, "attribute of element ", index, ": ", m.memory.fault());
            a->format.read(element, v);
        }
        put_components(m.instr.register_format(), a->format.kind, v, count, out, lane);
    }
    return true;
}

bool ShaderUnits::buffer_address(Stage& stage, const MessageIn& m, U32* out, std::string* why) {
    if (m.instr.op == Op::kLeaBufImm) {
        const unsigned table = isa::table_of_immediate(unsigned(m.instr.immediate(isa::Imm::kTable)));
        const auto index = unsigned(m.instr.immediate(isa::Imm::kIndex));
        if (stage.kind == StageKind::Vertex && table == kVertexOutputTable && index == 0) {
            for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
                if (!(m.active >> lane & 1)) continue;
                const uint32_t id = m.low(0)[lane];
                if (id >= stage.output_count)
                    return refuse(why, "vertex output ", id, " of ", stage.output_count);
                put_address(out, lane, stage.output_base + uint64_t(id) * stage.output_stride_B);
            }
            return true;
        }
        const hw::Buffer* b = find_buffer(m.memory, stage.shader->resources, {table, index}, why);
        if (!b) return false;
        if (b->buffer_type != hw::BufferType::Structure)
            return refuse(why, "LEA_BUF of a buffer that has no stride");
        for (unsigned lane = 0; lane < kWarpLanes; ++lane)
            put_address(out, lane, b->address + uint64_t(m.low(0)[lane]) * b->stride);
        return true;
    }
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (!(m.active >> lane & 1)) continue;
        const hw::Buffer* b =
            find_buffer(m.memory, stage.shader->resources, unpack_handle(m.low(1)[lane]), why);
        if (!b) return false;
        put_address(out, lane, b->address + m.low(0)[lane]);
    }
    return true;
}

bool ShaderUnits::attribute(Warp& warp, const MessageIn& m, U32* out, std::string* why) {
    Stage& stage = *static_cast<Stage*>(warp.stage);
    const Handle immediate{isa::table_of_immediate(unsigned(m.instr.immediate(isa::Imm::kTable)) & 15),
                           unsigned(m.instr.immediate(isa::Imm::kIndex))};
    const auto handle = [&] { return unpack_handle(m.low(2)[first_lane(m.active)]); };
    switch (m.instr.op) {
        case Op::kLdAttrImm:
            return load_attribute(stage, m, immediate, out, why);
        case Op::kLdAttr:
            return load_attribute(stage, m, handle(), out, why);
        case Op::kLeaAttrImm:
            return attribute_address(stage, m, immediate, out, why);
        case Op::kLeaAttr:
            return attribute_address(stage, m, handle(), out, why);
        case Op::kLdTexImm:
            return image(stage, m, immediate, true, out, why);
        case Op::kLdTex:
            return image(stage, m, handle(), true, out, why);
        case Op::kLeaTexImm:
            return image(stage, m, immediate, false, out, why);
        case Op::kLeaTex:
            return image(stage, m, handle(), false, out, why);
        case Op::kLeaBufImm:
        case Op::kLeaBuffer:
            return buffer_address(stage, m, out, why);
        default:
            return refuse(why, "the virtual GPU does not execute this attribute instruction");
    }
}

// The lanes of a warp usually load from one buffer, often from the same place.
bool ShaderUnits::load_buffer(Warp& warp, const MessageIn& m, U32* out, std::string* why) {
    if (!m.active) return true;
    Stage& stage = *static_cast<Stage*>(warp.stage);
    const unsigned size_B = access_B(m.instr.op), count = std::min(m.out_count, 4u),
                   first = first_lane(m.active);
    const U32 offset = m.low(0), handle = m.low(1);
    const hw::Buffer* b = nullptr;
    uint32_t of = 0;  // the handle of b
    const auto load = [&](unsigned lane, uint32_t words[4]) {
        if (!b || handle[lane] != of) {
            of = handle[lane];
            b = find_buffer(m.memory, stage.shader->resources, unpack_handle(of), why);
            if (!b) return false;
        }
        if (offset[lane] >= b->size) return true;
        const uint64_t n = std::min<uint64_t>(size_B, b->size - offset[lane]);
        if (const char* mistake = loads ? loads->loaded(b->address + offset[lane], n) : nullptr)
            return refuse(why, "buffer at ", hex_text(b->address + offset[lane]), " ", mistake);
        return m.memory.read(b->address + offset[lane], words, n) ||
               refuse(why, "buffer ", of & 0xffffff, ": ", m.memory.fault());
    };
    const auto others = [&](const U32& v) { return wave::bits_of(v ^ v[first]) & m.active; };
    if (!others(handle) && !others(offset)) {
        uint32_t words[4] = {};
        if (!load(first, words)) return false;
        for (unsigned w = 0; w < count; ++w)
            out[w] = wave::splat(words[w]);
        return true;
    }
    for (uint32_t left = m.active; left; left &= left - 1) {
        const auto lane = unsigned(std::countr_zero(left));
        uint32_t words[4] = {};
        if (!load(lane, words)) return false;
        for (unsigned w = 0; w < count; ++w)
            out[w][lane] = words[w];
    }
    return true;
}

bool ShaderUnits::texture(Warp& warp, const MessageIn& m, U32* out, std::string* why) {
    texture_fetches_ += unsigned(std::popcount(m.active));
    Stage& stage = *static_cast<Stage*>(warp.stage);
    return textures_.run(stage.shader->resources, stage.kind == StageKind::Fragment, m, out, why);
}

}  // namespace terrazzo::mali::sim
