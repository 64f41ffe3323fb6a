// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What is done to a shader's text before glslang sees it: its macros and conditions are done, texts made
// to exhaust the parser are turned down, extensions that are not ours are hidden from it, and a few things
// that ESSL 1.00 allows are put in words that glslang takes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::shaders::glsl {

struct Source {
    std::string text;   // for glslang: with the same lines
    std::string error;  // "ERROR: 0:line: ..." or empty
    std::string warning;
    /// `#pragma STDGL invariant(all)`, which glslang skips.
    bool invariant_all = false;
    /// `#extension GL_EXT_draw_buffers : enable` (or require, warn; or GL_NV_draw_buffers), which glslang does not know.
    bool draw_buffers = false;
    /// It has the word `precise`.
    bool says_precise = false;
    /// GL_EXT_texture_shadow_lod is enabled, which glslang does not know either.
    bool shadow_lod = false;
    /// Definitions of the extensions' variables that glslang lacks; to stand before the text. The
    /// variables are uniforms to glslang, named kInstanceId and kLastFragData.
    std::string preamble;
    /// Built-in variables named in `invariant ...;`.
    std::vector<std::string> invariant_builtins;
    /// Outputs of ESSL 3.00 declared `inout`: they begin with what the colour buffer holds.
    std::vector<std::string> fetched_outputs;
    /// Names changed for glslang: (changed, original).
    std::vector<std::pair<std::string, std::string>> renamed;

    /// Undoes in a log or in a name what was done to names.
    void restore(std::string& s) const;
};

/// What gl_InstanceIDEXT and gl_LastFragData are called when glslang sees them.
inline constexpr std::string_view kInstanceId = "TZb_InstanceIDEXT", kLastFragData = "TZb_LastFragData";
/// What gl_ClipDistance and gl_CullDistance are called (EXT_clip_cull_distance): as members of gl_PerVertex; as variables that
/// the text declares with a size; as variables that the preamble declares, whose size the constant indices say.
struct DistanceNames {
    std::string_view name, member, sized, implicit;
};
inline constexpr DistanceNames kDistanceNames[] = {
    {"gl_ClipDistance", "TZb_ClipDistance", "TZs_ClipDistance", "TZi_ClipDistance"},
    {"gl_CullDistance", "TZb_CullDistance", "TZs_CullDistance", "TZi_CullDistance"}};
/// And the constants with their limits: name, and what prototypes.cpp declares.
inline constexpr std::pair<std::string_view, std::string_view> kDistanceLimits[] = {
    {"gl_MaxClipDistances", "TZb_MaxClipDistances"},
    {"gl_MaxCullDistances", "TZb_MaxCullDistances"},
    {"gl_MaxCombinedClipAndCullDistances", "TZb_MaxCombinedClipAndCullDistances"}};
/// What gl_ViewportIndex is called: an output of geometry shaders, an input of fragment shaders.
inline constexpr std::string_view kViewportIndex = "TZb_ViewportIndex";
/// And gl_MaxViewports, whose value OES_viewport_array says.
inline constexpr std::string_view kMaxViewportsName = "TZb_MaxViewports";
inline constexpr unsigned kMaxViewports = 16;

[[nodiscard]] Source prepare_source(std::string_view source, std::span<const std::string_view> extensions,
                                    ir::Stage stage);

}  // namespace terrazzo::shaders::glsl
