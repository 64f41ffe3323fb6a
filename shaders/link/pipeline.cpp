// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prepares stages of separable programs for linking together (OpenGL ES 3.1 section 7.4.1): uniforms and
// blocks belong to one stage, and inputs match outputs by location if they have one.
#include "shaders/link/linker.h"

namespace terrazzo::shaders {
namespace {

/// Gives an input with a location the name of the output there, because the linker matches by name.
void name_by_location(std::vector<InterfaceVar>& inputs, const std::vector<InterfaceVar>& outputs) {
    for (InterfaceVar& in : inputs) {
        if (in.location < 0) continue;
        std::string root = "at_" + std::to_string(in.location);
        for (const InterfaceVar& out : outputs)
            if (out.location == in.location) root = root_name(out.name);
        in.name = root + in.name.substr(root_name(in.name).size());
    }
}

}  // namespace

std::shared_ptr<const CompiledShader> for_pipeline(const CompiledShader& s, const CompiledShader* previous) {
    auto out = std::make_shared<CompiledShader>();
    out->ir = ir::clone(*s.ir);
    out->version = s.version;
    out->has_main = s.has_main;
    out->inputs = s.inputs;
    out->outputs = s.outputs;
    out->uniforms = s.uniforms;
    out->blocks = s.blocks;
    out->storage_blocks = s.storage_blocks;
    out->buffer_variables = s.buffer_variables;
    out->has_group_size = s.has_group_size;
    out->has_layout = s.has_layout;
    out->views = s.views;
    const std::string prefix = std::to_string(unsigned(s.ir->stage)) + "_";
    for (InterfaceVar& u : out->uniforms) {
        if (u.name.compare(0, 3, "gl_") != 0) u.name = prefix + u.name;
        u.location = -1;  // the programs' locations may be equal; those of the pipeline are never queried
    }
    for (auto* const blocks : {&out->blocks, &out->storage_blocks})
        for (BlockVar& b : *blocks)
            b.name = prefix + b.name;
    for (InterfaceVar& v : out->buffer_variables)
        v.name = prefix + v.name;
    if (previous) name_by_location(out->inputs, previous->outputs);
    const auto own_vars = [&](auto& list) {
        for (auto& v : list)
            if (v.var) v.var = out->ir->vars()[v.var->id];
    };
    own_vars(out->inputs);
    own_vars(out->outputs);
    own_vars(out->uniforms);
    own_vars(out->blocks);
    own_vars(out->storage_blocks);
    own_vars(out->buffer_variables);
    return out;
}

}  // namespace terrazzo::shaders
