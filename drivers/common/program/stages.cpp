// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/program/stages.h"

#include <algorithm>

#include "shaders/ir/stored.h"
#include "shaders/passes/walk.h"

namespace terrazzo::programs {

using pipe::Stage;

const char* stage_name(Stage s) {
    constexpr const char* kNames[pipe::kStageCount] = {
        "vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment", "compute"};
    return kNames[size_t(s)];
}

bool has_stage(const pipe::ProgramDesc& desc, Stage s) {
    return desc.stages[size_t(s)] || desc.stored[size_t(s)];
}

std::shared_ptr<const ir::StoredShader> keep_stage(const pipe::ProgramDesc& desc, Stage s) {
    const auto at = size_t(s);
    return desc.stored[at] ? desc.stored[at]
                           : std::make_shared<ir::StoredShader>(ir::clone(*desc.stages[at]));
}

const char* refuse_stages(const pipe::ProgramDesc& desc, const StageSupport& support) {
    const auto has = [&](Stage s) { return has_stage(desc, s); };
    const bool later = has(Stage::TessControl) || has(Stage::TessEval) || has(Stage::Geometry);
    if ((later && !support.later_stages) || (has(Stage::Compute) && !support.compute))
        return "only vertex and fragment shaders can run on this driver";
    if (has(Stage::TessControl) != has(Stage::TessEval))
        return "a tessellation control shader needs an evaluation shader, and vice versa";
    if (has(Stage::Compute))
        return has(Stage::Vertex) || has(Stage::Fragment)
                   ? "a compute shader cannot be combined with other stages"
                   : nullptr;
    if (!has(Stage::Vertex) || !has(Stage::Fragment)) return "needs a vertex and a fragment shader";
    if (desc.stream_output && !support.captures) return "this driver does not support captured outputs";
    return nullptr;
}

TextureKinds texture_kinds(const ir::Shader& s) {
    TextureKinds kinds;
    ir::for_each(s.body, [&](const ir::Instr* i) {
        if (i->op != ir::Op::Tex || i->u.tex->binding < 0) return;
        const ir::TexInfo& t = *i->u.tex;
        const uint64_t slots = ((uint64_t(1) << std::min(t.count, 32u)) - 1) << t.binding;
        if (t.dim == ir::TexDim::Cube) kinds.cubes |= uint32_t(slots);
        if (t.dim == ir::TexDim::D3) kinds.volumes |= uint32_t(slots);
    });
    return kinds;
}

std::string stage_error(Stage s, const std::string& why) {
    return std::string(stage_name(s)) + " shader: " + why;
}

std::string message(const char* vendor, const pipe::ProgramDesc& desc, const std::string& text) {
    return std::string(vendor) + ": program " + (desc.label ? desc.label : "(unnamed)") + ": " + text;
}

std::string code_name(const pipe::ProgramDesc& desc, const std::string& what) {
    return std::string(desc.label ? desc.label : "program") + ", " + what + ": ";
}

}  // namespace terrazzo::programs
