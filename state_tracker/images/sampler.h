// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sampler objects (OpenGL ES 3.0 section 3.8.2): parameters that replace a texture's own on a unit. Guarded
// by ShareGroup::mutex.
#pragma once

#include <optional>

#include "state_tracker/images/texture.h"

namespace terrazzo::st {

class Sampler : public Object {
  public:
    explicit Sampler(uint32_t n) : Object(n) {}
    SamplerParams params;
    /// Counts changes of `params`. Code that changes them must also set dirty::kTextures.
    std::atomic<uint64_t> stamp{1};

    /// The sampler's state for draws, valid for `made_stamp` (texture_bind.cpp).
    uint64_t made_stamp = 0;
    pipe::SamplerDesc desc;
    pipe::Ref<pipe::SamplerState> state;
};

/// A parameter's value in all forms of the commands: an enum or integer, a float; for TEXTURE_BORDER_COLOR a
/// colour.
struct ParamValue {
    GLint i = 0;
    GLfloat f = 0;
    std::optional<pipe::BorderColor> border;  // none for commands with one value
};
/// For commands with arrays; `params` is not null. Integers of a border are fixed-point numbers (OpenGL ES
/// 3.2 section 2.2.1). Those of param_value_I are texels of integer formats.
[[nodiscard]] ParamValue param_value(GLenum pname, const GLint* params);
[[nodiscard]] ParamValue param_value(GLenum pname, const GLfloat* params);
[[nodiscard]] ParamValue param_value_I(GLenum pname, const void* params);
/// Converts a float to an enum or integer; 0 if it is out of range.
[[nodiscard]] GLint param_to_int(GLfloat f);
/// Write the result of a query in its type; `params` may be null.
void write_param(const ParamValue& v, GLfloat* params);
void write_param(const ParamValue& v, GLint* params);
void write_param_I(const ParamValue& v, void* params);

enum class ParamResult : uint8_t { Error, Same, Changed };
/// Sets a parameter that textures and samplers share. Error: the error is recorded, and nothing has changed.
/// `external`: the texture's target is TEXTURE_EXTERNAL_OES.
ParamResult set_sampler_param(Context& ctx, const char* command, SamplerParams& p, GLenum pname,
                              const ParamValue& v, bool external);
/// False: samplers have no such parameter; no error is recorded.
[[nodiscard]] bool get_sampler_param(const Context& ctx, SamplerParams& p, GLenum pname, ParamValue* out);

}  // namespace terrazzo::st
