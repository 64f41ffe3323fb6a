// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Inputs of the first stage and outputs of the last one, for program interface queries (OpenGL ES 3.1 section
// 7.3.1.1): those that attributes.cpp and varyings.cpp do not list, because the device does not need them.
#include <algorithm>

#include "shaders/link/linker.h"

namespace terrazzo::shaders {

namespace {

bool is_builtin(const InterfaceVar& v) {
    return v.name.compare(0, 3, "gl_") == 0;
}

/// All declarations of a single stage are active (section 7.4.1); of built-in variables, those that the
/// shader uses.
bool is_active(const InterfaceVar& v) {
    return is_builtin(v) ? v.statically_used : v.var != nullptr;
}

/// For an array of blocks, only the first element is listed, and its members have the name of the block
/// without index (section 7.3.1.1). Empty: `v` belongs to another element.
std::string listed_name(const InterfaceVar& v) {
    const size_t block = root_name(v.name).size();
    if (v.match_name.empty() || v.name.size() <= block || v.name[block] != '[') return v.name;
    constexpr std::string_view kFirst = "[0]";
    if (v.name.compare(block, kFirst.size(), kFirst) != 0) return {};
    return v.name.substr(0, block) + v.name.substr(block + kFirst.size());
}

/// Calls `f` with the name and the array size (0: no array) of each entry of `v`. An input or output per
/// vertex is an array of `vertices` elements (section 7.3.1.1): one entry if they have a basic type, else one
/// for each.
template <class F>
void for_each_entry(const InterfaceVar& v, uint32_t vertices, F&& f) {
    const std::string name = listed_name(v);
    if (name.empty()) return;
    if (v.per_vertex && is_builtin(v)) return f("gl_PerVertex." + name, v.array_size);
    if (!v.per_vertex || !v.match_name.empty()) return f(name, v.array_size);
    const size_t root = root_name(name).size();
    if (root == name.size() && v.array_size == 0) return f(name, vertices);
    for (uint32_t k = 0; k < vertices; ++k)
        f(name.substr(0, root) + "[" + std::to_string(k) + "]" + name.substr(root), v.array_size);
}

}  // namespace

void Linker::list_inputs() {
    const auto first = std::find_if(std::begin(source_), std::end(source_), [](auto* s) { return s; });
    if (first == std::end(source_) || *first == source(Stage::Vertex)) return;
    const uint32_t in_primitive = (*first)->ir->info.records.vertices_in;
    const uint32_t vertices = in_primitive ? in_primitive : uint32_t(options_.limits.patch_vertices);
    for (const InterfaceVar& v : (*first)->inputs) {
        if (!is_active(v)) continue;
        for_each_entry(v, vertices, [&](const std::string& name, uint32_t size) {
            program_->attributes.push_back(
                {name + (size ? "[0]" : ""), v.type, std::max(1u, size), v.location, v.patch});
        });
    }
}

void Linker::list_outputs() {
    const CompiledShader* last = nullptr;
    for (const CompiledShader* s : source_)
        if (s) last = s;
    const bool fragment = last == source(Stage::Fragment);
    for (const InterfaceVar& v : last->outputs) {
        if (!is_active(v) || (fragment && !is_builtin(v))) continue;
        for_each_entry(v, last->ir->info.records.vertices_out, [&](const std::string& name, uint32_t size) {
            program_->outputs.push_back({name, v.type, std::max(1u, size), size > 0, v.location, 0, v.patch});
        });
    }
}

/// GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES: everything that a program writes, except outputs to another
/// stage.
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
