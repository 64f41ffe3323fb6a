// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shader objects. Rules: GLES 2.0 sections 2.10.1 and 2.10.2, 6.1.8. The compiler runs outside the share
// group's lock.
#include <cstring>

#include "state_tracker/debug/debug.h"
#include "state_tracker/programs/build.h"
#include "state_tracker/programs/program.h"

namespace terrazzo::st {
namespace {

ProgramObject* find_object(Context& ctx, GLuint name, const char* command, bool shader) {
    ProgramObject* o = ctx.share->programs.find(name);
    if (!o)
        ctx.error(GL_INVALID_VALUE, command, "%u is not a %s", name, shader ? "shader" : "program");
    else if (o->is_shader != shader)
        ctx.error(GL_INVALID_OPERATION, command, "%u is a %s, not a %s", name, shader ? "program" : "shader",
                  shader ? "shader" : "program");
    else
        return o;
    return nullptr;
}

}  // namespace

Shader* find_shader(Context& ctx, GLuint name, const char* command) {
    return static_cast<Shader*>(find_object(ctx, name, command, true));
}
Program* find_program(Context& ctx, GLuint name, const char* command) {
    return static_cast<Program*>(find_object(ctx, name, command, false));
}

const ShaderStage* find_stage(const Context& ctx, GLenum type) {
    for (const ShaderStage& s : kShaderStages)
        if (s.type == type && s.version <= ctx.config.version) return &s;
    return nullptr;
}
const ShaderStage& stage_of(GLenum type) {
    const ShaderStage* found = kShaderStages;
    for (const ShaderStage& s : kShaderStages)
        if (s.type == type) found = &s;
    return *found;
}

GLuint CreateShader(Context& ctx, GLenum type) {
    if (!find_stage(ctx, type))
        return ctx.error(GL_INVALID_ENUM, "glCreateShader", "type 0x%04x is no shader type", type), 0;
    std::lock_guard lock(ctx.share->mutex);
    auto& table = ctx.share->programs;
    GLuint name = table.reserve();
    try {
        table.set(name, pipe::Ref<Shader>::adopt(new Shader(name, type)));
    } catch (const std::bad_alloc&) {
        table.remove(name);
        throw;
    }
    return name;
}

void DeleteShader(Context& ctx, GLuint shader) {
    if (!shader) return;
    std::lock_guard lock(ctx.share->mutex);
    Shader* s = find_shader(ctx, shader, "glDeleteShader");
    if (!s) return;
    s->delete_pending = true;
    if (!s->attach_count) ctx.share->programs.remove(shader);
}

GLboolean IsShader(Context& ctx, GLuint shader) {
    std::lock_guard lock(ctx.share->mutex);
    ProgramObject* o = ctx.share->programs.find(shader);
    return o && o->is_shader;
}

void ShaderSource(Context& ctx, GLuint shader, GLsizei count, const GLchar* const* string,
                  const GLint* length) {
    const char* const command = "glShaderSource";
    std::lock_guard lock(ctx.share->mutex);
    Shader* s = find_shader(ctx, shader, command);
    if (!s) return;
    if (count < 0) return ctx.error(GL_INVALID_VALUE, command, "count (%d) is negative", count);
    std::string source;
    for (GLsizei i = 0; string && i < count; ++i) {
        if (!string[i]) continue;
        std::string_view text = length && length[i] >= 0 ? std::string_view(string[i], size_t(length[i]))
                                                         : std::string_view(string[i]);
        // Some programs count the NUL at the end of a string. Other implementations accept that.
        while (!text.empty() && text.back() == '\0')
            text.remove_suffix(1);
        source += text;
    }
    s->source = std::move(source);
    s->has_source = true;
}

void CompileShader(Context& ctx, GLuint shader) {
    std::unique_lock lock(ctx.share->mutex);
    pipe::Ref<Shader> s(find_shader(ctx, shader, "glCompileShader"));
    if (!s) return;
    const std::string source = s->source;
    lock.unlock();
    CompileOutcome result = build_shader(ctx, source, s->type);
    lock.lock();
    s->compile_status = result.ok;
    // The text is needed later if the shader is not compiled yet, if programs are dumped when they link, or
    // for a separable program's binary. The application may change `source` before that.
    const bool needed = !result.shader || !ctx.config.shader_dump.empty() || ctx.config.version >= 31;
    s->compiled_source = result.ok && needed ? source : std::string();
    s->compiled = std::move(result.shader);
    s->compile_key = std::move(result.key);
    s->info_log = std::move(result.log);
    if (!s->compile_status)
        ctx.message(GL_DEBUG_TYPE_OTHER_KHR, GL_DEBUG_SEVERITY_NOTIFICATION_KHR,
                    "shader %u does not compile: %.900s", shader, s->info_log.c_str());
}

void GetShaderiv(Context& ctx, GLuint shader, GLenum pname, GLint* params) {
    const char* const command = "glGetShaderiv";
    std::lock_guard lock(ctx.share->mutex);
    Shader* s = find_shader(ctx, shader, command);
    if (!s) return;
    auto text_length = [](const std::string& t) { return t.empty() ? 0 : GLint(t.size()) + 1; };
    GLint value;
    switch (pname) {
        case GL_SHADER_TYPE:
            value = GLint(s->type);
            break;
        case GL_DELETE_STATUS:
            value = s->delete_pending;
            break;
        case GL_COMPLETION_STATUS_KHR:
            value = GL_TRUE;
            break;
        case GL_COMPILE_STATUS:
            value = s->compile_status;
            break;
        case GL_INFO_LOG_LENGTH:
            value = text_length(s->info_log);
            break;
        case GL_SHADER_SOURCE_LENGTH:
            value = s->has_source ? GLint(s->source.size()) + 1 : 0;
            break;
        default:
            return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a shader", pname);
    }
    if (params) *params = value;
}

void GetShaderInfoLog(Context& ctx, GLuint shader, GLsizei bufSize, GLsizei* length, GLchar* infoLog) {
    const char* const command = "glGetShaderInfoLog";
    std::lock_guard lock(ctx.share->mutex);
    Shader* s = find_shader(ctx, shader, command);
    if (!s) return;
    if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
    copy_string(s->info_log, bufSize, length, infoLog);
}

void GetShaderSource(Context& ctx, GLuint shader, GLsizei bufSize, GLsizei* length, GLchar* source) {
    const char* const command = "glGetShaderSource";
    std::lock_guard lock(ctx.share->mutex);
    Shader* s = find_shader(ctx, shader, command);
    if (!s) return;
    if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
    copy_string(s->source, bufSize, length, source);
}

void GetShaderPrecisionFormat(Context& ctx, GLenum shadertype, GLenum precisiontype, GLint* range,
                              GLint* precision) {
    const char* const command = "glGetShaderPrecisionFormat";
    if (shadertype != GL_VERTEX_SHADER && shadertype != GL_FRAGMENT_SHADER)
        return ctx.error(GL_INVALID_ENUM, command, "0x%04x is no shader type", shadertype);
    const bool half = shadertype == GL_FRAGMENT_SHADER && ctx.screen.caps().half_fragments;
    GLint r[2], p;
    switch (precisiontype) {
        case GL_LOW_FLOAT:
        case GL_MEDIUM_FLOAT:
            r[0] = r[1] = half ? 15 : 127, p = half ? 10 : 23;
            break;
        case GL_HIGH_FLOAT:
            r[0] = r[1] = 127, p = 23;
            break;
        case GL_LOW_INT:
        case GL_MEDIUM_INT:
            r[0] = half ? 15 : 31, r[1] = half ? 14 : 30, p = 0;
            break;
        case GL_HIGH_INT:
            r[0] = 31, r[1] = 30, p = 0;
            break;
        default:
            return ctx.error(GL_INVALID_ENUM, command, "0x%04x is no precision type", precisiontype);
    }
    if (range) std::memcpy(range, r, sizeof r);
    if (precision) *precision = p;
}

// KHR_parallel_shader_compile: compiles and links are complete when their call returns.
void MaxShaderCompilerThreads(Context& ctx, GLuint count) {
    ctx.state.max_shader_compiler_threads = count;
}

void ReleaseShaderCompiler(Context&) {
    // A hint. The compiler keeps nothing between compiles that could be released.
}

void ShaderBinary(Context& ctx, GLsizei count, const GLuint* shaders, GLenum binaryFormat, const void*,
                  GLsizei length) {
    const char* const command = "glShaderBinary";
    if (count < 0 || length < 0)
        return ctx.error(GL_INVALID_VALUE, command, "count (%d) or length (%d) is negative", count, length);
    std::lock_guard lock(ctx.share->mutex);
    for (GLsizei i = 0; shaders && i < count; ++i)
        if (!find_shader(ctx, shaders[i], command)) return;
    ctx.error(GL_INVALID_ENUM, command, "there are no shader binary formats (0x%04x)", binaryFormat);
}

}  // namespace terrazzo::st
