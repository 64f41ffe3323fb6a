// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The stages of a program, and the messages about programs that a driver refuses.
#pragma once

#include <memory>
#include <string>

#include "pipe/state.h"
#include "shaders/ir/ir.h"

namespace terrazzo::programs {

[[nodiscard]] const char* stage_name(pipe::Stage s);
[[nodiscard]] bool has_stage(const pipe::ProgramDesc& desc, pipe::Stage s);

/// The stages that a device supports in addition to the vertex and fragment stages.
struct StageSupport {
    bool later_stages = false;  // tessellation and geometry
    bool compute = false;
    bool captures = false;  // stream output
};
/// Null if the program has all stages that it needs, and only features that the device supports. Otherwise
/// the reason.
[[nodiscard]] const char* refuse_stages(const pipe::ProgramDesc& desc, const StageSupport& support);

/// The stage's IR in a form that may be kept, for variants: a copy, if `desc` has only borrowed IR.
[[nodiscard]] std::shared_ptr<const ir::StoredShader> keep_stage(const pipe::ProgramDesc& desc,
                                                                 pipe::Stage s);

/// The slots of a stage whose textures are cubes or volumes, a bit each.
struct TextureKinds {
    uint32_t cubes = 0, volumes = 0;
    /// The kind of texture that an unbound unit must have.
    [[nodiscard]] pipe::ResourceKind of(uint32_t slot) const {
        return cubes >> slot & 1     ? pipe::ResourceKind::Cube
               : volumes >> slot & 1 ? pipe::ResourceKind::Tex3D
                                     : pipe::ResourceKind::Tex2D;
    }
    bool operator==(const TextureKinds&) const = default;
};
[[nodiscard]] TextureKinds texture_kinds(const ir::Shader& s);

/// An error in a stage of a program.
[[nodiscard]] std::string stage_error(pipe::Stage s, const std::string& why);
/// A log message of the driver that names the program.
[[nodiscard]] std::string message(const char* vendor, const pipe::ProgramDesc& desc, const std::string& text);
/// The title of a stage's printed code. `what`: which of the program's code it is.
[[nodiscard]] std::string code_name(const pipe::ProgramDesc& desc, const std::string& what);

}  // namespace terrazzo::programs
