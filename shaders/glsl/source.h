// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prepares a shader's text for glslang: expands macros and conditions, refuses texts that would exhaust the
// parser, hides extensions that are not supported, and rewrites a few constructs that ESSL 1.00 allows and
// glslang does not.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::shaders::glsl {

struct Source {
    std::string text;   // for glslang, with the same lines
    std::string error;  // "ERROR: 0:line: ..." or empty
    std::string warning;
    /// `#pragma STDGL invariant(all)`, which glslang skips.
    bool invariant_all = false;
    /// `#extension GL_EXT_draw_buffers : enable` (or require, warn; or GL_NV_draw_buffers), which glslang
    /// does not know.
    bool draw_buffers = false;
    /// Whether the text contains the word `precise`.
    bool says_precise = false;
    /// GL_EXT_texture_shadow_lod is enabled, which glslang does not know, either.
    bool shadow_lod = false;
    /// Declarations of extensions' variables that glslang does not know, to be put before the text. For
    /// glslang, the variables are uniforms named kInstanceId and kLastFragData.
    std::string preamble;
    /// Built-in variables named in `invariant ...;`.
    std::vector<std::string> invariant_builtins;
    /// Outputs of ESSL 3.00 declared `inout`: they are initialised with the colour buffer's value.
    std::vector<std::string> fetched_outputs;
    /// Names that were changed for glslang: (new, original).
    std::vector<std::pair<std::string, std::string>> renamed;

    /// Restores original names in a log or a name.
    void restore(std::string& s) const;
};

/// The names of gl_InstanceIDEXT and gl_LastFragData for glslang.
inline constexpr std::string_view kInstanceId = "TZb_InstanceIDEXT", kLastFragData = "TZb_LastFragData";
/// The names of gl_ClipDistance and gl_CullDistance for glslang (EXT_clip_cull_distance): as members of
/// gl_PerVertex; as variables that the text declares with a size; as variables that the preamble declares,
/// whose size follows from the constant indices.
struct DistanceNames {
    std::string_view name, member, sized, implicit;
};
inline constexpr DistanceNames kDistanceNames[] = {
    {"gl_ClipDistance", "TZb_ClipDistance", "TZs_ClipDistance", "TZi_ClipDistance"},
    {"gl_CullDistance", "TZb_CullDistance", "TZs_CullDistance", "TZi_CullDistance"}};
/// The constants with their limits: GL's name, and the name that prototypes.cpp declares.
inline constexpr std::pair<std::string_view, std::string_view> kDistanceLimits[] = {
    {"gl_MaxClipDistances", "TZb_MaxClipDistances"},
    {"gl_MaxCullDistances", "TZb_MaxCullDistances"},
    {"gl_MaxCombinedClipAndCullDistances", "TZb_MaxCombinedClipAndCullDistances"}};
/// The name of gl_ViewportIndex for glslang: an output of geometry shaders, an input of fragment shaders.
inline constexpr std::string_view kViewportIndex = "TZb_ViewportIndex";
/// The name of gl_MaxViewports for glslang; OES_viewport_array defines its value.
inline constexpr std::string_view kMaxViewportsName = "TZb_MaxViewports";
inline constexpr unsigned kMaxViewports = 16;

[[nodiscard]] Source prepare_source(std::string_view source, std::span<const std::string_view> extensions,
                                    ir::Stage stage);

}  // namespace terrazzo::shaders::glsl
