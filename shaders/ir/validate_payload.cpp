// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rules of the payloads of instructions.
#include "shaders/ir/validate_payload.h"

#include "shaders/ir/eval.h"
#include "shaders/ir/names.h"

namespace terrazzo::ir {

namespace {

bool is_i32(const Value* v) {
    return v->type == Type::I32;
}

std::string constant(const Instr& i) {
    if (i.result_count != 1) return "a constant has one result";
    const unsigned size = bit_size(i.result()->type);
    if (size < 64 && i.u.bits >> size) return "a constant's bits fit its type";
    return {};
}

std::string var_access(const Shader& s, const Instr& i, Phase phase) {
    const bool load = i.op == Op::LoadVar;
    const unsigned values = load ? 0 : 1;
    if (!i.var || i.var->id >= s.vars().size() || s.vars()[i.var->id] != i.var)
        return "the variable is one of the shader's";
    if (i.operand_count != values && i.operand_count != values + 1) return "an access has at most one index";
    if (i.result_count != (load ? 1 : 0)) return "a load has one result, a store none";
    const Type t = load ? i.result()->type : i.operand(0)->type;
    if (t != i.var->type) return "the value has the variable's type";
    if (i.operand_count > values && !is_i32(i.operand(values))) return "an index is an i32";
    if (i.u.io.component >= i.var->count) return "the constant part of an index is within the variable";
    switch (i.var->storage) {
        case Storage::Local:
        case Storage::Shared:
            break;
        case Storage::Output:
            if (phase == Phase::AfterLink) return "after linking outputs are written with store_output";
            break;
        case Storage::Input:
        case Storage::Uniform:
            if (!load) return "inputs and uniforms are not written";
            if (phase == Phase::AfterLink) return "after linking inputs and uniforms are not variables";
            break;
        case Storage::Sampler:
        case Storage::Buffer:
        case Storage::Image:
        case Storage::UniformBlock:
            return "opaque variables are not loaded or stored";
    }
    return {};
}

/// Checks the operands of LoadInputAt and LoadVarAt.
std::string place_rule(const Shader& s, const Instr& i) {
    if (s.stage != Stage::Fragment) return "places in a pixel are of the fragment stage";
    switch (i.u.io.interp_at) {
        case InterpAt::Centroid:
            return i.operand_count ? "the centroid has no operands" : "";
        case InterpAt::Sample:
            return i.operand_count == 1 && is_i32(i.operand(0)) ? "" : "a sample's number is one i32";
        case InterpAt::Center:
            return i.operand_count == 2 && i.operand(0)->type == Type::F32 && i.operand(1)->type == Type::F32
                       ? ""
                       : "an offset is two f32";
    }
    return "a place exists";
}

std::string var_at(const Shader& s, const Instr& i, Phase phase) {
    if (phase == Phase::AfterLink) return "after linking inputs are not variables";
    if (!i.var || i.var->id >= s.vars().size() || s.vars()[i.var->id] != i.var)
        return "the variable is one of the shader's";
    if (i.var->storage != Storage::Input) return "a load at a place is of an input";
    if (i.result_count != 1 || i.result()->type != i.var->type) return "the value has the variable's type";
    if (i.u.io.component >= i.var->count) return "the constant part of an index is within the variable";
    return place_rule(s, i);
}

std::string interface_access(const Shader& s, const Instr& i, Phase phase) {
    const IoInfo& io = i.u.io;
    const bool store = i.op == Op::StoreOutput;
    if (i.result_count != (store ? 0 : 1)) return "a load has one result, a store none";
    const Type t = store ? i.operand(0)->type : i.result()->type;
    if (t == Type::I64) return "the interface has no 64-bit values";
    if (i.op == Op::LoadSysval) {
        if (io.slot >= Names<Sysval>::list.size()) return "the system value exists";
        if (io.component > 3) return "a component is 0 to 3";
        return {};
    }
    if (phase == Phase::BeforeLink) return "before linking the interface is variables";
    if (i.op == Op::LoadInputAt) {
        if (std::string wrong = place_rule(s, i); !wrong.empty()) return wrong;
    } else if (i.operand_count > 1 || (!store && i.operand_count == 1 && !is_i32(i.operand(0))))
        return "an index is one i32";
    if (i.op == Op::LoadUniform) {
        if (bit_size(t) == 16) return "a uniform has 32 bits";
        if (io.count == 0) return "an index reaches at least one dword";
        return {};
    }
    if (t == Type::Bool) return "inputs and outputs are numbers";
    if (io.component > 3) return "a component is 0 to 3";
    const unsigned slots = s.stage == Stage::Geometry ? unsigned(EmitSlot::VertexCount) + 1
                                                      : unsigned(VaryingSlot::Varying0) + kMaxVaryings;
    const bool fragment_output = store && s.stage == Stage::Fragment;
    if (io.slot >= (fragment_output ? unsigned(FragSlot::Second) + 1 : slots)) return "the slot exists";
    return {};
}

unsigned expected_coords(const TexInfo& t) {
    unsigned n = 0;
    switch (t.dim) {
        case TexDim::D1:
        case TexDim::Buffer:
            n = 1;
            break;
        case TexDim::D2:
        case TexDim::D2MS:
            n = 2;
            break;
        case TexDim::D3:
            n = 3;
            break;
        case TexDim::Cube:
            n = t.op == TexOp::Size ? 2 : 3;
            break;
    }
    return n + (t.arrayed && t.op != TexOp::QueryLod ? 1 : 0);
}

std::string texture_operands(const Instr& i, const TexInfo& t) {
    const TexOperands o = tex_operands(t);
    if (i.operand_count != o.count) return "tex has the operands that its payload asks for";
    const bool fetch = t.op == TexOp::Fetch || t.op == TexOp::FetchMS;
    const auto all = [&](int first, int count, bool integer) {
        for (int n = first; first >= 0 && n < first + count; n++) {
            const Type type = i.operand(unsigned(n))->type;
            if (integer ? type != Type::I32 : !is_float(type)) return false;
        }
        return true;
    };
    if (!all(o.coord, t.coord_count, fetch)) return "texture coordinates are floats (fetch: i32)";
    if (!all(o.ref, 1, false)) return "a compare reference is a float";
    if (!all(o.lod, 1, fetch || t.op == TexOp::Size)) return "a lod or bias is a float (fetch, size: i32)";
    if (!all(o.ddx, o.gradient_count, false) || !all(o.ddy, o.gradient_count, false))
        return "gradients are floats";
    if (t.offset_operands && t.op != TexOp::Gather) return "a gather alone has an offset that is no constant";
    if (!all(o.offset, 2, true)) return "an offset is two i32";
    if (!all(o.index, 1, true)) return "an index is an i32";
    return {};
}

std::string texture(const Shader& s, const Instr& i, Phase phase) {
    if (!i.u.tex) return "tex has a payload";
    const TexInfo& t = *i.u.tex;
    if (t.op != TexOp::Levels && t.coord_count != expected_coords(t))
        return "coords is what the dimension asks for";
    if (t.var && (t.var->id >= s.vars().size() || s.vars()[t.var->id] != t.var))
        return "the variable is one of the shader's";
    if (phase == Phase::BeforeLink && !t.var) return "before linking tex names a variable";
    if (phase == Phase::AfterLink && (t.binding < 0 || t.var))
        return "after linking tex has a binding and no variable";
    if (i.result_count != tex_result_count(t)) return "tex has the results that its payload asks for";
    for (unsigned n = 0; n < i.result_count; n++)
        if (i.result(n)->type != t.result) return "tex's results have the payload's type";
    if (t.result == Type::Bool || t.result == Type::I64 || t.result == Type::Void)
        return "texels are floats or integers";
    const bool implicit = t.op == TexOp::Sample || t.op == TexOp::SampleBias || t.op == TexOp::QueryLod;
    if (implicit && s.stage != Stage::Fragment) return "implicit lods exist in the fragment stage only";
    return texture_operands(i, t);
}

}  // namespace

std::string payload_rule(const Shader& s, const Instr& i, Phase phase) {
    switch (i.op) {
        case Op::Const:
            return constant(i);
        case Op::Undef:
            return i.result_count == 1 ? "" : "undef has one result";
        case Op::LoadVar:
        case Op::StoreVar:
            return var_access(s, i, phase);
        case Op::LoadVarAt:
            return var_at(s, i, phase);
        case Op::LoadInput:
        case Op::LoadInputAt:
        case Op::StoreOutput:
        case Op::LoadUniform:
        case Op::LoadSysval:
            return interface_access(s, i, phase);
        case Op::Tex:
            return texture(s, i, phase);
        case Op::LoadBuffer:
        case Op::StoreBuffer:
        case Op::AtomicBuffer:
        case Op::BufferSize:
        case Op::LoadImage:
        case Op::StoreImage:
        case Op::AtomicImage:
        case Op::ImageSize:
        case Op::Barrier:
            return memory_rule(s, i, phase);
        case Op::Discard:
            if (i.result_count) return "discard has no results";
            if (i.operand(0)->type != Type::Bool) return "discard's condition is a bool";
            return s.stage == Stage::Fragment ? "" : "discard is of the fragment stage";
        case Op::FDdx:
        case Op::FDdy:
        case Op::FDdxFine:
        case Op::FDdyFine:
            return s.stage == Stage::Fragment ? "" : "derivatives exist in the fragment stage only";
        default:
            return {};
    }
}

std::string conversion_rule(Op op, Type to, Type from) {
    if (kernel(op, to, from)) {
        // An operation with a kernel may still have a wrong type.
        const bool packed = op == Op::PackHalf2 || op == Op::UnpackHalfLow || op == Op::UnpackHalfHigh;
        if (!packed) return {};
        const bool pack = op == Op::PackHalf2;
        if (from == (pack ? Type::F32 : Type::I32) && to == (pack ? Type::I32 : Type::F32)) return {};
    }
    return std::string(op_info(op).text) + " does not convert " + std::string(name_of(from)) + " to " +
           std::string(name_of(to));
}

}  // namespace terrazzo::ir
