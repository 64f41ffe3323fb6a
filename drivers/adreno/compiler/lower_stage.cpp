// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control, evaluation and geometry stages. The linker converts them to kernels over buffers
// (shaders/ir/stage_buffers.h). This pass lowers them to the hardware's form, in which waves begin with
// vertices or with points of patches. Source: Mesa 25.0.7, ir3_nir_lower_tess.c.
//
//   control     an invocation for each output vertex of a patch. kInput is local memory with the outputs of
//               the vertex shader of the same wave. kOutput, kPatch and kPoint are memory that the patches
//               of a subdraw share: records of vertices, rows, and the tessellator's input.
//   evaluation  an invocation for each point. It reads kInput and kPatch, which the control stage wrote.
//   geometry    an invocation for each possible output vertex. Each runs the whole shader, and its outputs
//               are those of the vertex with its number. If there is no such vertex, EmitSlot::VertexCount
//               is 0 and the invocation is killed. kInput is local memory.
//
// The other accesses keep their addresses, except that records in local memory are numbered from the wave's
// first primitive on. The system values are then
//   LocalInvocationIndex  the header, a register with the numbers of an invocation
//   PrimitiveId           in the draw
//   TessCoord.xy          of a point
//   PatchVertices         control: a parameter
#include "drivers/adreno/compiler/passes.h"

#include <map>

#include "shaders/ir/builder.h"
#include "shaders/ir/stage_buffers.h"
#include "shaders/passes/join_row_loads.h"
#include "shaders/passes/mem2reg.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/walk.h"

namespace terrazzo::adreno::compiler {

namespace {

using ir::Instr;
using ir::Op;
using ir::Sysval;
using ir::Type;
using ir::Value;
namespace buffer = ir::stage_buffer;

constexpr uint32_t kRow_B = 16, kLevelRows = 2;
/// In a record's dword StripStart, and in the register that the hardware reads.
constexpr int32_t kBeginsStripBit = 2;

bool is_access(const Instr& i, Op op, uint32_t binding) {
    return i.op == op && i.u.mem->space == ir::Storage::Buffer && i.u.mem->binding == int(binding);
}

class Lowering {
  public:
    Lowering(ir::Shader& s, const Options& options) : s_(s), r_(s.info.records), options_(options) {}

    void run() {
        if (s_.body->first) b_.set_before(s_.body->first);
        switch (s_.stage) {
            case ir::Stage::TessControl:
                control();
                break;
            case ir::Stage::TessEval:
                evaluation();
                break;
            case ir::Stage::Geometry:
                geometry();
                break;
            case ir::Stage::Vertex:
            case ir::Stage::Fragment:
            case ir::Stage::Compute:
                return;
        }
        read_in_rows();
    }

  private:
    /// The inputs from another stage are constant, so their loads become loads of uniform blocks. Loads of
    /// the same row of four dwords are joined.
    void read_in_rows() {
        const auto reads = [&](uint32_t binding) {
            each_access(Op::LoadBuffer, binding, [&](Instr* i) {
                i->u.mem = s_.create_mem(*i->u.mem);
                i->u.mem->space = ir::Storage::UniformBlock;
            });
        };
        reads(buffer::kInput);
        if (s_.stage == ir::Stage::TessEval) reads(buffer::kPatch);
        ir::clean_up(s_);
        (void)ir::join_row_loads(
            s_, [](const ir::MemInfo& m) { return m.binding >= int(ir::kMaxStorageBuffers); });
    }
    Value* i32(uint32_t v) { return b_.i32(int32_t(v)); }
    Value* sysval(Sysval v, uint32_t component = 0, Type t = Type::I32) {
        return b_.load_sysval(v, component, t);
    }
    Value* header(HeaderField f) {
        if (!header_) header_ = sysval(Sysval::LocalInvocationIndex);
        Value* const v = f.shift ? b_.alu(Op::UShr, header_, i32(f.shift)) : header_;
        return b_.iand(v, i32(f.mask));
    }
    void replace(Instr* i, Value* v) {
        ir::replace_uses(i->result(), v);
        ir::erase(i);
    }
    /// Replaces the kernel's numbers by `index` and `group`. Loads of kParam become the primitive's number
    /// less `added`, and the patch's size.
    void replace_numbers(Value* index, Value* group, Value* added) {
        std::vector<Instr*> all;
        ir::for_each(s_.body, [&](Instr* i) {
            const bool number =
                i->op == Op::LoadSysval && (Sysval(i->u.io.slot) == Sysval::WorkGroupId ||
                                            Sysval(i->u.io.slot) == Sysval::LocalInvocationIndex);
            if ((number && !is_own(i)) || is_access(*i, Op::LoadBuffer, buffer::kParam)) all.push_back(i);
        });
        for (Instr* const i : all) {
            if (i->op == Op::LoadSysval) {
                replace(i, Sysval(i->u.io.slot) == Sysval::WorkGroupId ? group : index);
                continue;
            }
            // Dword 0 is added to primitives' numbers; dword 1 is the number of vertices of a patch.
            const uint32_t at_B = i->u.mem->offset_B +
                                  uint32_t(ir::is_const(i->operand(0)) ? ir::const_bits(i->operand(0)) : 0);
            b_.set_before(i);
            for (uint32_t k = 0; k < i->result_count; ++k)
                ir::replace_uses(i->result(k), at_B + 4 * k == 0
                                                   ? b_.alu(Op::ISub, sysval(Sysval::PrimitiveId), added)
                                                   : sysval(Sysval::PatchVertices));
            ir::erase(i);
        }
    }
    /// Whether the pass created it; the kernel's own loads are replaced.
    bool is_own(const Instr* i) const {
        return (header_ && i == header_->def) || (patch_ && i == patch_->def->operand(0)->def);
    }
    Value* patch() {
        // There is no memory for more; products of 16 bits are cheap.
        constexpr uint32_t kMost = 0xffff;
        if (!patch_) patch_ = b_.iand(sysval(Sysval::WorkGroupId), i32(kMost));
        return patch_;
    }
    /// The slot that contains a dword of a record.
    [[nodiscard]] uint32_t slot_of(uint32_t dword) const {
        uint64_t slots = r_.slots_out;
        for (uint32_t n = dword / 4; n; --n)
            slots &= slots - 1;
        return uint32_t(std::countr_zero(slots));
    }
    /// The dword within a record or patch at which an access begins. The rest of the address is a multiple of
    /// their size.
    [[nodiscard]] static uint32_t dword_of(const Instr& i, uint32_t size_B) {
        const Value* place = i.operand(0);
        const uint32_t fixed = uint32_t(ir::is_const(place) ? ir::const_bits(place) : 0);
        return (fixed + i.u.mem->offset_B) % size_B / 4;
    }
    template <typename F>
    void each_access(Op op, uint32_t binding, const F& f) {
        ir::for_each(s_.body, [&](Instr* i) {
            if (is_access(*i, op, binding)) f(i);
        });
    }
    void store_buffer(uint32_t binding, Value* place, uint32_t offset_B, Value* v) {
        const std::array operands{place, v};
        Instr* const i = s_.create(Op::StoreBuffer, operands, {});
        ir::MemInfo m;
        m.binding = int(binding);
        m.offset_B = offset_B;
        i->u.mem = s_.create_mem(m);
        b_.insert(i);
    }

    // --- control
    void control() {
        Value* const own = patch();
        Value* const invocation = header(kHeaderInvocation);
        // Records in local memory are numbered from the wave's first patch on.
        Value* const local = header(options_.tess_use_shared ? kHeaderSharedPatch : kHeaderPrimitive);
        Value* const vertices = b_.imul(b_.alu(Op::ISub, local, own), sysval(Sysval::PatchVertices));
        Value* const moved_B = b_.imul(vertices, i32(ir::record_dw(r_.slots_in) * 4));
        const TessLevels levels = tess_levels(options_.domain);
        Value* const factors = b_.imul(own, i32(levels.size_dw() * 4));
        store_buffer(buffer::kPoint, factors, 0, sysval(Sysval::PrimitiveId));
        replace_numbers(invocation, own, own);
        each_access(Op::LoadBuffer, buffer::kInput, [&](Instr* i) {
            b_.set_before(i);
            ir::set_operand(i, 0, b_.iadd(i->operand(0), moved_B));
        });
        const uint32_t rows_B = std::max(1u, r_.patch_rows) * kRow_B;
        each_access(Op::StoreBuffer, buffer::kPatch, [&](Instr* i) {
            const uint32_t first = dword_of(*i, rows_B);
            b_.set_before(i);
            for (uint32_t k = 0; k < i->u.mem->words && first + k < kLevelRows * 4; ++k) {
                const uint32_t row = (first + k) / 4, level = (first + k) % 4;
                if (level >= (row ? levels.inner : levels.outer)) continue;
                store_buffer(buffer::kPoint, factors, 4 * (1 + level + (row ? levels.outer : 0)),
                             i->operand(1 + k));
            }
        });
        run_where(invocation);
    }
    /// Lanes without an output vertex do nothing.
    void run_where(Value* invocation) {
        Instr* const begin = invocation->def;
        ir::Region* const body = s_.body;
        b_.set_end(body);
        Value* const is = b_.alu(Op::ULt, invocation, i32(r_.vertices_out));
        Instr* const branch = b_.begin_if(is);
        // The instructions after the number move into the branch.
        std::vector<Instr*> rest;
        for (Instr* i = begin->next; i && i != is->def; i = i->next)
            rest.push_back(i);
        for (Instr* const i : rest) {
            // The branch's own operands stay before it.
            if (i == is->def->operand(1)->def) continue;
            ir::detach(i);
            ir::append(branch->regions[0], i);
        }
        b_.set_end(branch->regions[0]);
        b_.yield();
        b_.set_end(branch->regions[1]);
        b_.yield();
    }

    // --- evaluation
    void evaluation() {
        Value* const own = patch();
        Value* const zero = i32(0);
        replace_numbers(zero, zero, own);
        std::vector<Instr*> points;
        each_access(Op::LoadBuffer, buffer::kPoint, [&](Instr* i) { points.push_back(i); });
        for (Instr* const i : points) {
            const uint32_t first = dword_of(*i, kRow_B);
            b_.set_before(i);
            for (uint32_t k = 0; k < i->result_count; ++k) {
                Value* v = first + k == 3 ? own : coordinate(first + k);
                if (v->type != i->result(k)->type) v = b_.convert(Op::Bitcast, i->result(k)->type, v);
                ir::replace_uses(i->result(k), v);
            }
            ir::erase(i);
        }
        const uint32_t record_B = std::max(1u, ir::record_dw(r_.slots_out)) * 4;
        each_access(Op::StoreBuffer, buffer::kOutput, [&](Instr* i) {
            const uint32_t first = dword_of(*i, record_B);
            b_.set_before(i);
            for (uint32_t k = 0; k < i->u.mem->words; ++k)
                b_.store_output(slot_of(first + k), (first + k) % 4, i->operand(1 + k));
            ir::erase(i);
        });
    }
    Value* coordinate(uint32_t c) {
        const auto xy = [&](uint32_t n) { return sysval(Sysval::TessCoord, n, Type::F32); };
        if (c < 2) return xy(c);
        // The three coordinates add up to 1.
        if (r_.in == ir::Shape::Triangles) return b_.fsub(b_.fsub(b_.f32(1), xy(1)), xy(0));
        return b_.f32(0);
    }

    // --- geometry
    void geometry() {
        Value* const primitive = header(kHeaderPrimitive);
        Value* index = primitive;
        if (r_.invocations > 1)
            index = b_.iadd(b_.imul(primitive, i32(r_.invocations)), header(kHeaderInvocation));
        record_B_ = std::max(1u, ir::record_dw(r_.slots_out)) * 4;
        Value* const kept = b_.iadd(b_.imul(index, i32(r_.vertices_out)), header(kHeaderEmitted));
        kept_B_ = b_.imul(kept, i32(record_B_));
        Value* const zero = i32(0);
        replace_numbers(index, zero, primitive);
        if (r_.invocations > 1) divide_number(index, primitive);
        any_ = s_.add_var("", Type::Bool, 1, ir::Storage::Local);
        keep_stores(s_.body);
        b_.set_end(s_.body);
        // Selection converts it to the end of invocations without a vertex.
        b_.store_output(uint32_t(ir::EmitSlot::VertexCount), 0,
                        b_.convert(Op::B2I, Type::I32, b_.load_var(any_, 0)));
        for (const auto& [dword, var] : outputs_) {
            Value* v = b_.load_var(var, 0);
            const uint32_t slot = slot_of(dword);
            if (slot == uint32_t(ir::EmitSlot::StripStart)) v = b_.alu(Op::IShl, v, b_.i32(kBeginsStripBit));
            b_.store_output(slot, dword % 4, v);
        }
        // The hardware needs the register even if there is no vertex.
        if (!(r_.slots_out >> uint32_t(ir::EmitSlot::StripStart) & 1))
            b_.store_output(uint32_t(ir::EmitSlot::StripStart), 0, b_.i32(1 << kBeginsStripBit));
        each_access(Op::StoreBuffer, buffer::kCount, [](Instr* i) { ir::erase(i); });
        ir::mem2reg(s_);
    }
    /// The kernel divides its number by the number of invocations of a primitive. The header has both
    /// results.
    void divide_number(Value* index, Value* primitive) {
        b_.set_before(index->def->next);
        Value* const invocation = header(kHeaderInvocation);
        const auto is_zero = [](const Value* v) {
            const Instr* const d = v->def;
            return d && (d->op == Op::IMul || d->op == Op::IShl) && ir::is_const(d->operand(0)) &&
                   ir::const_bits(d->operand(0)) == 0;
        };
        ir::for_each(s_.body, [&](Instr* i) {
            if (i->op != Op::IAdd || i == index->def) return;
            for (unsigned k = 0; k < 2; ++k)
                if (i->operand(k) == index && is_zero(i->operand(1 - k))) {
                    ir::replace_uses(i->result(), index);
                    return;
                }
        });
        const auto n = r_.invocations;
        ir::for_each(s_.body, [&](Instr* i) {
            if (i->operand_count != 2 || i->operand(0) != index || !ir::is_const(i->operand(1))) return;
            const auto by = uint32_t(ir::const_bits(i->operand(1)));
            const bool power = std::has_single_bit(n);
            if ((i->op == Op::UDiv && by == n) || (i->op == Op::UShr && power && (1u << (by & 31)) == n))
                ir::replace_uses(i->result(), primitive);
            if ((i->op == Op::UMod && by == n) || (i->op == Op::IAnd && power && by == n - 1))
                ir::replace_uses(i->result(), invocation);
        });
    }
    /// Consecutive stores of one vertex become conditional: they are executed if the invocation keeps that
    /// vertex.
    void keep_stores(ir::Region* r) {
        std::vector<Instr*> group;
        for (Instr *i = r->first, *next; i; i = next) {
            next = i->next;
            const bool store = is_access(*i, Op::StoreBuffer, buffer::kOutput);
            if (!group.empty() && (i->region_count || (store && !is_same_vertex(*group[0], *i)))) {
                keep(group);
                group.clear();
            }
            if (store) group.push_back(i);
            for (unsigned n = 0; n < i->region_count; ++n)
                keep_stores(i->regions[n]);
        }
        if (!group.empty()) keep(group);
    }
    /// The constant part of the address of the vertex's record.
    [[nodiscard]] uint32_t base_B(const Instr& i) const { return i.u.mem->offset_B / record_B_ * record_B_; }
    [[nodiscard]] bool is_same_vertex(const Instr& a, const Instr& b) const {
        return a.operand(0) == b.operand(0) && base_B(a) == base_B(b);
    }
    void keep(const std::vector<Instr*>& group) {
        Instr* const last = group.back();
        b_.set_before(last);
        b_.line = last->line;
        Value* place = last->operand(0);
        if (base_B(*last)) place = b_.iadd(place, i32(base_B(*last)));
        Instr* const branch = b_.begin_if(b_.alu(Op::IEq, place, kept_B_));
        b_.set_end(branch->regions[0]);
        for (Instr* const i : group) {
            const uint32_t first = i->u.mem->offset_B % record_B_ / 4;
            for (uint32_t k = 0; k < i->u.mem->words; ++k) {
                Value* v = i->operand(1 + k);
                ir::Var* const to = output(first + k, v->type);
                if (v->type != to->type) v = b_.convert(Op::Bitcast, to->type, v);
                b_.store_var(to, 0, v);
            }
        }
        b_.store_var(any_, 0, b_.boolean(true));
        b_.yield();
        b_.set_end(branch->regions[1]);
        b_.yield();
        for (Instr* const i : group)
            ir::erase(i);
    }
    ir::Var* output(uint32_t dword, Type t) {
        ir::Var*& v = outputs_[dword];
        if (!v) v = s_.add_var("", t, 1, ir::Storage::Local);
        return v;
    }

    ir::Shader& s_;
    const ir::StageRecords& r_;
    const Options& options_;
    ir::Builder b_{s_};
    Value *header_ = nullptr, *patch_ = nullptr, *kept_B_ = nullptr;
    uint32_t record_B_ = 4;
    ir::Var* any_ = nullptr;                // whether a vertex was kept
    std::map<uint32_t, ir::Var*> outputs_;  // by the record's dword
};

}  // namespace

TessLevels tess_levels(ir::Shape domain) {
    if (domain == ir::Shape::Quads) return {4, 2};
    return domain == ir::Shape::Isolines ? TessLevels{2, 0} : TessLevels{3, 1};
}

void lower_stage(ir::Shader& s, const Options& options) {
    if (ir::is_kernel(s.stage) && s.stage != ir::Stage::Compute) Lowering(s, options).run();
}

}  // namespace terrazzo::adreno::compiler
