// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/es1/programs.h"

#include "api/es1/shaders.h"
#include "api/es1/uniforms.h"
#include "state_tracker/debug/dump.h"
#include "state_tracker/programs/build.h"

namespace terrazzo::es1 {

struct Programs::Linked {
    pipe::Ref<st::Program> program;
    Uniforms uniforms;
};

Programs::Programs() = default;
Programs::~Programs() = default;

namespace {

/// Adds a stage of a program without a name.
bool add_stage(st::Context& gl, GLenum type, std::string text, std::vector<st::LinkStage>* stages,
               std::string* log) {
    st::CompileOutcome outcome = st::build_shader(gl, text, type);
    if (!outcome.ok) {
        *log = std::move(outcome.log);
        return false;
    }
    stages->push_back({pipe::Ref<st::Shader>::adopt(new st::Shader(0, type)), std::move(outcome.shader),
                       std::move(text), std::move(outcome.key)});
    return true;
}

/// Null: `log` is the reason.
pipe::Ref<st::Program> link(st::Context& gl, const Key& key, std::string* log) {
    std::vector<st::LinkStage> stages;
    if (!add_stage(gl, GL_VERTEX_SHADER, vertex_shader(key), &stages, log) ||
        !add_stage(gl, GL_FRAGMENT_SHADER, fragment_shader(key), &stages, log))
        return nullptr;
    shaders::LinkResult result = st::build_program(gl, stages, {});
    pipe::Ref<st::Executable> executable;
    if (result.program) executable = st::make_executable(gl, result.program);
    if (result.program && !executable) {  // the cache's entry may be damaged
        result = st::build_program(gl, stages, {}, true);
        if (result.program) executable = st::make_executable(gl, result.program);
    }
    if (result.program && !gl.config.shader_dump.empty()) st::dump_program(gl.config.shader_dump, stages);
    if (!executable) {
        *log = result.program ? "the device has no memory for the program, or cannot run it"
                              : std::move(result.log);
        return nullptr;
    }
    auto program = pipe::Ref<st::Program>::adopt(new st::Program(0));
    program->executable = std::move(executable);
    program->link_status = true;
    return program;
}

void set_samplers(st::Context& gl, const st::Executable& e) {
    for (unsigned unit = 0; unit < kUnits; ++unit) {
        uint32_t element = 0;
        const int32_t index = e.find_uniform("u_texture" + std::to_string(unit), &element);
        for (size_t l = 0; index >= 0 && l < e.locations.size(); ++l)
            if (e.locations[l].uniform == index) st::Uniform1i(gl, GLint(l), GLint(unit));
    }
}

}  // namespace

Programs::Linked* Programs::find(Context& ctx, const Key& key, const char* command) {
    if (last_ && key == last_key_) return last_;
    auto found = programs_.find(key);
    if (found == programs_.end()) {
        std::string log;
        auto linked = std::make_unique<Linked>();
        linked->program = link(ctx.gl, key, &log);
        if (!linked->program) {
            ctx.gl.error(GL_OUT_OF_MEMORY, command, "the shaders of this state could not be created: %.900s",
                         log.c_str());
            return nullptr;
        }
        linked->uniforms = Uniforms(*linked->program->executable);
        st::set_current_program(ctx.gl, linked->program.get());
        set_samplers(ctx.gl, *linked->program->executable);
        found = programs_.emplace(key, std::move(linked)).first;
    }
    last_key_ = key;
    return last_ = found->second.get();
}

bool Programs::use(Context& ctx, const Key& key, const char* command) {
    Linked* linked = find(ctx, key, command);
    if (!linked) return false;
    if (ctx.gl.program != linked->program.get()) st::set_current_program(ctx.gl, linked->program.get());
    linked->uniforms.update(ctx);
    return true;
}

}  // namespace terrazzo::es1
