// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The chips, one row each, and the common properties of a generation's chips. chip_rows.inc has the rows and
// their source.
#pragma once

#include <algorithm>
#include <cstdint>

#include "drivers/adreno/hw/enums.h"
#include "drivers/common/tables/chips.h"

namespace terrazzo::adreno::hw {

/// The differences between the generations of a6xx. A quirk is a hardware bug that software works around.
struct Generation {
    uint8_t number = 0;          // 1 to 4
    uint8_t registers_vec4 = 0;  // registers per fiber in the register file, which the waves share
    uint16_t instr_cache_128B =
        0;  // the longest shader that may be loaded at once, in units of 128 bytes; more can hang
    bool has_8bpp_ubwc = false;
    bool has_z24uint_s8uint = false;  // UBWC of depth with stencil that can be sampled, also multisampled
    bool has_cp_reg_write = false;    // registers that the firmware tracks must be written by CP_REG_WRITE
    bool has_lrz_fast_clear = false;
    bool has_lrz_feedback = false;
    bool tess_use_shared = false;
    bool has_scalar_alu = false, has_early_preamble = false;
    bool indirect_draw_wfm_quirk = false;  // CP_WAIT_FOR_ME before CP_DRAW_INDIRECT_MULTI
    bool has_lpac = false;                 // a second queue for compute, with some registers of its own
};

/// Values of registers whose meaning is only known to Qualcomm.
struct MagicRegisters {
    uint32_t pc_power_cntl, tpl1_dbg_eco_cntl, gras_dbg_eco_cntl, sp_chicken_bits, uche_client_pf,
        pc_mode_cntl, sp_dbg_eco_cntl, rb_dbg_eco_cntl, rb_dbg_eco_cntl_blit, hlsq_dbg_eco_cntl,
        rb_unknown_8e01, vpc_dbg_eco_cntl, uche_unknown_0e12;
};

struct Chip {
    const char* name;            // the name in TERRAZZO_DEVICE: "adreno-630"
    const char* marketing_name;  // "Adreno 630"
    uint32_t gpu_id;             // 630
    uint32_t chip_id;            // core, major, minor, patch: 0x06030001
    const Generation& generation;
    uint32_t gmem_size_B;
    unsigned sp_count;  // the number of shader processors and of CCUs
    unsigned tile_align_w_px, tile_align_h_px;
    unsigned fibers_per_sp;
    unsigned highest_bank_bit;  // of tiled images; the kernel may report another one
    unsigned ubwc_swizzle, macrotile_mode;
    MagicRegisters magic;

    // The same for all chips.
    static constexpr unsigned kVscPipes = 32;
    static constexpr unsigned kMaxTileW_px = 1024, kMaxTileH_px = 1008;
    static constexpr unsigned kGmemAlignW_px = 16, kGmemAlignH_px = 4;
    static constexpr uint32_t kSharedMemory_B = 32 * 1024;
    static constexpr unsigned kWaveGranularity = 2;  // waves that a shader processor starts together
    static constexpr unsigned kThreadsize = 64, kMaxWaves = 16;  // a double wave has 128 fibers
    // Per CCU in sysmem, for color and depth each.
    static constexpr uint32_t kCcuCache_B = 64 * 1024;
    static constexpr CcuCacheSize kGmemCcuColor = CcuCacheSize::CCU_CACHE_SIZE_QUARTER;

    /// By core, major and minor of chip_id (its patch and speed bin are ignored), or the GPU id if chip_id is
    /// 0.
    constexpr bool is(uint32_t id, uint64_t chip) const {
        return chip ? uint32_t(chip) >> 8 == chip_id >> 8 : id == gpu_id;
    }
    /// Where the CCUs' caches are in GMEM. Sysmem: depth first, then colour. GMEM: only colour, at the end;
    /// the memory before it is for tiles.
    constexpr uint32_t sysmem_ccu_color_offset_B() const { return sp_count * kCcuCache_B; }
    constexpr uint32_t gmem_ccu_color_offset_B() const { return gmem_size_B - sp_count * kCcuCache_B / 4; }
};

/// The a630 is first.
extern const tables::Chips<Chip> chips;
inline constexpr tables::FindChip<chips> find_chip;

/// The register file of a shader processor, as the waves of one stage see it: how many fibers run at once
/// depends on the registers that a shader uses. Source: Mesa 25.0.7, ir3_get_reg_dependent_max_waves,
/// ir3_should_double_threadsize.
struct RegisterFile {
    unsigned size_vec4;  // Generation::registers_vec4
    bool doubles;        // fragment and compute shaders run in double waves if the file has room for them

    /// How many fibers run if each uses `used_vec4` registers.
    [[nodiscard]] constexpr unsigned fibers(unsigned used_vec4) const {
        const unsigned width = doubles && 2 * used_vec4 <= size_vec4 ? 2 : 1;
        const unsigned waves =
            used_vec4 ? size_vec4 / (width * used_vec4) * Chip::kWaveGranularity : Chip::kMaxWaves;
        return std::clamp(waves, 1u, Chip::kMaxWaves) * width * Chip::kThreadsize;
    }
    /// The most registers with which all fibers run.
    [[nodiscard]] constexpr unsigned most_for_all_vec4() const {
        return size_vec4 * Chip::kWaveGranularity / Chip::kMaxWaves / (doubles ? 2 : 1);
    }
    /// The most registers with which more fibers run than with `used_vec4` registers. 0: with no number of
    /// registers do more fibers run.
    [[nodiscard]] constexpr unsigned most_for_more_vec4(unsigned used_vec4) const {
        unsigned n = used_vec4;
        while (n && fibers(n) <= fibers(used_vec4))
            n--;
        return n;
    }
};

}  // namespace terrazzo::adreno::hw
