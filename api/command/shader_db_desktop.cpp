// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Built-in names are those of "The OpenGL Shading Language" 1.20, chapter 7.
#include "api/command/shader_db_desktop.h"

#include <algorithm>
#include <cctype>

namespace terrazzo::command::shader_db {

namespace {

/// A name that GLSL ES 1.00 lacks, its replacement, and the declaration of that.
struct Builtin {
    enum class Stage : char { Vertex, Fragment, Both } stage;
    std::string_view name, becomes, declaration;
};
using enum Builtin::Stage;

constexpr Builtin kBuiltins[] = {
    {Vertex, "gl_Vertex", "d_Vertex", "attribute vec4 d_Vertex;"},
    {Vertex, "gl_Normal", "d_Normal", "attribute vec3 d_Normal;"},
    {Vertex, "gl_Color", "d_Color", "attribute vec4 d_Color;"},
    {Vertex, "gl_SecondaryColor", "d_Color2", "attribute vec4 d_Color2;"},
    {Vertex, "gl_FogCoord", "d_FogCoord", "attribute float d_FogCoord;"},
    {Vertex, "gl_MultiTexCoord0", "d_MultiTexCoord0", "attribute vec4 d_MultiTexCoord0;"},
    {Vertex, "gl_MultiTexCoord1", "d_MultiTexCoord1", "attribute vec4 d_MultiTexCoord1;"},
    {Vertex, "gl_MultiTexCoord2", "d_MultiTexCoord2", "attribute vec4 d_MultiTexCoord2;"},
    {Vertex, "gl_MultiTexCoord3", "d_MultiTexCoord3", "attribute vec4 d_MultiTexCoord3;"},
    {Vertex, "gl_FrontColor", "d_FrontColor", "varying vec4 d_FrontColor;"},
    {Vertex, "gl_BackColor", "d_BackColor", "varying vec4 d_BackColor;"},
    {Vertex, "gl_FrontSecondaryColor", "d_FrontColor2", "varying vec4 d_FrontColor2;"},
    {Vertex, "gl_BackSecondaryColor", "d_BackColor2", "varying vec4 d_BackColor2;"},
    {Vertex, "gl_ClipVertex", "d_ClipVertex", "vec4 d_ClipVertex;"},
    {Vertex, "ftransform", "d_transform",
     "attribute vec4 d_TransformVertex; uniform mat4 d_Transform; vec4 d_transform() { return d_Transform * "
     "d_TransformVertex; }"},
    {Fragment, "gl_Color", "d_FrontColor", "varying vec4 d_FrontColor;"},
    {Fragment, "gl_SecondaryColor", "d_FrontColor2", "varying vec4 d_FrontColor2;"},
    {Fragment, "gl_FragDepth", "gl_FragDepthEXT", ""},
    {Both, "gl_TexCoord", "d_TexCoord", "varying vec4 d_TexCoord[4];"},
    {Both, "gl_FogFragCoord", "d_FogFragCoord", "varying float d_FogFragCoord;"},
    {Both, "gl_ModelViewMatrix", "d_ModelViewMatrix", "uniform mat4 d_ModelViewMatrix;"},
    {Both, "gl_ProjectionMatrix", "d_ProjectionMatrix", "uniform mat4 d_ProjectionMatrix;"},
    {Both, "gl_ModelViewProjectionMatrix", "d_ModelViewProjectionMatrix",
     "uniform mat4 d_ModelViewProjectionMatrix;"},
    {Both, "gl_TextureMatrix", "d_TextureMatrix", "uniform mat4 d_TextureMatrix[4];"},
    {Both, "gl_NormalMatrix", "d_NormalMatrix", "uniform mat3 d_NormalMatrix;"},
    {Both, "centroid", "", ""},
};

const Builtin* find(std::string_view name, bool vertex) {
    for (const Builtin& b : kBuiltins)
        if (b.name == name && b.stage != (vertex ? Fragment : Vertex)) return &b;
    return nullptr;
}

bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// The name at the beginning of the text; empty: there is none.
std::string_view leading_name(std::string_view text) {
    size_t end = 0;
    while (end < text.size() && in_name(text[end]))
        ++end;
    return text.substr(0, end);
}

}  // namespace

bool looks_like_desktop(std::string_view text, bool vertex) {
    while (!text.empty()) {
        const std::string_view name = leading_name(text);
        const Builtin* const builtin = find(name, vertex);
        if (builtin && !builtin->declaration.empty()) return true;
        text.remove_prefix(name.empty() ? 1 : name.size());
    }
    return false;
}

std::string desktop_as_es(std::string_view text, bool vertex) {
    std::string declarations, out;
    while (!text.empty()) {
        if (text.starts_with("#version")) {  // removes the line, but not its end
            text.remove_prefix(std::min(text.find('\n'), text.size()));
            continue;
        }
        const std::string_view name = leading_name(text);
        if (name.empty()) {
            out += text[0];
            text.remove_prefix(1);
            continue;
        }
        const Builtin* const builtin = find(name, vertex);
        out += builtin ? builtin->becomes : name;
        if (builtin && declarations.find(builtin->declaration) == declarations.npos)
            declarations.append(builtin->declaration).append(" ");
        text.remove_prefix(name.size());
    }
    const char* const extensions = vertex ? ""
                                          : "#extension GL_OES_standard_derivatives : enable\n"
                                            "#extension GL_EXT_frag_depth : enable\n";
    return extensions + std::string("precision highp float; precision highp int; ") + declarations + "\n" +
           out;
}

}  // namespace terrazzo::command::shader_db
