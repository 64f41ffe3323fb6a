// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The dirty bits of state changes, and passes.
#include "drivers/mali/passes/draw_context.h"
#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

// --- state -------------------------------------------------------------------------------------------------

void DrawContext::bind_program(pipe::Program* p) {
    state_.program = static_cast<MaliProgram*>(p);
    if (state_.sample_variant) state_.dirty |= kFragmentTables | kBlend | kBlendInputs;
    state_.sample_variant = nullptr;  // choose_fragment() sets it
    state_.dirty |= kProgram | kVertexFau | kFragmentFau | kFlags | kPrimitive;
    if (!state_.program || state_.program->compute.present) return;
    if (stream_output_.is_set()) state_.dirty |= kCapture;
    const MaliProgram& n = *state_.program;
    const ProgramShape now = {.attributes = n.attributes,
                              .colors = n.fragment.info.colors,
                              .colors_read = n.fragment.info.colors_read,
                              .half_colors = n.fragment.info.half_colors,
                              .vertex = n.stages[Stage::Vertex],
                              .fragment = n.stages[Stage::Fragment],
                              .writes_depth = n.fragment.info.writes_depth,
                              .writes_stencil = n.fragment.info.writes_stencil,
                              .second_color = n.fragment.info.second_color};
    const ProgramShape& old = state_.shape;
    if (!now.vertex.same_tables(old.vertex)) state_.touch(Stage::Vertex, Group::Textures);
    if (!now.fragment.same_tables(old.fragment)) state_.touch(Stage::Fragment, Group::Textures);
    if (now.attributes != old.attributes) state_.dirty |= kVertexTables;
    if (now.colors != old.colors || now.colors_read != old.colors_read ||
        now.half_colors != old.half_colors || now.second_color != old.second_color)
        state_.dirty |= kBlend | kBlendInputs;
    // The offset of the blend colour depends on the shader's uniforms.
    if (blend_summary_.shader_takes_color) state_.dirty |= kBlend;
    if (now.writes_depth != old.writes_depth || now.writes_stencil != old.writes_stencil)
        state_.dirty |= kDepthStencil;
    state_.shape = now;
}

contexts::DirtyBits DrawContext::system_values_change() const {
    if (!state_.program) return 0;
    const MaliProgram& p = *state_.program;
    const bool fragment = p.fragment.present && fragment_part(state_).uniforms.reads_sysvals;
    return (p.position.uniforms.reads_sysvals || p.varying.uniforms.reads_sysvals ? kVertexFau
                                                                                  : contexts::DirtyBits(0)) |
           (fragment ? kFragmentFau : contexts::DirtyBits(0));
}

// --- passes ------------------------------------------------------------------------------------------------

/// Later draws must not be part of a pass whose fragments store.
void DrawContext::memory_barrier() {
    if (pass_.active() && pass_.stores()) end_pass();
    recorder_.memory_barrier();
    state_.dirty |= kPass;  // the next draw waits
}

bool DrawContext::continue_pass(const pipe::RenderPassDesc& desc) {
    if (!StateContext::continue_pass(desc)) return false;
    note_image_changes();
    return true;
}

void DrawContext::begin_pass(const pipe::RenderPassDesc& desc) {
    pass_.begin(desc);
    stream_output_.in_pass = false;
    note_image_changes();
    touch_pass();
}

void DrawContext::note_loss() {
    screen_.device().losses.fetch_add(1, std::memory_order_relaxed);
}

void DrawContext::counting_changes(const contexts::Query&) {
    state_.dirty |= kQuery | kFlags;
}

void DrawContext::note_image_changes() {
    const uint32_t now = screen_.device().image_changes.load(std::memory_order_relaxed);
    if (image_changes_ == now) return;
    image_changes_ = now;
    state_.dirty |= kVertexTables | kFragmentTables;
}

void DrawContext::touch_pass() {
    state_.dirty |=
        kPass | kViewport | kScissor | kDepthStencil | kBlend | kBlendInputs | kFlags | kPrimitive;
    // Earlier passes may have drawn into the textures of this one.
    state_.dirty |= kVertexReads | kFragmentReads | system_values_change();
}

// --- queries -----------------------------------------------------------------------------------------------

contexts::CountLayout SampleQueries::layout(const hw::Chip& chip, pipe::QueryKind kind) {
    return contexts::sample_layout(kind, chip.core_id_range());
}

uint32_t SampleQueries::flags_0(const contexts::OpenQueries& open) {
    if (!open.samples) return 0;
    return word_of(hw::DcdFlags0{.occlusion_query = open.samples->kind == pipe::QueryKind::Samples
                                                        ? hw::OcclusionMode::Counter
                                                        : hw::OcclusionMode::Predicate});
}

void SampleQueries::pack(const contexts::OpenQueries& open, Recorder& recorder) {
    if (!open.samples) return;
    const auto& memory = open.samples->count.memory();
    recorder.hold_always(memory);
    recorder.vertex.set64(hw::IdvsRegisters::occlusion, memory->block.va);
}

}  // namespace terrazzo::mali
