// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compiles a shader and runs it in the IR interpreter, first as the front end generated it, then after the
// linker and the passes. Returns the results.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "shaders/compile.h"

namespace terrazzo::test {

using Words = std::vector<uint32_t>;
using UniformValues = std::map<std::string, Words>;  // by the names of UniformInfo; a Bool is 0 or 1

[[nodiscard]] Words floats(std::initializer_list<float> v);
[[nodiscard]] Words ints(std::initializer_list<int> v);

/// The extensions that tests enable: derivatives, texture LOD, external images, frag_depth.
[[nodiscard]] shaders::CompileOptions options(ir::Stage stage, int version = 100);
[[nodiscard]] shaders::CompileResult compile_fragment(const std::string& source, int version = 100);
[[nodiscard]] shaders::CompileResult compile_vertex(const std::string& source, int version = 100);
[[nodiscard]] shaders::LinkResult link_pair(const std::string& vertex, const std::string& fragment,
                                            int version = 100,
                                            std::span<const shaders::AttributeBinding> attributes = {});

/// Four lanes, one quad. Outputs are [slot][component] of lane 0; -1000 if nothing was stored.
struct Outcome {
    std::string error;  // the log of compiling, linking or validation; empty if it ran
    float out[16][4];
    bool discarded = false;
    [[nodiscard]] std::string text() const;  // slot 0, as "1 2 3 4"
};

/// The environment's values. A texture returns (x + 10 * unit, y, lod or bias or gradient, z), or the
/// reference if there is one; offsets are multiplied by 100. A size is (100 + 10 * unit, 200 + level, 300).
/// An input is 100 * slot + component + lane. The fragment coordinate is (lane % 2 + 0.5, lane / 2 + 0.5,
/// 0.25, 1).
[[nodiscard]] Outcome run_unlinked(const std::string& source, ir::Stage stage, const UniformValues& u,
                                   int version = 100);
[[nodiscard]] Outcome run_linked(const std::string& source, ir::Stage stage, const UniformValues& u,
                                 int version = 100);

/// Runs the statements of a fragment shader before and after the passes, with the uniforms below. Returns
/// gl_FragColor as text, or the error, or both results if they differ.
///   float u1 = 1, u2 = 2, uh = 0.5, un = -3.5; vec4 v = 1..4, w = 5..8; mat2 m2 = 1..4; mat3 m3 = 1..9;
///   mat4 m4 = 1..16; ivec4 iv = (1, -2, 3, 7); int i0..i3; bool t = true, f = false;
///   float arr[4] = 10, 20, 30, 40;
///   struct S { float a; vec2 b; float c[3]; }; S s = 1..6; S ss[2] = 1..6, 11..16;
///   sampler2D tex, texs[2]; samplerCube cube.
[[nodiscard]] std::string run(const std::string& statements, const std::string& globals = "");
/// Likewise in ESSL 3.00. The result is `color`. There are also uvec4 uv = (1, 2, 0x80000000, 0xffffffff) and
///   sampler3D vol, sampler2DArray layers, sampler2DShadow shadow, samplerCubeShadow cube_shadow,
///   sampler2DArrayShadow layers_shadow, isampler2D itex, usampler3D uvol.
[[nodiscard]] std::string run300(const std::string& statements, const std::string& globals = "");

}  // namespace terrazzo::test
