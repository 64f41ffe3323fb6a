// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which programs there are: pairs of files (name.vert with name.frag), compute shaders (name.comp) and piglit's .shader_test
// files.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace terrazzo::command::shader_db {

/// A program to be. Its name does not depend on where the folders lie that the user named.
struct Input {
    /// Lone: the other stage's file is not there.
    enum class Kind : uint8_t { Pair, ShaderTest, Lone, Compute };
    Kind kind = Kind::Pair;
    std::string name;
    std::string file;      // ShaderTest's; the vertex or compute shader's, or whichever is alone
    std::string fragment;  // Pair's fragment shader
    bool operator==(const Input&) const = default;
};

/// The programs in files and folders (which are searched to the bottom), by name, each once. An argument is a
/// .shader_test, one file of a pair, "A.vert,B.frag", or a folder. False: `why` names the argument that is
/// none.
[[nodiscard]] bool find_inputs(std::span<const std::string> arguments, std::vector<Input>* out,
                               std::string* why);

/// A piece of the whole, 1 of 1 to N of N. A program is in the same piece wherever and with whatever it is
/// compiled.
struct Shard {
    unsigned index = 1, count = 1;
    [[nodiscard]] bool has(std::string_view name) const;
};
/// "2/5". Nothing: that is no shard.
[[nodiscard]] std::optional<Shard> parse_shard(std::string_view text);

/// Which shaders that are not of OpenGL ES are tried all the same.
struct LoadOptions {
    bool desktop = false;  // GLSL 1.10 and 1.20, as GLSL ES 1.00
};

/// The text of a program's shaders, or why there is none.
struct Source {
    std::string vertex, fragment, compute;  // the first two, or the last
    std::string skip;                       // not empty: it is not for us, for this reason
    std::string error;                      // not empty: the files are bad
    bool may_fail = false;  // a failure of the front end is none of ours: tests of errors, desktop shaders
    std::string may_fail_reason;  // then
};
[[nodiscard]] Source load(const Input& input, const LoadOptions& options);

/// load() of a .shader_test's text. Of its sections [require] says what must be there, [vertex shader] and
/// [fragment shader] or [compute shader] are the program, [test] matters where it is about linking alone.
[[nodiscard]] Source parse_shader_test(std::string_view text, const LoadOptions& options);
/// load() of a pair's texts: GLSL ES 1.00 unless they say otherwise in #version or in the comments of
/// piglit's glslparsertest. What glmark2 would complete is completed.
[[nodiscard]] Source parse_pair(std::string vertex, std::string fragment, const LoadOptions& options);
/// load() of a compute shader's text.
[[nodiscard]] Source parse_compute(std::string compute, const LoadOptions& options);

}  // namespace terrazzo::command::shader_db
