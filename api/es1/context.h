// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context of OpenGL ES 1.1: fixed-function state, and generated shaders, on a context of the state tracker.
// It sets that context's attributes, uniforms and current program; all other state is the state tracker's.
// Commands are es1::Name(Context&, ...), declared in the generated es1_commands.h; those of commands.txt
// belong to the state tracker.
#pragma once

#include <memory>
#include <string>

#include "api/es1/state.h"
#include "state_tracker/context.h"

namespace terrazzo::es1 {

class Programs;  // programs.h

/// Vertex attributes of the programs.
namespace attribute {
// one per unit
inline constexpr GLuint kPosition = 0, kNormal = 1, kColor = 2, kPointSize = 3, kTexCoord = 4;
}  // namespace attribute

/// Uniforms that change together. Each group has a stamp; a program whose stamp differs gets the values
/// before a draw.
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
    /// The version of the state tracker's context for OpenGL ES 1.1: the device's, but at least 3.0, since
    /// its shading language has flat inputs. Devices of OpenGL ES 2.0 support that, since their compilers
    /// support all versions and other features of 3.0 are hardly used.
    [[nodiscard]] static int version_below(const pipe::Screen& screen);
    /// `gl` must outlive this object, have that version, and have no other user. Throws bad_alloc.
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
    /// Attributes of glDrawTex, which must not change the application's.
    pipe::Ref<st::VertexArray> rectangle;
    std::string version_string, extension_string;
};

}  // namespace terrazzo::es1
