// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stages before the rasterizer that share waves or memory: the numbers of invocations, vertices' outputs in
// local memory, patches in memory. Facts: Mesa 25.0.7, ir3_compiler_nir.c, ir3_a6xx.c.
#include <bit>

#include "drivers/adreno/compiler/passes.h"
#include "drivers/adreno/compiler/selector.h"
#include "shaders/ir/stage_buffers.h"
#include "shaders/passes/walk.h"

namespace terrazzo::adreno::compiler {

using isa::Op;
using isa::Type;
namespace buffer = ir::stage_buffer;

/// The stages of a wave share these registers. The hardware does not write them again for the next stage, so
/// both stages have them in the first registers.
void Selector::plan_stage() {
    SystemValues& v = info_.system;
    const bool hull = s_.stage == ir::Stage::TessControl || options_.next.stage == ir::Stage::TessControl;
    if (!hull && s_.stage != ir::Stage::Geometry && options_.next.stage != ir::Stage::Geometry) return;
    header_ = take_input(1, false, &v.header);
    if (hull) relative_patch_ = take_input(1, false, &v.relative_patch);
    primitive_id_ = take_input(1, false, &v.primitive_id);
}

/// System values that the hardware writes to registers before the shader begins.
bool Selector::load_stage_sysval(const ir::Instr& i) {
    SystemValues& v = info_.system;
    const struct {
        ir::Sysval value;
        Word& word;
        unsigned count;
        RegisterId& id;
    } inputs[] = {{ir::Sysval::LocalInvocationIndex, header_, 1, v.header},
                  {ir::Sysval::WorkGroupId, relative_patch_, 1, v.relative_patch},
                  {ir::Sysval::PrimitiveId, primitive_id_, 1, v.primitive_id},
                  {ir::Sysval::TessCoord, tess_coord_, 2, v.tess_coord},
                  {ir::Sysval::VertexId, vertex_id_, 1, v.vertex_id},
                  {ir::Sysval::InstanceId, instance_id_, 1, v.instance_id}};
    for (const auto& in : inputs) {
        if (in.value != ir::Sysval(i.u.io.slot)) continue;
        if (in.word == kNoWord) in.word = take_input(in.count, false, &in.id);
        set(i.result(), Ref::word(in.word + (in.count > 1 ? i.u.io.component : 0)));
        return true;
    }
    return false;
}

/// The end of a shader whose wave continues with another stage: the outputs that the next stage reads are
/// stored to the vertex's record in local memory.
void Selector::finish_chained() {
    const NextStage& next = options_.next;
    const bool hull = next.stage == ir::Stage::TessControl;
    const auto field = [&](HeaderField f) {
        const Ref v = f.shift ? shr_b({Ref::word(header_), constant(f.shift)}) : Ref::word(header_);
        return and_b({v, constant(f.mask)});
    };
    const Ref vertices = next.vertices ? constant(next.vertices) : param(Param::PatchVertices);
    const Ref first = mull_u({field(kHeaderPrimitive), vertices});
    const Ref vertex = add_u({first, field(kHeaderVertex)});
    const Ref record = mull_u({vertex, constant(ir::record_dw(next.slots) * 4)});
    for (uint64_t rest = next.slots; rest; rest &= rest - 1) {
        const auto slot = unsigned(std::countr_zero(rest));
        std::array<Ref, 4> refs{};
        unsigned count = 0;
        for (unsigned c = 0; c < 4; c++) {
            refs[c] = outputs_[slot * 4 + c];
            if (refs[c].kind == Ref::Kind::None) continue;
            if (refs[c].half) return f_.fail("adreno: an output of halves for the next stage");
            count = c + 1;
        }
        if (!count) continue;
        isa::Instr p = isa::make(hull && options_.tess_use_shared ? Op::kStl : Op::kStlw);
        p.set_type(Type::kU32).set_size(count).offset = int32_t(ir::slot_dw(next.slots, slot) * 4);
        act(p, {record, Ref::run(output_run(refs, count, false), count)});
    }
    Run left[3];
    size_t kept = 0;
    for (const Word word : {header_, relative_patch_, primitive_id_})
        if (word != kNoWord && (hull || word != relative_patch_)) left[kept++] = {word, 1};
    end_with(Op::kChsh, {left, kept});
}

/// Ends an invocation of a geometry shader that kept no vertex.
void Selector::end_without_vertex(const ir::Value* count) {
    alu_to(kP0Word, isa::make(Op::kCmpsU).set_condition(isa::Condition::kEq), {use(count), constant(0)});
    act(isa::make(Op::kKill), {Ref::word(kP0Word)});
}

void Selector::stage_access(const ir::Instr& i) {
    const bool local = s_.stage != ir::Stage::TessEval && i.u.mem->binding == int(buffer::kInput);
    if (local && i.op == ir::Op::LoadBuffer) return local_load(i);
    if (!local && s_.stage != ir::Stage::Geometry &&
        (i.op == ir::Op::LoadBuffer || i.op == ir::Op::StoreBuffer))
        return global_access(i);
    f_.fail("adreno: a buffer that this stage does not have");
}

/// Loads from a vertex's record, which the previous stage wrote.
void Selector::local_load(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    constexpr uint32_t kMostOffset_B = 4095;
    const bool shared = s_.stage == ir::Stage::TessControl && options_.tess_use_shared;
    isa::Instr p = isa::make(shared ? Op::kLdl : Op::kLdlw).set_type(Type::kU32).set_size(m.words);
    Ref at = use(i.operand(0));
    if (m.offset_B <= kMostOffset_B)
        p.offset = int32_t(m.offset_B);
    else
        at = add_u({at, constant(m.offset_B)});
    set_results(i, 0, load(p, {in_register(at)}, m.words), m.words);
}

/// The address of a subdraw's memory: records of vertices, rows, the tessellator's input.
Word& Selector::patch_memory(uint32_t binding) {
    // An evaluation shader's input vertices are the control shader's outputs.
    const bool records = binding == (s_.stage == ir::Stage::TessEval ? buffer::kInput : buffer::kOutput);
    return patch_memory_[records ? 0 : binding == buffer::kPatch ? 1 : 2];
}

/// Loads the 64-bit addresses of all memory that the shader accesses into two registers each.
void Selector::plan_patch_memory() {
    if (s_.stage != ir::Stage::TessControl && s_.stage != ir::Stage::TessEval) return;
    for_each([&](const ir::Instr& i) {
        if (!ir::is_memory(i.op) || i.op == ir::Op::Barrier || !is_stage_buffer(*i.u.mem)) return;
        if (s_.stage == ir::Stage::TessControl && i.u.mem->binding == int(buffer::kInput)) return;
        Word& memory = patch_memory(uint32_t(i.u.mem->binding));
        if (memory != kNoWord) return;
        const auto low = uint8_t(uint8_t(Param::PatchRecordsLow) + 2 * (&memory - patch_memory_));
        const Ref words[] = {param(Param(low)), param(Param(low + 1))};
        memory = collect(words);
    });
}

/// Splits an access at multiples of 16 bytes: loads that cross them may fail (Mesa, lower_tess_eval_block).
void Selector::global_access(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const bool loads = i.op == ir::Op::LoadBuffer;
    constexpr uint32_t kRow_dw = 4;
    const Ref memory = Ref::run(patch_memory(uint32_t(m.binding)), 2);
    const ir::Value* const place = i.operand(0);
    for (unsigned done = 0; done < m.words;) {
        const uint32_t at_B = m.offset_B + 4 * done;
        const unsigned count = std::min<unsigned>(m.words - done, kRow_dw - at_B / 4 % kRow_dw);
        Ref at_dw;
        if (ir::is_const(place))
            at_dw = constant((uint32_t(ir::const_bits(place)) + at_B) / 4);
        else
            at_dw = shr_b({at_B ? add_u({use(place), constant(at_B)}) : use(place), constant(2)});
        const isa::Instr p = isa::make(loads ? Op::kLdgA : Op::kStgA).set_type(Type::kU32).set_size(count);
        if (loads)
            set_results(i, done, load(p, {memory, in_register(at_dw)}, count), count);
        else
            act(p, {memory, in_register(at_dw), in_run(i, 1 + done, count)});
        done += count;
    }
}

}  // namespace terrazzo::adreno::compiler
