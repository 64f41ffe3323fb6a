// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/external_samplers.h"

#include <algorithm>
#include <array>

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

namespace at = external_conversion;

bool reads_texels(const Instr& i) {
    if (i.op != Op::Tex) return false;
    switch (i.u.tex->op) {
        case TexOp::Sample:
        case TexOp::SampleBias:
        case TexOp::SampleLod:
        case TexOp::SampleGrad:
        case TexOp::Fetch:
            return true;
        case TexOp::FetchMS:  // no functions of external samplers
        case TexOp::Gather:
        case TexOp::Size:
        case TexOp::Levels:
        case TexOp::QueryLod:
            return false;
    }
    return false;
}

class Lowering {
  public:
    Lowering(Shader& s, std::span<Var* const> samplers) : s_(s), samplers_(samplers) {}
    std::vector<ExternalSampler> run() {
        for_each(s_.body, [&](Instr* i) {
            if (reads_texels(*i) && std::ranges::count(samplers_, i->u.tex->var)) lower(i);
        });
        return std::move(found_);
    }

  private:
    const ExternalSampler& variables(Var* sampler) {
        const auto known = std::ranges::find(found_, sampler, &ExternalSampler::sampler);
        if (known != found_.end()) return *known;
        ExternalSampler e{.sampler = sampler};
        for (unsigned n = 0; n < 2; ++n) {
            e.chroma[n] = s_.add_var(sampler->name + " plane " + std::to_string(n + 1), Type::Void,
                                     sampler->count, Storage::Sampler);
            e.chroma[n]->type = sampler->type;
            e.chroma[n]->precision = sampler->precision;
            e.chroma[n]->dim = sampler->dim;
        }
        e.conversion = s_.add_var(sampler->name + " conversion", Type::F32, sampler->count * at::kCount,
                                  Storage::Uniform);
        return found_.emplace_back(e);
    }

    /// One texture operation, which is repeated for each plane.
    struct Access {
        const ExternalSampler& vars;
        const Instr& tex;
        uint32_t first = 0;      // of the element's numbers in the conversion
        Value* index = nullptr;  // added to that; null: nothing
    };
    Value* number(Builder& b, const Access& a, uint32_t n) {
        return b.load_var(a.vars.conversion, a.first + n, a.index);
    }
    /// The coordinate in the other planes.
    Value* coordinate(Builder& b, const Access& a, unsigned axis) {
        const TexInfo& t = *a.tex.u.tex;
        Value* const c = a.tex.operand(unsigned(tex_operands(t).coord) + axis);
        if (t.op != TexOp::Fetch) {
            Value* const scaled = b.fmul(c, number(b, a, at::kScale + axis));
            return b.fadd(scaled, number(b, a, at::kOffset + axis));
        }
        Value* const moved = t.offset[axis] ? b.iadd(c, b.i32(t.offset[axis])) : c;
        Value* const shift = b.convert(Op::F2I, Type::I32, number(b, a, at::kShift + axis));
        return b.alu(Op::IShr, moved, shift);
    }
    Instr* plane(Builder& b, const Access& a, unsigned n, const std::array<Value*, 2>& coordinates) {
        TexInfo t = *a.tex.u.tex;
        t.var = a.vars.chroma[n];
        if (t.op == TexOp::Fetch) t.offset[0] = t.offset[1] = 0;
        std::vector<Value*> operands;
        for (unsigned k = 0; k < a.tex.operand_count; ++k)
            operands.push_back(a.tex.operand(k));
        std::ranges::copy(coordinates, operands.begin() + tex_operands(t).coord);
        b.flags = a.tex.flags;
        Instr* const made = b.tex(t, operands);
        b.flags = 0;
        return made;
    }
    /// The components `wanted` of the colour, in the arm for images with other planes.
    std::vector<Value*> convert(Builder& b, const Access& a, Value* mode,
                                const std::vector<unsigned>& wanted) {
        const std::array coordinates{coordinate(b, a, 0), coordinate(b, a, 1)};
        Instr* const second = plane(b, a, 0, coordinates);
        Instr* const three = b.begin_if(b.alu(Op::FGe, mode, b.f32(2)), std::array{Type::F32});
        Builder third(s_, three->regions[0]), none(s_, three->regions[1]);
        third.line = none.line = b.line;
        third.yield(std::array{plane(third, a, 1, coordinates)->result(0)});
        none.yield(std::array{second->result(1)});
        const std::array channels{a.tex.result(0), second->result(0), three->result()};
        std::vector<Value*> color;
        for (const unsigned row : wanted) {
            Value* sum = number(b, a, at::kMatrix + row * 4 + 3);
            for (unsigned n = 0; n < channels.size(); ++n)
                sum = b.fadd(b.fmul(channels[n], number(b, a, at::kMatrix + row * 4 + n)), sum);
            color.push_back(b.alu(Op::FSat, sum));
        }
        return color;
    }
    void lower(Instr* i) {
        std::vector<unsigned> wanted;
        for (unsigned n = 0; n < i->result_count; ++n)
            if (i->result(n)->has_uses()) wanted.push_back(n);
        if (wanted.empty()) return;
        Builder b(s_, i->parent);
        if (i->next) b.set_before(i->next);
        b.line = i->line;
        Access a{variables(i->u.tex->var), *i};
        if (const int index = tex_operands(*i->u.tex).index; index >= 0) {
            Value* const element = i->operand(unsigned(index));
            if (is_const(element))
                a.first = uint32_t(const_bits(element)) * at::kCount;
            else
                a.index = b.imul(element, b.i32(at::kCount));
        }
        Value* const mode = number(b, a, at::kMode);
        const std::vector<Type> types(wanted.size(), Type::F32);
        Instr* const choice = b.begin_if(b.alu(Op::FNe, mode, b.f32(0)), types);
        for (unsigned n = 0; n < wanted.size(); ++n)
            replace_uses(i->result(wanted[n]), choice->result(n));
        Builder planes(s_, choice->regions[0]), whole(s_, choice->regions[1]);
        planes.line = whole.line = i->line;
        planes.yield(convert(planes, a, mode, wanted));
        std::vector<Value*> as_it_is;
        for (const unsigned n : wanted)
            as_it_is.push_back(i->result(n));
        whole.yield(as_it_is);
    }

    Shader& s_;
    std::span<Var* const> samplers_;
    std::vector<ExternalSampler> found_;
};

}  // namespace

std::vector<ExternalSampler> lower_external_samplers(Shader& s, std::span<Var* const> samplers) {
    return Lowering(s, samplers).run();
}

}  // namespace terrazzo::ir
