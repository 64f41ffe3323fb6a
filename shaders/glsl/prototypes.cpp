// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The built-in functions of ESSL 3.00 and later in glslang. glslang declares a third more functions than the
// language has: those of extensions and of later versions. ESSL 3.00 8 lets a shader define functions with
// all names except those of its built-in functions; glslang would refuse `float average(vec4 v)`, which mpv
// has. So the prototypes that glslang parses when it starts are reduced to the functions of chapter 8, which
// also makes the start faster. The constructor of TBuiltIns is redirected here (--wrap, as in amend.cpp).
#include <new>
#include <string>
#include <string_view>

#include "shaders/glsl/ast.h"
#include "shaders/glsl/extension_builtins.h"
#include "shaders/glsl/language_functions.h"
#include "shaders/glsl/overloads.h"
#include "shaders/glsl/shadow_lod.h"
#include "shaders/glsl/source.h"
#include "shaders/ir/limits.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wextra"
#include <glslang/MachineIndependent/Initialize.h>
#pragma GCC diagnostic pop

namespace {

using namespace terrazzo::shaders::glsl;

bool is_function(std::string_view name, int version) {
    const int since = version_of_function(name);
    return since && since <= version;
}

/// Removes the other functions from glslang's text.
void keep_functions(glslang::TString& text, int version) {
    glslang::TString kept;
    kept.reserve(text.size());
    for_each_declaration({text.c_str(), text.size()}, [&](std::string_view declaration) {
        const std::string_view function = function_of(declaration);
        if (function.empty() || is_function(function, version))
            kept.append(declaration.data(), declaration.size());
    });
    text.swap(kept);
}

/// Sample masks have as many words as the samples need: one. glslang declares them without a size.
void size_sample_masks(glslang::TString& text) {
    for (const std::string_view open : {"gl_SampleMaskIn[]", "gl_SampleMask[]"})
        if (const size_t at = text.find(open.data()); at != text.npos) text.insert(at + open.size() - 1, "1");
}

/// gl_ClipDistance and gl_CullDistance (EXT_clip_cull_distance) in gl_PerVertex, with the names that
/// source.cpp uses in texts that enable the extension. They have no size: it comes from a redeclared block or
/// from the text's constant indices.
void add_distances(glslang::TString& text) {
    std::string members;
    for (const DistanceNames& n : kDistanceNames)
        members += "highp float " + std::string(n.member) + "[];";
    constexpr std::string_view kBlock = "gl_PerVertex {";
    for (size_t at = text.find(kBlock.data()); at != text.npos; at = text.find(kBlock.data(), at)) {
        at += kBlock.size();
        text.insert(at, members.c_str());
    }
}

/// The constants with their limits.
void add_distance_limits(glslang::TString& text) {
    for (const auto& [name, own] : kDistanceLimits)
        text.append(("const mediump int " + std::string(own) + " = " +
                     std::to_string(terrazzo::ir::kMaxDistances) + ";")
                        .c_str());
}

/// textureQueryLOD (EXT_texture_query_lod), which glslang knows in desktop GL. Texts that do not enable it do
/// not see it (function_names.h).
void add_query_lod(glslang::TString& text, int version) {
    struct Form {
        const char *sampler, *place;
        bool shadow;
        int version;
    };
    static constexpr Form kForms[] = {{"sampler2D", "vec2", false, 300},
                                      {"sampler3D", "vec3", false, 300},
                                      {"samplerCube", "vec3", false, 300},
                                      {"sampler2DArray", "vec2", false, 300},
                                      {"samplerCubeArray", "vec3", false, 310},
                                      {"sampler2DShadow", "vec2", true, 300},
                                      {"samplerCubeShadow", "vec3", true, 300},
                                      {"sampler2DArrayShadow", "vec2", true, 300},
                                      {"samplerCubeArrayShadow", "vec3", true, 310}};
    for (const Form& f : kForms)
        for (const char* const kind : {"", "i", "u"}) {
            if (version < f.version || (f.shadow && *kind)) continue;
            text.append("vec2 textureQueryLOD(")
                .append(kind)
                .append(f.sampler)
                .append(",")
                .append(f.place)
                .append(");");
        }
}

/// The variants that EXT_texture_shadow_lod adds (shadow_lod.h), and textureOffset with the name that it gets
/// if the extension is enabled. Variants with a bias are only for fragment shaders.
void add_shadow_lod(glslang::TString& common, glslang::TString& fragment, int version) {
    for (glslang::TString* text : {&common, &fragment}) {
        std::string more;
        for_each_declaration({text->c_str(), text->size()}, [&](std::string_view declaration) {
            const std::string_view function = function_of(declaration);
            if (function != kTextureOffset) return;
            const size_t name = size_t(function.data() - declaration.data());
            more.append(declaration.substr(0, name)).append(kShadowLodOffset);
            more.append(declaration.substr(name + function.size()));
        });
        text->append(more.c_str());
    }
    common.append(
        "float textureLod(sampler2DArrayShadow,vec4,float);"
        "float textureLod(samplerCubeShadow,vec4,float);"
        "float textureLodOffset(sampler2DArrayShadow,vec4,float,ivec2);");
    fragment.append(
        "float texture(sampler2DArrayShadow,vec4,float);"
        "float TZb_textureOffset(sampler2DArrayShadow,vec4,ivec2,float);");
    if (version < 310) return;
    common.append("float textureLod(samplerCubeArrayShadow,vec4,float,float);");
    fragment.append("float texture(samplerCubeArrayShadow,vec4,float,float);");
}

/// Whether a text may name a declaration that depends on limits.
bool names_limits(const ParserText& text) {
    const auto names = [](std::string_view part, const char* prefix) {
        return part.find(prefix) != part.npos;
    };
    return lines_continue(text.text) || names(text.text, "gl_M") || names(text.text, "gl_Secondary") ||
           names(text.preamble, "gl_M");
}

class Prototypes final : public glslang::TBuiltIns {
  public:
    void initialize(int version, EProfile profile, const glslang::SpvVersion& spirv) override {
        TBuiltIns::initialize(version, profile, spirv);
        if (profile != EEsProfile) return;
        if (version >= 300) change_functions(version);
        take_overloads(version, commonBuiltins, stageBuiltins);
    }
    /// Declarations that depend on limits: constants, and gl_in of tessellation stages. Most texts name none.
    void initialize(const TBuiltInResource& resources, int version, EProfile profile,
                    const glslang::SpvVersion& spirv, EShLanguage stage) override {
        const bool tessellation = stage == EShLangTessControl || stage == EShLangTessEvaluation;
        if (profile != EEsProfile) return TBuiltIns::initialize(resources, version, profile, spirv, stage);
        const LibraryUse& use = LibraryUse::current();
        if (tessellation || names_limits(use.text())) {
            TBuiltIns::initialize(resources, version, profile, spirv, stage);
            if (version >= 310) add_distances(commonBuiltins);
            add_extension_constants(commonBuiltins, version, resources);
        }
        if (use.alone()) append_overloads(version, use.text(), commonBuiltins);
    }
    void identifyBuiltIns(int version, EProfile profile, const glslang::SpvVersion& spirv, EShLanguage stage,
                          glslang::TSymbolTable& symbols) override {
        TBuiltIns::identifyBuiltIns(version, profile, spirv, stage, symbols);
        // Not EOpTextureOffset: glslang refuses that for a sampler2DArrayShadow in ESSL.
        symbols.relateToOperator(kShadowLodOffset.data(), glslang::EOpTextureOffsetClamp);
        if (profile == EEsProfile && version == 300 && stage == EShLangFragment)
            identify_samples_300(symbols);
    }
    void identifyBuiltIns(int version, EProfile profile, const glslang::SpvVersion& spirv, EShLanguage stage,
                          glslang::TSymbolTable& symbols, const TBuiltInResource& resources) override {
        TBuiltIns::identifyBuiltIns(version, profile, spirv, stage, symbols, resources);
        if (profile != EEsProfile) return;
        identify_extension_constants(symbols, version);
        if (LibraryUse::current().alone()) keep_overloads(symbols);
    }

  private:
    /// For ESSL 3.00 and later.
    void change_functions(int version) {
        if (version >= 310) size_sample_masks(stageBuiltins[EShLangFragment]);
        keep_functions(commonBuiltins, version);
        for (glslang::TString& stage : stageBuiltins)
            keep_functions(stage, version);
        add_query_lod(stageBuiltins[EShLangFragment], version);
        if (version == 300) add_samples_300(stageBuiltins[EShLangFragment]);
        add_shadow_lod(commonBuiltins, stageBuiltins[EShLangFragment], version);
        add_distance_limits(commonBuiltins);
        for (glslang::TString& stage : stageBuiltins)
            add_distances(stage);
    }
};
static_assert(sizeof(Prototypes) == sizeof(glslang::TBuiltIns));

}  // namespace

extern "C" void __wrap__ZN7glslang9TBuiltInsC1Ev(void* place);
/// Constructs our class instead of a TBuiltIns: it has the same size and is destroyed through the base class.
void __wrap__ZN7glslang9TBuiltInsC1Ev(void* place) {
    ::new (place) Prototypes;
}
