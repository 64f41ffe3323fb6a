// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Inputs of the first stage and outputs of the last one, as program interfaces list them (OpenGL ES 3.1 section 7.3.1.1):
// what attributes.cpp and varyings.cpp have not listed, because the device does not need it.
#include <algorithm>

#include "shaders/link/linker.h"

namespace terrazzo::shaders {

namespace {

bool is_builtin(const InterfaceVar& v) {
    return v.name.compare(0, 3, "gl_") == 0;
}

/// All that a lone stage declares is active (section 7.4.1); of built-in variables those that the shader uses.
bool is_active(const InterfaceVar& v) {
    return is_builtin(v) ? v.statically_used : v.var != nullptr;
}

/// Of an array of blocks the first element stands for all, and its members are called as the block's alone (section
/// 7.3.1.1). Empty: the line is another element's.
std::string listed_name(const InterfaceVar& v) {
    const size_t block = root_name(v.name).size();
    if (v.match_name.empty() || v.name.size() <= block || v.name[block] != '[') return v.name;
    constexpr std::string_view kFirst = "[0]";
    if (v.name.compare(block, kFirst.size(), kFirst) != 0) return {};
    return v.name.substr(0, block) + v.name.substr(block + kFirst.size());
}

}  // namespace

void Linker::list_inputs() {
    const auto first = std::find_if(std::begin(source_), std::end(source_), [](auto* s) { return s; });
    if (first == std::end(source_) || *first == source(Stage::Vertex)) return;
    for (const InterfaceVar& v : (*first)->inputs) {
        const std::string name = listed_name(v);
        if (!is_active(v) || name.empty()) continue;
        const uint32_t size = std::max(1u, v.array_size);
        program_->attributes.push_back({name + (v.array_size ? "[0]" : ""), v.type, size, v.location});
    }
}

void Linker::list_outputs() {
    const CompiledShader* last = nullptr;
    for (const CompiledShader* s : source_)
        if (s) last = s;
    const bool fragment = last == source(Stage::Fragment);
    for (const InterfaceVar& v : last->outputs) {
        std::string name = listed_name(v);
        if (!is_active(v) || (fragment && !is_builtin(v)) || name.empty()) continue;
        program_->outputs.push_back(
            {std::move(name), v.type, std::max(1u, v.array_size), v.array_size > 0, v.location, 0});
    }
}

/// GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES: what a program writes, but for what goes from stage to stage.
void Linker::check_output_resources() {
    uint64_t all = program_->storage_blocks.size();
    for (const UniformInfo& u : program_->uniforms)
        if (u.type.base == BaseType::Image) all += u.array_size;
    for (const OutputInfo& o : program_->outputs)
        if (source(Stage::Fragment) && o.location >= 0) all += o.array_size;
    if (all > uint64_t(options_.limits.combined_shader_outputs))
        error("too many storage blocks, images and fragment outputs: " + std::to_string(all) + " together, " +
              std::to_string(options_.limits.combined_shader_outputs) + " are supported");
}

}  // namespace terrazzo::shaders
