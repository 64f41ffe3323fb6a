// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Names and values are those of glmark2 2023.01's scenes.
#include "api/command/shader_db_template.h"

#include <cctype>
#include <string_view>

namespace terrazzo::command::shader_db {

namespace {

struct Constant {
    std::string_view name, type, value;
};
constexpr Constant kConstants[] = {
    {"LightSourcePosition", "vec4", "vec4(20.0, 20.0, 10.0, 1.0)"},
    {"LightSourceHalfVector", "vec3", "vec3(0.41, 0.41, 0.82)"},
    {"MaterialDiffuse", "vec4", "vec4(1.0, 1.0, 1.0, 1.0)"},
    {"LightColor", "vec4", "vec4(1.0, 1.0, 1.0, 1.0)"},
    {"RefractiveIndex", "float", "1.2"},
    {"TextureStepX", "float", "0.001"},
    {"TextureStepY", "float", "0.001"},
};

/// Replacements of $NAME$; others are replaced by nothing.
constexpr struct {
    std::string_view name, text;
} kPieces[] = {
    {"NLOOPS", "4"},
    {"DO_LIGHTS", "gl_FragColor = compute_color(vec4(20.0, 20.0, 10.0, 1.0), vec4(1.0, 0.5, 0.2, 1.0));"},
};

bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// The position of a whole word after `at`, or npos.
size_t find_word(std::string_view text, std::string_view word, size_t at = 0) {
    for (; (at = text.find(word, at)) != text.npos; at += word.size()) {
        const bool begins = at == 0 || !in_name(text[at - 1]);
        const size_t end = at + word.size();
        if (begins && (end == text.size() || !in_name(text[end]))) return at;
    }
    return at;
}

/// Whether a type's name precedes the word (words of a comment may do so as well).
bool is_declaration(std::string_view text, size_t at) {
    const size_t end = text.find_last_not_of(" \t", at - 1);
    if (at == 0 || end == text.npos || end + 1 == at) return false;
    size_t begin = end + 1;
    while (begin > 0 && in_name(text[begin - 1]))
        --begin;
    const std::string_view type = text.substr(begin, end + 1 - begin);
    return type == "float" || type == "vec2" || type == "vec3" || type == "vec4";
}

bool uses_undeclared(std::string_view text, std::string_view name) {
    bool used = false;
    for (size_t at = 0; (at = find_word(text, name, at)) != text.npos; at += name.size()) {
        if (is_declaration(text, at)) return false;
        used = true;
    }
    return used;
}

void fill_places(std::string* text) {
    for (size_t begin = text->find('$'); begin != text->npos; begin = text->find('$', begin)) {
        size_t end = begin + 1;
        while (end < text->size() && in_name((*text)[end]))
            ++end;
        if (end == text->size() || (*text)[end] != '$') {
            begin = end;
            continue;
        }
        const std::string name = text->substr(begin + 1, end - begin - 1);
        std::string_view piece;
        for (const auto& p : kPieces)
            if (p.name == name) piece = p.text;
        text->replace(begin, end + 1 - begin, piece);
        begin += piece.size();
    }
}

}  // namespace

std::string complete_template(std::string text) {
    if (text.find("#version") != text.npos) return text;  // it must come first, and glmark2's files have none
    fill_places(&text);
    std::string head = "precision highp float;";
    if (find_word(text, "HIGHP_OR_DEFAULT") != text.npos) head += "\n#define HIGHP_OR_DEFAULT highp\n";
    for (const Constant& c : kConstants)
        if (uses_undeclared(text, c.name))
            head.append(" const ")
                .append(c.type)
                .append(" ")
                .append(c.name)
                .append(" = ")
                .append(c.value)
                .append(";");
    return head + "\n" + text;
}

}  // namespace terrazzo::command::shader_db
