// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The ir3 compiler (Adreno a6xx): a linked shader in; machine code, and what the driver must set up around
// it, out. Re-entrant; the same shader always gives the same code. A shader that needs what is not here yet is
// refused, with a text that says what. README.md says how each part of Info becomes registers and packets.
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

/// A register as state registers say it (REGID): 4 times its number and the component; kNoRegister: none.
/// Half registers have numbers of their own (hr0.x is 0).
using RegisterId = uint8_t;
inline constexpr RegisterId kNoRegister = isa::reg(63, 0).index;

/// Dwords of constants that a stage may have: the two stages of a draw share 512 registers, and compute has 256. Source: Mesa 25.0.7, ir3_compiler.c
/// (max_const_pipeline, max_const_compute).
inline constexpr uint32_t kMaxConstants_dw = 1024, kFewConstants_dw = 400;
/// Of these, what the parts of ConstLayout take at most. The default block's dwords behind the first ones are read by ldc from uniform buffer kDefaultBlock; numbers
/// that find no room are moved into registers.
inline constexpr uint32_t kMaxUniforms_dw = 640, kMaxParams_dw = 16, kMaxPreamble_dw = 256,
                          kMaxImmediates_dw = 480;
/// Uniform buffer numbers: the shader's blocks by their binding, then the default block.
inline constexpr unsigned kDefaultBlock = ir::kMaxUniformBlocks;
/// IBO numbers: a stage's storage buffers by their binding from Info::first_buffer on, its images from Info::first_image on, which is
/// right behind the last buffer that it uses. The stages of draws share a table: a vertex stage's numbers begin at kVertexIbos.
inline constexpr unsigned kMaxBuffers = 32, kMaxImages = 16, kVertexIbos = kMaxBuffers + kMaxImages;

/// Values that the driver puts into constants, a dword each.
enum class Param : uint8_t {
    BaseVertex,    // what is added to the index of a vertex
    BaseInstance,  // the first instance
    DrawId,
    NumWorkGroupsX,
    NumWorkGroupsY,
    NumWorkGroupsZ,
    NumSamples,        // of a pixel of the render targets
    SamplePositionsX,  // as ir::Sysval::SamplePositions
    SamplePositionsY,
    PatchVertices,  // of a patch that is drawn
    // Addresses in memory of a subdraw's patches, two dwords each: records of vertices, rows of patches, what the tessellator reads.
    PatchRecordsLow,
    PatchRecordsHigh,
    PatchRowsLow,
    PatchRowsHigh,
    TessFactorsLow,
    TessFactorsHigh,
};
inline constexpr Param kLastParam = Param::TessFactorsHigh;

/// The constant file (c0.x on), in dwords: the default block's range, the parameters, what the preamble writes, the
/// constants. Each part begins at a multiple of 4 dwords. Loaded by CP_LOAD_STATE6 (SB6_*_SHADER, ST6_CONSTANTS),
/// but for the preamble's.
struct ConstLayout {
    uint32_t uniforms_dw = 0;  // of the default block, from its beginning; at c0.x
    uint32_t params_at_dw = 0;
    std::vector<Param> params;
    uint32_t immediates_at_dw = 0;
    std::vector<uint32_t> immediates;
    uint32_t vec4s = 0;  // CONSTLEN: how many registers are read
};

/// A vertex attribute.
struct AttributeInput {
    uint8_t location = 0;
    uint8_t mask = 0;              // components that are fetched (VFD_DEST_CNTL WRITEMASK)
    RegisterId reg = kNoRegister;  // of component 0
};

/// What a fragment shader interpolates, in the order of its locations in varying storage.
struct VaryingInput {
    /// What it is: a generic varying, or a value that the VPC makes.
    enum class Kind : uint8_t { Varying, PointCoord, PrimitiveId, Layer, Viewport };
    Kind kind = Kind::Varying;
    uint8_t slot = 0;   // ir::VaryingSlot
    uint8_t inloc = 0;  // of component 0, in dwords; bary.f and flat.b read inloc + component
    uint8_t mask = 0;   // components that are read
    uint8_t count = 0;  // locations it takes: the last component that is read, plus 1
    bool flat = false;
    bool no_perspective = false;
};

/// A 2D texture that hardware samples before a fragment shader begins (SP_FS_PREFETCH_CMD): texture and sampler of one
/// number, at the varying's two components from `inloc` on. Where there are any, SystemValues::ij_pixel is r0.x.
struct TexturePrefetch {
    uint8_t inloc = 0;
    uint8_t texture = 0;
    uint8_t mask = 0;              // components that are written
    RegisterId reg = kNoRegister;  // of component 0
    bool half = false;             // half registers
};
inline constexpr size_t kMaxPrefetches = 4;

/// What a vertex shader leaves for the VPC, or a fragment shader for the render targets.
struct Output {
    uint8_t slot = 0;              // ir::VaryingSlot or ir::FragSlot
    uint8_t mask = 0;              // components that are written
    RegisterId reg = kNoRegister;  // of component 0, also where it is not written
    bool half = false;             // half registers
};

/// Registers with values that hardware makes.
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
    // Of stages before the rasterizer. A wave that goes on with the next stage keeps the first three where they are.
    RegisterId header = kNoRegister;  // who an invocation is: HullHeader, GeometryHeader (lower_stage.h)
    RegisterId relative_patch = kNoRegister;  // in the subdraw
    RegisterId primitive_id = kNoRegister;
    RegisterId tess_coord = kNoRegister;    // two registers
    RegisterId vertex_flags = kNoRegister;  // an output of geometry shaders: bit 2 where a strip begins
};

struct Statistics {
    uint32_t instructions = 0;  // with nops: each repeat of a nop is one, (nopN) are N; without the preamble
    uint32_t preamble = 0;      // the same of the preamble, which runs once a draw
    uint32_t words = 0, nops = 0, blocks = 0, loops = 0;
    uint32_t ss = 0, sy = 0;  // flags
    uint32_t cat[8] = {};     // instructions by category, nops in 0
    uint32_t full_registers = 0, half_registers = 0, spilled_words = 0;
};

struct Info {
    uint8_t full_registers = 0;  // FULLREGFOOTPRINT: registers of four dwords, halves included (MERGEDREGS)
    uint8_t branch_stack = 0;    // nested jumps, at most
    ConstLayout constants;
    std::vector<AttributeInput> attributes;
    std::vector<VaryingInput> varyings;
    uint32_t varying_dw = 0;  // in varying storage
    std::vector<TexturePrefetch> prefetches;
    bool helpers_end = false;  // prefetches alone need helper invocations (SP_FS_PREFETCH_CNTL ENDOFQUAD)
    std::vector<Output> outputs;
    SystemValues system;
    uint32_t textures = 0;  // bit a slot: texture, and sampler of the same number
    /// Those of them that texelFetch reads, and so always with sRGB decoded. Slots that are both fetched and sampled have a second texture descriptor for
    /// that, texture fetched_number(slot), and a bit in fetched_apart.
    uint32_t fetched = 0, fetched_apart = 0;
    /// Bit a render target whose colour is read (ir::Sysval::LastColor0 + n): as texture color_number(n), of the pixels and samples that the pass has.
    uint32_t colors_read = 0;
    uint32_t uniform_blocks = 0, buffers = 0, images = 0;  // bit a slot
    uint32_t written_buffers = 0, written_images = 0;      // those of them that are stored to
    uint8_t first_buffer = 0, first_image = 0;             // IBO numbers
    bool reads_default_block = false;  // the default block must be uniform buffer kDefaultBlock
    bool discards = false, needs_helpers = false, writes_depth = false, writes_stencil = false,
         writes_sample_mask = false, writes_point_size = false, per_sample = false;
    bool early_tests = false;  // layout(early_fragment_tests)
    bool writes_memory = false, has_barrier = false;
    uint32_t private_B = 0;  // memory of an invocation of its own (PVT_MEM), a multiple of 16
    uint32_t shared_B = 0;   // of a workgroup
    uint32_t workgroup_size[3] = {1, 1, 1};
    Statistics statistics;

    /// Texture descriptors: behind those of slots come the ones of `fetched_apart`, then of `colors_read`.
    [[nodiscard]] uint32_t texture_count() const {
        return uint32_t(std::bit_width(textures) + std::popcount(fetched_apart) + std::popcount(colors_read));
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
    std::vector<uint64_t> code;  // padded to a multiple of 128 bytes (INSTRLEN's unit) with nops
    Info info;
    std::string error;  // not empty: refused
};

enum class Variant : uint8_t {
    Draw,
    Binning,  // a vertex shader's outputs that say where primitives are, alone
};
/// Outputs (ir::VaryingSlot) of binning variants.
constexpr bool says_where(uint8_t slot) {
    return slot < uint8_t(ir::VaryingSlot::PrimitiveId);
}

/// Which stage goes on in the waves of a vertex or an evaluation shader: its vertices' outputs lie in local memory for it.
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
    /// Of a control shader: the domain that its levels are of, which is the evaluation shader's StageRecords::in.
    ir::Shape domain = ir::Shape::None;
    /// Generation::tess_use_shared: waves of vertex shaders are not those of control shaders.
    bool tess_use_shared = false;
    /// Of registers of constants that all stages of a program have, this one's, at most: kMaxConstants_dw, or kFewConstants_dw where there are more than two stages.
    uint32_t max_constants_dw = kMaxConstants_dw;
    /// Constants of the same stage's code without `variant`, `sample_shading` or `advanced_blend`. Uniforms and parameters stand in the same places, so that both
    /// can be given the same ones.
    const ConstLayout* draw_constants = nullptr;
    /// Of fragment shaders: each sample of a pixel is shaded, though the shader does not ask for it. Inputs are taken at samples, and nothing is prefetched. `draw_constants`
    /// may be those of the code without.
    bool sample_shading = false;
    /// Of fragment shaders: the first colour is blended in the shader, for each sample; None: it is not. `draw_constants` as above.
    blend::AdvancedDesc advanced_blend;
    bool halves = true;    // mediump floats may be computed in half registers
    bool preamble = true;  // what is the same for a whole draw is computed once
    bool zero_shared =
        false;  // of compute shaders: shared memory that is read begins as zeros, as drivers want it
    /// The code is validated after every pass; what is wrong is an error that names the pass.
    bool validate = backend::kValidates;
    /// Registers of an invocation, in dwords, at most: for tests of spilling. 192 are there.
    unsigned max_registers = 192;
    /// Generation::registers_vec4 of the chip. All waves of a workgroup that waits at barriers must run at a time, and share them.
    unsigned register_file_vec4 = 96;
};

/// `s` is a stage of a linked program; it is not changed. Geometry and tessellation stages, which are kernels in the IR, become hardware's stages
/// (lower_stage.h).
[[nodiscard]] Binary compile(const ir::Shader& s, const Options& options = {});

}  // namespace terrazzo::adreno::compiler
