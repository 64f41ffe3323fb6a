// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The ir3 compiler (Adreno a6xx). It compiles a linked shader to machine code and the facts that the driver
// needs to set it up. It is re-entrant and deterministic. It refuses a shader with unsupported features, with
// a text that names the feature. README.md says which registers and packets each part of Info becomes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "drivers/adreno/isa/isa.h"
#include "drivers/common/backend/target.h"
#include "drivers/common/blend/advanced.h"
#include "shaders/ir/ir.h"
#include "shaders/ir/limits.h"

namespace terrazzo::adreno::compiler {

/// A register as state registers encode it (REGID): 4 times its number plus the component; kNoRegister: none.
/// Half registers have their own numbers (hr0.x is 0).
using RegisterId = uint8_t;
inline constexpr RegisterId kNoRegister = isa::reg(63, 0).index;

/// The most dwords of constants of a stage. The two stages of a draw share 512 registers, and compute has
/// 256. Source: Mesa 25.0.7, ir3_compiler.c (max_const_pipeline, max_const_compute).
inline constexpr uint32_t kMaxConstants_dw = 1024, kFewConstants_dw = 400;
/// The most dwords of each part of ConstLayout. ldc reads later dwords of the default block from uniform
/// buffer kDefaultBlock. Immediates that do not fit are moved into registers.
inline constexpr uint32_t kMaxUniforms_dw = 640, kMaxParams_dw = 16, kMaxPreamble_dw = 256,
                          kMaxImmediates_dw = 480;
/// Uniform buffer numbers: the shader's blocks by their binding, then the default block.
inline constexpr unsigned kDefaultBlock = ir::kMaxUniformBlocks;
/// IBO numbers. A stage's storage buffers begin at Info::first_buffer, by their binding; its images begin at
/// Info::first_image, after the last buffer that it uses. The stages of a draw share a table; a vertex
/// stage's numbers begin at kVertexIbos.
inline constexpr unsigned kMaxBuffers = 32, kMaxImages = 16, kVertexIbos = kMaxBuffers + kMaxImages;

/// Values that the driver writes into constants, a dword each.
enum class Param : uint8_t {
    BaseVertex,    // is added to the index of a vertex
    BaseInstance,  // the first instance
    DrawId,
    NumWorkGroupsX,
    NumWorkGroupsY,
    NumWorkGroupsZ,
    NumSamples,        // of a pixel of the render targets
    SamplePositionsX,  // as ir::Sysval::SamplePositions
    SamplePositionsY,
    PatchVertices,  // of a patch that is drawn
    // Addresses of the memory of a subdraw's patches, two dwords each: records of vertices, rows of patches,
    // the tessellator's input.
    PatchRecordsLow,
    PatchRecordsHigh,
    PatchRowsLow,
    PatchRowsHigh,
    TessFactorsLow,
    TessFactorsHigh,
};
inline constexpr Param kLastParam = Param::TessFactorsHigh;

/// The constant file (from c0.x), in dwords: the default block's range, the parameters, the results of the
/// preamble, the immediates. Each part begins at a multiple of 4 dwords. CP_LOAD_STATE6 (SB6_*_SHADER,
/// ST6_CONSTANTS) loads all parts except the preamble's.
struct ConstLayout {
    uint32_t uniforms_dw = 0;  // of the default block, from its beginning; at c0.x
    uint32_t params_at_dw = 0;
    std::vector<Param> params;
    uint32_t immediates_at_dw = 0;
    std::vector<uint32_t> immediates;
    uint32_t vec4s = 0;  // CONSTLEN: the number of registers that are read
};

/// A vertex attribute.
struct AttributeInput {
    uint8_t location = 0;
    uint8_t mask = 0;              // components that are fetched (VFD_DEST_CNTL WRITEMASK)
    RegisterId reg = kNoRegister;  // of component 0
};

/// An interpolated input of a fragment shader. Info::varyings has them in the order of their locations in
/// varying storage.
struct VaryingInput {
    /// The source: a generic varying, or a value that the VPC generates.
    enum class Kind : uint8_t { Varying, PointCoord, PrimitiveId, Layer, Viewport };
    Kind kind = Kind::Varying;
    uint8_t slot = 0;   // ir::VaryingSlot
    uint8_t inloc = 0;  // of component 0, in dwords; bary.f and flat.b read inloc + component
    uint8_t mask = 0;   // components that are read
    uint8_t count = 0;  // number of locations: the last component that is read, plus 1
    bool flat = false;
    bool no_perspective = false;
};

/// A 2D texture that the hardware samples before a fragment shader begins (SP_FS_PREFETCH_CMD). Texture and
/// sampler have the same number; the coordinates are two components of a varying, from `inloc` on. If there
/// are prefetches, SystemValues::ij_pixel is r0.x.
struct TexturePrefetch {
    uint8_t inloc = 0;
    uint8_t texture = 0;
    uint8_t mask = 0;              // components that are written
    RegisterId reg = kNoRegister;  // of component 0
    bool half = false;             // half registers
};
inline constexpr size_t kMaxPrefetches = 4;

/// A value that a vertex shader leaves for the VPC, or a fragment shader for the render targets.
struct Output {
    uint8_t slot = 0;              // ir::VaryingSlot or ir::FragSlot
    uint8_t mask = 0;              // components that are written
    RegisterId reg = kNoRegister;  // of component 0, even if it is not written
    bool half = false;             // half registers
};

/// The registers of values that the hardware provides.
struct SystemValues {
    RegisterId vertex_id = kNoRegister;    // the index of a vertex, base vertex included
    RegisterId instance_id = kNoRegister;  // from 0
    // Barycentric coordinates i and j, in two registers each.
    RegisterId ij_pixel = kNoRegister, ij_centroid = kNoRegister, ij_sample = kNoRegister;
    RegisterId ij_linear_pixel = kNoRegister, ij_linear_centroid = kNoRegister,
               ij_linear_sample = kNoRegister;
    RegisterId coord_xy = kNoRegister;    // two registers: sixteenths of a pixel, integers
    RegisterId coord_zw = kNoRegister;    // two registers: z and 1 / w, floats
    RegisterId front_face = kNoRegister;  // a half register: 0 front, -1 back
    RegisterId sample_id = kNoRegister;   // a half register
    RegisterId sample_mask = kNoRegister;
    RegisterId local_id = kNoRegister;      // three registers
    RegisterId workgroup_id = kNoRegister;  // three shared registers (r48.x on)
    // For stages before the rasterizer. If a wave continues with the next stage, both stages have the first
    // three in the same registers.
    RegisterId header = kNoRegister;          // the numbers of an invocation: HeaderField (passes.h)
    RegisterId relative_patch = kNoRegister;  // in the subdraw
    RegisterId primitive_id = kNoRegister;
    RegisterId tess_coord = kNoRegister;    // two registers
    RegisterId vertex_flags = kNoRegister;  // an output of geometry shaders: bit 2 if a strip begins
};

struct Statistics {
    uint32_t instructions = 0;  // a nop counts with its repeats, (nopN) as N; without the preamble
    uint32_t preamble = 0;      // instructions of the preamble, which runs once per draw
    uint32_t words = 0, nops = 0, blocks = 0, loops = 0;
    uint32_t ss = 0, sy = 0;  // flags
    uint32_t cat[8] = {};     // instructions by category, nops in 0
    uint32_t full_registers = 0, half_registers = 0, spilled_words = 0;
};

struct Info {
    uint8_t full_registers = 0;  // FULLREGFOOTPRINT: registers of four dwords, halves included (MERGEDREGS)
    uint8_t branch_stack = 0;    // the largest depth of nested jumps
    ConstLayout constants;
    std::vector<AttributeInput> attributes;
    std::vector<VaryingInput> varyings;
    uint32_t varying_dw = 0;  // in varying storage
    std::vector<TexturePrefetch> prefetches;
    bool helpers_end = false;  // prefetches alone need helper invocations (SP_FS_PREFETCH_CNTL ENDOFQUAD)
    std::vector<Output> outputs;
    SystemValues system;
    uint32_t textures = 0;  // a bit per slot: texture, and sampler of the same number
    /// The textures that texelFetch reads; it always decodes sRGB. A slot that is both fetched and sampled
    /// has a bit in fetched_apart and a second texture descriptor for fetches, texture fetched_number(slot).
    uint32_t fetched = 0, fetched_apart = 0;
    /// A bit per render target whose colour is read (ir::Sysval::LastColor0 + n), as texture color_number(n),
    /// which has the pass's pixels and samples.
    uint32_t colors_read = 0;
    uint32_t uniform_blocks = 0, buffers = 0, images = 0;  // a bit per slot
    uint32_t written_buffers = 0, written_images = 0;      // those that the shader writes
    uint8_t first_buffer = 0, first_image = 0;             // IBO numbers
    bool reads_default_block = false;  // the default block must be uniform buffer kDefaultBlock
    bool discards = false, needs_helpers = false, writes_depth = false, writes_stencil = false,
         writes_sample_mask = false, writes_point_size = false, per_sample = false;
    bool early_tests = false;  // layout(early_fragment_tests)
    bool writes_memory = false, has_barrier = false;
    uint32_t private_B = 0;  // private memory of an invocation (PVT_MEM), a multiple of 16
    uint32_t shared_B = 0;   // of a workgroup
    uint32_t workgroup_size[3] = {1, 1, 1};
    Statistics statistics;

    /// The number of texture descriptors: slots, then the textures of `fetched_apart`, then those of
    /// `colors_read`.
    [[nodiscard]] uint32_t texture_count() const {
        const auto slots = uint32_t(std::bit_width(textures));
        if (!(fetched_apart | colors_read)) [[likely]]
            return slots;
        return slots + uint32_t(std::popcount(fetched_apart) + std::popcount(colors_read));
    }
    [[nodiscard]] uint32_t color_number(uint32_t target) const {
        const uint32_t before = colors_read & ((1u << target) - 1);
        return uint32_t(std::bit_width(textures) + std::popcount(fetched_apart) + std::popcount(before));
    }
    [[nodiscard]] uint32_t fetched_number(uint32_t slot) const {
        const uint32_t before = fetched_apart & ((1u << slot) - 1);
        return fetched_apart >> slot & 1 ? uint32_t(std::bit_width(textures) + std::popcount(before)) : slot;
    }
};

struct Binary {
    static constexpr size_t kUnit_qw = 16, kLeast_qw = kUnit_qw;  // of `code`: 128 bytes
    std::vector<uint64_t> code;  // padded to a multiple of 128 bytes (INSTRLEN's unit) with nops
    Info info;
    std::string error;  // not empty: the shader was refused
};

enum class Variant : uint8_t {
    Draw,
    Binning,  // a vertex shader with only the outputs that determine the position of primitives
};
/// Whether binning variants have the output (ir::VaryingSlot).
constexpr bool says_where(uint8_t slot) {
    return slot < uint8_t(ir::VaryingSlot::PrimitiveId);
}

/// The stage that runs next in the waves of a vertex or evaluation shader. It reads the outputs of vertices
/// from local memory.
struct NextStage {
    ir::Stage stage =
        ir::Stage::Fragment;  // TessControl, Geometry; Fragment: none, the outputs go to the VPC
    uint64_t slots = 0;       // its StageRecords: slots_in, vertices_in
    uint32_t vertices = 0;
    [[nodiscard]] bool is() const { return stage != ir::Stage::Fragment; }
};

struct Options {
    Variant variant = Variant::Draw;
    NextStage next;
    /// For control shaders: the domain of the tessellation levels, from the evaluation shader's
    /// StageRecords::in.
    ir::Shape domain = ir::Shape::None;
    /// Generation::tess_use_shared: vertex shaders and control shaders run in different waves.
    bool tess_use_shared = false;
    /// The most constants of this stage: kMaxConstants_dw, or kFewConstants_dw if more than two stages of a
    /// program share the registers of constants.
    uint32_t max_constants_dw = kMaxConstants_dw;
    /// The constants of the same stage compiled without `variant`, `sample_shading` or `advanced_blend`.
    /// Uniforms and parameters get the same places, so that both can be loaded from the same data.
    const ConstLayout* draw_constants = nullptr;
    /// For fragment shaders: each sample of a pixel is shaded, even if the shader does not require it. Inputs
    /// are interpolated at samples, and nothing is prefetched. `draw_constants` may be those of the code
    /// without it.
    bool sample_shading = false;
    /// For fragment shaders: the shader blends the first colour, for each sample. None: it does not.
    /// `draw_constants` as above.
    blend::AdvancedDesc advanced_blend;
    bool halves = true;        // mediump floats may be computed in half registers
    bool preamble = true;      // values that are constant in a draw are computed once
    bool zero_shared = false;  // compute shaders: shared memory that is read begins as zeros
    /// Validates the code after every pass. An error names the pass.
    bool validate = backend::kValidates;
    /// The most registers of an invocation, in dwords. The hardware has 192; tests of spilling set fewer.
    unsigned max_registers = 192;
    /// Generation::registers_vec4 of the chip, which the waves share. How many waves run depends on how many
    /// registers the code uses. If a workgroup uses barriers, all its waves must run at the same time.
    unsigned register_file_vec4 = 96;
};

/// `s` is a stage of a linked program; it is not changed. Geometry and tessellation stages, which are kernels
/// in the IR, are lowered to the hardware's stages (passes.h).
[[nodiscard]] Binary compile(const ir::Shader& s, const Options& options = {});

}  // namespace terrazzo::adreno::compiler
