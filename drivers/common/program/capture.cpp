// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/program/capture.h"

#include <cstddef>
#include <vector>

#include "shaders/ir/builder.h"
#include "shaders/passes/gather_info.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/stream_output_stores.h"
#include "shaders/passes/walk.h"

namespace terrazzo::programs {
namespace {

using ir::Instr;
using ir::Op;
using ir::Type;
using ir::Value;

Value* load_word(ir::Builder& b, uint32_t slot, Value* offset_B) {
    constexpr Type kWord = Type::I32;
    Instr* const i = b.shader.create(Op::LoadBuffer, {&offset_B, 1}, {&kWord, 1});
    i->u.mem = b.shader.create_mem({.space = ir::Storage::Buffer, .binding = int(slot)});
    return b.insert(i)->result();
}

bool loads(const Instr* i, ir::Sysval s) {
    return i->op == Op::LoadSysval && ir::Sysval(i->u.io.slot) == s;
}

template <class F>
std::vector<Instr*> all_of(ir::Shader& s, const F& wanted) {
    std::vector<Instr*> found;
    ir::for_each(s.body, [&](Instr* i) {
        if (wanted(i)) found.push_back(i);
    });
    return found;
}

void replace(Instr* i, Value* by) {
    ir::replace_uses(i->result(), by);
    ir::erase(i);
}

/// Changes the stage to load attributes of vertex `id`, and replaces gl_VertexID by `id`.
void read_vertex(ir::Shader& s, Value* id) {
    for (Instr* const i : all_of(s, [](const Instr* i) { return loads(i, ir::Sysval::VertexId); }))
        replace(i, id);
    for (Instr* const i : all_of(s, [](const Instr* i) { return i->op == Op::LoadInput; })) {
        const Type type = i->result()->type;
        Instr* const load = s.create(Op::LoadInput, {&id, 1}, {&type, 1});
        load->u.io = i->u.io;
        ir::insert_before(i, load);
        replace(i, load->result());
    }
}

}  // namespace

std::unique_ptr<ir::Shader> capture_shader(const ir::Shader& vertex, const ir::StreamOutputLayout& layout) {
    std::unique_ptr<ir::Shader> s = ir::clone(vertex);
    s->stage = ir::Stage::Compute;
    s->info.workgroup_size[0] = kCaptureGroup;
    s->info.workgroup_size[1] = s->info.workgroup_size[2] = 1;
    ir::Builder b(*s);
    b.set_before(s->body->first);
    Value* const group = b.load_sysval(ir::Sysval::WorkGroupId, 0, Type::I32);
    Value* const local = b.load_sysval(ir::Sysval::LocalInvocationId, 0, Type::I32);
    Value* const number = b.iadd(b.imul(group, b.i32(int32_t(kCaptureGroup))), local);
    Value* const id = load_word(b, capture_slot::kVertices, b.imul(number, b.i32(4)));
    Value* const of_instance =
        load_word(b, capture_slot::kState, b.i32(int32_t(offsetof(CaptureState, of_instance))));
    Value* const zero = b.i32(0);
    read_vertex(*s, id);
    const uint32_t params_dw = s->info.uniform_dw;
    (void)ir::stream_output_stores(*s, layout,
                                   {.first_binding = int(capture_slot::kOutputs),
                                    .state_binding = int(capture_slot::kState),
                                    .params_dw = params_dw,
                                    .primitive_vertices = 1});
    // stream_output_stores() loads its parameters from uniforms and gl_VertexID. Here they are in
    // CaptureState and the invocation's number. Its atomic counter is removed: the CPU counts the vertices.
    for (Instr* const i : all_of(*s, [](const Instr* i) { return loads(i, ir::Sysval::VertexId); }))
        replace(i, number);
    for (Instr* const i : all_of(*s, [&](const Instr* i) {
             return i->op == Op::LoadUniform && !i->operand_count && i->u.io.slot >= params_dw;
         }))
        replace(i, i->u.io.slot == params_dw ? zero : of_instance);
    for (Instr* const i : all_of(*s, [](const Instr* i) {
             return i->op == Op::StoreOutput ||
                    (i->op == Op::AtomicBuffer && i->u.mem->binding == int(capture_slot::kState));
         }))
        ir::erase(i);
    ir::clean_up(*s);
    ir::gather_info(*s);
    return s;
}

}  // namespace terrazzo::programs
