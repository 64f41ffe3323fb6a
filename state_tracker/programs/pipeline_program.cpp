// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The executable that a program pipeline draws with: its stages, linked once more, with the programs' values.
// Resources of different stages must not match by name, so the linker gets their names with the stage as a
// prefix.
#include <algorithm>

#include "state_tracker/programs/build.h"
#include "state_tracker/programs/pipeline.h"

namespace terrazzo::st {
namespace {

constexpr size_t kVertex = size_t(pipe::Stage::Vertex), kFragment = size_t(pipe::Stage::Fragment),
                 kCompute = size_t(pipe::Stage::Compute);
constexpr size_t kGraphics[] = {kVertex, size_t(pipe::Stage::TessControl), size_t(pipe::Stage::TessEval),
                                size_t(pipe::Stage::Geometry), kFragment};
constexpr size_t kMaxComposites = 16;  // of a pipeline; the shader cache has the links as well

/// After a new link of a program, the pipeline draws with its new executable. True: something changed.
bool update_executables(Pipeline& p) {
    bool changed = false;
    for (size_t s = 0; s < pipe::kStageCount; ++s) {
        pipe::Ref<Executable> now = p.programs[s] ? p.executables[s] : nullptr;
        if (p.programs[s] && p.programs[s]->link_status) {
            now = p.programs[s]->executable;
            if (!now->linked->stages[s]) now = nullptr;
        }
        if (now == p.executables[s]) continue;
        p.executables[s] = std::move(now);
        changed = true;
    }
    return changed;
}

/// Splits a name into the stage's digit and '_', and the program's own name. Empty: it has no such prefix.
std::string_view own_name(std::string_view name, uint8_t* stage) {
    if (name.size() < 2 || name[0] < '0' || name[0] >= char('0' + pipe::kStageCount) || name[1] != '_')
        return {};
    *stage = uint8_t(name[0] - '0');
    return name.substr(2);
}

template <class Info>
int32_t index_of(const std::vector<Info>& list, std::string_view name) {
    const auto it = std::find_if(list.begin(), list.end(), [&](const Info& i) { return i.name == name; });
    return it == list.end() ? -1 : int32_t(it - list.begin());
}

void find_sources(Composite& c) {
    const shaders::LinkedProgram& whole = *c.executable->linked;
    const auto each = [&](const auto& list, auto member, auto&& add) {
        for (uint32_t i = 0; i < list.size(); ++i) {
            uint8_t stage = 0;
            const std::string_view name = own_name(list[i].name, &stage);
            if (name.empty() || !c.parts[stage]) continue;
            const auto& own = (*c.parts[stage]->linked).*member;
            const int32_t from = index_of(own, name);
            if (from >= 0) add(stage, i, uint32_t(from));
        }
    };
    each(whole.uniforms, &shaders::LinkedProgram::uniforms, [&](uint8_t stage, uint32_t to, uint32_t from) {
        // A program binary's tables may differ from those that its shaders' text compiles to.
        const shaders::UniformInfo& theirs = c.parts[stage]->linked->uniforms[from];
        const bool plain = whole.uniforms[to].block < 0 && theirs.block < 0;
        if (plain && theirs.type == whole.uniforms[to].type && theirs.atomic_buffer < 0)
            c.uniforms.push_back({stage, to, from});
    });
    each(whole.blocks, &shaders::LinkedProgram::blocks, [&](uint8_t stage, uint32_t to, uint32_t from) {
        c.blocks.push_back({stage, to, from});
    });
}

/// The fragment stage of a pipeline that has none: colours are undefined then, but outputs are captured.
LinkStage no_fragments(Context& ctx) {
    LinkStage stage;
    stage.source = "#version 310 es\nvoid main() {}\n";
    stage.shader = pipe::Ref<Shader>::adopt(new Shader(0, GL_FRAGMENT_SHADER));
    CompileOutcome compiled = build_shader(ctx, stage.source, GL_FRAGMENT_SHADER);
    stage.compiled = std::move(compiled.shader);
    stage.key = std::move(compiled.key);
    return stage;
}

/// Links the parts. Each part's sources were kept at its own link.
void build(Context& ctx, Composite& c) {
    std::vector<LinkStage> stages;
    LinkParameters parameters;
    parameters.pipeline = true;
    parameters.exact = bool(c.parts[kFragment]);
    for (const size_t s : kGraphics) {
        const Executable* const part = c.parts[s].get();
        if (!part && s == kFragment) {
            stages.push_back(no_fragments(ctx));
            continue;
        }
        if (!part && s != kVertex) continue;
        if (!part || !part->sources) {
            c.log =
                "a program of the pipeline has no shader text: it comes from a binary of one that was not "
                "separable";
            return;
        }
        const LinkParameters& own = part->sources->parameters;
        for (const LinkStage& stage : part->sources->stages)
            if (size_t(stage_of(stage.shader->type).stage) == s) stages.push_back(stage);
        if (s == kVertex) parameters.attributes = own.attributes;
        if (s == kFragment) {
            parameters.outputs = own.outputs;
        } else {
            // The last stage before the fragment stage decides what is captured.
            parameters.captures = own.captures;
            parameters.capture_separate = own.capture_separate;
        }
    }
    // A part from a program binary has only its text yet.
    for (LinkStage& s : stages) {
        if (s.compiled || !s.key.empty()) continue;
        CompileOutcome compiled = build_shader(ctx, s.source, s.shader->type);
        s.compiled = std::move(compiled.shader);
        s.key = std::move(compiled.key);
    }
    shaders::LinkResult r = build_program(ctx, stages, parameters);
    c.log = std::move(r.log);
    if (r.program) c.executable = make_executable(ctx, std::move(r.program));
    if (c.executable) find_sources(c);
}

void take_values(Composite& c) {
    Executable& e = *c.executable;
    std::array<bool, pipe::kStageCount> stale{};
    for (size_t s = 0; s < pipe::kStageCount; ++s)
        if (c.parts[s] && c.seen[s] != c.parts[s]->change_stamp) {
            stale[s] = true;
            c.seen[s] = c.parts[s]->change_stamp;
        }
    bool units = false;
    for (const Composite::Uniform& u : c.uniforms) {
        if (!stale[u.stage]) continue;
        const shaders::UniformInfo& to = e.linked->uniforms[u.to];
        const Executable& part = *c.parts[u.stage];
        const shaders::UniformInfo& from = part.linked->uniforms[u.from];
        const uint32_t n = std::min(std::max(to.array_size, 1u), std::max(from.array_size, 1u));
        std::copy_n(part.values.begin() + from.storage_dw, size_t(n) * value_dw(to),
                    e.values.begin() + to.storage_dw);
        if (is_unit(to))
            units = true;
        else
            e.update_blocks(to, 0, n);
    }
    for (const Composite::Block& b : c.blocks)
        e.block_bindings[b.to] = c.parts[b.stage]->block_bindings[b.from];
    if (units) e.update_samplers();
}

/// The composite of the pipeline's graphics stages; it may be one that does not link.
Composite& find_composite(Context& ctx, Pipeline& p) {
    for (Composite& c : p.composites)
        if (std::all_of(std::begin(kGraphics), std::end(kGraphics),
                        [&](size_t s) { return c.parts[s] == p.executables[s]; }))
            return c;
    Composite c;
    for (const size_t s : kGraphics)
        c.parts[s] = p.executables[s];
    build(ctx, c);
    if (p.composites.size() == kMaxComposites) p.composites.erase(p.composites.begin());
    return p.composites.emplace_back(std::move(c));
}

/// A program must be used for all of its stages or for none (section 11.1.3.11), and still be separable.
std::string why_incomplete(const Pipeline& p) {
    for (size_t s = 0; s < pipe::kStageCount; ++s) {
        if (p.executables[s] && !p.executables[s]->separable)
            return "program " + std::to_string(p.programs[s]->name) +
                   " was linked again, and is not separable";
        for (size_t other = 0; p.executables[s] && other < pipe::kStageCount; ++other)
            if (p.executables[s]->linked->stages[other] && p.executables[other] != p.executables[s])
                return "program " + std::to_string(p.programs[s]->name) +
                       " is there for some of its stages, not for all";
    }
    return {};
}

/// Whether one program has all the stages.
bool is_whole(const Pipeline& p) {
    return std::all_of(
               std::begin(kGraphics), std::end(kGraphics),
               [&](size_t s) { return !p.executables[s] || p.executables[s] == p.executables[kVertex]; }) &&
           p.executables[kVertex] == p.executables[kFragment];
}

void install(Context& ctx, const pipe::Ref<Executable>& e) {
    if (ctx.executable == e) return;
    install_executable(ctx, e);
    ctx.dirty |=
        dirty::kProgram | dirty::kUniforms | dirty::kUniformBuffers | dirty::kTextures | dirty::kVertexArray;
}

}  // namespace

std::string why_invalid(Context& ctx, Pipeline& p) {
    {
        std::lock_guard lock(ctx.share->mutex);
        (void)update_executables(p);
    }
    if (std::string why = why_incomplete(p); !why.empty()) return why;
    if (!p.executables[kVertex] || !p.executables[kFragment])
        return p.executables[kCompute] ? "" : "there is no program for the vertex or the fragment stage";
    if (is_whole(p))
        return p.executables[kVertex]->samplers_agree()
                   ? ""
                   : "samplers of different types use the same texture unit";
    Composite& c = find_composite(ctx, p);
    if (!c.executable) return "the stages do not fit together: " + c.log;
    take_values(c);
    return c.executable->samplers_agree() ? "" : "samplers of different types use the same texture unit";
}

bool resolve_pipeline(Context& ctx, bool compute, const char* command) {
    constexpr uint64_t kMatters =
        dirty::kProgram | dirty::kUniforms | dirty::kTextures | dirty::kUniformBuffers;
    const bool fits = ctx.executable && bool(ctx.executable->linked->stages[kCompute]) == compute;
    if (fits && !(ctx.dirty & kMatters)) return true;
    Pipeline& p = *ctx.pipeline;
    {
        std::lock_guard lock(ctx.share->mutex);
        (void)update_executables(p);
    }
    if (compute) {
        if (p.executables[kCompute]) install(ctx, p.executables[kCompute]);
        return bool(p.executables[kCompute]);
    }
    if (const std::string why = why_incomplete(p); !why.empty())
        return ctx.error(GL_INVALID_OPERATION, command, "pipeline %u: %s", p.name, why.c_str()), false;
    // Without a program for the vertex stage the result is undefined: nothing is drawn. Later stages need a
    // vertex stage (OpenGL ES 3.2 section 11.1.3.11).
    if (!p.executables[kVertex]) {
        for (const pipe::Stage s : {pipe::Stage::TessControl, pipe::Stage::TessEval, pipe::Stage::Geometry})
            if (p.executables[size_t(s)])
                return ctx.error(GL_INVALID_OPERATION, command,
                                 "pipeline %u has a program for a later stage, and none for vertices",
                                 p.name),
                       false;
        return false;
    }
    if (is_whole(p)) return install(ctx, p.executables[kVertex]), true;
    Composite& c = find_composite(ctx, p);
    if (!c.executable)
        return ctx.error(GL_INVALID_OPERATION, command, "pipeline %u: the stages do not fit together: %.500s",
                         p.name, c.log.c_str()),
               false;
    take_values(c);
    return install(ctx, c.executable), true;
}

Program* capturing_program(const Context& ctx) {
    if (ctx.program) return ctx.program;
    if (!ctx.pipeline) return nullptr;
    for (const pipe::Stage s : {pipe::Stage::Geometry, pipe::Stage::TessEval})
        if (Program* const p = ctx.pipeline->programs[size_t(s)].get()) return p;
    return ctx.pipeline->programs[kVertex].get();
}

}  // namespace terrazzo::st
