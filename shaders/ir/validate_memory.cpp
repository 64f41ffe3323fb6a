// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rules of operations on buffers, images and shared memory (memory.h).
#include "shaders/ir/image.h"
#include "shaders/ir/memory.h"
#include "shaders/ir/validate_payload.h"

namespace terrazzo::ir {

namespace {

bool is_word(Type t) {
    return t == Type::I32 || t == Type::F32;
}

std::string barrier(const MemInfo& m) {
    if (m.execution == MemScope::Device) return "no barrier waits for the whole device";
    if (m.execution == MemScope::None && m.memory == MemScope::None)
        return "a barrier waits or orders memory";
    if ((m.memory == MemScope::None) != (m.memories == 0)) return "a barrier that orders memory says which";
    return {};
}

std::string slots(const Shader& s, const MemInfo& m, Phase phase) {
    if (m.space == Storage::Shared) {
        if (m.var || m.indexed || m.binding != 0 || m.count != 1)
            return "shared memory is one range, at binding 0";
        return s.stage == Stage::Compute ? "" : "shared memory is of the compute stage";
    }
    if (m.var && (m.var->id >= s.vars().size() || s.vars()[m.var->id] != m.var))
        return "the variable is one of the shader's";
    if (m.var && m.var->storage != m.space) return "the variable is of the space that is accessed";
    if (phase == Phase::BeforeLink && !m.var) return "before linking an access names a variable";
    if (phase == Phase::AfterLink && (m.binding < 0 || m.var))
        return "after linking an access has a binding and no variable";
    if (!m.var && m.binding < 0) return "an access has a variable or a binding";
    if (m.count < 1 || (!m.indexed && m.count != 1)) return "slots are more than one where there is an index";
    return {};
}

std::string space(Op op, const MemInfo& m) {
    if (is_image(op)) {
        if (m.space != Storage::Image) return "image operations are of images";
        if (m.dim == TexDim::D2MS) return "images have one sample";
        if (m.arrayed && (m.dim == TexDim::D3 || m.dim == TexDim::Buffer))
            return "3D and buffer images are no arrays";
        return {};
    }
    switch (m.space) {
        case Storage::UniformBlock:
            return op == Op::LoadBuffer || op == Op::BufferSize ? "" : "uniform blocks are not written";
        case Storage::Buffer:
        case Storage::Shared:
            return {};
        case Storage::Local:
        case Storage::Input:
        case Storage::Output:
        case Storage::Uniform:
        case Storage::Sampler:
        case Storage::Image:
            break;
    }
    return "a buffer operation is of a uniform block, storage buffer or shared memory";
}

/// Texels are i32 or f32, depending on the image's format.
std::string texel(const Instr& i, const MemInfo& m, Type t) {
    const bool any = m.format == ImageFormat::None;
    if (any && i.op != Op::StoreImage) return "an image without a format is only written";
    const bool integer = is_integer(m.format);
    return any || integer == (t == Type::I32) ? "" : "texels have the type of the image's format";
}

std::string values(const Instr& i, const MemInfo& m, const MemOperands& o) {
    for (int n = o.value; n >= 0 && n < o.value + o.value_count; n++) {
        const Type t = i.operand(unsigned(n))->type;
        if (!is_word(t)) return "what is stored has 32 bits";
        const bool atomic = i.op == Op::AtomicBuffer || i.op == Op::AtomicImage;
        if (atomic && t != Type::I32) return "atomics are of i32";
        if (i.op == Op::StoreImage && t != i.operand(unsigned(o.value))->type)
            return "a texel's values have one type";
        if (i.op == Op::StoreImage)
            if (std::string rule = texel(i, m, t); !rule.empty()) return rule;
    }
    const Type first = i.result_count ? i.result(0)->type : Type::Void;
    for (unsigned n = 0; n < i.result_count; n++) {
        const Type t = i.result(n)->type;
        if (!is_word(t)) return "what is loaded has 32 bits";
        if (i.op != Op::LoadBuffer && i.op != Op::LoadImage && t != Type::I32)
            return "atomics and sizes give i32";
        if (i.op == Op::LoadImage && t != first) return "a texel's values have one type";
    }
    return i.op == Op::LoadImage ? texel(i, m, first) : std::string();
}

std::string sizes(const Instr& i, const MemInfo& m) {
    const bool atomic = i.op == Op::AtomicBuffer || i.op == Op::AtomicImage;
    if (atomic != (m.op != MemOp::None)) return "an atomic says what it does, and nothing else does";
    const bool counts_words = i.op == Op::LoadBuffer || i.op == Op::StoreBuffer;
    if (m.words < 1 || m.words > 4 || (!counts_words && m.words != 1)) return "an access has 1 to 4 words";
    const bool word =
        m.format == ImageFormat::R32i || m.format == ImageFormat::R32ui || m.format == ImageFormat::R32f;
    if (i.op == Op::AtomicImage && (!word || (m.format == ImageFormat::R32f && m.op != MemOp::Exchange)))
        return "image atomics are of r32i and r32ui, exchanges of r32f, too";
    if (m.element_B == 4) return {};
    if (i.op != Op::StoreBuffer || m.words != 1 || (m.element_B != 1 && m.element_B != 2))
        return "less than a word is 1 or 2 bytes of one that is stored";
    return {};
}

}  // namespace

std::string memory_rule(const Shader& s, const Instr& i, Phase phase) {
    if (!i.u.mem) return "a memory operation has a payload";
    const MemInfo& m = *i.u.mem;
    const MemOperands o = mem_operands(i.op, m);
    if (i.operand_count != o.count || i.result_count != mem_result_count(i.op, m))
        return "a memory operation has the operands and results that its payload asks for";
    if (i.op == Op::Barrier) return barrier(m);
    for (const auto& rule : {space(i.op, m), slots(s, m, phase), sizes(i, m)})
        if (!rule.empty()) return rule;
    for (int n = 0; n < o.place_count; n++)
        if (i.operand(unsigned(o.place + n))->type != Type::I32) return "offsets and coordinates are i32";
    if (o.index >= 0 && i.operand(unsigned(o.index))->type != Type::I32) return "an index is an i32";
    return values(i, m, o);
}

}  // namespace terrazzo::ir
