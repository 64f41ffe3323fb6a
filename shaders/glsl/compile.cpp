// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// compile(): text -> glslang's tree -> checks that glslang omits -> IR.
#include "shaders/glsl/access_rules.h"
#include "shaders/glsl/amend.h"
#include "shaders/glsl/layout_rules.h"
#include "shaders/glsl/library.h"
#include "shaders/glsl/resources.h"
#include "shaders/glsl/rules.h"
#include "shaders/glsl/scan.h"
#include "shaders/glsl/source.h"
#include "shaders/glsl/stage_layout.h"
#include "shaders/glsl/walker.h"
#include "shaders/own_stack.h"

namespace terrazzo::shaders {

namespace {

EShLanguage language(ir::Stage s) {
    switch (s) {
        case ir::Stage::Vertex:
            return EShLangVertex;
        case ir::Stage::TessControl:
            return EShLangTessControl;
        case ir::Stage::TessEval:
            return EShLangTessEvaluation;
        case ir::Stage::Geometry:
            return EShLangGeometry;
        case ir::Stage::Fragment:
            return EShLangFragment;
        case ir::Stage::Compute:
            return EShLangCompute;
    }
    return EShLangVertex;
}

/// glslang's log ends with a count and empty lines, which are removed.
void append_log(std::string& log, const char* text, const glsl::Source& source) {
    std::string s = text ? text : "";
    while (!s.empty() && s.back() == '\n')
        s.pop_back();
    source.restore(s);
    // The parser's message if 10,000 symbols of the grammar are open.
    constexpr std::string_view kFull = "memory exhausted";
    if (const size_t at = s.find(kFull); at != s.npos)
        s.replace(at, kFull.size(),
                  "Terrazzo: statements, assignments or choices nested too deep for the parser");
    if (!s.empty()) log += s + "\n";
}

bool supported_version(const ::glslang::TIntermediate& tree, int max_version, std::string& log) {
    const int v = tree.getVersion();
    const bool known = tree.getProfile() == EEsProfile && (v == 100 || v == 300 || v == 310 || v == 320);
    if (known && v <= max_version) return true;
    log += "ERROR: 0:1: '#version' : GLSL " + std::string(tree.getProfile() == EEsProfile ? "ES " : "") +
           std::to_string(v / 100) + "." + (v % 100 < 10 ? "0" : "") + std::to_string(v % 100) +
           " is not supported; the highest version here is GLSL ES " + std::to_string(max_version / 100) +
           "." + (max_version % 100 < 10 ? "0" : "") + std::to_string(max_version % 100) + "\n";
    return false;
}

/// Restores original names in the interface.
void restore_interface(CompiledShader& s, const glsl::Source& source) {
    for (auto* list : {&s.inputs, &s.outputs, &s.uniforms, &s.buffer_variables}) {
        for (InterfaceVar& v : *list) {
            source.restore(v.name);
            source.restore(v.declared_type);
        }
    }
    for (ir::Var* v : s.ir->vars())
        source.restore(v->name);
}

bool set_group_size(const ::glslang::TIntermediate& tree, const Limits& limits, CompiledShader& out,
                    std::string& log) {
    out.has_group_size = tree.isLocalSizeSet();
    uint64_t all = 1;
    for (int n = 0; n < 3; ++n) {
        const uint32_t size = tree.getLocalSize(n);
        out.ir->info.workgroup_size[n] = size;
        all *= size;
        if (size == 0 || size > uint32_t(limits.compute_group_size[n]) ||
            all > uint64_t(limits.compute_group_invocations)) {
            log += "ERROR: 0:0: the workgroup is too large: at most " +
                   std::to_string(limits.compute_group_invocations) + " invocations are supported, " +
                   std::to_string(limits.compute_group_size[n]) + " in dimension " + std::to_string(n) + "\n";
            return false;
        }
    }
    return true;
}

CompileResult compile_here(std::string_view source, const CompileOptions& options) {
    CompileResult result;
    const glsl::Source text = glsl::prepare_source(source, options.extensions, options.stage);
    if (!text.error.empty()) {
        result.log = text.error;
        return result;
    }
    const EShLanguage stage = language(options.stage);
    glsl::LibraryUse library({text.preamble, text.text, stage});
    if (!library.ok()) {
        result.log = "ERROR: 0:0: Terrazzo: the parser does not start\n";
        return result;
    }
    ::glslang::TShader shader(stage);
    const char* const string = text.text.c_str();
    const int length = int(text.text.size());
    shader.setStringsWithLengths(&string, &length, 1);
    shader.setPreamble(text.preamble.c_str());
    glsl::t_says_precise = text.says_precise;
    glsl::t_views = 0;
    const TBuiltInResource resources = glsl::built_in_resources(options.limits);
    const bool parsed = shader.parse(&resources, 100, EEsProfile, false, false, EShMsgDefault);
    result.log = text.warning;
    append_log(result.log, shader.getInfoLog(), text);
    ::glslang::TIntermediate* tree = shader.getIntermediate();
    if (tree) library.parsed(tree->getVersion());
    if (!tree || (tree->getVersion() && !supported_version(*tree, options.max_version, result.log)))
        return result;
    if (!parsed) {
        if (result.log.empty()) result.log = "ERROR: 0:0: Terrazzo: the shader could not be parsed\n";
        return result;
    }
    glsl::Scan scan;
    scan.set_invariant(text.invariant_all, text.invariant_builtins);
    scan.set_shadow_lod(text.shadow_lod);
    if (!scan.run(tree->getTreeRoot())) {
        result.log += "ERROR: 0:" + std::to_string(scan.error_line) + ": " + scan.error + "\n";
        return result;
    }
    if (tree->getVersion() >= 310) {
        const glsl::AccessError wrong = glsl::check_access(tree->getTreeRoot());
        if (!wrong.rule.empty()) {
            result.log += "ERROR: 0:" + std::to_string(wrong.line) + ": " + wrong.rule + "\n";
            return result;
        }
    }
    auto compiled = std::make_shared<CompiledShader>();
    compiled->version = tree->getVersion();
    compiled->has_main = scan.main() != nullptr;
    if (!glsl::check_rules(scan, compiled->version, options.stage, result.log)) return result;
    compiled->ir = std::make_unique<ir::Shader>(options.stage, options.memory);
    compiled->ir->info.early_fragment_tests = tree->getEarlyFragmentTests();
    const uint32_t equations = tree->getBlendEquations(), every = 1u << ::glslang::EBlendAllEquations;
    compiled->ir->info.blend_equations = equations & every ? every - 1 : equations;
    if (options.stage == ir::Stage::Compute && !set_group_size(*tree, options.limits, *compiled, result.log))
        return result;
    if (glsl::t_views) compiled->views = uint32_t(glsl::t_views);
    if (!glsl::set_stage_layout(*tree, options.limits, *compiled, result.log)) return result;
    glsl::Walker walker(scan, *compiled, options, result.log);
    walker.set_broadcast_color(text.draw_buffers);
    walker.set_fetched_outputs(text.fetched_outputs);
    if (!walker.run(tree->getTreeRoot())) return result;
    if (!text.renamed.empty()) restore_interface(*compiled, text);
    result.shader = std::move(compiled);
    return result;
}

}  // namespace

CompileResult compile(std::string_view source, const CompileOptions& options) {
    return on_own_stack([&] {
        try {
            glsl::t_parser_B = 0;
            return compile_here(source, options);
        } catch (const glsl::ParserMemory&) {
            CompileResult result;
            result.log = "ERROR: 0:0: Terrazzo: the shader is too large: its parser needs more than " +
                         std::to_string(glsl::kMaxParser_B >> 20) + " MiB\n";
            return result;
        }
    });
}

}  // namespace terrazzo::shaders
