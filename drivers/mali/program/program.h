// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A linked program as the GPU runs it: code, shader program descriptors, and how uniforms are laid out for
// it.
#pragma once

#include <atomic>

#include "drivers/common/context/bound_state.h"
#include "drivers/common/program/code.h"
#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/device.h"
#include "drivers/mali/program/uniforms.h"
#include "pipe/state.h"

namespace terrazzo::shaders {
class ShaderCache;
}

namespace terrazzo::mali {

/// One compiled part.
struct ShaderPart {
    programs::DeviceCode code;
    Block descriptor;  // a ShaderProgram
    compiler::Info info;
    bool present = false;
    bool reads_sysvals = false;
    uint64_t spd_va() const { return descriptor.va; }
    /// 64-bit words of uniforms that the hardware loads.
    uint32_t fau_count() const { return uint32_t(info.fau.size() + 1) / 2; }
    UniformLayout uniforms;
};

/// Fills fau_count() 64-bit words, in order. `uniforms` may be shorter than what the shader reads: the rest
/// is zero.
inline void write_fau(const ShaderPart& part, std::span<const uint32_t> uniforms, const SysvalValues& sysvals,
                      uint32_t* out) {
    write_uniforms(part.uniforms, uniforms, sysvals, out);
}

/// Puts a compiled part where the GPU finds it. False: out of memory (also as std::bad_alloc).
[[nodiscard]] bool upload(Device& device, compiler::Binary&& binary, compiler::Part kind, ShaderPart* out);

/// What tables have of a stage.
struct StageTables {
    uint32_t textures = 0;                            // units that are read: bit a unit
    uint32_t cube_textures = 0, volume_textures = 0;  // of these, what is not 2D
    uint32_t texture_count = 0;                       // the highest unit and one more
    uint32_t uniform_dw = 0;      // of the default block that either part of the stage reads
    bool uniform_buffer = false;  // the block must be in memory, too
    /// Without the block, which changes with each program.
    [[nodiscard]] bool same_tables(const StageTables& o) const {
        return !uniform_buffer && !o.uniform_buffer && textures == o.textures &&
               cube_textures == o.cube_textures && volume_textures == o.volume_textures;
    }
};

class MaliProgram final : public pipe::Program {
  public:
    /// Null: out of memory, or a shader that the compiler refuses (said in `log`, naming the program's
    /// label). `cache`: where code is kept from one run to the next; null: nowhere.
    [[nodiscard]] static pipe::Ref<MaliProgram> create(Device& device, const pipe::ProgramDesc& desc,
                                                       const pipe::Log& log,
                                                       shaders::ShaderCache* cache = nullptr);

    ShaderPart position, varying, fragment;
    /// The position part for primitives that are not points, where `position` writes a point size: the
    /// position FIFO has its basic format then. Not present where `position` serves for all.
    ShaderPart position_no_point_size;
    const ShaderPart& position_part(bool points) const {
        return !points && position_no_point_size.present ? position_no_point_size : position;
    }
    uint32_t attributes = 0;  // locations that either vertex part reads
    contexts::PerStage<StageTables> stages{};
    uint32_t varying_B = 0;  // of a vertex, for the draw's varying_size
    bool writes_point_size = false;
    /// No colour, depth or stencil is written and nothing is discarded: fixed function does for fragments.
    bool fragment_is_empty = false;
    /// The largest thread-local storage of the parts, bytes a thread.
    uint32_t tls_B = 0;
    std::atomic<uint64_t> held_by{0};

  private:
    MaliProgram() = default;
    /// `uniform_dw`: of the stages' default blocks.
    void link(const contexts::PerStage<uint32_t>& uniform_dw);
};

}  // namespace terrazzo::mali
