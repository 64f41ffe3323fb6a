// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The Valhall compiler: compiles a linked shader to machine code, and lists what the driver must provide. It
// is re-entrant and deterministic. A shader with unsupported operations is refused with an error text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drivers/common/backend/target.h"
#include "drivers/mali/compiler/abi.h"
#include "shaders/ir/ir.h"

namespace terrazzo::mali::compiler {

/// IDVS runs the position part of a vertex shader first, and the varying part only for vertices that are
/// needed.
enum class Part : uint8_t { Position, Varying, Fragment, Compute };

struct Statistics {
    uint32_t instructions = 0, blocks = 0, loops = 0, spilled_words = 0;
    uint32_t fma = 0, cvt = 0, sfu = 0, v = 0, t = 0, ls = 0;  // units of isa::cost
    uint32_t alone_clk = 0;                                    // timing.h
};

struct Info {
    uint8_t work_registers = 32;  // 32: r0..r15 and r48..r63; 64: all
    uint64_t preload = 0;         // registers that must hold their value (abi.h) when a thread starts
    std::vector<UniformWord> fau;
    uint32_t attributes = 0;  // bit per location that is read
    uint32_t varyings = 0;    // bit per slot (VaryingSlot::Varying0 + n) that is written or read
    uint32_t textures = 0;    // bit per texture and sampler slot
    uint32_t cube_textures = 0, volume_textures = 0;  // of these, what is not 2D
    uint32_t colors = 0;                              // bit per render target that is written
    uint32_t colors_read = 0;  // bit per render target that is read (Sysval::TargetConversion0 + n)
    uint32_t half_colors = 0;  // of `colors`: what is given as four 16-bit floats, in r0 and r1
    /// Of `colors` and `colors_read`: integers. BLEND and LD_TILE have the register format "auto": that of
    /// the blend descriptor's or the conversion's (I32 or U32, by the target's format) counts.
    uint32_t integer_colors = 0;
    bool second_color = false;          // the second source of target 0's blending is in r4..r7
    bool reads_uniform_buffer = false;  // the default block must be buffer 0 of Table::UniformBuffers
    bool reads_system_block = false;    // the system values must be buffer kSystemBlock there
    bool writes_point_size = false, writes_depth = false, writes_stencil = false, discards = false;
    bool writes_layer = false;      // positions have the form of those with point sizes
    bool writes_coverage = false;   // gl_SampleMask
    bool per_sample = false;        // must run for each sample
    bool uses_derivatives = false;  // needs helper threads
    bool early_tests = false;       // the shader demands early fragment tests
    bool uses_barriers = false;     // at which invocations of a workgroup wait
    uint32_t tls_B = 0;             // memory of a thread of its own (LocalStorage); 0: none
    // Bits of the slots (MemInfo::binding) that are accessed; written_*: stored to, or changed by atomics.
    uint32_t uniform_blocks = 0, storage_buffers = 0, written_buffers = 0, images = 0, written_images = 0;
    [[nodiscard]] bool stores() const { return written_buffers | written_images; }
    uint32_t shared_B = 0;                   // memory of a workgroup
    uint32_t workgroup_size[3] = {1, 1, 1};  // of compute shaders
    Statistics statistics;
};

struct Binary {
    static constexpr size_t kUnit_qw = 16, kLeast_qw = 0;  // of `code`: 128 bytes
    std::vector<uint64_t> code;  // padded with zeroes, 128 B aligned in size; empty: there is nothing to do
    Info info;
    std::string error;  // not empty: refused
};

struct Options {
    /// Mediump and lowp values may be computed as 16-bit floats.
    enum class Halves : uint8_t { Never, WhereBetter, Always };
    Halves halves = Halves::WhereBetter;
    /// Fragments run for each sample, and colours are those of the sample. Shaders that read colours of
    /// multisampled targets need it, and those that call blend shaders for such targets.
    bool per_sample = false;
    /// Inputs are interpolated at the sample, and not at the pixel's centre. Needs `per_sample`.
    bool at_samples = false;
    /// A compute shader of the driver's own: its stores go to the address Sysval::StorageBuffer0, and their
    /// range is not checked.
    bool own = false;
    /// Validates the code after every pass. An error names the pass.
    bool validate = backend::kValidates;
};

/// `s` is a stage of a linked program; it is not changed. Part::Compute is for compute shaders and for the
/// kernels of geometry and tessellation stages.
/// In a compute shader LoadInput loads an attribute of the vertex that its operand names, and of the instance
/// that is the y of the invocation, which InstanceId loads, too (drivers/common/program/capture.h).
[[nodiscard]] Binary compile(const ir::Shader& s, Part part, const Options& options = {});

/// The compiled parts of a vertex shader, which is prepared once. `varying` has no code if the part is empty.
/// `no_point_size` is the position part without the sizes of points; it has no code if the shader writes
/// none.
struct VertexBinaries {
    Binary position, varying, no_point_size;
};
[[nodiscard]] VertexBinaries compile_vertex(const ir::Shader& s, const Options& options = {});

/// Where a blend shader's colour goes.
struct BlendTarget {
    uint32_t render_target = 0;
    /// InternalConversion: memory format of the target, register format F32 (of integers: I32 or U32).
    uint32_t conversion = 0;
    uint8_t channels = 4;       // InternalBlend::num_comps
    bool half_source = false;   // the colour comes as 16-bit floats, in r0 and r1 (Info::half_colors)
    bool multisampled = false;  // it runs for each sample, and writes that sample
};

/// A blend shader, which BLEND calls if fixed function is not enough. `s` is a fragment shader that
///   - loads the source colour by LoadInput of VaryingSlot::Varying0 (components 0-3, F32: r0..r3), and the
///     second colour of dual-source blending by Varying0 + 1 (r4..r7),
///   - loads the destination by LoadSysval of Sysval::LastColor0, for each number of the render target,
///   - stores all four components of the result by StoreOutput of FragSlot::Color0, in no nested region (of
///     integer targets, all of these are I32),
///   - has no textures or discards. LoadUniform loads a word of the fragment shader's uniforms, which are
///     still there (Mesa 25.0.7, panvk_vX_blend.c).
/// The code only changes r0..r15, reads coverage in r60, and returns to the address in r48 (0: the thread
/// ends). The upper half of its address must be that of the fragment shader. Info contains nothing that the
/// driver must provide.
[[nodiscard]] Binary compile_blend(const ir::Shader& s, const BlendTarget& target,
                                   const Options& options = {});

/// Whether the varying part of the vertex shader has any store.
[[nodiscard]] bool has_varying_part(const ir::Shader& s);

}  // namespace terrazzo::mali::compiler
