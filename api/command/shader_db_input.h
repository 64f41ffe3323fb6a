// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The input programs: pairs of files (name.vert with name.frag), compute shaders (name.comp) and piglit's
// .shader_test files.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace terrazzo::command::shader_db {

/// A program to compile. Its name does not depend on the location of the folders.
struct Input {
    /// Lone: the other stage's file is missing.
    enum class Kind : uint8_t { Pair, ShaderTest, Lone, Compute };
    Kind kind = Kind::Pair;
    std::string name;
    std::string file;      // of ShaderTest; of the vertex or compute shader; or the only one
    std::string fragment;  // the fragment shader of a Pair
    bool operator==(const Input&) const = default;
};

/// The programs in files and folders (searched recursively), by name, each once. An argument is a
/// .shader_test, one file of a pair, "A.vert,B.frag", or a folder. False: `why` names the invalid argument.
[[nodiscard]] bool find_inputs(std::span<const std::string> arguments, std::vector<Input>* out,
                               std::string* why);

/// A part of all programs, from 1 of N to N of N. The part of a program depends on its name only.
struct Shard {
    unsigned index = 1, count = 1;
    [[nodiscard]] bool has(std::string_view name) const;
};
/// "2/5". None: the text is not a shard.
[[nodiscard]] std::optional<Shard> parse_shard(std::string_view text);

/// Which shaders are tried although they are not OpenGL ES shaders.
struct LoadOptions {
    bool desktop = false;  // GLSL 1.10 and 1.20, as GLSL ES 1.00
};

/// The texts of a program's shaders, or why there are none.
struct Source {
    std::string vertex, fragment, compute;  // the first two, or the third
    std::string skip;                       // not empty: why the program is skipped
    std::string error;                      // not empty: the files are invalid
    bool may_fail = false;        // errors of the front end are expected: tests of errors, desktop shaders
    std::string may_fail_reason;  // used if may_fail
};
[[nodiscard]] Source load(const Input& input, const LoadOptions& options);

/// load() of a .shader_test's text. The section [require] has the requirements, [vertex shader] and [fragment
/// shader], or [compute shader], are the program. [test] only matters if it tests linking.
[[nodiscard]] Source parse_shader_test(std::string_view text, const LoadOptions& options);
/// load() of a pair's texts: GLSL ES 1.00 unless #version or the comments of piglit's glslparsertest say
/// otherwise. Completes the templates of glmark2.
[[nodiscard]] Source parse_pair(std::string vertex, std::string fragment, const LoadOptions& options);
/// load() of a compute shader's text.
[[nodiscard]] Source parse_compute(std::string compute, const LoadOptions& options);

}  // namespace terrazzo::command::shader_db
