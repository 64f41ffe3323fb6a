// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Program objects: attaching, linking, using, validating and deleting. Rules: GLES 2.0 sections 2.10.3 to
// 2.10.5. Queries are in program_query.cpp, binaries in program_binary.cpp. The linker runs outside the share
// group's lock.
#include "state_tracker/programs/program.h"

#include <algorithm>
#include <cstring>

#include "state_tracker/context/limits.h"
#include "state_tracker/debug/dump.h"
#include "state_tracker/draws/transform_feedback.h"
#include "state_tracker/programs/build.h"

namespace terrazzo::st {
namespace {

/// Removes one attachment. A shader that is flagged for deletion is destroyed with its last attachment.
void release_attachment(Context& ctx, Shader& s) {
    if (--s.attach_count == 0 && s.delete_pending) {
        s.name_deleted = true;
        ctx.share->programs.remove(s.name);
    }
}

/// Deletes the name and the attachments.
void destroy_program(Context& ctx, Program& p) {
    pipe::Ref<Program> keep(&p);
    p.name_deleted = true;
    for (const pipe::Ref<Shader>& s : p.attached)
        release_attachment(ctx, *s);
    p.attached.clear();
    ctx.share->programs.remove(p.name);
}

/// The linker's inputs, copied from the program under the lock.
struct LinkInput {
    std::vector<LinkStage> stages;  // in the order of kShaderStages
    LinkParameters parameters;
    std::string failure;  // why the program cannot link at all
};

LinkInput gather(const Program& p) {
    LinkInput in;
    in.parameters = {p.attribute_bindings, p.output_bindings, p.captures, p.capture_separate, p.separable};
    const auto attached = [&](GLenum type) {
        const auto it = std::find_if(p.attached.begin(), p.attached.end(),
                                     [&](const auto& s) { return s->type == type; });
        return it == p.attached.end() ? nullptr : it->get();
    };
    const bool compute = attached(GL_COMPUTE_SHADER);
    for (const ShaderStage& stage : kShaderStages) {
        Shader* const s = attached(stage.type);
        if (s && !s->compile_status)
            in.failure += std::string("ERROR: ") + stage.name + " shader " + std::to_string(s->name) +
                          " is attached, but not compiled\n";
        else if (s)
            in.stages.push_back({pipe::Ref(s), s->compiled, s->compiled_source, s->compile_key});
        else if (!compute && !p.separable &&
                 (stage.stage == pipe::Stage::Vertex || stage.stage == pipe::Stage::Fragment))
            in.failure += std::string("ERROR: no ") + stage.name + " shader is attached\n";
    }
    if (in.stages.empty() && in.failure.empty()) in.failure = "ERROR: no shader is attached\n";
    return in;
}

/// Whether a stage that was read from the cache is not a valid shader.
bool is_damaged(const shaders::LinkedProgram& p) {
    return std::any_of(p.stages.begin(), p.stages.end(),
                       [](const shaders::LinkedStage& s) { return s && !s.get(); });
}

}  // namespace

void finish_link(Context& ctx, Program& p, pipe::Ref<Executable> e, std::string log) {
    p.info_log = std::move(log);
    p.link_status = bool(e);
    p.validate_status = false;
    if (!e)
        ctx.message(GL_DEBUG_TYPE_OTHER_KHR, GL_DEBUG_SEVERITY_NOTIFICATION_KHR,
                    "program %u does not link: %.900s", p.name, p.info_log.c_str());
    p.executable = std::move(e);
    // Pipelines draw with the new executable from now on.
    if (p.executable && ctx.pipeline && !ctx.program)
        ctx.dirty |= dirty::kProgram | dirty::kUniforms | dirty::kTextures | dirty::kVertexArray;
    // If the new link failed, a program in use keeps its old executable (section 2.10.3).
    if (p.executable && ctx.program == &p) {
        install_executable(ctx, p.executable);
        ctx.dirty |= dirty::kProgram | dirty::kUniforms | dirty::kTextures | dirty::kVertexArray;
    }
}

bool is_captured(Context& ctx, const Program& p, const char* command) {
    if (!p.capture_count) return false;
    ctx.error(GL_INVALID_OPERATION, command, "transform feedback captures from program %u", p.name);
    return true;
}

const Executable* linked_executable(Context& ctx, GLuint program, const char* command) {
    const Program* const p = find_program(ctx, program, command);
    if (!p) return nullptr;
    if (p->link_status) return p->executable.get();
    ctx.error(GL_INVALID_OPERATION, command, "program %u is not linked", program);
    return nullptr;
}

void set_current_program(Context& ctx, Program* p) {
    std::lock_guard lock(ctx.share->mutex);
    if (p) ++p->use_count;
    Program* const old = std::exchange(ctx.program, p);
    install_executable(ctx, p ? p->executable : nullptr);
    ctx.dirty |= dirty::kProgram | dirty::kUniforms | dirty::kTextures | dirty::kVertexArray;
    if (old) release_program(ctx, *old);
}

void release_program(Context& ctx, Program& p) {
    if (--p.use_count == 0 && p.delete_pending) destroy_program(ctx, p);
}

GLuint CreateProgram(Context& ctx) {
    std::lock_guard lock(ctx.share->mutex);
    auto& table = ctx.share->programs;
    GLuint name = table.reserve();
    try {
        table.set(name, pipe::Ref<Program>::adopt(new Program(name)));
    } catch (const std::bad_alloc&) {
        table.remove(name);
        throw;
    }
    return name;
}

void DeleteProgram(Context& ctx, GLuint program) {
    if (!program) return;
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, "glDeleteProgram");
    if (!p) return;
    p->delete_pending = true;
    if (!p->use_count) destroy_program(ctx, *p);
}

GLboolean IsProgram(Context& ctx, GLuint program) {
    std::lock_guard lock(ctx.share->mutex);
    ProgramObject* o = ctx.share->programs.find(program);
    return o && !o->is_shader;
}

void AttachShader(Context& ctx, GLuint program, GLuint shader) {
    const char* const command = "glAttachShader";
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, command);
    Shader* s = p ? find_shader(ctx, shader, command) : nullptr;
    if (!s) return;
    for (const pipe::Ref<Shader>& a : p->attached) {
        if (a.get() == s)
            return ctx.error(GL_INVALID_OPERATION, command, "shader %u is attached to program %u already",
                             shader, program);
        if (a->type == s->type)
            return ctx.error(GL_INVALID_OPERATION, command,
                             "program %u has a shader of that type already: %u", program, a->name);
    }
    p->attached.emplace_back(s);
    ++s->attach_count;
}

void DetachShader(Context& ctx, GLuint program, GLuint shader) {
    const char* const command = "glDetachShader";
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, command);
    Shader* s = p ? find_shader(ctx, shader, command) : nullptr;
    if (!s) return;
    auto it =
        std::find_if(p->attached.begin(), p->attached.end(), [&](const auto& a) { return a.get() == s; });
    if (it == p->attached.end())
        return ctx.error(GL_INVALID_OPERATION, command, "shader %u is not attached to program %u", shader,
                         program);
    pipe::Ref<Shader> keep = *it;
    p->attached.erase(it);
    release_attachment(ctx, *keep);
}

void BindAttribLocation(Context& ctx, GLuint program, GLuint index, const GLchar* name) {
    const char* const command = "glBindAttribLocation";
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, command);
    if (!p) return;
    if (index >= GLuint(ctx.limits.max_vertex_attribs))
        return ctx.error(GL_INVALID_VALUE, command, "index %u is not below GL_MAX_VERTEX_ATTRIBS (%d)", index,
                         ctx.limits.max_vertex_attribs);
    if (!name) return;
    if (std::strncmp(name, "gl_", 3) == 0)
        return ctx.error(GL_INVALID_OPERATION, command, "\"%.200s\" begins with gl_", name);
    for (shaders::AttributeBinding& b : p->attribute_bindings)
        if (b.name == name) {
            b.location = index;
            return;
        }
    p->attribute_bindings.push_back({name, index});
}

void LinkProgram(Context& ctx, GLuint program) {
    std::unique_lock lock(ctx.share->mutex);
    pipe::Ref<Program> p(find_program(ctx, program, "glLinkProgram"));
    if (!p || is_captured(ctx, *p, "glLinkProgram")) return;
    LinkInput in = gather(*p);
    if (!in.failure.empty()) return finish_link(ctx, *p, nullptr, std::move(in.failure));
    lock.unlock();
    shaders::LinkResult result = build_program(ctx, in.stages, in.parameters);
    pipe::Ref<Executable> e;
    if (result.program) e = make_executable(ctx, result.program);
    if (result.program && !e && is_damaged(*result.program)) {
        result = build_program(ctx, in.stages, in.parameters, true);
        if (result.program) e = make_executable(ctx, result.program);
    }
    if (result.program && !ctx.config.shader_dump.empty()) dump_program(ctx.config.shader_dump, in.stages);
    if (result.program && !e)
        result.log += "ERROR: the device has no memory for the program, or cannot run it\n";
    lock.lock();
    if (e && in.parameters.separable) {
        e->separable = true;
        e->sources = std::make_shared<LinkSources>(LinkSources{in.stages, in.parameters});
    }
    for (LinkStage& s : in.stages)  // the next link need not compile them again
        if (!s.shader->compiled && s.shader->compile_key == s.key) s.shader->compiled = std::move(s.compiled);
    finish_link(ctx, *p, std::move(e), std::move(result.log));
}

void UseProgram(Context& ctx, GLuint program) {
    const char* const command = "glUseProgram";
    if (is_capturing(ctx))
        return ctx.error(GL_INVALID_OPERATION, command, "transform feedback is active and not paused");
    std::lock_guard lock(ctx.share->mutex);
    Program* p = nullptr;
    if (program) {
        p = find_program(ctx, program, command);
        if (!p) return;
        if (!p->link_status)
            return ctx.error(GL_INVALID_OPERATION, command, "program %u is not linked", program);
    }
    if (p == ctx.program && (!p || p->executable == ctx.executable)) return;
    set_current_program(ctx, p);
}

void ValidateProgram(Context& ctx, GLuint program) {
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, "glValidateProgram");
    if (!p) return;
    std::string log;
    if (!p->link_status)
        log = "ERROR: the program is not linked\n";
    else if (!p->executable->samplers_agree())
        log = "ERROR: samplers of different types use the same texture unit\n";
    p->validate_status = log.empty();
    p->info_log = std::move(log);
}

void ProgramParameteri(Context& ctx, GLuint program, GLenum pname, GLint value) {
    const char* const command = "glProgramParameteri";
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, command);
    if (!p) return;
    const bool separable = pname == GL_PROGRAM_SEPARABLE && has_pipelines(ctx);
    if (pname != GL_PROGRAM_BINARY_RETRIEVABLE_HINT && !separable)
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is no parameter of programs", pname);
    if (value != GL_TRUE && value != GL_FALSE)
        return ctx.error(GL_INVALID_VALUE, command, "value %d is neither GL_TRUE nor GL_FALSE", value);
    // Every program's binary is retrievable, so the value only has to be returned by queries.
    (separable ? p->separable : p->binary_retrievable) = value;
}

}  // namespace terrazzo::st
