// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A program: its stages' code in memory, and the groups of draw state that select it, packed when it is linked.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/program/link.h"
#include "drivers/adreno/program/load_state.h"
#include "drivers/adreno/program/private_memory.h"
#include "drivers/adreno/stream/draw_state.h"
#include "drivers/common/program/code.h"
#include "pipe/log.h"
#include "pipe/state.h"

namespace terrazzo::shaders {
class ShaderCache;
}
namespace terrazzo::ir {
class StoredShader;
}

namespace terrazzo::adreno {

/// A stage's code in memory.
struct StageCode {
    compiler::Info info;
    uint32_t instrlen = 0;                            // INSTRLEN: units of 128 bytes
    uint32_t uniform_dw = 0;                          // of the default block
    uint32_t cube_textures = 0, volume_textures = 0;  // bit a slot: what an unbound unit must be
    programs::DeviceCode code;
    [[nodiscard]] uint64_t va() const { return code.va(); }
};

/// What blending and targets must know of a fragment shader.
struct FragmentOutputs {
    uint32_t components = 0;  // four bits a target: which the shader writes
    bool second_color = false, writes_depth = false, writes_stencil = false, writes_sample_mask = false;
    bool operator==(const FragmentOutputs&) const = default;
};

/// What the packing of a context's state depends on: state that is packed for one program need not be packed anew for another one where this is
/// the same.
struct StatePacking {
    struct Stage {
        // compiler::Info and StageCode
        uint32_t textures = 0, fetched = 0, fetched_apart = 0, cube_textures = 0, volume_textures = 0,
                 colors_read = 0;
        bool has_blocks = false, has_storage = false;
    };
    std::array<Stage, std::size(kDrawStages)> stages;  // by pipe::Stage
    uint32_t attributes = 0;                           // bit a location
    FragmentOutputs outputs;
};

/// What the state wants of the fragment stage that its program's own code does not do.
struct FragmentKey {
    bool sample_shading = false;  // each sample of a pixel is shaded
    blend::AdvancedDesc blend;    // the first colour is blended
    bool operator==(const FragmentKey&) const = default;
};

/// A program's fragment stage compiled again for that, with the same uniforms.
struct FragmentVariant {
    FragmentKey key;
    StageCode fragment;
    PrivateMemory private_memory;  // of it
    StaticState config, state;     // Group::ProgramConfig, Program
    StatePacking::Stage packing;
    std::string error;  // not empty: there is none
};

class AdrenoProgram final : public pipe::Program {
  public:
    /// What programs share.
    struct Shared {
        PrivateMemories memories;
        shaders::ShaderCache* cache = nullptr;  // where code is kept from one run to the next; null: nowhere
    };
    /// Null: a stage or feature that is not supported, or out of memory (said in `log`).
    [[nodiscard]] static pipe::Ref<AdrenoProgram> create(Device& device, const pipe::ProgramDesc& desc,
                                                         const pipe::Log& log, Shared& shared);

    std::array<StageCode, pipe::kStageCount> stages;  // by pipe::Stage
    /// The vertex stage of binning passes: position and point size alone. No code: it is vertex(), which makes no more, or whose effects on memory a binning
    /// pass would repeat (such programs are not drawn in one).
    StageCode vertex_binning;
    // Group::ProgramConfig, Program, ProgramBinning, Interpolation; of compute: `state` alone
    StaticState config, state, binning, interpolation;
    /// Records between the stages before the rasterizer, of a program that has these.
    ir::StageRecords hull, domain, geometry;
    StaticState stream_output;  // Group::StreamOut; empty: it captures nothing
    std::array<uint32_t, pipe::kMaxStreamOutputs> captured_stride_dw{};  // of a record; 0: not captured to
    Distances distances;
    VpcLink link;
    uint8_t clip_mask = 0, cull_mask = 0;  // bit a distance that is written
    bool stores = false;                   // some stage of draws writes memory
    bool has_params = false;               // of the vertex stage
    StatePacking packing;                  // of draws
    PrivateMemory private_memory;          // of all stages
    mutable std::atomic<uint64_t> held_by{0};

    /// Compiled when it is first asked for; it lives as long as the program. Thread: any.
    [[nodiscard]] const FragmentVariant& fragment_variant(Device& device, Shared& shared,
                                                          const FragmentKey& key) const;

    [[nodiscard]] const StageCode& stage(pipe::Stage s) const { return stages[size_t(s)]; }
    [[nodiscard]] bool has(pipe::Stage s) const { return stage(s).instrlen != 0; }
    /// The one whose outputs go to the VPC.
    [[nodiscard]] pipe::Stage last_stage() const {
        return has(pipe::Stage::Geometry)   ? pipe::Stage::Geometry
               : has(pipe::Stage::TessEval) ? pipe::Stage::TessEval
                                            : pipe::Stage::Vertex;
    }
    [[nodiscard]] bool tessellates() const { return has(pipe::Stage::TessControl); }
    [[nodiscard]] const StageCode& vertex() const { return stage(pipe::Stage::Vertex); }
    [[nodiscard]] bool is_compute() const { return has(pipe::Stage::Compute); }
    [[nodiscard]] const StageCode& fragment() const { return stage(pipe::Stage::Fragment); }
    [[nodiscard]] const StageCode& binning_stage() const {
        return vertex_binning.va() ? vertex_binning : vertex();
    }

  private:
    std::shared_ptr<const ir::StoredShader> fragment_ir_;
    mutable std::mutex variants_mutex_;
    mutable std::vector<std::unique_ptr<const FragmentVariant>> variants_;
};

/// How a subdraw's patches share memory: what the tessellator reads, records of vertices, rows of patches.
struct PatchMemory {
    /// Enough for a patch of the largest records. Source: Mesa 25.0.7, freedreno_screen.h.
    static constexpr uint32_t kFactors_B = 8 * 1024, kValues_B = 128 * 1024, kSize_B = kFactors_B + kValues_B;
    uint64_t factors_va = 0, records_va = 0, rows_va = 0;
    uint32_t patches = 0;  // of a subdraw, at most
};
[[nodiscard]] PatchMemory divide_patch_memory(const AdrenoProgram& p, uint64_t va);

/// Values of compiler::Param.
struct ParamValues {
    uint32_t base_vertex = 0, base_instance = 0, draw_id = 0;
    uint32_t groups[3] = {};  // of a dispatch
    uint32_t samples = 1;
    uint32_t patch_vertices = 0;
    PatchMemory patches;
};
/// Dwords that put_params() writes; 0: the stage has no parameters.
[[nodiscard]] uint32_t params_size_dw(const StageCode& code);
/// A stage's parameters, into its constants. Behind the last word.
uint32_t* put_params(uint32_t* out, pipe::Stage stage, const StageCode& code, const ParamValues& values);

/// Dwords of constants that put_uniforms() writes of a stage, headers included; 0: the stage has none.
[[nodiscard]] uint32_t uniforms_size_dw(const StageCode& code);
/// Group::VertexConstants or FragmentConstants. `uniforms` may be shorter than what the shader reads: the rest is zero. `default_block_va`: where all
/// of it lies in memory, for shaders that read it there. Behind the last word.
uint32_t* put_uniforms(uint32_t* out, pipe::Stage stage, const StageCode& code,
                       std::span<const uint32_t> uniforms, uint64_t default_block_va);

}  // namespace terrazzo::adreno
