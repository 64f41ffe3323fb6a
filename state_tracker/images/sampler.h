// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sampler objects (OpenGL ES 3.0 section 3.8.2): parameters that stand in for a texture's own on a unit.
// Guarded by ShareGroup::mutex.
#pragma once

#include <optional>

#include "state_tracker/images/texture.h"

namespace terrazzo::st {

class Sampler : public Object {
  public:
    explicit Sampler(uint32_t n) : Object(n) {}
    SamplerParams params;
    /// Counts changes of `params`. Whoever changes them sets dirty::kTextures, too.
    std::atomic<uint64_t> stamp{1};

    /// What draws need of it, made for `made_stamp` (texture_bind.cpp).
    uint64_t made_stamp = 0;
    pipe::SamplerDesc desc;
    pipe::Ref<pipe::SamplerState> state;
};

/// A parameter's value as all commands give it: an enum or integer, a number; of TEXTURE_BORDER_COLOR a colour.
struct ParamValue {
    GLint i = 0;
    GLfloat f = 0;
    std::optional<pipe::BorderColor> border;  // commands of one value give none
};
/// Of commands that take arrays; `params` is not null. A border's integers are fixed-point numbers (OpenGL ES 3.2 section 2.2.1),
/// but those of the commands with I, which are what an integer format's texels are.
[[nodiscard]] ParamValue param_value(GLenum pname, const GLint* params);
[[nodiscard]] ParamValue param_value(GLenum pname, const GLfloat* params);
[[nodiscard]] ParamValue param_value_I(GLenum pname, const void* params);
/// A number given as a float, as an enum or integer; out of range: 0.
[[nodiscard]] GLint param_to_int(GLfloat f);
/// What queries of these kinds write; `params` may be null.
void write_param(const ParamValue& v, GLfloat* params);
void write_param(const ParamValue& v, GLint* params);
void write_param_I(const ParamValue& v, void* params);

enum class ParamResult : uint8_t { Error, Same, Changed };
/// Sets a parameter that textures and samplers have. Error: it is recorded, and nothing has changed. `external`: of a
/// TEXTURE_EXTERNAL_OES texture.
ParamResult set_sampler_param(Context& ctx, const char* command, SamplerParams& p, GLenum pname,
                              const ParamValue& v, bool external);
/// False: not a parameter of samplers; no error is recorded.
[[nodiscard]] bool get_sampler_param(const Context& ctx, SamplerParams& p, GLenum pname, ParamValue* out);

}  // namespace terrazzo::st
