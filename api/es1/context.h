// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context of OpenGL ES 1.1: fixed-function state above a context of the state tracker, for which it makes
// shaders. It sets that context's attributes, uniforms and current program; all else is the state tracker's
// own state. Commands are es1::Name(Context&, ...), declared in the generated es1_commands.h; those of
// commands.txt are the state tracker's.
#pragma once

#include <memory>
#include <string>

#include "api/es1/state.h"
#include "state_tracker/context.h"

namespace terrazzo::es1 {

class Programs;  // programs.h

/// Vertex attributes of the programs.
namespace attribute {
inline constexpr GLuint kPosition = 0, kNormal = 1, kColor = 2, kPointSize = 3, kTexCoord = 4;  // one a unit
}

/// Uniforms that change together. Each has a stamp; a program whose stamp is another gets the values before a
/// draw.
enum class Group : uint8_t {
    Transform,  // modelview, projection
    TextureMatrix,
    LightModel,
    Material,
    Lights,
    Planes,
    Fog,
    AlphaTest,
    Environment,  // texture environments' colours
    Points,
    Count_
};
inline constexpr unsigned kGroups = unsigned(Group::Count_);

class Context {
  public:
    /// The version of the state tracker's context for OpenGL ES 1.1: what the device has, but at least 3.0,
    /// whose shading language has flat inputs. Little else of 3.0 is used, so that devices of OpenGL ES 2.0
    /// do: their compilers are of all versions.
    [[nodiscard]] static int version_below(const pipe::Screen& screen);
    /// `gl` outlives it, is of that version, and is used by nobody else. Throws bad_alloc.
    explicit Context(st::Context& gl);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    st::Context& gl;
    FixedState state;
    MatrixStack modelview{kModelviewDepth}, projection{kProjectionDepth};
    std::array<MatrixStack, kUnits> texture_matrices{MatrixStack{kTextureDepth}, MatrixStack{kTextureDepth},
                                                     MatrixStack{kTextureDepth}, MatrixStack{kTextureDepth}};
    std::array<uint64_t, kGroups> stamps;
    void touch(Group g) { ++stamps[size_t(g)]; }
    [[nodiscard]] unsigned active_unit() const { return gl.state.active_texture; }

    const std::unique_ptr<Programs> programs;
    /// Attributes of glDrawTex, which leave the application's alone.
    pipe::Ref<st::VertexArray> rectangle;
    std::string version_string, extension_string;
};

}  // namespace terrazzo::es1
