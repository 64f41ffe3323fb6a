// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_compute.cc, ir3_const.h (numbers of workgroups).
#include <algorithm>

#include "drivers/adreno/passes/draw_context.h"

namespace terrazzo::adreno {
namespace {

constexpr unsigned kCounts = 3;

/// The axis of a parameter.
unsigned count_of(compiler::Param p) {
    return unsigned(p) - unsigned(compiler::Param::NumWorkGroupsX);
}

}  // namespace

bool Dispatches::begin(const Segment& restore) {
    CsBuilder& cs = recorder_.main;
    if (serial_ == recorder_.serial() && end_dw_ == cs.size_dw()) {
        recorder_.sync_for_dispatch({});
        return true;
    }
    pass_.write_restore(cs, restore);
    // Passes and copies may have written what the dispatch reads.
    recorder_.sync_for_dispatch({.flush_color = true,
                                 .flush_depth = true,
                                 .resolve = true,
                                 .invalidate_uche = true,
                                 .wait_for_idle = true});
    cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_COMPUTE});
    return false;
}

/// Packs the numbers of workgroups that the shader reads as a stream.
Segment Dispatches::pack_group_counts(const StageCode& code, const pipe::DispatchInfo& info,
                                      uint64_t indirect_va) {
    const compiler::ConstLayout& c = code.info.constants;
    if (c.params.empty()) return {};
    const auto size_dw = uint32_t((c.params.size() + 3) & ~size_t(3));
    if (!info.indirect.resource) {
        ParamValues values;
        std::copy_n(info.groups, kCounts, values.groups);
        return pool_words(recorder_.pool, kLoadState_dw + size_dw,
                          [&](uint32_t* out) { return put_params(out, pipe::Stage::Compute, code, values); });
    }
    // Copies the numbers that the CP reads, in the order of the shader's parameters; constants begin at a
    // multiple of 16 bytes.
    const Pool::Piece copy = recorder_.pool.allocate(size_dw * 4, 64);
    std::fill_n(reinterpret_cast<uint32_t*>(copy.cpu), size_dw, 0u);
    constexpr uint32_t kCopy_dw = 5;  // with one source
    return pool_words(
        recorder_.pool, uint32_t(c.params.size()) * (1 + kCopy_dw) + 1 + 2 + 1 + kLoadState_dw,
        [&](uint32_t* out) {
            for (size_t i = 0; i < c.params.size(); ++i)
                out = put_packet(
                    out,
                    hw::CpMemToMem{.dst = copy.va + i * 4, .src_a = indirect_va + count_of(c.params[i]) * 4},
                    kCopy_dw);
            *out++ = hw::pack_type7(hw::Pm4Opcode::CP_WAIT_MEM_WRITES, 0);
            out = put_packet(out, hw::CpEventWrite{.event = hw::EventType::CACHE_INVALIDATE}, 1);
            *out++ = hw::pack_type7(hw::Pm4Opcode::CP_WAIT_FOR_IDLE, 0);
            return put_load_state(out, pipe::Stage::Compute,
                                  {.dst_off = c.params_at_dw / 4,
                                   .state_type = hw::StateType::ST6_CONSTANTS,
                                   .state_src = hw::StateSrc::SS6_INDIRECT,
                                   .state_block = shader_block(pipe::Stage::Compute),
                                   .num_unit = size_dw / 4,
                                   .address = copy.va});
        });
}

void Dispatches::run(const AdrenoProgram& program, const pipe::DispatchInfo& info, uint64_t indirect_va) {
    CsBuilder& cs = recorder_.main;
    const StageCode& code = program.stage(pipe::Stage::Compute);
    const bool indirect = info.indirect.resource;
    // The CP does not wait for earlier work by itself.
    if (indirect) cs.opcode(hw::Pm4Opcode::CP_WAIT_FOR_ME);
    if (const Segment counts = pack_group_counts(code, info, indirect_va); counts.size_dw)
        cs.call({&counts, 1});
    const uint32_t* const size = code.info.workgroup_size;
    cs.write(hw::HLSQ_CS_NDRANGE_1{size[0] * info.groups[0]}, hw::HLSQ_CS_NDRANGE_2{},
             hw::HLSQ_CS_NDRANGE_3{size[1] * info.groups[1]}, hw::HLSQ_CS_NDRANGE_4{},
             hw::HLSQ_CS_NDRANGE_5{size[2] * info.groups[2]}, hw::HLSQ_CS_NDRANGE_6{});
    if (indirect) {
        cs.packet(hw::CpExecCsIndirect{
            .address = indirect_va, .localsizex = size[0], .localsizey = size[1], .localsizez = size[2]});
    } else {
        cs.packet(hw::CpExecCs{
            .ngroups_x = info.groups[0], .ngroups_y = info.groups[1], .ngroups_z = info.groups[2]});
    }
    recorder_.dispatching = true;
    // Also if its bindings are those of the last dispatch, and were not packed again.
    recorder_.note_stores(code.info.writes_memory);
    serial_ = recorder_.serial();
    end_dw_ = cs.size_dw();
}

void DrawContext::dispatch(const pipe::DispatchInfo& info) {
    if (in_pass_) return log_(pipe::Severity::Error, "adreno: dispatch inside a render pass");
    if (!state_.program || !state_.program->is_compute()) return;
    const bool indirect = info.indirect.resource;
    if (!indirect && !(info.groups[0] && info.groups[1] && info.groups[2])) return;
    if (indirect && info.indirect.offset_B + kCounts * 4 > info.indirect.resource->desc.width) return;
    if (state_.dirty & contexts::kComputeDirty) make_views_plain();
    CsBuilder& cs = recorder_.main;
    const uint64_t indirect_va =
        indirect ? recorder_.read_by_processor(adreno(*info.indirect.resource), info.indirect.offset_B) : 0;
    if (!dispatches_.begin(screen_.restore())) state_.dirty |= kProgram | contexts::kComputeDirty;
    constexpr auto kCompute = pipe::Stage::Compute;
    const auto call = [&](const Segment& s) {
        if (s.size_dw) cs.call({&s, 1});
    };
    if (state_.dirty & kProgram) {
        recorder_.hold(*state_.program);
        call(state_.program->state.segment());
        state_.dirty |= contexts::kComputeDirty;
    }
    if (state_.is_dirty(kCompute, StageGroup::Uniforms)) call(tables_.uniforms(kCompute));
    if (state_.is_dirty(kCompute, StageGroup::Blocks)) call(tables_.blocks(kCompute));
    if (state_.is_dirty(kCompute, StageGroup::Textures)) call(tables_.textures(kCompute));
    if (state_.is_dirty(kCompute, StageGroup::Storage)) call(tables_.storage({&kCompute, 1}));
    state_.dirty &= ~(contexts::kComputeDirty | kProgram);
    dispatches_.run(*state_.program, info, indirect_va);
    tables_.note_stores(state_.program->stage(kCompute).info.writes_memory);
    if (recorder_.is_much() || screen_.device().debug.has(pipe::DebugWord::Flush)) (void)submit();
}

}  // namespace terrazzo::adreno
