// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A program: the code of its stages in memory, and the groups of draw state for it, which are packed when it
// is linked.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>

#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/program/link.h"
#include "drivers/adreno/program/load_state.h"
#include "drivers/adreno/stream/draw_state.h"
#include "drivers/common/program/code.h"
#include "drivers/common/program/variants.h"
#include "drivers/common/program/vendor_program.h"

namespace terrazzo::ir {
class StoredShader;
}

namespace terrazzo::adreno {

// Private memory of shader invocations (SP_xS_PVT_MEM). A fiber is a slot of a shader processor, whatever
// runs there: all programs with the same size share one allocation.

struct PrivateMemory {
    pipe::Ref<Bo> bo;  // null: no memory
    uint32_t fiber_B = 0, processor_B = 0;
    [[nodiscard]] uint64_t va() const { return bo ? bo->va : 0; }
};

class PrivateMemories {
  public:
    /// The most bytes of an invocation.
    static constexpr uint32_t kMost_B = 255 * 512;
    /// Returns memory with `fiber_B` bytes for each invocation, from 1 to kMost_B. `bo` is null: out of
    /// memory. Thread: any.
    [[nodiscard]] PrivateMemory get(Device& device, uint32_t fiber_B);

  private:
    programs::Variants<uint32_t, const PrivateMemory> sizes_;
};

/// The code of a stage in memory.
struct StageCode {
    compiler::Info info;
    uint32_t instrlen = 0;    // for INSTRLEN: in units of 128 bytes
    uint32_t uniform_dw = 0;  // of the default block
    programs::TextureKinds kinds;
    programs::DeviceCode code;
    [[nodiscard]] uint64_t va() const { return code.va(); }
};

/// The outputs of a fragment shader, for blending and targets.
struct FragmentOutputs {
    uint32_t components = 0;  // four bits for each target: the components that the shader writes
    bool second_color = false, writes_depth = false, writes_stencil = false, writes_sample_mask = false;
    bool operator==(const FragmentOutputs&) const = default;
};

/// What a context's packed state depends on in a program: state that was packed for another program stays
/// valid if this is equal.
struct StatePacking {
    struct Stage {
        // from compiler::Info and StageCode
        uint32_t textures = 0, fetched = 0, fetched_apart = 0, colors_read = 0;
        programs::TextureKinds kinds;
        bool has_blocks = false, has_storage = false;
    };
    std::array<Stage, std::size(kDrawStages)> stages;  // indexed by pipe::Stage
    uint32_t attributes = 0;                           // a bit for each location
    FragmentOutputs outputs;
};

/// State that the fragment stage must implement, and that the program's own code does not.
struct FragmentKey {
    bool sample_shading = false;  // each sample of a pixel is shaded
    blend::AdvancedDesc blend;    // the first colour is blended
    bool operator==(const FragmentKey&) const = default;
};

/// The fragment stage compiled for a key, with the same uniforms.
struct FragmentVariant {
    StageCode fragment;
    PrivateMemory private_memory;  // of the variant
    StaticState config, state;     // Group::ProgramConfig, Program
    StatePacking::Stage packing;
    std::string error;  // not empty: it could not be compiled
};

/// Objects that programs share.
struct SharedParts : programs::Shared {
    PrivateMemories memories;
};

class AdrenoProgram final : public programs::VendorProgram<AdrenoProgram, Device, SharedParts> {
  public:
    // --- required by programs::VendorProgram
    static constexpr programs::StageSupport kSupport{.later_stages = true, .compute = true, .captures = true};
    [[nodiscard]] std::string build(Device& device, const pipe::ProgramDesc& desc, Shared& shared);

    std::array<StageCode, pipe::kStageCount> stages;  // indexed by pipe::Stage
    /// The vertex stage of binning passes, which computes only position and point size. Without code,
    /// vertex() is used: it computes nothing else, or it stores to memory, and such programs are not drawn in
    /// binning passes.
    StageCode vertex_binning;
    // Group::ProgramConfig, Program, ProgramBinning, Interpolation. Compute programs only have `state`.
    StaticState config, state, binning, interpolation;
    /// The records between the stages before the rasterizer, if the program has such stages.
    ir::StageRecords hull, domain, geometry;
    StaticState stream_output;  // Group::StreamOut; empty: the program captures nothing
    std::array<uint32_t, pipe::kMaxStreamOutputs>
        captured_stride_dw{};  // of a record; 0: no capture to this buffer
    Distances distances;
    VpcLink link;
    uint8_t clip_mask = 0, cull_mask = 0;  // a bit for each distance that is written
    bool stores = false;                   // a stage of draws writes memory
    bool has_params = false;               // of the vertex stage
    bool has_later_stages = false;         // tessellation or geometry
    StatePacking packing;                  // of draws
    PrivateMemory private_memory;          // of all stages

    /// Compiled on the first call; it lives as long as the program. Thread: any.
    [[nodiscard]] const FragmentVariant& fragment_variant(Device& device, Shared& shared,
                                                          const FragmentKey& key) const;

    [[nodiscard]] const StageCode& stage(pipe::Stage s) const { return stages[size_t(s)]; }
    [[nodiscard]] bool has(pipe::Stage s) const { return stage(s).instrlen != 0; }
    /// The stage whose outputs go to the VPC.
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
    mutable programs::Variants<FragmentKey, const FragmentVariant> variants_;
};

/// How the patches of a subdraw share memory: factors for the tessellator, records of vertices, rows of
/// patches.
struct PatchMemory {
    /// Large enough for a patch with the largest records. Source: Mesa 25.0.7, freedreno_screen.h.
    static constexpr uint32_t kFactors_B = 8 * 1024, kValues_B = 128 * 1024, kSize_B = kFactors_B + kValues_B;
    uint64_t factors_va = 0, records_va = 0, rows_va = 0;
    uint32_t patches = 0;  // the most of a subdraw
};
[[nodiscard]] PatchMemory divide_patch_memory(const AdrenoProgram& p, uint64_t va);

/// The values of compiler::Param.
struct ParamValues {
    uint32_t base_vertex = 0, base_instance = 0, draw_id = 0;
    uint32_t groups[3] = {};  // of a dispatch
    uint32_t samples = 1;
    uint32_t patch_vertices = 0;
    PatchMemory patches;
};
/// The dwords that put_params() writes; 0: the stage has no parameters.
[[nodiscard]] uint32_t params_size_dw(const StageCode& code);
/// Loads a stage's parameters into its constants. Returns the address after the last word.
uint32_t* put_params(uint32_t* out, pipe::Stage stage, const StageCode& code, const ParamValues& values);

/// The dwords that put_uniforms() writes for a stage, with headers; 0: the stage has no uniforms.
[[nodiscard]] uint32_t uniforms_size_dw(const StageCode& code);
/// Group::VertexConstants or FragmentConstants. `uniforms` may be shorter than what the shader reads: the
/// rest reads as zero. `default_block_va`: the whole block in memory, for shaders that read it there. Returns
/// the address after the last word.
uint32_t* put_uniforms(uint32_t* out, pipe::Stage stage, const StageCode& code,
                       std::span<const uint32_t> uniforms, uint64_t default_block_va);

}  // namespace terrazzo::adreno
