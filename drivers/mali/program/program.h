// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A linked program in the form that the GPU runs: code, shader program descriptors, and the layout of
// uniforms.
#pragma once

#include <algorithm>
#include <bit>

#include "drivers/common/context/bound_state.h"
#include "drivers/common/program/capture.h"
#include "drivers/common/program/code.h"
#include "drivers/common/program/stage_kernels.h"
#include "drivers/common/program/uniform_runs.h"
#include "drivers/common/program/variants.h"
#include "drivers/common/program/vendor_program.h"
#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/device.h"
#include "pipe/state.h"

namespace terrazzo::mali {

/// The values of the system values, in the order of compiler::Sysval.
struct SysvalValues {
    float viewport_scale[3] = {}, viewport_offset[3] = {};
    float framebuffer_height_px = 0;
    uint32_t target_conversion[pipe::kMaxColorTargets] = {};
    uint32_t target_channel[pipe::kMaxColorTargets][4] = {};
    uint32_t samples = 1;
    uint32_t workgroups[3] = {};
    struct StorageBuffer {
        uint32_t low = 0, high = 0, size_B = 0;
    } storage[compiler::kMaxStorageBuffers];
    uint32_t texture_size[compiler::kSizedTextures][4] = {}, image_size[ir::kMaxImages][4] = {};
};
static_assert(sizeof(SysvalValues) == compiler::kSysvalCount * 4);
[[nodiscard]] inline SysvalValues::StorageBuffer buffer_at(uint64_t va, uint64_t size_B) {
    return {uint32_t(va), uint32_t(va >> 32), uint32_t(std::min<uint64_t>(size_B, UINT32_MAX))};
}

/// One compiled part of a program.
struct ShaderPart {
    programs::DeviceCode code;
    Block descriptor;  // a ShaderProgram
    compiler::Info info;
    bool present = false;
    uint64_t spd_va() const { return descriptor.va; }
    /// The number of 64-bit words of uniforms that the hardware loads.
    uint32_t fau_count() const { return uint32_t(info.fau.size() + 1) / 2; }
    programs::UniformLayout uniforms;
    /// Whether it reads system values of slots: addresses and sizes of what is bound.
    bool reads_slots = false;
    /// Whether uniforms packed for one draw are valid for the next.
    [[nodiscard]] bool keeps_uniforms() const { return !uniforms.reads_uniforms() && !reads_slots; }
};

/// Writes fau_count() 64-bit words in order. `uniforms` may be shorter than what the shader reads: the rest
/// reads as zero.
inline void write_fau(const ShaderPart& part, std::span<const uint32_t> uniforms, const SysvalValues& sysvals,
                      uint32_t* out) {
    programs::write_uniforms(part.uniforms, uniforms, &sysvals, out);
}

/// Copies a compiled part to GPU memory. False: out of memory (also thrown as std::bad_alloc).
[[nodiscard]] bool upload(Device& device, compiler::Binary&& binary, compiler::Part kind, ShaderPart* out);

/// The contents of a stage's tables.
struct StageTables {
    uint32_t textures = 0;                              // the units that are read: a bit for each unit
    uint32_t cube_textures = 0, volume_textures = 0;    // the units of cube and 3D textures
    uint32_t texture_count = 0;                         // the highest unit that is read, plus one
    uint32_t uniform_dw = 0;                            // of the default block, read by any part of the stage
    uint32_t blocks = 0;                                // uniform blocks, a bit each
    uint32_t storage_buffers = 0, written_buffers = 0;  // likewise
    uint32_t images = 0, written_images = 0;            // likewise
    bool uniform_buffer = false;                        // the shader reads the block from memory, too
    bool system_block = false;                          // the shader reads system values from memory
    /// `block_dw`: the size of the stage's default block.
    void add(const ShaderPart& part, uint32_t block_dw);
    [[nodiscard]] bool has_storage() const { return storage_buffers | images; }
    [[nodiscard]] bool stores() const { return written_buffers | written_images; }
    /// False for stages with a uniform buffer, which changes with each program, or with storage.
    [[nodiscard]] bool same_tables(const StageTables& o) const {
        return !uniform_buffer && !o.uniform_buffer && !system_block && !o.system_block && !has_storage() &&
               !o.has_storage() && textures == o.textures && cube_textures == o.cube_textures &&
               volume_textures == o.volume_textures && blocks == o.blocks;
    }
    /// The length of Table::UniformBuffers.
    [[nodiscard]] uint32_t uniform_buffer_count() const {
        if (system_block) return compiler::kSystemBlock + 1;
        return blocks ? compiler::kFirstUniformBlock + uint32_t(std::bit_width(blocks)) : uniform_buffer;
    }
};

/// The fragment stage of a program, compiled to run for each sample of a pixel.
struct SampleVariant {
    ShaderPart fragment;
    StageTables tables;
    std::string error;  // not empty: it could not be compiled
};

class MaliProgram final : public programs::VendorProgram<MaliProgram, Device> {
  public:
    // --- required by programs::VendorProgram
    static constexpr programs::StageSupport kSupport{.later_stages = true, .compute = true, .captures = true};
    [[nodiscard]] std::string build(Device& device, const pipe::ProgramDesc& desc, Shared& shared);

    ShaderPart position, varying, fragment;
    ShaderPart compute;  // of compute programs, which have no other part
    ShaderPart capture;  // of vertex stages whose outputs are captured (drivers/common/program/capture.h)
    /// Programs with later stages have these in place of `position` and `varying`, and `drawn`, a program of
    /// a vertex stage that draws records and of their fragment stage.
    std::array<ShaderPart, programs::kKernelCount> kernels;
    programs::StageShape shape;
    pipe::Ref<MaliProgram> drawn;
    /// A variant of the position part without point size, for primitives that are not points: the position
    /// FIFO then has its basic format. Not present if `position` writes no point size.
    ShaderPart position_no_point_size;
    const ShaderPart& position_part(bool points) const {
        return !points && position_no_point_size.present ? position_no_point_size : position;
    }
    /// The fragment stage that runs for each sample; `at_samples`: that of compiler::Options. Compiled on the
    /// first call; it lives as long as the program. Thread: any.
    [[nodiscard]] const SampleVariant& sample_variant(Device& device, Shared& shared, bool at_samples) const;
    uint32_t attributes = 0;                                           // locations that any vertex part reads
    std::array<uint32_t, ir::kMaxStreamBuffers> captured_stride_dw{};  // StreamOutputLayout::stride_dw
    contexts::PerStage<StageTables> stages{};
    uint32_t varying_B = 0;  // bytes of a vertex's varyings: the draw's varying_size
    bool writes_point_size = false;
    bool reads_slots = false;  // any part
    /// The largest thread-local storage of the parts, in bytes per thread.
    uint32_t tls_B = 0;

  private:
    std::shared_ptr<const ir::StoredShader> fragment_ir_;
    mutable programs::Variants<bool, const SampleVariant> sample_variants_;  // by `at_samples`

    /// `uniform_dw`: the sizes of the stages' default blocks.
    void link(const contexts::PerStage<uint32_t>& uniform_dw);
    // Return an empty string, or an error.
    [[nodiscard]] std::string build_kernel(Device& device, const pipe::ProgramDesc& desc, const char* name,
                                           const ir::Shader& kernel, Shared& shared,
                                           const compiler::Options& options, uint32_t* uniform_dw,
                                           ShaderPart* out);
    [[nodiscard]] std::string build_kernels(Device& device, const pipe::ProgramDesc& desc, Shared& shared,
                                            const compiler::Options& options);
    [[nodiscard]] std::string build_capture(Device& device, const pipe::ProgramDesc& desc, Shared& shared,
                                            const compiler::Options& options);
};

}  // namespace terrazzo::mali
