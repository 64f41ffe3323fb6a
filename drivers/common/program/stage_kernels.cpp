// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/program/stage_kernels.h"

#include <algorithm>
#include <bit>

#include "shaders/ir/builder.h"
#include "shaders/ir/memory.h"
#include "shaders/ir/stored.h"
#include "shaders/passes/gather_info.h"
#include "shaders/passes/geometry_passes.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/stream_output_stores.h"
#include "shaders/passes/vertex_kernel.h"
#include "shaders/passes/walk.h"

namespace terrazzo::programs {

namespace {

using ir::Instr;
using ir::Op;
using ir::Type;
using ir::Value;
using pipe::Stage;
namespace buffer = ir::stage_buffer;

constexpr uint32_t kDword_B = 4, kRow_B = 16;

std::unique_ptr<ir::Shader> clone_of(const pipe::ProgramDesc& desc, Stage s) {
    const auto& stored = desc.stored[size_t(s)];
    const ir::Shader* const shader = stored ? stored->get() : desc.stages[size_t(s)];
    return shader ? ir::clone(*shader) : nullptr;
}

void finish(ir::Shader& s) {
    s.stage = ir::Stage::Compute;
    ir::clean_up(s);
    ir::gather_info(s);
}

/// Builds kernels that are the same for all programs.
class Kernels {
  public:
    explicit Kernels(uint32_t group)
        : shader_(std::make_unique<ir::Shader>(ir::Stage::Compute)), b_(*shader_) {
        shader_->info.workgroup_size[0] = group;
        if (group == 1) return;
        number_ = b_.iadd(b_.imul(b_.load_sysval(ir::Sysval::WorkGroupId, 0, Type::I32), word(group)),
                          b_.load_sysval(ir::Sysval::LocalInvocationIndex, 0, Type::I32));
    }
    std::unique_ptr<ir::Shader> sum() {
        for (const auto& [from, to] :
             {std::pair{buffer::kInput, buffer::kCount}, {buffer::kParam, buffer::kPoint}}) {
            Value* const run = times(ir::kKernelGroup * kDword_B);
            Value* all = load(from, run, 0);
            for (uint32_t k = 1; k < ir::kKernelGroup; ++k)
                all = b_.iadd(all, load(from, run, k * kDword_B));
            store(to, times(kDword_B), 0, {all});
        }
        return take();
    }
    std::unique_ptr<ir::Shader> starts() {
        Value *const run = times(ir::kKernelGroup * kDword_B),
                     *const pairs = times(ir::kKernelGroup * 2 * kDword_B),
                     *const before = times(2 * kDword_B);
        Value *vertices = load(buffer::kOutput, before, 0),
              *primitives = load(buffer::kOutput, before, kDword_B);
        for (uint32_t k = 0; k < ir::kKernelGroup; ++k) {
            store(buffer::kPoint, pairs, k * 2 * kDword_B, {vertices, primitives});
            vertices = b_.iadd(vertices, load(buffer::kInput, run, k * kDword_B));
            primitives = b_.iadd(primitives, load(buffer::kParam, run, k * kDword_B));
        }
        return take();
    }
    /// Index count, instances, first index, base vertex, first instance.
    std::unique_ptr<ir::Shader> parameters(uint32_t corners) {
        Value *const zero = word(0), *const primitives = load(buffer::kInput, zero, 0);
        store(buffer::kOutput, zero, 0, {b_.imul(primitives, word(corners)), word(1), zero, zero});
        store(buffer::kOutput, zero, kRow_B, {zero});
        return take();
    }

  private:
    Value* word(uint32_t n) { return b_.i32(int32_t(n)); }
    Value* times(uint32_t n) { return b_.imul(number_, word(n)); }
    Value* load(uint32_t binding, Value* place, uint32_t offset_B) {
        constexpr Type kWord = Type::I32;
        Instr* const i = shader_->create(Op::LoadBuffer, {&place, 1}, {&kWord, 1});
        i->u.mem = shader_->create_mem(
            {.space = ir::Storage::Buffer, .binding = int(binding), .offset_B = offset_B});
        return b_.insert(i)->result();
    }
    void store(uint32_t binding, Value* place, uint32_t offset_B, std::initializer_list<Value*> values) {
        Value* operands[5] = {place};
        std::copy(values.begin(), values.end(), operands + 1);
        Instr* const i = shader_->create(Op::StoreBuffer, {operands, values.size() + 1}, {});
        i->u.mem = shader_->create_mem({.space = ir::Storage::Buffer,
                                        .words = uint8_t(values.size()),
                                        .binding = int(binding),
                                        .offset_B = offset_B});
        b_.insert(i);
    }
    std::unique_ptr<ir::Shader> take() {
        finish(*shader_);
        return std::move(shader_);
    }

    std::unique_ptr<ir::Shader> shader_;
    ir::Builder b_;
    Value* number_ = nullptr;
};

/// Changes the kernel's output records to those of the next stage. Slots that only one of them has are
/// dropped, or stay as they are in memory.
void change_records(ir::Shader& s, uint64_t to) {
    const uint64_t from = s.info.records.slots_out;
    if (from == to) return;
    std::vector<uint32_t> slots;
    for (uint64_t rest = from; rest; rest &= rest - 1)
        slots.push_back(uint32_t(std::countr_zero(rest)));
    ir::Builder b(s);
    ir::for_each(s.body, [&](Instr* i) {
        if (i->op != Op::StoreBuffer || i->u.mem->binding != int(buffer::kOutput)) return;
        b.set_before(i);
        const ir::MemInfo& m = *i->u.mem;
        const ir::MemOperands o = ir::mem_operands(i->op, m);
        // The operand is a multiple of a record's size.
        Value* const record =
            b.alu(Op::UDiv, i->operand(unsigned(o.place)), b.i32(int32_t(ir::record_dw(from) * kDword_B)));
        Value* const place = b.imul(record, b.i32(int32_t(ir::record_dw(to) * kDword_B)));
        for (uint32_t n = 0; n < m.words; ++n) {
            const uint32_t dword = m.offset_B / kDword_B + n, slot = slots[dword / 4];
            if (!(to >> slot & 1)) continue;
            Value* const operands[] = {place, i->operand(unsigned(o.value) + n)};
            Instr* const store = s.create(Op::StoreBuffer, operands, {});
            store->u.mem = s.create_mem({.space = ir::Storage::Buffer,
                                         .binding = int(buffer::kOutput),
                                         .offset_B = (ir::slot_dw(to, slot) + dword % 4) * kDword_B});
            b.insert(store);
        }
        ir::erase(i);
    });
    s.info.records.slots_out = to;
}

/// `read`: the slots that the fragment stage reads.
std::unique_ptr<ir::Shader> draw_records(uint64_t slots, uint64_t read) {
    using enum ir::VaryingSlot;
    const auto bit = [](ir::VaryingSlot s) { return uint64_t(1) << unsigned(s); };
    auto s = std::make_unique<ir::Shader>(ir::Stage::Vertex);
    ir::Builder b(*s);
    const uint32_t record_B = ir::record_dw(slots) * kDword_B;
    Value* const record = b.imul(b.load_sysval(ir::Sysval::VertexId, 0, Type::I32), b.i32(int32_t(record_B)));
    const uint64_t scalar = bit(PointSize) | bit(Layer) | bit(PrimitiveId);
    for (uint64_t rest = slots & (read | bit(Position) | bit(PointSize) | bit(Layer)); rest;
         rest &= rest - 1) {
        const auto slot = uint32_t(std::countr_zero(rest));
        const uint8_t words = scalar >> slot & 1 ? 1 : 4;
        const bool integer = slot != unsigned(Position) && slot != unsigned(PointSize);
        const std::array<Type, 4> types = integer ? std::array{Type::I32, Type::I32, Type::I32, Type::I32}
                                                  : std::array{Type::F32, Type::F32, Type::F32, Type::F32};
        Instr* const i = s->create(Op::LoadBuffer, {&record, 1}, {types.data(), words});
        i->u.mem = s->create_mem({.space = ir::Storage::UniformBlock,
                                  .words = words,
                                  .binding = int(kRecordsBlock),
                                  .offset_B = ir::slot_dw(slots, slot) * kDword_B});
        b.insert(i);
        for (uint32_t c = 0; c < words; ++c)
            b.store_output(slot, c, i->result(c));
    }
    ir::gather_info(*s);
    return s;
}

}  // namespace

Stage stage_of(Kernel k) {
    switch (k) {
        case Kernel::Vertex:
            return Stage::Vertex;
        case Kernel::Control:
            return Stage::TessControl;
        case Kernel::Evaluation:
            return Stage::TessEval;
        case Kernel::Count:
        case Kernel::Write:
            return Stage::Geometry;
        case Kernel::Sum:
        case Kernel::Starts:
        case Kernel::Parameters:
        case Kernel::Capture:
            break;
    }
    return Stage::Compute;
}

StageKernels stage_kernels(const pipe::ProgramDesc& desc) {
    StageKernels out;
    StageShape& shape = out.shape;
    const auto at = [&](Kernel k) -> std::unique_ptr<ir::Shader>& { return out.kernels[size_t(k)]; };
    const auto fail = [&](Stage s, const char* why) {
        out.error = stage_error(s, why);
        return std::move(out);
    };
    constexpr const char* kDamaged = "the stored shader is damaged";
    shape.tessellates = has_stage(desc, Stage::TessControl);
    shape.emits = has_stage(desc, Stage::Geometry);
    std::unique_ptr<ir::Shader> vertex = clone_of(desc, Stage::Vertex),
                                fragment = clone_of(desc, Stage::Fragment);
    if (!vertex) return fail(Stage::Vertex, kDamaged);
    if (!fragment) return fail(Stage::Fragment, kDamaged);
    if (shape.tessellates) {
        for (const auto& [stage, kernel] :
             {std::pair{Stage::TessControl, Kernel::Control}, {Stage::TessEval, Kernel::Evaluation}})
            if (!(at(kernel) = clone_of(desc, stage))) return fail(stage, kDamaged);
        shape.control = at(Kernel::Control)->info.records;
        shape.evaluation = at(Kernel::Evaluation)->info.records;
    }
    if (shape.emits) {
        for (const Kernel k : {Kernel::Count, Kernel::Write})
            if (!(at(k) = clone_of(desc, Stage::Geometry))) return fail(Stage::Geometry, kDamaged);
        shape.geometry = at(Kernel::Write)->info.records;
        // Caps::later_stages_store.
        if (!ir::geometry_count(*at(Kernel::Count)))
            return fail(Stage::Geometry, "stores to memory are not supported");
        ir::geometry_write(*at(Kernel::Write));
        at(Kernel::Sum) = Kernels(ir::kKernelGroup).sum();
        at(Kernel::Starts) = Kernels(ir::kKernelGroup).starts();
        at(Kernel::Parameters) = Kernels(1).parameters(StageShape::corners(shape.geometry));
        if (shape.tessellates) change_records(*at(Kernel::Evaluation), shape.geometry.slots_in);
    }
    (void)ir::vertex_kernel(*vertex,
                            {.index_B = kDword_B, .slots = shape.vertex_slots(), .keeps_inputs = true});
    at(Kernel::Vertex) = std::move(vertex);
    for (const Kernel k : {Kernel::Vertex, Kernel::Control, Kernel::Evaluation, Kernel::Count, Kernel::Write})
        if (at(k)) finish(*at(k));
    out.records = draw_records(shape.last().slots_out, fragment->info.inputs_read);
    if (desc.stream_output && !desc.stream_output->empty()) {
        shape.captured_stride_dw = desc.stream_output->stride_dw;
        at(Kernel::Capture) = ir::capture_kernel(shape.last(), *desc.stream_output,
                                                 {.first_binding = int(kernel_capture::kOutputs),
                                                  .state_binding = int(kernel_capture::kState),
                                                  .primitive_vertices = StageShape::corners(shape.last())});
        finish(*at(Kernel::Capture));
    }
    return out;
}

}  // namespace terrazzo::programs
