// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// link(): the order of the steps; see linker.h.
#include "shaders/ir/private_memory.h"
#include "shaders/ir/stage_buffers.h"
#include "shaders/link/check.h"
#include "shaders/link/linker.h"
#include "shaders/link/stages.h"
#include "shaders/own_stack.h"
#include "shaders/passes/gather_info.h"
#include "shaders/passes/lower_transcendental.h"
#include "shaders/passes/pack_varyings.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/window_origin.h"

namespace terrazzo::shaders {

const char* stage_name(ir::Stage s) {
    switch (s) {
        case ir::Stage::Vertex:
            return "vertex";
        case ir::Stage::TessControl:
            return "tessellation control";
        case ir::Stage::TessEval:
            return "tessellation evaluation";
        case ir::Stage::Geometry:
            return "geometry";
        case ir::Stage::Fragment:
            return "fragment";
        case ir::Stage::Compute:
            return "compute";
    }
    return "?";
}

std::string type_name(const GlslType& t, uint32_t array_size) {
    static constexpr const char* kScalars[] = {"float",   "int",   "uint",       "bool",
                                               "sampler", "image", "atomic_uint"};
    static constexpr const char* kVectors[] = {"vec",     "ivec",  "uvec",       "bvec",
                                               "sampler", "image", "atomic_uint"};
    static constexpr const char* kDims[] = {"1D", "2D", "3D", "Cube", "Buffer", "2DMS"};
    std::string s;
    if (t.base == BaseType::Sampler || t.base == BaseType::Image) {
        s = t.sampled == BaseType::Int ? "i" : t.sampled == BaseType::Uint ? "u" : "";
        s += kScalars[unsigned(t.base)];
        s += t.external ? "ExternalOES" : kDims[unsigned(t.dim)];
        if (t.arrayed) s += "Array";
        if (t.shadow) s += "Shadow";
    } else if (t.columns > 1) {
        s = "mat" + std::to_string(t.columns);
        if (t.columns != t.rows) s += "x" + std::to_string(t.rows);
    } else if (t.rows > 1) {
        s = kVectors[unsigned(t.base)] + std::to_string(t.rows);
    } else {
        s = kScalars[unsigned(t.base)];
    }
    if (array_size) s += "[" + std::to_string(array_size) + "]";
    return s;
}

std::string_view root_name(std::string_view name) {
    return name.substr(0, name.find_first_of(".["));
}

bool Linker::take_stages() {
    for (const CompiledShader* s : given_) {
        if (!s) continue;
        const CompiledShader*& slot = source_[unsigned(s->ir->stage)];
        if (slot) error("more than one " + std::string(stage_name(s->ir->stage)) + " shader is attached");
        slot = s;
    }
    const CompiledShader* first = nullptr;
    for (const CompiledShader* s : source_) {
        if (!s) continue;
        const std::string name = stage_name(s->ir->stage);
        if (!s->has_main) error("the " + name + " shader has no function main()");
        if (first && (first->version == 100) != (s->version == 100))
            error("the shaders are of different versions of the language: " + std::to_string(first->version) +
                  " and " + std::to_string(s->version));
        if (!first) first = s;
    }
    if (const CompiledShader* const compute = source(Stage::Compute)) {
        if (!compute->has_group_size) error("the compute shader does not declare the size of its workgroups");
        if (!chain().empty()) error("a compute shader is attached together with shaders of other stages");
    } else {
        check_graphics_stages();
    }
    return !failed_;
}

/// OpenGL ES 3.2 section 7.3.
void Linker::check_graphics_stages() {
    const std::vector<Stage> stages = chain();
    const bool all_needed = !options_.separable || stages.empty();
    if (!source(Stage::Vertex) && all_needed) error("no vertex shader is attached");
    if (!source(Stage::Fragment) && all_needed) error("no fragment shader is attached");
    for (const auto& [has, needs] :
         {std::pair{Stage::TessControl, Stage::TessEval}, std::pair{Stage::TessEval, Stage::TessControl}})
        if (source(has) && !source(needs) && all_needed)
            error("a " + std::string(stage_name(has)) + " shader is attached without a " + stage_name(needs) +
                  " shader");
    check_stage_layouts();
}

void Linker::check_stage_layouts() {
    for (const Stage s : chain())
        if (ir::is_kernel(s) && !source(s)->has_layout)
            error("the " + std::string(stage_name(s)) +
                  " shader does not declare the primitives or numbers of vertices that it must");
    const CompiledShader* const gs = source(Stage::Geometry);
    if (!gs || failed_) return;
    const ir::StageRecords& r = gs->ir->info.records;
    if (const CompiledShader* const es = source(Stage::TessEval); es && es->ir->info.records.out != r.in)
        error(
            "the geometry shader's input is another primitive than the tessellation evaluation shader gives");
    uint64_t components = 0;
    for (const InterfaceVar& o : gs->outputs)
        if (o.var && o.statically_used && o.name != "gl_PointSize")
            components += uint64_t(o.type.components()) * std::max(1u, o.array_size);
    const auto limit = uint64_t(options_.limits.geometry_output_components);
    if (components * r.vertices_out > limit)
        error("the geometry shader's outputs have too many components: max_vertices times " +
              std::to_string(components) + " is more than " + std::to_string(limit));
}

std::vector<ir::Stage> Linker::chain() const {
    std::vector<Stage> stages;
    for (const Stage s :
         {Stage::Vertex, Stage::TessControl, Stage::TessEval, Stage::Geometry, Stage::Fragment})
        if (source(s)) stages.push_back(s);
    return stages;
}

std::optional<ir::Stage> Linker::last_vertex_stage() const {
    for (const Stage s : {Stage::Geometry, Stage::TessEval, Stage::Vertex})
        if (source(s)) return s;
    return std::nullopt;
}

/// For a stage before the fragment stage, after its outputs have their final places.
void Linker::optimize_vertex_stage(Stage s) {
    if (s == Stage::Geometry || s == Stage::TessEval) {
        ir::optimize(shader(s));
        lower_kernel_outputs(shader(s));
    }
    ir::optimize(shader(s));
}

/// Dimensions of one invocation have only the number 0.
static void fold_local_ids(ir::Shader& s) {
    each_instruction(s.body, [&](ir::Instr* i) {
        if (i->op != ir::Op::LoadSysval || ir::Sysval(i->u.io.slot) != ir::Sysval::LocalInvocationId ||
            s.info.workgroup_size[i->u.io.component] != 1)
            return;
        ir::replace_uses(i->result(), ir::Builder(s, i).i32(0));
        ir::erase(i);
    });
}

void Linker::optimize_stages() {
    if (source(Stage::Compute)) {
        fold_local_ids(shader(Stage::Compute));
        return ir::optimize(shader(Stage::Compute));
    }
    const auto last = last_vertex_stage();
    const bool forwards = chain() == std::vector{Stage::Vertex, Stage::Fragment};
    if (forwards) {
        ir::optimize(shader(Stage::Vertex));
        (void)ir::forward_varyings(shader(Stage::Vertex), shader(Stage::Fragment));
    }
    // The fragment stage first: what it does not read need not be computed by the stage before.
    if (source(Stage::Fragment)) ir::optimize(shader(Stage::Fragment));
    if (source(Stage::Fragment) && last)
        program_->varying_slots =
            std::max(program_->varying_slots,
                     ir::pack_varyings(shader(*last), shader(Stage::Fragment), nullptr, captured_));
    if (last) layout_captures();
    for (const Stage s : chain()) {
        if (s == Stage::Fragment) continue;
        if (forwards)
            ir::clean_up(shader(s));
        else
            optimize_vertex_stage(s);
    }
}

/// Checks the rules that loaded program binaries must fulfil, too.
void Linker::check_stages() {
    uint32_t stages = 0;
    for (unsigned k = 0; k < ir::kStageCount; ++k)
        stages |= uint32_t(bool(stages_[k])) << k;
    if (const std::string rule = check_tables(*program_, stages, options_.limits); !rule.empty())
        return error("Terrazzo: " + rule);
    for (unsigned k = 0; k < ir::kStageCount; ++k) {
        if (!stages_[k]) continue;
        const Stage s = Stage(k);
        const std::string rule = ir::validate_linked(shader(s), interface_of(*program_, s));
        if (!rule.empty()) error("Terrazzo: the " + std::string(stage_name(s)) + " shader: " + rule);
    }
}

/// Checks the optimised stages, so that the result for a text is always the same.
void Linker::check_sizes() {
    for (const auto& s : stages_) {
        if (!s) continue;
        const std::string the_shader = "Terrazzo: the " + std::string(stage_name(s->stage)) + " shader";
        if (const uint64_t size = ir::lowered_size(*s); size > kMaxInstructions)
            error(the_shader + " is too large: it has " + std::to_string(size) +
                  " instructions once functions are inlined, the limit is " +
                  std::to_string(kMaxInstructions));
        if (const uint64_t scalars = ir::private_scalars(*s); scalars > ir::kMaxPrivateScalars)
            error(the_shader + "'s arrays have " + std::to_string(scalars) +
                  " scalars together; the limit is " + std::to_string(ir::kMaxPrivateScalars));
    }
}

void Linker::finish_stages() {
    for (unsigned s = 0; s < ir::kStageCount; ++s) {
        if (!stages_[s]) continue;
        ir::Shader& sh = *stages_[s];
        sh.remove_vars([](const ir::Var& v) {
            return v.storage != ir::Storage::Input && v.storage != ir::Storage::Output &&
                   v.storage != ir::Storage::Uniform && v.storage != ir::Storage::Sampler &&
                   v.storage != ir::Storage::UniformBlock && v.storage != ir::Storage::Buffer &&
                   v.storage != ir::Storage::Image;
        });
        sh.renumber();
        sh.info.uniform_dw = program_->uniform_dw[s];
        sh.info.sampler_count = uint32_t(program_->samplers[s].size());
        if (ir::is_kernel(sh.stage) && sh.stage != Stage::Compute)
            sh.info.workgroup_size[0] =
                sh.stage == Stage::TessControl ? sh.info.records.vertices_out : ir::kKernelGroup;
        ir::gather_info(sh);
    }
    check_stages();
    for (unsigned s = 0; s < ir::kStageCount; ++s) {
        if (!stages_[s] || failed_) continue;
        program_->stages[s] = LinkedStage(std::make_shared<ir::StoredShader>(std::move(stages_[s])));
    }
}

/// Programs with geometry or tessellation stages never draw to a framebuffer with views: gl_ViewID_OVR is 0.
void Linker::lower_views() {
    const CompiledShader* const vertex = source(Stage::Vertex);
    if (vertex) program_->views = vertex->views;
    const uint32_t layers = last_vertex_stage() == Stage::Vertex ? program_->views : 1;
    if (vertex) views_ = ir::lower_views(shader(Stage::Vertex), layers);
    if (source(Stage::Fragment)) (void)ir::lower_views(shader(Stage::Fragment), layers);
}

/// On optimised stages: if only the size of a derivative matters, its sign is not needed.
void Linker::lower_window_origin() {
    if (!source(Stage::Fragment)) return;
    window_origin_ = ir::lower_window_origin(shader(Stage::Fragment));
    if (window_origin_) vars_[unsigned(Stage::Fragment)].push_back(window_origin_);
}

void Linker::lower_external_samplers(Stage s) {
    std::vector<ir::Var*> samplers;
    for (const InterfaceVar& v : source(s)->uniforms)
        if (v.type.external && v.var) samplers.push_back(var(s, v));
    if (samplers.empty()) return;
    externals_[unsigned(s)] = ir::lower_external_samplers(shader(s), samplers);
    for (const ir::ExternalSampler& e : externals_[unsigned(s)])
        for (ir::Var* const v : {e.chroma[0], e.chroma[1], e.conversion})
            vars_[unsigned(s)].push_back(v);
}

LinkResult Linker::run() {
    if (!take_stages()) return {nullptr, log_};
    match_uniforms();
    match_blocks();
    match_varyings();
    find_captures();
    if (failed_) return {nullptr, log_};
    program_ = std::make_shared<LinkedProgram>();
    for (unsigned s = 0; s < ir::kStageCount; ++s) {
        if (!source_[s]) continue;
        stages_[s] = ir::clone(*source_[s]->ir);
        vars_[s] = stages_[s]->vars();
    }
    lower_views();
    lower_varyings();
    lower_fragment_outputs();
    if (failed_) return {nullptr, log_};
    optimize_stages();
    lower_window_origin();
    for (unsigned s = 0; s < ir::kStageCount; ++s)
        if (stages_[s]) lower_external_samplers(Stage(s));
    check_sizes();
    if (failed_) return {nullptr, log_};
    assign_attributes();
    for (unsigned s = 0; s < ir::kStageCount; ++s) {
        if (!stages_[s]) continue;
        find_used_uniforms(Stage(s));
        check_uniform_limits(Stage(s));
        if (failed_) return {nullptr, log_};
        layout_uniforms(Stage(s));
        layout_blocks(Stage(s));
        layout_counters(Stage(s));
        if (failed_) return {nullptr, log_};
    }
    if (window_origin_) program_->window_origin_dw = int32_t(uses_[window_origin_].offset);
    list_uniforms();
    if (failed_) return {nullptr, log_};
    list_blocks();
    list_counters();
    list_samplers();
    list_images();
    list_inputs();
    list_outputs();
    check_output_resources();
    check_combined_samplers();
    if (failed_) return {nullptr, log_};
    for (unsigned s = 0; s < ir::kStageCount; ++s)
        if (stages_[s]) lower_uniforms(Stage(s));
    finish_stages();
    if (failed_) return {nullptr, log_};
    return {std::move(program_), log_};
}

LinkResult link(std::span<const CompiledShader* const> stages, const LinkOptions& options) {
    return on_own_stack([&] { return Linker(stages, options).run(); });
}

}  // namespace terrazzo::shaders
