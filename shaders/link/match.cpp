// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Checks that the stages' declarations match (GLES 2.0.25 section 2.10.3 and 2.10.4; ESSL 1.00 sections
// 4.3.4, 4.3.5, 4.5.3 and 4.6.4).
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

/// Uniforms outside of blocks. `statically_used` of each leaf says whether any leaf of the declaration is
/// used.
std::map<std::string_view, const InterfaceVar*> by_name(const std::vector<InterfaceVar>& list) {
    std::map<std::string_view, const InterfaceVar*> m;
    for (const InterfaceVar& v : list)
        if (v.block < 0) m.emplace(v.name, &v);
    return m;
}

/// Inputs or outputs between stages.
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
    const std::vector<Stage> stages = chain();
    for (size_t b = 1; b < stages.size(); ++b)
        for (size_t a = 0; a < b; ++a)
            match_uniforms_of(stages[a], stages[b]);
}

void Linker::match_uniforms_of(Stage a, Stage b) {
    const CompiledShader* const first = source(a);
    const CompiledShader* const second = source(b);
    const std::string in_a = " in the " + std::string(stage_name(a)) + " shader",
                      in_b = " in the " + std::string(stage_name(b)) + " shader",
                      in_both =
                          " in the " + std::string(stage_name(a)) + " and the " + stage_name(b) + " shader";
    const auto roots = by_root(first->uniforms);
    const auto leaves = by_name(first->uniforms);
    for (const auto& [name, v] : by_root(second->uniforms)) {
        const auto it = roots.find(name);
        if (it == roots.end() || it->second->declared_type == v->declared_type) continue;
        error("uniform '" + std::string(name) + "' has different types: " + it->second->declared_type + in_a +
              ", " + v->declared_type + in_b);
    }
    if (failed_) return;
    for (const InterfaceVar& v : second->uniforms) {
        const auto it = leaves.find(v.name);
        if (it == leaves.end() || v.block >= 0 || is_builtin(v)) continue;
        const InterfaceVar& u = *it->second;
        if (u.location >= 0 && v.location >= 0 && u.location != v.location)
            error("uniform '" + v.name + "' has different locations" + in_both);
        if (u.binding >= 0 && v.binding >= 0 && u.binding != v.binding)
            error("uniform '" + v.name + "' has different bindings" + in_both);
        if (u.offset_B != v.offset_B)
            error("atomic counter '" + v.name + "' has different offsets" + in_both);
        if (u.format != v.format) error("image '" + v.name + "' has different formats" + in_both);
        if (u.precision == v.precision || v.type.base == BaseType::Bool) continue;
        const std::string what = "uniform '" + v.name +
                                 "' has different precisions: " + precision_name(u.precision) + in_a + ", " +
                                 precision_name(v.precision) + in_b;
        // ESSL 1.00 4.5.3 requires it for uniforms that both stages use; if only one uses it, old programs
        // have differences.
        if ((u.statically_used && v.statically_used) || first->version >= 300)
            error(what);
        else
            warning(what);
    }
}

void Linker::match_varying(Stage from, Stage to, const InterfaceVar& in, const InterfaceVar& out) {
    const std::string a = stage_name(from), b = stage_name(to);
    if (in.declared_type != out.declared_type) {
        error("varying '" + in.name + "' has different types: " + out.declared_type + " in the " + a +
              " shader, " + in.declared_type + " in the " + b + " shader");
        return;
    }
    if (in.patch != out.patch)
        error("varying '" + in.name + "' is of the patch in the " + (in.patch ? b : a) + " shader only");
    const int version = source(from)->version;
    if (version == 100 && in.invariant != out.invariant)
        error("varying '" + in.name + "' is declared invariant in the " + (out.invariant ? a : b) +
              " shader only");
    // Only inputs of the fragment stage are interpolated, but the qualifiers must match everywhere (ESSL 3.20
    // section 4.5).
    if (version >= 300 && in.interp != out.interp)
        error("varying '" + in.name + "' has different interpolation qualifiers in the " + a + " and the " +
              b + " shader");
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

/// OpenGL ES 3.1 section 7.4.1: between programs, each output must have an input and each input an output,
/// with the same precision.
void Linker::match_exactly(Stage from, Stage to) {
    const auto leaves = [](const std::vector<InterfaceVar>& list) {
        std::map<std::string, const InterfaceVar*> m;
        for (const InterfaceVar& v : list)
            if (!is_builtin(v)) m.emplace(varying_key(v), &v);
        return m;
    };
    const auto outputs = leaves(source(from)->outputs);
    const auto inputs = leaves(source(to)->inputs);
    for (const auto& [key, out] : outputs)
        if (!inputs.contains(key)) error("output '" + out->name + "' has no input in the next stage");
    for (const auto& [key, in] : inputs) {
        const auto out = outputs.find(key);
        if (out == outputs.end())
            error("input '" + in->name + "' has no output in the stage before");
        else if (out->second->precision != in->precision)
            error("varying '" + in->name + "' has different precisions: " +
                  precision_name(out->second->precision) + " in the " + stage_name(from) + " shader, " +
                  precision_name(in->precision) + " in the " + stage_name(to) + " shader");
    }
}

void Linker::match_varyings_of(Stage from, Stage to) {
    // EXT_separate_shader_objects, which adds pipelines to earlier versions, allows differences.
    if (options_.pipeline && source(from)->version >= 310) match_exactly(from, to);
    if (failed_) return;
    const auto outputs = by_varying(source(from)->outputs);
    for (const auto& [name, in] : by_varying(source(to)->inputs)) {
        if (is_builtin(*in)) continue;
        const auto out = outputs.find(name);
        if (out != outputs.end()) {
            match_varying(from, to, *in, *out->second);
        } else if (in->statically_used) {
            error("varying '" + std::string(root_name(in->name)) + "' is used by the " + stage_name(to) +
                  " shader but not declared by the " + stage_name(from) + " shader");
        }
    }
}

void Linker::match_varyings() {
    const std::vector<Stage> stages = chain();
    for (size_t n = 1; n < stages.size(); ++n)
        match_varyings_of(stages[n - 1], stages[n]);
    match_distances();
    if (source(Stage::Vertex) && source(Stage::Fragment) && source(Stage::Vertex)->version == 100)
        match_builtin_invariance();
}

}  // namespace terrazzo::shaders
