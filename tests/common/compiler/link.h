// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compiles and links GLSL texts, for tests of compilers.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <sstream>
#include <string>

#include "shaders/compile.h"

namespace terrazzo::compiled {

inline constexpr std::string_view kLinkExtensions[] = {"GL_OES_standard_derivatives",
                                                       "GL_EXT_shader_texture_lod",
                                                       "GL_EXT_frag_depth",
                                                       "GL_EXT_draw_buffers",
                                                       "GL_EXT_shader_framebuffer_fetch",
                                                       "GL_EXT_blend_func_extended",
                                                       "GL_EXT_gpu_shader5",
                                                       "GL_OES_shader_image_atomic",
                                                       "GL_EXT_texture_buffer",
                                                       "GL_EXT_texture_query_lod",
                                                       "GL_EXT_clip_cull_distance",
                                                       "GL_OES_sample_variables",
                                                       "GL_OES_shader_multisample_interpolation"};

/// Null on failure; then *log has the reason.
inline std::shared_ptr<const shaders::LinkedProgram> link(const std::string& vs, const std::string& fs,
                                                          std::string* log = nullptr) {
    shaders::CompileOptions options;
    options.max_version = 310;
    options.extensions = kLinkExtensions;
    options.stage = ir::Stage::Vertex;
    const auto v = shaders::compile(vs, options);
    options.stage = ir::Stage::Fragment;
    const auto f = shaders::compile(fs, options);
    if (log) *log = v.log + f.log;
    if (!v.shader || !f.shader) return nullptr;
    const shaders::CompiledShader* stages[] = {v.shader.get(), f.shader.get()};
    auto linked = shaders::link(stages, {});
    if (log) *log += linked.log;
    return linked.program;
}

inline std::shared_ptr<const shaders::LinkedProgram> link_compute(const std::string& text,
                                                                  std::string* log = nullptr) {
    shaders::CompileOptions options;
    options.max_version = 310;
    options.extensions = kLinkExtensions;
    options.stage = ir::Stage::Compute;
    const auto c = shaders::compile(text, options);
    if (log) *log = c.log;
    if (!c.shader) return nullptr;
    const shaders::CompiledShader* stages[] = {c.shader.get()};
    return shaders::link(stages, {}).program;
}

/// Calls f(name, vertex text, fragment text) for each pair of glmark2's shaders (Debian package
/// glmark2-data). False if they are not installed.
template <typename F>
bool for_each_glmark2_pair(const F& f) {
    const std::filesystem::path folder = "/usr/share/glmark2/shaders";
    if (!std::filesystem::exists(folder)) {
        MESSAGE("glmark2-data is not installed");
        return false;
    }
    const auto read = [](const std::filesystem::path& path) {
        std::ifstream in(path);
        std::ostringstream text;
        text << "#ifdef GL_ES\nprecision highp float;\n#endif\n" << in.rdbuf();
        // glmark2 replaces these by numbers before it compiles.
        return std::regex_replace(text.str(), std::regex("\\$[A-Z_]+\\$"), "");
    };
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::filesystem::path fragment = entry.path();
        if (fragment.extension() != ".vert") continue;
        fragment.replace_extension(".frag");
        if (std::filesystem::exists(fragment))
            f(fragment.stem().string(), read(entry.path()), read(fragment));
    }
    return true;
}

}  // namespace terrazzo::compiled
