// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The linker's --wrap leads glslang's parser through here, as through amend.cpp.
#include "shaders/glsl/layout_rules.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wextra"
#include <glslang/MachineIndependent/ParseHelper.h>
#pragma GCC diagnostic pop

using namespace glslang;

extern "C" {
void __real__ZN7glslang13TParseContext18setLayoutQualifierERKNS_10TSourceLocERNS_11TPublicTypeERNSt7__cxx1112basic_stringIcSt11char_traitsIcENS_14pool_allocatorIcEEEE(
    TParseContext*, const TSourceLoc&, TPublicType&, TString&);
void __wrap__ZN7glslang13TParseContext18setLayoutQualifierERKNS_10TSourceLocERNS_11TPublicTypeERNSt7__cxx1112basic_stringIcSt11char_traitsIcENS_14pool_allocatorIcEEEE(
    TParseContext*, const TSourceLoc&, TPublicType&, TString&);
void __real__ZN7glslang13TParseContext18setLayoutQualifierERKNS_10TSourceLocERNS_11TPublicTypeERNSt7__cxx1112basic_stringIcSt11char_traitsIcENS_14pool_allocatorIcEEEEPKNS_12TIntermTypedE(
    TParseContext*, const TSourceLoc&, TPublicType&, TString&, const TIntermTyped*);
void __wrap__ZN7glslang13TParseContext18setLayoutQualifierERKNS_10TSourceLocERNS_11TPublicTypeERNSt7__cxx1112basic_stringIcSt11char_traitsIcENS_14pool_allocatorIcEEEEPKNS_12TIntermTypedE(
    TParseContext*, const TSourceLoc&, TPublicType&, TString&, const TIntermTyped*);
}

namespace {

/// glslang says which stages and versions have them.
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

void refuse(TParseContext& parser, const TSourceLoc& loc, const TString& id) {
    parser.error(loc, "there is no such layout qualifier in OpenGL ES", id.c_str(), "");
}

}  // namespace

namespace terrazzo::shaders::glsl {

void check_block_members(TParseContext& parser, const TTypeList& members) {
    if (!parser.isEsProfile()) return;
    for (const TTypeLoc& m : members)
        if (m.type->getQualifier().hasOffset())
            parser.error(m.loc, "members of blocks have no offset, which atomic counters have", "offset",
                         m.type->getFieldName().c_str());
}

}  // namespace terrazzo::shaders::glsl

void __wrap__ZN7glslang13TParseContext18setLayoutQualifierERKNS_10TSourceLocERNS_11TPublicTypeERNSt7__cxx1112basic_stringIcSt11char_traitsIcENS_14pool_allocatorIcEEEE(
    TParseContext* parser, const TSourceLoc& loc, TPublicType& type, TString& id) {
    // glslang knows the names of blend equations, and says so. Names are case-sensitive; it takes all for lower case.
    if (parser->isEsProfile() && !is_name(id, kNames) && id.compare(0, 14, "blend_support_") != 0)
        return refuse(*parser, loc, id);
    if (std::any_of(id.begin(), id.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
        return refuse(*parser, loc, id);
    __real__ZN7glslang13TParseContext18setLayoutQualifierERKNS_10TSourceLocERNS_11TPublicTypeERNSt7__cxx1112basic_stringIcSt11char_traitsIcENS_14pool_allocatorIcEEEE(
        parser, loc, type, id);
}

void __wrap__ZN7glslang13TParseContext18setLayoutQualifierERKNS_10TSourceLocERNS_11TPublicTypeERNSt7__cxx1112basic_stringIcSt11char_traitsIcENS_14pool_allocatorIcEEEEPKNS_12TIntermTypedE(
    TParseContext* parser, const TSourceLoc& loc, TPublicType& type, TString& id, const TIntermTyped* value) {
    if (parser->isEsProfile()) {
        if (!is_name(id, kValues)) return refuse(*parser, loc, id);
        // glslang asks for the extension in 3.00 alone.
        if (id == "index") parser->requireExtensions(loc, 1, &E_GL_EXT_blend_func_extended, "index");
    }
    __real__ZN7glslang13TParseContext18setLayoutQualifierERKNS_10TSourceLocERNS_11TPublicTypeERNSt7__cxx1112basic_stringIcSt11char_traitsIcENS_14pool_allocatorIcEEEEPKNS_12TIntermTypedE(
        parser, loc, type, id, value);
}
