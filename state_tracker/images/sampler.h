// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sampler objects (OpenGL ES 3.0 section 3.8.2): parameters that stand in for a texture's own on a unit.
// Guarded by ShareGroup::mutex.
#pragma once

#include "state_tracker/images/texture.h"

namespace terrazzo::st {

class Sampler : public Object {
  public:
    explicit Sampler(uint32_t n) : Object(n) {}
    SamplerParams params;
    /// Counts changes of `params`. Whoever changes them sets dirty::kTextures, too.
    uint64_t stamp = 1;

    /// What draws need of it, made for `made_stamp` (texture_bind.cpp).
    uint64_t made_stamp = 0;
    pipe::SamplerDesc desc;
    pipe::Ref<pipe::SamplerState> state;
};

enum class ParamResult : uint8_t { Error, Same, Changed };
/// Sets a parameter that textures and samplers have: `i` is the value as an enum, `f` as a number. Error: it is recorded,
/// and nothing has changed. `external`: of a TEXTURE_EXTERNAL_OES texture.
ParamResult set_sampler_param(Context& ctx, const char* command, SamplerParams& p, GLenum pname, GLint i,
                              GLfloat f, bool external);
/// False: not a parameter of samplers; no error is recorded.
[[nodiscard]] bool get_sampler_param(const Context& ctx, SamplerParams& p, GLenum pname, GLfloat* f,
                                     GLint* i);
/// A number given as a float, as an enum or integer; out of range: 0.
[[nodiscard]] GLint param_to_int(GLfloat f);

}  // namespace terrazzo::st
