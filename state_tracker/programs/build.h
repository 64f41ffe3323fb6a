// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compiling and linking through the share group's cache. A shader that compiled once is only compiled again
// when a link misses the cache too. In a second run of a program no link misses it. Call without the share
// group's lock.
#pragma once

#include <span>
#include <string>

#include "state_tracker/programs/program.h"

namespace terrazzo::st {

/// `ok` without `shader`: the cache knows that it compiles; it is not compiled yet.
struct CompileOutcome {
    bool ok = false;
    std::shared_ptr<const shaders::CompiledShader> shader;
    std::string log;
    std::string key;  // of text and options
};
[[nodiscard]] CompileOutcome build_shader(Context& ctx, std::string_view source, GLenum type);

/// One stage of a link. If `compiled` is null and the cache does not have the program, `source` is compiled,
/// and `compiled` is set.
struct LinkStage {
    pipe::Ref<Shader> shader;
    std::shared_ptr<const shaders::CompiledShader> compiled;
    std::string source, key;
};
/// The parameters of a link in addition to the shaders.
struct LinkParameters {
    std::vector<shaders::AttributeBinding> attributes;  // glBindAttribLocation
    std::vector<shaders::OutputBinding> outputs;        // glBindFragDataLocationIndexedEXT
    std::vector<std::string> captures;                  // glTransformFeedbackVaryings
    bool capture_separate = false;
    bool separable = false;  // GL_PROGRAM_SEPARABLE
    bool pipeline = false;   // the stages are of several programs (programs/pipeline.h)
    bool exact = false;      // ... whose outputs and inputs must match
};
/// The sources of a separable program, kept for pipelines.
struct LinkSources {
    std::vector<LinkStage> stages;
    LinkParameters parameters;
};
/// The cache checks its entries for damage only. If a stage of the result turns out not to be a shader, call
/// again with `anew`, which ignores the cache.
[[nodiscard]] shaders::LinkResult build_program(Context& ctx, std::span<LinkStage> stages,
                                                const LinkParameters& parameters, bool anew = false);

/// Installs the program's new executable (null: the link failed), also in this context where the program is
/// current. Lock the share group.
void finish_link(Context& ctx, Program& p, pipe::Ref<Executable> e, std::string log);
/// Records an error if an active transform feedback object captures from the program, which must not change
/// then.
[[nodiscard]] bool is_captured(Context& ctx, const Program& p, const char* command);

/// A linked program as bytes (program_binary.cpp): shaders::serialize, and for a separable program the
/// sources that pipelines link again.
[[nodiscard]] std::vector<uint8_t> program_binary(const Executable& e);

}  // namespace terrazzo::st
