// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The linker's --wrap redirects calls of glslang's parser here, as in amend.cpp.
#include "shaders/glsl/layout_rules.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include "shaders/ir/limits.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wextra"
#include <glslang/MachineIndependent/ParseHelper.h>
#include <glslang/MachineIndependent/glslang_tab.cpp.h>
#pragma GCC diagnostic pop

using namespace glslang;

// Symbols with long names: SYMBOL(__wrap_) is the function here, SYMBOL(__real_) is glslang's.
// clang-format off
#define SET_LAYOUT_NAME(prefix)               prefix##_ZN7glslang13TParseContext18setLayoutQualifierERKNS_10TSourceLocERNS_11TPublicTypeERNSt7__cxx1112basic_stringIcSt11char_traitsIcENS_14pool_allocatorIcEEEE
#define SET_LAYOUT_VALUE(prefix)              prefix##_ZN7glslang13TParseContext18setLayoutQualifierERKNS_10TSourceLocERNS_11TPublicTypeERNSt7__cxx1112basic_stringIcSt11char_traitsIcENS_14pool_allocatorIcEEEEPKNS_12TIntermTypedE
#define UPDATE_STANDALONE_QUALIFIER(prefix)   prefix##_ZN7glslang13TParseContext33updateStandaloneQualifierDefaultsERKNS_10TSourceLocERKNS_11TPublicTypeE
// clang-format on

extern "C" {
int __real__Z5yylexP7YYSTYPERN7glslang13TParseContextE(YYSTYPE*, TParseContext&);
int __wrap__Z5yylexP7YYSTYPERN7glslang13TParseContextE(YYSTYPE*, TParseContext&);
void __real__ZN7glslang14TParseVersions12requireStageERKNS_10TSourceLocE11EShLanguagePKc(TParseVersions*,
                                                                                         const TSourceLoc&,
                                                                                         EShLanguage,
                                                                                         const char*);
void __wrap__ZN7glslang14TParseVersions12requireStageERKNS_10TSourceLocE11EShLanguagePKc(TParseVersions*,
                                                                                         const TSourceLoc&,
                                                                                         EShLanguage,
                                                                                         const char*);
void SET_LAYOUT_NAME(__real_)(TParseContext*, const TSourceLoc&, TPublicType&, TString&);
void SET_LAYOUT_NAME(__wrap_)(TParseContext*, const TSourceLoc&, TPublicType&, TString&);
void SET_LAYOUT_VALUE(__real_)(TParseContext*, const TSourceLoc&, TPublicType&, TString&,
                               const TIntermTyped*);
void SET_LAYOUT_VALUE(__wrap_)(TParseContext*, const TSourceLoc&, TPublicType&, TString&,
                               const TIntermTyped*);
void UPDATE_STANDALONE_QUALIFIER(__real_)(TParseContext*, const TSourceLoc&, const TPublicType&);
void UPDATE_STANDALONE_QUALIFIER(__wrap_)(TParseContext*, const TSourceLoc&, const TPublicType&);
}

namespace {

/// glslang checks the stages and versions that have them.
constexpr std::string_view kNames[] = {
    "row_major", "column_major", "shared", "packed", "std140", "std430", "early_fragment_tests",
    // of images
    "rgba32f", "rgba16f", "r32f", "rgba8", "rgba8_snorm", "rgba32i", "rgba16i", "rgba8i", "r32i", "rgba32ui",
    "rgba16ui", "rgba8ui", "r32ui",
    // geometry and tessellation
    "points", "lines", "lines_adjacency", "triangles", "triangles_adjacency", "line_strip", "triangle_strip",
    "quads", "isolines", "equal_spacing", "fractional_even_spacing", "fractional_odd_spacing", "cw", "ccw",
    "point_mode"};
constexpr std::string_view kValues[] = {"location",     "binding",      "offset",       "index",
                                        "local_size_x", "local_size_y", "local_size_z", "max_vertices",
                                        "invocations",  "vertices",     "num_views"};

bool is_name(const TString& id, auto& list) {
    return std::find(std::begin(list), std::end(list), std::string_view(id.data(), id.size())) !=
           std::end(list);
}

constexpr const char* kSeparate = "GL_EXT_separate_shader_objects";

void refuse(TParseContext& parser, const TSourceLoc& loc, const TString& id) {
    parser.error(loc, "there is no such layout qualifier in OpenGL ES", id.c_str(), "");
}

/// Checks and stores each num_views = n, also if a layout has several.
void note_views(TParseContext& parser, const TSourceLoc& loc, int views) {
    using terrazzo::shaders::glsl::t_views;
    constexpr const char* kName = "num_views";
    if (parser.language != EShLangVertex)
        return parser.error(loc, "only vertex shaders declare the number of views", kName, "");
    if (views < 1 || views > int(terrazzo::ir::kMaxViews))
        return parser.error(loc, "is not from 1 to GL_MAX_VIEWS_OVR,", kName, "which is %d",
                            int(terrazzo::ir::kMaxViews));
    if (t_views && t_views != views)
        return parser.error(loc, "differs from what an earlier declaration says,", kName, "which is %d",
                            t_views);
    t_views = views;
}

}  // namespace

namespace terrazzo::shaders::glsl {

thread_local int t_views = 0;

void check_block_members(TParseContext& parser, const TTypeList& members) {
    if (!parser.isEsProfile()) return;
    for (const TTypeLoc& m : members)
        if (m.type->getQualifier().hasOffset())
            parser.error(m.loc, "members of blocks have no offset, which atomic counters have", "offset",
                         m.type->getFieldName().c_str());
}

bool is_separate_location(TParseVersions& parser, const char* feature) {
    if (!parser.isEsProfile() || parser.version >= 310 || !parser.extensionTurnedOn(kSeparate)) return false;
    return (parser.version == 100 && std::strcmp(feature, "location") == 0) ||
           std::strcmp(feature, "location qualifier on input") == 0 ||
           std::strcmp(feature, "location qualifier on output") == 0;
}

}  // namespace terrazzo::shaders::glsl

/// `layout` is a keyword of ESSL 1.00 only with this extension.
int __wrap__Z5yylexP7YYSTYPERN7glslang13TParseContextE(YYSTYPE* token, TParseContext& parser) {
    const int kind = __real__Z5yylexP7YYSTYPERN7glslang13TParseContextE(token, parser);
    if (kind != IDENTIFIER || parser.version != 100 || !parser.isEsProfile() ||
        *token->lex.string != "layout")
        return kind;
    return parser.extensionTurnedOn(kSeparate) ? int(LAYOUT) : kind;
}

void __wrap__ZN7glslang14TParseVersions12requireStageERKNS_10TSourceLocE11EShLanguagePKc(
    TParseVersions* parser, const TSourceLoc& loc, EShLanguage stage, const char* feature) {
    if (terrazzo::shaders::glsl::is_separate_location(*parser, feature)) return;
    __real__ZN7glslang14TParseVersions12requireStageERKNS_10TSourceLocE11EShLanguagePKc(parser, loc, stage,
                                                                                        feature);
}

void SET_LAYOUT_NAME(__wrap_)(TParseContext* parser, const TSourceLoc& loc, TPublicType& type, TString& id) {
    // glslang knows the names of blend equations and checks them. Names are case-sensitive, but glslang
    // converts them to lower case.
    if (parser->isEsProfile() && (parser->version == 100 || !is_name(id, kNames)) &&
        id.compare(0, 14, "blend_support_") != 0)
        return refuse(*parser, loc, id);
    if (std::any_of(id.begin(), id.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
        return refuse(*parser, loc, id);
    SET_LAYOUT_NAME(__real_)(parser, loc, type, id);
}

void SET_LAYOUT_VALUE(__wrap_)(TParseContext* parser, const TSourceLoc& loc, TPublicType& type, TString& id,
                               const TIntermTyped* value) {
    if (parser->isEsProfile()) {
        if (!is_name(id, kValues) || (parser->version == 100 && id != "location"))
            return refuse(*parser, loc, id);
        // glslang only checks the extension in 3.00.
        if (id == "index") parser->requireExtensions(loc, 1, &E_GL_EXT_blend_func_extended, "index");
    }
    SET_LAYOUT_VALUE(__real_)(parser, loc, type, id, value);
    if (parser->isEsProfile() && id == "num_views") note_views(*parser, loc, type.shaderQualifiers.numViews);
}

/// `layout(num_views = n) in;`: glslang does not check the storage qualifier.
void UPDATE_STANDALONE_QUALIFIER(__wrap_)(TParseContext* parser, const TSourceLoc& loc,
                                          const TPublicType& type) {
    if (type.shaderQualifiers.numViews != TQualifier::layoutNotSet && type.qualifier.storage != EvqVaryingIn)
        parser->error(loc, "can only apply to 'in'", "num_views", "");
    UPDATE_STANDALONE_QUALIFIER(__real_)(parser, loc, type);
}
