// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace fuzz {

namespace {

constexpr std::string_view kPieces[] = {"(",
                                        ")",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        ";",
                                        ",",
                                        "?",
                                        ":",
                                        "=",
                                        "==",
                                        "+",
                                        "-",
                                        "*",
                                        "/",
                                        "%",
                                        "&&",
                                        "||",
                                        "!",
                                        "~",
                                        "<<",
                                        "++",
                                        "--",
                                        ".x",
                                        ".xyzw",
                                        ".zzzz",
                                        "[0]",
                                        "[i]",
                                        "[99999999]",
                                        "[-1]",
                                        "0",
                                        "1",
                                        "-1",
                                        "1.0",
                                        "1e39",
                                        "0x7fffffff",
                                        "4294967296",
                                        "true",
                                        "float",
                                        "vec2",
                                        "vec4",
                                        "mat3",
                                        "mat4",
                                        "int",
                                        "ivec3",
                                        "bvec2",
                                        "void",
                                        "struct",
                                        "struct S",
                                        "uniform",
                                        "varying",
                                        "attribute",
                                        "const",
                                        "in",
                                        "out",
                                        "inout",
                                        "highp",
                                        "lowp",
                                        "precision",
                                        "if",
                                        "else",
                                        "for",
                                        "while",
                                        "do",
                                        "switch",
                                        "case 1:",
                                        "default:",
                                        "break;",
                                        "continue;",
                                        "return",
                                        "discard;",
                                        "main",
                                        "gl_Position",
                                        "gl_FragColor",
                                        "gl_FragData",
                                        "gl_FragData[1]",
                                        "gl_DepthRange.far",
                                        "gl_MaxDrawBuffers",
                                        "texture2D",
                                        "texture2DProjLod",
                                        "sin",
                                        "atan",
                                        "mix",
                                        "lights",
                                        "lights[1]",
                                        "color",
                                        "uv",
                                        "normal",
                                        "sum",
                                        "\n#if 1\n",
                                        "\n#endif\n",
                                        "\n#else\n",
                                        "\n#define A A A\n",
                                        "\n#define F(x) x x\n",
                                        "A",
                                        "F(F(1))",
                                        "\n#undef COUNT\n",
                                        "\n#line 7\n",
                                        "\n#pragma STDGL invariant(all)\n",
                                        "\n#extension all : warn\n",
                                        "\n#version 300 es\n",
                                        "\\",
                                        "//",
                                        "/*",
                                        "*/",
                                        "'",
                                        "\"",
                                        "@",
                                        "$",
                                        "\x80",
                                        "\xff",
                                        "__",
                                        "gl_",
                                        "invariant",
                                        "sampler2D",
                                        "float[3](1.0, 2.0, 3.0)",
                                        "layout(location = 3)",
                                        "flat",
                                        "centroid",
                                        "smooth in vec4 v;",
                                        "out vec4 o2;",
                                        "uint",
                                        "uvec4",
                                        "1u",
                                        "0xffffffffu",
                                        "mat2x3",
                                        "mat4x2",
                                        "ivec4[]",
                                        ".length()",
                                        "int[](1, 2)",
                                        ">>",
                                        "^",
                                        "|=",
                                        "%=",
                                        "layout(std140) uniform",
                                        "gl_VertexID",
                                        "gl_InstanceID",
                                        "gl_FragDepth",
                                        "texture",
                                        "textureLodOffset",
                                        "texelFetch",
                                        "textureSize",
                                        "textureProjGrad",
                                        "sampler2DArrayShadow",
                                        "isampler3D",
                                        "packHalf2x16",
                                        "floatBitsToUint",
                                        "transpose",
                                        "inverse",
                                        "outerProduct",
                                        "modf",
                                        "\n//--- geometry\n",
                                        "\n//--- control\n",
                                        "\n//--- fragment\n",
                                        "layout(points) in;",
                                        "layout(triangles) in;",
                                        "layout(isolines, point_mode) in;",
                                        "layout(quads) in;",
                                        "layout(line_strip, max_vertices = 300) out;",
                                        "layout(vertices = 32) out;",
                                        "layout(local_size_x = 3) in;",
                                        "patch",
                                        "sample",
                                        "EmitVertex();",
                                        "EndPrimitive();",
                                        "barrier();",
                                        "gl_in[0].gl_Position",
                                        "gl_in[i].gl_PointSize",
                                        "gl_in.length()",
                                        "gl_out[gl_InvocationID].gl_Position",
                                        "gl_out[1]",
                                        "gl_TessLevelOuter[3]",
                                        "gl_TessLevelInner",
                                        "gl_TessCoord",
                                        "gl_InvocationID",
                                        "gl_PrimitiveID",
                                        "gl_PatchVerticesIn",
                                        "gl_Layer",
                                        "gl_ClipDistance[1]",
                                        "gl_in[0].gl_CullDistance[0]",
                                        "gl_SampleID",
                                        "gl_SampleMask[0]",
                                        "gl_LocalInvocationIndex",
                                        "shared uint t[4];",
                                        "buffer B { uint n; vec4 r[]; } b;",
                                        "atomicAdd",
                                        "imageLoad",
                                        "imageStore",
                                        "textureGatherOffset",
                                        "interpolateAtSample",
                                        "\\\n"};

unsigned kind(char c) {
    if (std::isdigit(static_cast<unsigned char>(c))) return 1;
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') return 2;
    return std::string_view("+-*/<>=&|").find(c) != std::string_view::npos ? 3 : 0;
}

}  // namespace

void Mutator::next() {
    text = seeds_[below(seeds_.size())];
    // Half of the texts keep their structure: only words of the same kind are exchanged.
    const bool gentle = below(2);
    for (size_t n = 1 + below(gentle ? 2 : 6); n > 0; --n)
        gentle ? exchange(text) : change(text);
}

std::string_view Mutator::piece() {
    return kPieces[below(std::size(kPieces))];
}

/// A position between words: changes there are more likely to parse.
size_t Mutator::place(const std::string& s) {
    size_t at = below(s.size() + 1);
    while (at < s.size() && std::isalnum(static_cast<unsigned char>(s[at])))
        ++at;
    return at;
}

/// A whole word: a name, a number, an operator.
std::string_view Mutator::word(const std::string& s, unsigned wanted) {
    for (unsigned tries = 0; tries < 200; ++tries) {
        size_t at = below(s.size());
        if (kind(s[at]) == 0 || (wanted && kind(s[at]) != wanted)) continue;
        const unsigned k = kind(s[at]);
        const auto inside = [&](size_t i) {
            return kind(s[i]) == k || (k < 3 && (kind(s[i]) == 1 || kind(s[i]) == 2));
        };
        while (at > 0 && inside(at - 1))
            --at;
        size_t end = at;
        while (end < s.size() && inside(end))
            ++end;
        return std::string_view(s).substr(at, end - at);
    }
    return std::string_view(s).substr(0, 0);
}

/// Replaces a word by another one of its kind.
void Mutator::exchange(std::string& s) {
    const std::string_view to = word(s, below(4) ? 1 + 2 * unsigned(below(2)) : 0);
    if (to.empty()) return;
    static const char* const kTypes[] = {"float", "vec2", "vec3", "vec4", "int",   "ivec2",  "mat2",
                                         "mat3",  "mat4", "bool", "uint", "uvec3", "mat2x4", "mat4x3"};
    std::string with(word(s, kind(to[0])));
    if (std::find(std::begin(kTypes), std::end(kTypes), to) != std::end(kTypes))
        with = kTypes[below(std::size(kTypes))];
    s.replace(size_t(to.data() - s.data()), to.size(), with);
}

void Mutator::mutate(std::string* s) {
    below(2) ? exchange(*s) : change(*s);
}

void Mutator::change(std::string& s) {
    const size_t at = place(s), length = std::min(s.size() - at, 1 + below(below(4) ? 12 : 200));
    switch (below(8)) {
        case 0:
            s.erase(at, length);
            break;
        case 1:
            s.insert(at, " " + std::string(piece()) + " ");
            break;
        case 2:
            s.insert(at, s.substr(place(s), length));
            break;
        case 3:
            s.replace(at, length, piece());
            break;
        case 4:
            if (!s.empty()) s[below(s.size())] = char(random_());
            break;
        case 5: {
            const std::string other = seeds_[below(seeds_.size())];
            s.insert(at, other.substr(place(other), length * 3));
            break;
        }
        case 6: {
            const size_t from = place(s);
            const std::string part = s.substr(from, length);
            for (unsigned n = 1 + below(below(8) ? 4 : 300); n > 0 && s.size() < 60'000; --n)
                s.insert(at, part);
            break;
        }
        case 7:
            s.insert(at, macro_lines());
            break;
    }
}

std::string Mutator::macro_lines() {
    // Macros and parameters have the same names.
    static constexpr std::string_view kNames[] = {"a", "b", "m", "f"};
    static constexpr std::string_view kMarks[] = {"(", "((", ")",       "))",       ",", "1",
                                                  "x", "+",  "defined", "__LINE__", "\n"};
    const auto words = [&](size_t most, bool one_line) {
        std::string s;
        for (size_t n = below(most + 1); n > 0; --n)
            s += " " + std::string(below(2) ? kNames[below(std::size(kNames))]
                                            : kMarks[below(std::size(kMarks) - one_line)]);
        return s;
    };
    std::string lines = "\n";
    for (size_t n = 1 + below(4); n > 0; --n) {
        lines += "#define " + std::string(kNames[below(std::size(kNames))]);
        const size_t parameters = below(4);
        if (parameters) lines += "(";
        for (size_t i = 1; i < parameters; ++i)
            lines += (i > 1 ? "," : "") + std::string(kNames[below(std::size(kNames))]);
        if (parameters) lines += ")";
        lines += words(6, true) + "\n";
    }
    lines += (below(3) ? words(8, false) : "#if" + words(8, true) + "\n#endif") + "\n";
    for (const std::string_view name : kNames)
        if (below(4)) lines += "#undef " + std::string(name) + "\n";
    return lines;
}

}  // namespace fuzz
