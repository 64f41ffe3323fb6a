// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A linked program as the GPU runs it: code, shader program descriptors, and how uniforms are laid out for
// it.
#pragma once

#include <span>
#include <vector>

#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/device.h"
#include "pipe/state.h"

namespace terrazzo::mali {

/// Values of compiler::Sysval.
struct SysvalValues {
    float viewport_scale[3] = {}, viewport_offset[3] = {};
    float framebuffer_height_px = 0;
};

/// One compiled part.
struct ShaderPart {
    Block code, descriptor;  // executable memory; a ShaderProgram
    compiler::Info info;
    bool present = false;
    uint64_t spd_va() const { return descriptor.va; }
    uint64_t code_va() const { return code.va; }
    /// 64-bit words of uniforms that the hardware loads.
    uint32_t fau_count() const { return uint32_t(info.fau.size() + 1) / 2; }
    bool reads_sysvals = false;
};

/// Fills fau_count() 64-bit words. `uniforms` may be shorter than what the shader reads: the rest is zero.
void write_fau(const ShaderPart& part, std::span<const uint32_t> uniforms, const SysvalValues& sysvals,
               uint32_t* out);

class MaliProgram final : public pipe::Program {
  public:
    /// Null: out of memory, or a shader that the compiler refuses (said in `log`, naming the program's
    /// label).
    [[nodiscard]] static pipe::Ref<MaliProgram> create(Device& device, const pipe::ProgramDesc& desc,
                                                       const pipe::Log& log);

    ShaderPart position, varying, fragment;
    uint32_t attributes = 0;            // locations that either vertex part reads
    uint32_t textures[2] = {};          // units read by vertex [0], fragment [1]: bit a unit
    uint32_t texture_count[2] = {};     // the highest unit and one more
    uint32_t varying_B = 0;             // of a vertex, for the draw's varying_size
    uint32_t uniform_dw[2] = {};        // of the default block that either part of the stage reads
    bool reads_uniform_buffer[2] = {};  // the block must be in memory, too
    bool writes_point_size = false;
    /// The largest thread-local storage of the parts, bytes a thread.
    uint32_t tls_B = 0;
    std::atomic<uint64_t> held_by{0};

  private:
    MaliProgram() = default;
};

}  // namespace terrazzo::mali
