// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compiling and linking through the share group's cache. A shader that once compiled is not compiled again
// before a link misses the cache too, which in a second run of a program none does. Call without the share
// group's lock.
#pragma once

#include <span>
#include <string>

#include "state_tracker/programs/program.h"

namespace terrazzo::st {

/// `ok` without `shader`: known to compile, not done yet.
struct CompileOutcome {
    bool ok = false;
    std::shared_ptr<const shaders::CompiledShader> shader;
    std::string log;
    std::string key;  // of text and options
};
[[nodiscard]] CompileOutcome build_shader(Context& ctx, std::string_view source, GLenum type);

/// One stage of a link. `source` is compiled where `compiled` is null and the cache cannot help; `compiled`
/// is set then.
struct LinkStage {
    pipe::Ref<Shader> shader;
    std::shared_ptr<const shaders::CompiledShader> compiled;
    std::string source, key;
};
/// What a program is linked by beside its shaders.
struct LinkParameters {
    std::vector<shaders::AttributeBinding> attributes;  // glBindAttribLocation
    std::vector<shaders::OutputBinding> outputs;        // glBindFragDataLocationIndexedEXT
    std::vector<std::string> captures;                  // glTransformFeedbackVaryings
    bool capture_separate = false;
    bool separable = false;  // GL_PROGRAM_SEPARABLE
    bool pipeline = false;   // the stages are of several programs (programs/pipeline.h)
    bool exact = false;      // ... whose outputs and inputs must match
};
/// What a separable program was linked from, kept for pipelines.
struct LinkSources {
    std::vector<LinkStage> stages;
    LinkParameters parameters;
};
/// What comes out of the cache is whole, but nobody has looked whether its stages are shaders: where that
/// turns out wrong, build `anew`.
[[nodiscard]] shaders::LinkResult build_program(Context& ctx, std::span<LinkStage> stages,
                                                const LinkParameters& parameters, bool anew = false);

/// Gives the program a new executable (null: the link failed) and this context, where it is current. Lock the share group.
void finish_link(Context& ctx, Program& p, pipe::Ref<Executable> e, std::string log);
/// Records an error where an active transform feedback object captures from the program: it must stay as it is.
[[nodiscard]] bool is_captured(Context& ctx, const Program& p, const char* command);

/// A linked program as bytes (program_binary.cpp): shaders::serialize, and of a separable one what pipelines link again.
[[nodiscard]] std::vector<uint8_t> program_binary(const Executable& e);

}  // namespace terrazzo::st
