// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Whether the stages' declarations agree (GLES 2.0.25 section 2.10.3 and 2.10.4; ESSL 1.00
// sections 4.3.4, 4.3.5, 4.5.3 and 4.6.4).
#include <algorithm>

#include "shaders/link/linker.h"

namespace terrazzo::shaders {

namespace {

const char* precision_name(ir::Precision p) {
    switch (p) {
        case ir::Precision::None:
            return "no precision";
        case ir::Precision::Low:
            return "lowp";
        case ir::Precision::Medium:
            return "mediump";
        case ir::Precision::High:
            return "highp";
    }
    return "?";
}

bool is_builtin(const InterfaceVar& v) {
    return v.name.compare(0, 3, "gl_") == 0;
}

/// Whether any leaf of the same declaration is used is what `statically_used` of each leaf says.
std::map<std::string_view, const InterfaceVar*> by_name(const std::vector<InterfaceVar>& list) {
    std::map<std::string_view, const InterfaceVar*> m;
    for (const InterfaceVar& v : list)
        if (v.block < 0) m.emplace(v.name, &v);
    return m;
}

/// Of inputs and outputs between stages.
std::map<std::string, const InterfaceVar*> by_varying(const std::vector<InterfaceVar>& list) {
    std::map<std::string, const InterfaceVar*> m;
    for (const InterfaceVar& v : list) {
        const std::string_view root = root_name(match_name(v));
        m.emplace(varying_key(v).substr(0, v.location >= 0 ? std::string::npos : root.size()), &v);
    }
    return m;
}

std::map<std::string_view, const InterfaceVar*> by_root(const std::vector<InterfaceVar>& list) {
    std::map<std::string_view, const InterfaceVar*> m;
    for (const InterfaceVar& v : list)
        if (v.block < 0) m.emplace(root_name(v.name), &v);
    return m;
}

}  // namespace

void Linker::match_uniforms() {
    const CompiledShader* first = source(Stage::Vertex);
    const CompiledShader* second = source(Stage::Fragment);
    if (!first || !second) return;
    const auto roots = by_root(first->uniforms);
    const auto leaves = by_name(first->uniforms);
    for (const auto& [name, v] : by_root(second->uniforms)) {
        const auto it = roots.find(name);
        if (it == roots.end() || it->second->declared_type == v->declared_type) continue;
        error("uniform '" + std::string(name) + "' has different types: " + it->second->declared_type +
              " in the vertex shader, " + v->declared_type + " in the fragment shader");
    }
    if (failed_) return;
    for (const InterfaceVar& v : second->uniforms) {
        const auto it = leaves.find(v.name);
        if (it == leaves.end() || v.block >= 0 || is_builtin(v)) continue;
        const InterfaceVar& u = *it->second;
        if (u.location >= 0 && v.location >= 0 && u.location != v.location)
            error("uniform '" + v.name + "' has different locations in the vertex and the fragment shader");
        if (u.binding >= 0 && v.binding >= 0 && u.binding != v.binding)
            error("uniform '" + v.name + "' has different bindings in the vertex and the fragment shader");
        if (u.offset_B != v.offset_B)
            error("atomic counter '" + v.name +
                  "' has different offsets in the vertex and the fragment shader");
        if (u.format != v.format)
            error("image '" + v.name + "' has different formats in the vertex and the fragment shader");
        if (u.precision == v.precision || v.type.base == BaseType::Bool) continue;
        const std::string what =
            "uniform '" + v.name + "' has different precisions: " + precision_name(u.precision) +
            " in the vertex shader, " + precision_name(v.precision) + " in the fragment shader";
        // ESSL 1.00 4.5.3 asks it of uniforms that both stages use; where one does not, old programs differ.
        if ((u.statically_used && v.statically_used) || first->version >= 300)
            error(what);
        else
            warning(what);
    }
}

void Linker::match_varying(const InterfaceVar& in, const InterfaceVar& out) {
    if (in.declared_type != out.declared_type) {
        error("varying '" + in.name + "' has different types: " + out.declared_type +
              " in the vertex shader, " + in.declared_type + " in the fragment shader");
        return;
    }
    const int version = source(Stage::Vertex)->version;
    if (version == 100 && in.invariant != out.invariant)
        error("varying '" + in.name + "' is declared invariant in the " +
              std::string(out.invariant ? "vertex" : "fragment") + " shader only");
    if (version >= 300 && in.interp != out.interp)
        error("varying '" + in.name +
              "' has different interpolation qualifiers in the vertex and the fragment shader");
}

void Linker::match_builtin_invariance() {
    static constexpr std::pair<const char*, const char*> kPairs[] = {{"gl_FragCoord", "gl_Position"},
                                                                     {"gl_PointCoord", "gl_PointSize"}};
    const auto inputs = by_name(source(Stage::Fragment)->inputs);
    const auto outputs = by_name(source(Stage::Vertex)->outputs);
    for (const auto& [in, out] : kPairs) {
        const auto i = inputs.find(in);
        const auto o = outputs.find(out);
        if (i != inputs.end() && i->second->invariant && (o == outputs.end() || !o->second->invariant))
            error(std::string(in) + " is declared invariant but " + out + " is not");
    }
}

/// OpenGL ES 3.1 section 7.4.1: between programs each output has an input and each input an output, of the same
/// precision.
void Linker::match_exactly() {
    const auto leaves = [](const std::vector<InterfaceVar>& list) {
        std::map<std::string, const InterfaceVar*> m;
        for (const InterfaceVar& v : list)
            if (!is_builtin(v)) m.emplace(varying_key(v), &v);
        return m;
    };
    const auto outputs = leaves(source(Stage::Vertex)->outputs);
    const auto inputs = leaves(source(Stage::Fragment)->inputs);
    for (const auto& [key, out] : outputs)
        if (!inputs.contains(key)) error("output '" + out->name + "' has no input in the next stage");
    for (const auto& [key, in] : inputs) {
        const auto out = outputs.find(key);
        if (out == outputs.end())
            error("input '" + in->name + "' has no output in the stage before");
        else if (out->second->precision != in->precision)
            error("varying '" + in->name +
                  "' has different precisions: " + precision_name(out->second->precision) +
                  " in the vertex shader, " + precision_name(in->precision) + " in the fragment shader");
    }
}

void Linker::match_varyings() {
    if (!source(Stage::Vertex) || !source(Stage::Fragment)) return;
    if (options_.pipeline) match_exactly();
    if (failed_) return;
    const auto outputs = by_varying(source(Stage::Vertex)->outputs);
    for (const auto& [name, in] : by_varying(source(Stage::Fragment)->inputs)) {
        if (is_builtin(*in)) continue;
        const auto out = outputs.find(name);
        if (out != outputs.end()) {
            match_varying(*in, *out->second);
        } else if (in->statically_used) {
            error("varying '" + std::string(root_name(in->name)) +
                  "' is used by the fragment shader but not declared by the vertex shader");
        }
    }
    if (source(Stage::Vertex)->version == 100) match_builtin_invariance();
}

}  // namespace terrazzo::shaders
