// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The binning pass. Source: Mesa 25.0.7, fd6_gmem.cc (emit_binning_pass, fd6_emit_tile_init).
#include "drivers/adreno/passes/pass.h"
#include "drivers/adreno/submission/restore.h"

namespace terrazzo::adreno {
namespace {

// The cost of binning (a wait until the GPU is idle, streams that the CP reads) as a number of vertices that
// run without effect.
constexpr uint64_t kFewVertices = 1024;

}  // namespace

/// Without binning each tile runs all vertices, and LRZ hides nothing.
bool Pass::binning_pays() const {
    return writes_lrz_ || draws_.vertices * (plan_.count() - 1) >= kFewVertices;
}

void Pass::write_binning(CsBuilder& cs) {
    const hw::Chip& chip = recorder_.device().chip();
    const hw::RegXy last{.x = desc_.width - 1, .y = desc_.height - 1};
    write_bins(cs, hw::RenderMode::BINNING_PASS);
    write_render_control(cs, true);
    cs.write(hw::GRAS_SC_WINDOW_SCISSOR_TL{}, hw::GRAS_SC_WINDOW_SCISSOR_BR{last},
             hw::GRAS_2D_RESOLVE_CNTL_1{}, hw::GRAS_2D_RESOLVE_CNTL_2{last});
    cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_BIN_VISIBILITY});
    cs.packet(hw::CpSetVisibilityOverride{.enable = true});
    cs.packet(hw::CpSetMode{.mode = 1});
    cs.wait_for_idle();
    cs.write(hw::VFD_MODE_CNTL{.render_mode = hw::RenderMode::BINNING_PASS});
    visibility_.write_setup(cs);
    const auto write_power = [&] {
        cs.write(hw::PC_POWER_CNTL{chip.magic.pc_power_cntl}, hw::VFD_POWER_CNTL{chip.magic.pc_power_cntl});
    };
    write_power();
    cs.event(hw::EventType::UNK_2C);
    cs.write(hw::RB_WINDOW_OFFSET{}, hw::SP_TP_WINDOW_OFFSET{});
    for (size_t i = 0; i < parts_.size(); ++i) {
        write_lrz(cs, i);
        cs.call(parts_[i].draws);
    }
    disable_groups(cs);
    cs.event(hw::EventType::UNK_2D);
    // The streams are written through the UCHE; the CP reads them without it.
    recorder_.sync_caches(cs, {.flush_uche = true, .wait_for_idle = true});
    cs.opcode(hw::Pm4Opcode::CP_WAIT_FOR_ME);
    visibility_.write_end(cs);
    cs.packet(hw::CpSetMode{.mode = 0});
    // Stream output was written in the binning pass.
    cs.write(hw::VPC_SO_DISABLE{.disable = true},
             hw::VFD_MODE_CNTL{.render_mode = hw::RenderMode::RENDERING_PASS});
    write_power();
    cs.packet(hw::CpSkipIb2EnableGlobal{.enable = true});
}

}  // namespace terrazzo::adreno
