// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_emit.cc (fd6_emit_static_regs, fd6_emit_ccu_cntl), captured streams. What most of
// these registers do is not public.
#include "drivers/adreno/submission/restore.h"

namespace terrazzo::adreno {
namespace {

using Words = StateWords<512>;

void write_magic(const hw::MagicRegisters& m, Words* out) {
    out->write(hw::RB_DBG_ECO_CNTL{m.rb_dbg_eco_cntl}, hw::SP_FLOAT_CNTL{.f16_no_inf = true},
               hw::SP_DBG_ECO_CNTL{m.sp_dbg_eco_cntl},
               hw::SP_PERFCTR_ENABLE{.vs = true, .hs = true, .ds = true, .gs = true, .fs = true, .cs = true},
               hw::TPL1_UNKNOWN_B605{0x44}, hw::TPL1_DBG_ECO_CNTL{m.tpl1_dbg_eco_cntl},
               hw::HLSQ_UNKNOWN_BE00{0x80}, hw::HLSQ_UNKNOWN_BE01{}, hw::VPC_DBG_ECO_CNTL{m.vpc_dbg_eco_cntl},
               NumberedRegister{hw::GRAS_DBG_ECO_CNTL::kRegister, m.gras_dbg_eco_cntl},
               hw::HLSQ_DBG_ECO_CNTL{m.hlsq_dbg_eco_cntl}, hw::SP_CHICKEN_BITS{m.sp_chicken_bits},
               hw::SP_IBO_COUNT{}, hw::SP_UNKNOWN_B182{}, hw::HLSQ_SHARED_CONSTS{},
               hw::UCHE_UNKNOWN_0E12{m.uche_unknown_0e12},
               NumberedRegister{hw::UCHE_CLIENT_PF::kRegister, m.uche_client_pf},
               hw::RB_UNKNOWN_8E01{m.rb_unknown_8e01}, hw::SP_UNKNOWN_A9A8{},
               NumberedRegister{hw::PC_MODE_CNTL::kRegister, m.pc_mode_cntl},
               hw::PC_POWER_CNTL{m.pc_power_cntl}, hw::VFD_POWER_CNTL{m.pc_power_cntl});
}

void write_modes(Words* out) {
    constexpr uint8_t kNone = 0xfc;
    out->write(hw::SP_MODE_CONTROL{.constant_demotion_enable = true, .isammode = hw::IsamMode::ISAMMODE_GL},
               hw::VFD_ADD_OFFSET{.vertex = true}, NumberedRegister{hw::RB_UNKNOWN_8811::kRegister, 0x10},
               hw::GRAS_LRZ_PS_INPUT_CNTL{}, hw::GRAS_SAMPLE_CNTL{}, hw::GRAS_UNKNOWN_8110{2},
               hw::RB_UNKNOWN_8818{}, hw::RB_UNKNOWN_8819{}, hw::RB_UNKNOWN_881A{}, hw::RB_UNKNOWN_881B{},
               hw::RB_UNKNOWN_881C{}, hw::RB_UNKNOWN_881D{}, hw::RB_UNKNOWN_881E{}, hw::RB_UNKNOWN_88F0{},
               hw::VPC_POINT_COORD_INVERT{}, hw::VPC_UNKNOWN_9300{}, hw::VPC_SO_DISABLE{.disable = true},
               hw::PC_MULTIVIEW_CNTL{}, hw::SP_UNKNOWN_B183{}, hw::GRAS_SU_CONSERVATIVE_RAS_CNTL{},
               hw::GRAS_VS_LAYER_CNTL{}, hw::GRAS_SC_CNTL{.ccusinglecachelinesize = 2},
               hw::GRAS_UNKNOWN_80AF{}, hw::VPC_UNKNOWN_9210{}, hw::VPC_UNKNOWN_9211{},
               hw::VPC_UNKNOWN_9602{}, hw::PC_UNKNOWN_9E72{},
               NumberedRegister{hw::SP_TP_MODE_CNTL::kRegister, 0xa2},
               hw::HLSQ_CONTROL_5_REG{{.linelengthregid = kNone, .foveationqualityregid = kNone}},
               hw::VFD_MODE_CNTL{}, hw::VFD_MULTIVIEW_CNTL{}, hw::PC_DGEN_SU_CONSERVATIVE_RAS_CNTL{},
               hw::VPC_SO_STREAM_CNTL{}, hw::GRAS_LRZ_CNTL{}, hw::RB_LRZ_CNTL{}, hw::RB_DEPTH_PLANE_CNTL{},
               hw::GRAS_SU_DEPTH_PLANE_CNTL{});
    out->packet(hw::CpSetDrawState{.disable_all_groups = true});
}

void write_ccu(CsBuilder& cs, uint32_t color_offset_B, hw::CcuCacheSize color_size) {
    cs.write_ccu({.color_offset_hi = color_offset_B >> 21,
                  .depth_cache_size = hw::CcuCacheSize::CCU_CACHE_SIZE_FULL,
                  .color_cache_size = color_size,
                  .color_offset = color_offset_B & 0x1fffff});
}

}  // namespace

StaticState make_restore(Device& device, uint64_t border_colors_va) {
    Words words;
    write_magic(device.chip().magic, &words);
    write_modes(&words);
    RegisterRun run(words.at());
    for (unsigned i = 0; i < hw::VFD_FETCH_SIZE::kCount; ++i)
        run.add(Element{i, hw::VFD_FETCH_SIZE{0}});
    words.at() = run.finish();
    words.write(hw::SP_TP_BORDER_COLOR_BASE_ADDR{border_colors_va},
                hw::SP_PS_TP_BORDER_COLOR_BASE_ADDR{border_colors_va});
    // A fragment preamble of another program must not run.
    if (device.chip().generation.has_early_preamble) words.write(hw::SP_FS_CTRL_REG0{});
    return StaticState(device, words.words());
}

void write_sysmem_ccu(CsBuilder& cs, const hw::Chip& chip) {
    write_ccu(cs, chip.sysmem_ccu_color_offset_B(), hw::CcuCacheSize::CCU_CACHE_SIZE_FULL);
}

void write_gmem_ccu(CsBuilder& cs, const hw::Chip& chip) {
    write_ccu(cs, chip.gmem_ccu_color_offset_B(), hw::Chip::kGmemCcuColor);
}

}  // namespace terrazzo::adreno
