// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture functions. Projective forms are divided here. An element of an array of samplers is an index
// operand (linking makes constant ones part of the binding). Without derivatives (vertex shaders), the LOD is
// 0.
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

static uint8_t coordinate_count(const Type& sampler) {
    uint8_t n = 2;
    switch (sampler.dim) {
        case ir::TexDim::D1:
        case ir::TexDim::Buffer:
            n = 1;
            break;
        case ir::TexDim::D2:
        case ir::TexDim::D2MS:
            n = 2;
            break;
        case ir::TexDim::D3:
        case ir::TexDim::Cube:
            n = 3;
            break;
    }
    return n + (sampler.arrayed ? 1 : 0);
}

/// The type of a sampler's results.
static ir::Type result_scalar(const Type& sampler) {
    return sampler.sampled == Base::Float ? ir::Type::F32 : ir::Type::I32;
}

Vals Walker::texture_query(TIntermTyped* n, TOperator op, TIntermTyped* sampler, TIntermTyped* lod) {
    Place place;
    if (!place_of(sampler, place) || place.type->base != Base::Sampler) {
        fail(n->getLoc().line, "Terrazzo: this sampler expression is not supported");
        return {};
    }
    const Type& s = *place.object->type->leaves[place.first_leaf].basic;
    ir::TexInfo info;
    info.var = place.object->vars[place.first_leaf];
    info.dim = s.dim;
    info.arrayed = s.arrayed;
    info.shadow = s.shadow;
    info.result = ir::Type::I32;
    Vals operands;
    switch (op) {
        case EOpTextureQuerySize:
            info.op = ir::TexOp::Size;
            break;
        case EOpTextureQueryLevels:
            info.op = ir::TexOp::Levels;
            break;
        case EOpTextureQueryLod:
            info.op = ir::TexOp::QueryLod;
            info.result = ir::Type::F32;
            break;
        default:
            fail(n->getLoc().line, "Terrazzo: this texture query is not supported");
            return {};
    }
    info.coord_count = uint8_t(type_of(n)->components);
    if (info.op == ir::TexOp::QueryLod) {
        operands = eval(lod);  // the coordinates without the layer
        info.coord_count = uint8_t(operands.size());
    } else if (lod)
        operands.push_back(eval_scalar(lod));
    else if (ir::tex_operands(info).lod >= 0)
        operands.push_back(i32(0));
    if (failed_) return {};
    at(n);
    return emit_texture(n->getLoc().line, place, info, operands, 0);
}

/// Adds the element of an array of samplers and emits the instruction. Empty: it failed.
Vals Walker::emit_texture(int line, const Place& place, ir::TexInfo info, Vals operands, uint8_t flags) {
    uint32_t element;
    Value* dynamic;
    offset_of(place, place.first_leaf, element, dynamic);
    if (element || dynamic) {
        info.indexed = true;
        operands.push_back(!dynamic   ? i32(int32_t(element))
                           : !element ? dynamic
                                      : b_.iadd(dynamic, i32(int32_t(element))));
    }
    if (failed_ || ir::tex_operands(info).count != int(operands.size())) {
        fail(line, "Terrazzo: this texture function is not supported");
        return {};
    }
    // The result has the sampler's precision, not the coordinates' (ESSL 3.20 section 8.9).
    const ir::Precision p = place.object->type->leaves[place.first_leaf].basic->precision;
    const bool mediump = p == ir::Precision::Low || p == ir::Precision::Medium;
    b_.flags = uint8_t((flags & ~ir::instr_flag::kMediump) | (mediump ? ir::instr_flag::kMediump : 0));
    ir::Instr* i = b_.tex(info, operands);
    return Vals(i->results, i->results + i->result_count);
}

/// textureGather and its variants: `args` are the arguments after the coordinates and the reference.
Vals Walker::gather(int line, const Place& place, ir::TexInfo info, Vals operands,
                    const std::vector<Vals>& args, bool offset, bool offsets) {
    const uint8_t flags = b_.flags;
    info.op = ir::TexOp::Gather;
    size_t next = 0;
    const Vals* const at = (offset || offsets) && next < args.size() ? &args[next++] : nullptr;
    if (next < args.size()) {
        if (!ir::is_const(args[next][0]))
            return fail(line, "the component of a gather must be constant"), Vals();
        info.gather_component = uint8_t(ir::const_bits(args[next][0]) & 3);
    }
    const auto one = [&](Value* x, Value* y) {
        ir::TexInfo moved = info;
        Vals with = operands;
        const auto small = [](Value* v) {
            return ir::is_const(v) && int32_t(ir::const_bits(v)) == int8_t(ir::const_bits(v));
        };
        if (small(x) && small(y)) {
            moved.offset[0] = int8_t(ir::const_bits(x));
            moved.offset[1] = int8_t(ir::const_bits(y));
        } else {
            moved.offset_operands = true;
            with.push_back(x);
            with.push_back(y);
        }
        return emit_texture(line, place, moved, with, flags);
    };
    if (!at) return emit_texture(line, place, info, operands, flags);
    if (!offsets) return one((*at)[0], (*at)[1]);
    // Each result is the texel (i0, j0) of a separate gather with its own offset.
    Vals result;
    for (unsigned n = 0; n < 4 && at->size() == 8; ++n) {
        const Vals four = one((*at)[2 * n], (*at)[2 * n + 1]);
        if (four.size() == 4) result.push_back(four[3]);
    }
    return result;
}

Vals Walker::eval_texture(TIntermAggregate* n) {
    const TIntermSequence& seq = n->getSequence();
    Place place;
    if (!place_of(seq[0]->getAsTyped(), place) || place.type->base != Base::Sampler) {
        fail(n->getLoc().line, "Terrazzo: this sampler expression is not supported");
        return {};
    }
    TCrackedTextureOp op{};
    n->crackTexture(seq[0]->getAsTyped()->getType().getSampler(), op);
    if (op.query)
        return texture_query(n, n->getOp(), seq[0]->getAsTyped(),
                             seq.size() > 1 ? seq[1]->getAsTyped() : nullptr);
    const Type& s = *place.object->type->leaves[place.first_leaf].basic;
    ir::TexInfo info;
    info.var = place.object->vars[place.first_leaf];
    info.dim = s.dim;
    info.arrayed = s.arrayed;
    info.shadow = s.shadow;
    info.result = result_scalar(s);
    info.coord_count = coordinate_count(s);
    const bool shadow_lod_offset = n->getOp() == EOpTextureOffsetClamp;  // shadow_lod.h
    if ((op.lodClamp && !shadow_lod_offset) || op.subpass || op.fragMask || n->isSparseTexture()) {
        fail(n->getLoc().line, "Terrazzo: this texture function is not supported");
        return {};
    }
    std::vector<Vals> args;
    for (size_t i = 1; i < seq.size(); ++i)
        args.push_back(eval(seq[i]->getAsTyped()));
    if (failed_ || args.empty()) return {};
    at(n);
    const uint8_t flags = b_.flags;
    size_t next = 1;
    // The coordinates are followed by the compare reference: in the coordinate vector if there is room, else
    // in an argument.
    const Vals& p = args[0];
    Vals operands(p.data(), p.data() + std::min<size_t>(info.coord_count, p.size()));
    Value* ref = nullptr;
    if (s.shadow) {
        const size_t at_component = op.proj ? 2 : std::max<size_t>(info.coord_count, 2);
        if (!op.gather && p.size() > at_component)
            ref = p[at_component];
        else if (next < args.size())
            ref = args[next++][0];
    }
    if (op.proj) {
        for (Value*& c : operands)
            c = b_.fdiv(c, p.back());
        if (ref) ref = b_.fdiv(ref, p.back());
    }
    if (ref) operands.push_back(ref);
    if (op.gather)
        return gather(n->getLoc().line, place, info, operands,
                      std::vector<Vals>(args.begin() + ptrdiff_t(next), args.end()), op.offset, op.offsets);
    Value* lod = nullptr;
    Vals gradients;
    if (op.lod && next < args.size()) {
        lod = args[next++][0];
        info.op = ir::TexOp::SampleLod;
    }
    if (op.grad && next + 1 < args.size()) {
        for (unsigned k = 0; k < 2; ++k)
            gradients.append(args[next++]);
        info.op = ir::TexOp::SampleGrad;
    }
    if (op.fetch) {
        info.op = s.dim == ir::TexDim::D2MS ? ir::TexOp::FetchMS : ir::TexOp::Fetch;
        if (!lod && next < args.size() && s.dim == ir::TexDim::D2MS) lod = args[next++][0];
    }
    if (op.offset && next < args.size()) {
        const Vals& o = args[next++];
        for (size_t i = 0; i < o.size() && i < 3; ++i) {
            if (ir::is_const(o[i]))
                info.offset[i] = int8_t(ir::const_bits(o[i]));
            else
                fail(n->getLoc().line, "the offset of a texture function must be constant");
        }
    }
    if (info.op == ir::TexOp::Sample) {
        if (next < args.size()) {
            lod = args[next][0];
            info.op = ir::TexOp::SampleBias;
        } else if (sh_.stage != ir::Stage::Fragment) {
            lod = f32(0.0f);
            info.op = ir::TexOp::SampleLod;
        }
    }
    if (lod) operands.push_back(lod);
    operands.append(gradients);
    return emit_texture(n->getLoc().line, place, info, operands, flags);
}

}  // namespace terrazzo::shaders::glsl
