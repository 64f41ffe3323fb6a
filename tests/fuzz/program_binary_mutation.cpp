// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <cstring>
#include <random>

#include "shaders/compile.h"
#include "shaders/ir/clone.h"
#include "shaders/passes/gather_info.h"
#include "shaders/passes/walk.h"
#include "tests/fuzz/program_binary.h"

namespace fuzz {

using namespace terrazzo;

namespace {

class Mutation {
  public:
    explicit Mutation(uint32_t seed) : random_(seed) {}
    Bytes of(const Bytes& given);

  private:
    uint32_t below(size_t n) { return n ? uint32_t(random_() % n) : 0; }
    bool one_in(uint32_t n) { return below(n) == 0; }
    uint32_t number(uint32_t was);
    template <class T>
    void change(T& v) {
        v = T(number(uint32_t(v)));
    }
    void bytes(Bytes& b);
    void tables(shaders::LinkedProgram& p);
    void type(shaders::GlslType& t);
    void uniform(shaders::UniformInfo& u);
    void member(shaders::UniformInfo& u);
    void block(shaders::UniformBlockInfo& b);
    void storage(shaders::LinkedProgram& p);
    void output(shaders::OutputInfo& o);
    void capture(shaders::LinkedProgram& p);
    void memory(ir::MemInfo& m);
    void code(shaders::LinkedProgram& p, unsigned stage);
    unsigned any_stage(const shaders::LinkedProgram& p);
    void instr(ir::Shader& s, ir::Instr& i);
    void payload(ir::Instr& i);

    std::mt19937 random_;
    unsigned changed_[ir::kStageCount] = {};  // stages whose code was changed
};

uint32_t Mutation::number(uint32_t was) {
    constexpr uint32_t kEdges[] = {
        0,     1,     2,        3,        4,          5,          7,          8,          15,
        16,    17,    31,       32,       63,         64,         255,        256,        1023,
        65535, 65536, 1u << 20, 1u << 22, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0xfffffffc};
    switch (below(4)) {
        case 0:
            return kEdges[below(std::size(kEdges))];
        case 1:
            return was + 1 + below(3);
        case 2:
            return was - 1 - below(3);
        default:
            return below(12);
    }
}

void Mutation::bytes(Bytes& b) {
    for (unsigned n = 1 + below(4); n && b.size() > kBinaryHeader_B; n--) {
        const size_t at = kBinaryHeader_B + below(b.size() - kBinaryHeader_B);
        switch (below(4)) {
            case 0:
                b[at] ^= uint8_t(1u << below(8));
                break;
            case 1:
                b[at] = uint8_t(random_());
                break;
            case 2:
                b.erase(b.begin() + ptrdiff_t(at));
                break;
            default:
                b.insert(b.begin() + ptrdiff_t(at), uint8_t(random_()));
        }
    }
}

void Mutation::type(shaders::GlslType& t) {
    switch (below(6)) {
        case 0:
            t.base = shaders::BaseType(below(6));
            break;
        case 1:
            t.columns = uint8_t(below(5));
            break;
        case 2:
            t.rows = uint8_t(below(5));
            break;
        case 3:
            t.dim = ir::TexDim(below(6));
            break;
        case 4:
            t.arrayed = !t.arrayed;
            break;
        default:
            t.shadow = !t.shadow;
    }
}

void Mutation::uniform(shaders::UniformInfo& u) {
    if (u.block >= 0 && one_in(2)) return member(u);
    switch (below(9)) {
        case 0:
            return type(u.type);
        case 1:
            return change(u.array_size);
        case 2:
            u.is_array = !u.is_array;
            return;
        case 3:
            return change(u.location);
        case 4:
        case 5:
            return change(u.offset_dw[one_in(4) ? below(6) : one_in(2) ? 0 : 4]);
        case 6:
            return change(u.sampler_slot[one_in(4) ? below(6) : one_in(2) ? 0 : 4]);
        case 7:
            return change(u.storage_dw);
        default:
            u.name = one_in(2) ? "gl_DepthRange.near" : "position";
    }
}

void Mutation::member(shaders::UniformInfo& u) {
    switch (below(5)) {
        case 0:
            return change(u.block);
        case 1:
            return change(u.block_offset_B);
        case 2:
            return change(u.array_stride_B);
        case 3:
            return change(u.matrix_stride_B);
        default:
            u.row_major = !u.row_major;
    }
}

void Mutation::block(shaders::UniformBlockInfo& b) {
    switch (below(6)) {
        case 0:
            return change(b.size_B);
        case 1:
            return change(b.array_left);
        case 2:
            return change(b.binding);
        case 3:
        case 4:
            return change(b.slot[one_in(4) ? below(6) : one_in(2) ? 0 : 4]);
        default:
            if (!b.members.empty()) change(b.members[below(b.members.size())]);
    }
}

void Mutation::capture(shaders::LinkedProgram& p) {
    auto& outputs = p.stream_output.outputs;
    switch (below(4)) {
        case 0:
            return change(p.stream_output.stride_dw[below(4)]);
        case 1:
            p.capture_separate = !p.capture_separate;
            return;
        case 2:
            if (!p.captures.empty()) change(p.captures[below(p.captures.size())].array_size);
            return;
        default:
            if (outputs.empty()) return;
            ir::StreamOutputLayout::Output& o = outputs[below(outputs.size())];
            switch (below(5)) {
                case 0:
                    return change(o.slot);
                case 1:
                    return change(o.component);
                case 2:
                    return change(o.count);
                case 3:
                    return change(o.buffer);
                default:
                    change(o.offset_dw);
            }
    }
}

void Mutation::output(shaders::OutputInfo& o) {
    switch (below(5)) {
        case 0:
            return type(o.type);
        case 1:
            return change(o.array_size);
        case 2:
            o.is_array = !o.is_array;
            return;
        case 3:
            return change(o.index);
        default:
            change(o.location);
    }
}

/// Storage blocks, their members, counters' buffers and images.
void Mutation::storage(shaders::LinkedProgram& p) {
    const unsigned stage = any_stage(p);
    switch (below(6)) {
        case 0:
            if (!p.storage_blocks.empty()) block(p.storage_blocks[below(p.storage_blocks.size())]);
            break;
        case 1:
            if (!p.buffer_variables.empty()) member(p.buffer_variables[below(p.buffer_variables.size())]);
            break;
        case 2:
            if (!p.atomic_buffers.empty()) {
                shaders::AtomicBufferInfo& b = p.atomic_buffers[below(p.atomic_buffers.size())];
                if (one_in(3))
                    change(b.size_B);
                else if (one_in(2))
                    change(b.binding);
                else
                    change(b.slot[stage]);
                if (one_in(4) && !b.members.empty()) change(b.members[below(b.members.size())]);
            }
            break;
        case 3:
            if (!p.images[stage].empty()) {
                shaders::ImageSlot& i = p.images[stage][below(p.images[stage].size())];
                if (one_in(3))
                    type(i.type);
                else if (one_in(2))
                    change(i.format);
                else
                    change(one_in(2) ? i.uniform : i.element);
            }
            break;
        default:
            change(p.storage_slots[stage]);
    }
}

void Mutation::tables(shaders::LinkedProgram& p) {
    if ((!p.storage_blocks.empty() || !p.atomic_buffers.empty()) && one_in(3)) return storage(p);
    if (!p.blocks.empty() && one_in(4)) return block(p.blocks[below(p.blocks.size())]);
    if (!p.blocks.empty() && one_in(8)) return change(p.block_slots[any_stage(p)]);
    if (!p.captures.empty() && one_in(4)) return capture(p);
    if (!p.outputs.empty() && one_in(6)) return output(p.outputs[below(p.outputs.size())]);
    switch (below(8)) {
        case 0:
        case 1:
        case 2:
            if (!p.uniforms.empty()) uniform(p.uniforms[below(p.uniforms.size())]);
            break;
        case 3:
            if (!p.attributes.empty()) {
                shaders::AttributeInfo& a = p.attributes[below(p.attributes.size())];
                if (one_in(3))
                    type(a.type);
                else if (one_in(2))
                    change(a.array_size);
                else
                    change(a.location);
            }
            break;
        case 4:
            change(one_in(2) ? p.storage_dw : p.varying_slots);
            break;
        case 5:
            change(p.uniform_dw[any_stage(p)]);
            break;
        default: {
            auto& slots = p.samplers[any_stage(p)];
            if (slots.empty()) break;
            shaders::SamplerSlot& s = slots[below(slots.size())];
            if (one_in(3))
                type(s.type);
            else
                change(one_in(2) ? s.uniform : s.element);
            if (one_in(8)) slots.push_back(s);
        }
    }
}

/// Except the number of operands and of results.
void Mutation::memory(ir::MemInfo& m) {
    switch (below(7)) {
        case 0:
        case 1:
            return change(m.offset_B);
        case 2:
            m.binding = int(number(uint32_t(m.binding)) & 0x7fffffff);
            return;
        case 3:
            return change(m.count);
        case 4:
            m.space = ir::Storage(below(9));
            return;
        case 5:
            m.qualifiers = uint8_t(below(32));
            return;
        default:
            m.element_B = uint8_t(below(5));
    }
}

void Mutation::payload(ir::Instr& i) {
    switch (i.op) {
        case ir::Op::LoadBuffer:
        case ir::Op::BufferSize:
            return memory(*i.u.mem);
        case ir::Op::Const:
            i.u.bits = one_in(2) ? number(uint32_t(i.u.bits)) : random_();
            if (i.result()->type == ir::Type::Bool) i.u.bits &= 1;
            break;
        case ir::Op::LoadInput:
        case ir::Op::StoreOutput:
        case ir::Op::LoadUniform:
        case ir::Op::LoadSysval:
        case ir::Op::LoadVar:
        case ir::Op::StoreVar:
            switch (below(5)) {
                case 0:
                case 1:
                    return change(i.u.io.slot);
                case 2:
                    i.u.io.component = one_in(3) ? number(i.u.io.component) : below(4);
                    return;
                case 3:
                    return change(i.u.io.count);
                default:
                    i.u.io.interp = ir::Interp(below(3));
            }
            break;
        case ir::Op::Tex:
            switch (below(8)) {
                case 0:
                    i.u.tex->op = ir::TexOp(below(10));
                    break;
                case 1:
                    i.u.tex->dim = ir::TexDim(below(6));
                    break;
                case 2:
                    i.u.tex->arrayed = !i.u.tex->arrayed;
                    break;
                case 3:
                    i.u.tex->offset[below(3)] = int8_t(random_());
                    break;
                case 4:
                    change(i.u.tex->count);
                    break;
                case 5:
                    i.u.tex->coord_count = uint8_t(below(5));
                    break;
                default:
                    i.u.tex->binding = int(number(uint32_t(i.u.tex->binding)) & 0x7fffffff);
            }
            break;
        default:
            break;
    }
}

/// Changes that keep the numbers of operands and of results: the writer relies on them.
void Mutation::instr(ir::Shader& s, ir::Instr& i) {
    switch (below(6)) {
        case 0: {  // another operation of the same shape
            const auto op = ir::Op(below(unsigned(ir::Op::Count_)));
            const ir::OpInfo &was = i.info(), &now = ir::op_info(op);
            const bool plain = was.sig != ir::Sig::Any && now.sig != ir::Sig::Any;
            const bool leaves = (i.op == ir::Op::Break || i.op == ir::Op::Continue) &&
                                (op == ir::Op::Break || op == ir::Op::Continue || op == ir::Op::Yield);
            if ((plain && was.operands == now.operands) || leaves) i.op = op;
            break;
        }
        case 1:  // another operand, or the same one twice
            if (i.operand_count) {
                ir::Value* v = i.operand(below(i.operand_count));
                ir::for_each(s.body, [&](ir::Instr* k) {
                    if (k->result_count && one_in(20)) v = k->result();
                });
                ir::set_operand(&i, below(i.operand_count), v);
            }
            break;
        case 2:
            if (i.result_count) i.result(below(i.result_count))->type = ir::Type(1 + below(6));
            break;
        case 3:
            if (i.var && !s.vars().empty())
                i.var = s.vars()[below(s.vars().size())];
            else
                i.flags = uint8_t(below(one_in(4) ? 256 : 4));
            break;
        default:
            payload(i);
    }
}

void Mutation::code(shaders::LinkedProgram& p, unsigned stage) {
    // Code is changed once only: changed code may not be valid for ir::clone.
    if (changed_[stage]++) return;
    std::unique_ptr<ir::Shader> s = ir::clone(*p.stages[stage]);
    std::vector<ir::Instr*> all;
    ir::for_each(s->body, [&](ir::Instr* i) { all.push_back(i); });
    if (all.empty()) return;
    for (unsigned n = one_in(4) ? 1 + below(6) : 1; n; n--) {
        ir::Instr* const i = all[below(all.size())];
        if (one_in(12)) {  // another change, elsewhere
            ir::CloneMap map(&s->vars());
            ir::Instr* const at = all[below(all.size())];
            if (!i->info().terminator() && !at->info().terminator())
                ir::insert_after(at, ir::clone_instr(*s, i, map));
        } else if (!s->vars().empty() && one_in(20)) {
            change(s->vars()[below(s->vars().size())]->count);
        } else {
            instr(*s, *i);
        }
    }
    s->renumber();
    bool small = true;
    ir::for_each(s->body, [&](ir::Instr* i) {
        const bool bit = i->op == ir::Op::LoadInput || i->op == ir::Op::StoreOutput;
        small &= !bit || i->u.io.slot < 64;
    });
    if (small && !one_in(8)) {  // usually the info is unchanged
        ir::gather_info(*s);
        if (one_in(4)) p.uniform_dw[stage] = s->info.uniform_dw;
    } else if (one_in(2)) {
        change(s->info.inputs_read), change(s->info.uniform_dw);
    }
    p.stages[stage] = shaders::LinkedStage(std::make_shared<ir::StoredShader>(std::move(s)));
}

unsigned Mutation::any_stage(const shaders::LinkedProgram& p) {
    std::vector<unsigned> there;
    for (unsigned s = 0; s < ir::kStageCount; ++s)
        if (p.stages[s]) there.push_back(s);
    return there[below(there.size())];
}

Bytes Mutation::of(const Bytes& given) {
    const auto good = shaders::deserialize(given);
    if (!good || one_in(6)) {
        Bytes b = good || !one_in(3) ? given : first_program(below(32));
        bytes(b);
        mend_header(b);
        return b;
    }
    shaders::LinkedProgram p = *good;
    for (unsigned n = one_in(4) ? 1 + below(3) : 1; n; n--) {
        if (one_in(3))
            tables(p);
        else
            code(p, any_stage(p));
    }
    return shaders::serialize(p);
}

}  // namespace

Bytes mutated(const Bytes& given, uint32_t seed) {
    return Mutation(seed).of(given);
}

}  // namespace fuzz
