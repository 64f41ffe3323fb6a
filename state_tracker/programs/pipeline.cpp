// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Commands of program pipelines and separable programs (OpenGL ES 3.1 sections 7.3 and 7.4).
#include "state_tracker/programs/pipeline.h"

#include "state_tracker/context/names.h"
#include "state_tracker/debug/debug.h"
#include "state_tracker/draws/transform_feedback.h"

namespace terrazzo::st {
namespace {

/// The pipeline of a name that glGenProgramPipelines returned, created now if the name was only reserved.
/// Null: the error is recorded: `unknown` for a name that was not reserved.
pipe::Ref<Pipeline> find_pipeline(Context& ctx, GLuint name, const char* command,
                                  GLenum unknown = GL_INVALID_OPERATION) {
    if (!name || !ctx.pipelines.reserved(name))
        return ctx.error(unknown, command, "%u is no program pipeline", name), nullptr;
    pipe::Ref<Pipeline> p(ctx.pipelines.find(name));
    if (!p) {
        p = pipe::Ref<Pipeline>::adopt(new Pipeline(name));
        ctx.pipelines.set(name, p);
    }
    return p;
}

/// Marks the state dirty that depends on the bound pipeline.
void pipeline_changed(Context& ctx, const Pipeline& p) {
    if (ctx.pipeline.get() == &p && !ctx.program)
        ctx.dirty |= dirty::kProgram | dirty::kUniforms | dirty::kTextures | dirty::kVertexArray;
}

void set_program(Context& ctx, pipe::Ref<Program>& slot, Program* p) {
    if (p) ++p->use_count;
    const pipe::Ref<Program> old = std::move(slot);
    slot = pipe::Ref(p);
    if (old) release_program(ctx, *old);
}

/// The bits of the stages that the context supports.
GLbitfield stage_bits(const Context& ctx) {
    GLbitfield bits = 0;
    for (const ShaderStage& s : kShaderStages)
        if (s.version <= ctx.config.version) bits |= s.pipe_bit;
    return bits;
}

/// A linked separable program; null: the error is recorded. Lock the share group.
Program* find_separable(Context& ctx, GLuint program, const char* command) {
    Program* const p = find_program(ctx, program, command);
    if (!p) return nullptr;
    if (p->link_status && p->executable->separable) return p;
    ctx.error(GL_INVALID_OPERATION, command, "program %u is not linked as a separable one", program);
    return nullptr;
}

bool feedback_holds(Context& ctx, const Pipeline* p, const char* command) {
    if (!is_capturing(ctx) || ctx.program || ctx.pipeline.get() != p) return false;
    ctx.error(GL_INVALID_OPERATION, command, "transform feedback is active and not paused");
    return true;
}

}  // namespace

void GenProgramPipelines(Context& ctx, GLsizei n, GLuint* pipelines) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenProgramPipelines", "n (%d) is negative", n);
    reserve_names(ctx.pipelines, n, pipelines);
}

void DeleteProgramPipelines(Context& ctx, GLsizei n, const GLuint* pipelines) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteProgramPipelines", "n (%d) is negative", n);
    std::lock_guard lock(ctx.share->mutex);
    for (GLsizei i = 0; pipelines && i < n; ++i) {
        const pipe::Ref<Pipeline> p = ctx.pipelines.remove(pipelines[i]);
        if (!p) continue;
        if (p == ctx.pipeline) {
            pipeline_changed(ctx, *p);
            ctx.pipeline = nullptr;
            if (!ctx.program) install_executable(ctx, nullptr);
        }
        release_pipeline(ctx, *p);
    }
}

void release_pipeline(Context& ctx, Pipeline& p) {
    for (pipe::Ref<Program>& program : p.programs)
        set_program(ctx, program, nullptr);
    set_program(ctx, p.active, nullptr);
}

GLboolean IsProgramPipeline(Context& ctx, GLuint pipeline) {
    return pipeline && ctx.pipelines.find(pipeline);
}

void BindProgramPipeline(Context& ctx, GLuint pipeline) {
    const char* const command = "glBindProgramPipeline";
    if (feedback_holds(ctx, ctx.pipeline.get(), command)) return;
    pipe::Ref<Pipeline> p;
    if (pipeline) {
        p = find_pipeline(ctx, pipeline, command);
        if (!p) return;
    }
    if (p == ctx.pipeline) return;
    std::lock_guard lock(ctx.share->mutex);
    ctx.pipeline = std::move(p);
    if (ctx.program) return;
    install_executable(ctx, nullptr);
    ctx.dirty |= dirty::kProgram | dirty::kUniforms | dirty::kTextures | dirty::kVertexArray;
}

void UseProgramStages(Context& ctx, GLuint pipeline, GLbitfield stages, GLuint program) {
    const char* const command = "glUseProgramStages";
    const GLbitfield all = stage_bits(ctx);
    if (stages != GL_ALL_SHADER_BITS && (stages & ~all))
        return ctx.error(GL_INVALID_VALUE, command, "stages 0x%x are not all the context's (0x%x)", stages,
                         all);
    const pipe::Ref<Pipeline> pipe = find_pipeline(ctx, pipeline, command);
    if (!pipe || feedback_holds(ctx, pipe.get(), command)) return;
    std::lock_guard lock(ctx.share->mutex);
    Program* p = nullptr;
    if (program) {
        p = find_separable(ctx, program, command);
        if (!p) return;
    }
    for (const ShaderStage& s : kShaderStages) {
        if (!(stages & s.pipe_bit)) continue;
        const bool has = p && p->executable->linked->stages[size_t(s.stage)];
        set_program(ctx, pipe->programs[size_t(s.stage)], has ? p : nullptr);
    }
    pipeline_changed(ctx, *pipe);
}

void ActiveShaderProgram(Context& ctx, GLuint pipeline, GLuint program) {
    const char* const command = "glActiveShaderProgram";
    const pipe::Ref<Pipeline> pipe = find_pipeline(ctx, pipeline, command);
    if (!pipe) return;
    std::lock_guard lock(ctx.share->mutex);
    Program* p = nullptr;
    if (program) {
        p = find_program(ctx, program, command);
        if (!p) return;
        if (!p->link_status)
            return ctx.error(GL_INVALID_OPERATION, command, "program %u is not linked", program);
    }
    set_program(ctx, pipe->active, p);
}

GLuint CreateShaderProgramv(Context& ctx, GLenum type, GLsizei count, const GLchar* const* strings) {
    const char* const command = "glCreateShaderProgramv";
    if (!find_stage(ctx, type))
        return ctx.error(GL_INVALID_ENUM, command, "type 0x%04x is no shader type", type), 0;
    if (count < 0) return ctx.error(GL_INVALID_VALUE, command, "count (%d) is negative", count), 0;
    const GLuint shader = CreateShader(ctx, type);
    if (!shader) return 0;
    ShaderSource(ctx, shader, count, strings, nullptr);
    CompileShader(ctx, shader);
    const GLuint program = CreateProgram(ctx);
    std::lock_guard lock(ctx.share->mutex);
    const pipe::Ref<Shader> s(find_shader(ctx, shader, command));
    const pipe::Ref<Program> p(find_program(ctx, program, command));
    if (s && p) {
        p->separable = true;
        if (s->compile_status) {
            AttachShader(ctx, program, shader);
            LinkProgram(ctx, program);
            DetachShader(ctx, program, shader);
        }
        p->info_log = s->info_log + p->info_log;
    }
    DeleteShader(ctx, shader);
    return program;
}

// --- queries

void GetProgramPipelineiv(Context& ctx, GLuint pipeline, GLenum pname, GLint* params) {
    const char* const command = "glGetProgramPipelineiv";
    const pipe::Ref<Pipeline> p = find_pipeline(ctx, pipeline, command);
    if (!p) return;
    const auto name = [](const pipe::Ref<Program>& program) { return program ? GLint(program->name) : 0; };
    GLint value = 0;
    switch (pname) {
        case GL_ACTIVE_PROGRAM:
            value = name(p->active);
            break;
        case GL_VALIDATE_STATUS:
            value = p->validate_status;
            break;
        case GL_INFO_LOG_LENGTH:
            value = p->info_log.empty() ? 0 : GLint(p->info_log.size()) + 1;
            break;
        default: {
            const ShaderStage* const s = find_stage(ctx, pname);
            if (!s) return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a pipeline", pname);
            value = name(p->programs[size_t(s->stage)]);
        }
    }
    if (params) *params = value;
}

void ValidateProgramPipeline(Context& ctx, GLuint pipeline) {
    const pipe::Ref<Pipeline> p = find_pipeline(ctx, pipeline, "glValidateProgramPipeline");
    if (!p) return;
    const std::string why = why_invalid(ctx, *p);
    p->validate_status = why.empty();
    p->info_log = why.empty() ? "" : "ERROR: " + why + "\n";
}

void GetProgramPipelineInfoLog(Context& ctx, GLuint pipeline, GLsizei bufSize, GLsizei* length,
                               GLchar* infoLog) {
    const char* const command = "glGetProgramPipelineInfoLog";
    const pipe::Ref<Pipeline> p = find_pipeline(ctx, pipeline, command, GL_INVALID_VALUE);
    if (!p) return;
    if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
    copy_string(p->info_log, bufSize, length, infoLog);
}

}  // namespace terrazzo::st
