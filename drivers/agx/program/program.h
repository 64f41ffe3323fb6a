// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A linked program: the shaders' code, which pieces complete for a draw's state, the layout of uniforms, and
// how the vertex program's outputs reach the fragment program.
#pragma once

#include <algorithm>
#include <vector>

#include "drivers/agx/device.h"
#include "drivers/agx/hw/records.h"
#include "drivers/agx/program/pieces.h"
#include "drivers/common/context/bound_state.h"
#include "drivers/common/program/code.h"
#include "drivers/common/program/uniform_runs.h"
#include "pipe/state.h"

namespace terrazzo::agx {

/// The values of the system values, in the order of compiler::Sysval.
struct SysvalValues {
    uint32_t default_block[2] = {};  // address
    uint32_t framebuffer_height_px = 0, samples = 1, workgroups[3] = {}, reserved = 0;
    float clip_z = 0.5f, clip_w = 0.5f;
    struct Buffer {
        uint32_t low = 0, high = 0, size_B = 0, padding = 0;
    };
    Buffer blocks[ir::kMaxUniformBlocks], storage[32];
    uint32_t texture_size[32][4] = {};
};
static_assert(sizeof(SysvalValues) == compiler::kSysvalCount * 4);

/// A compiled shader.
struct ShaderPart {
    compiler::Info info;
    std::vector<isa::Unit> code;
    bool present = false;
    uint32_t uniform_dw = 0;  // of the default block
    programs::UniformLayout uniforms;
    bool reads_default_block = false;  // from memory
    uint32_t blocks = 0;               // uniform blocks whose address it reads: a bit each
    bool reads_slots = false;          // system values of what is bound: blocks, sizes of textures
    [[nodiscard]] uint32_t uniform_words() const { return uint32_t(info.uniforms.size()); }
};

/// A shader with its pieces, in executable memory.
struct LinkedCode {
    programs::DeviceCode code;
    uint32_t registers = 0;  // of 32 bits
    std::string error;       // not empty: a piece could not be compiled
};

class AgxProgram final : public programs::VendorProgram<AgxProgram, Device, ProgramShared> {
  public:
    // --- required by programs::VendorProgram
    static constexpr programs::StageSupport kSupport{};
    [[nodiscard]] std::string build(Device& device, const pipe::ProgramDesc& desc, Shared& shared);

    ShaderPart vertex, fragment;
    /// The code of a stage, complete. Compiles pieces that no program has used yet, but no shader. It lives
    /// as long as the program. Finding existing code takes no lock. Thread: any. Throws std::bad_alloc.
    [[nodiscard]] const LinkedCode& vertex_code(Device& device, Shared& shared, const FetchKey& key) const;
    [[nodiscard]] const LinkedCode& fragment_code(Device& device, Shared& shared, const StoreKeys& key) const;

    /// From the vertex program's outputs to the fragment program.
    hw::VaryingCounts varying_counts;
    bool reads_depth = false;        // gl_FragCoord.z
    Block coefficients;              // a CfHeader and its CfBindings; none: the fragment program reads none
    uint32_t coefficient_count = 0;  // CfBindings

  private:
    [[nodiscard]] std::string build_stage(Device& device, const pipe::ProgramDesc& desc, pipe::Stage stage,
                                          const compiler::Options& options, Shared& shared, ShaderPart* out);
    [[nodiscard]] std::string link_varyings(Device& device);

    mutable programs::Variants<FetchKey, const LinkedCode> vertex_codes_;
    mutable programs::Variants<StoreKeys, const LinkedCode> fragment_codes_;
};

}  // namespace terrazzo::agx
