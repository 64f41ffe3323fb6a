// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The text before it is split into tokens: see version_line.h.
#include "shaders/glsl/version_line.h"

#include <algorithm>
#include <charconv>

#include "shaders/glsl/text_edits.h"
#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

namespace {

/// Joins lines. The removed line ends follow the joined line as empty lines.
std::string join_lines(std::string_view source) {
    std::string text;
    text.reserve(source.size());
    size_t owed = 0;
    for (size_t i = 0; i < source.size(); ++i) {
        const char c = source[i];
        const auto line_end = [&](size_t at) -> size_t {
            if (at >= source.size() || (source[at] != '\n' && source[at] != '\r')) return 0;
            return source.substr(at, 2) == "\r\n" ? 2 : 1;
        };
        if (const size_t skipped = c == '\\' ? line_end(i + 1) : 0) {
            ++owed;
            i += skipped;
            continue;
        }
        text += c;
        if (c == '\n' || (c == '\r' && line_end(i) == 1)) {
            text.append(owed, '\n');
            owed = 0;
        }
    }
    return text;
}

/// The name of a version in messages: "GLSL 1.20", "GLSL ES 3.30".
std::string name_of(int version, bool es) {
    const int minor = version % 100;
    return std::string("GLSL ") + (es ? "ES " : "") + std::to_string(version / 100) +
           (minor < 10 ? ".0" : ".") + std::to_string(minor);
}

/// Why the tokens from `number` on, which follow `#version`, are not allowed. Empty: they are.
std::string wrong_version(Lexer& lexer, const Token& number, int* version) {
    constexpr const char* kAllowed = "'100', '300 es', '310 es' or '320 es'";
    const char* const end = number.text.data() + number.text.size();
    const auto [stop, error] = std::from_chars(number.text.data(), end, *version);
    if (error != std::errc() || stop != end) return std::string("must be followed by ") + kAllowed;
    Token profile;
    const bool has_profile = lexer.next(profile) && !profile.first;
    const bool es = has_profile && profile.text == "es", is_100 = *version == 100;
    if (!is_100 && *version != 300 && *version != 310 && *version != 320)
        return name_of(*version, es) + " is not supported; use " + kAllowed;
    if (is_100 && has_profile) return "nothing may follow 100";
    if (!is_100 && !es) return std::to_string(*version) + " must be followed by 'es'";
    Token more;
    return !is_100 && lexer.next(more) && !more.first ? "nothing may follow 'es'" : "";
}

}  // namespace

VersionLine read_version(std::string_view source) {
    VersionLine v;
    Lexer lexer(source);
    Token hash, word, number;
    if (!lexer.next(hash) || hash.text != "#" || !lexer.next(word) || word.first || word.text != "version")
        return v;
    v.line = word.line;
    if (!lexer.next(number) || number.first) number.text = {};
    v.error = wrong_version(lexer, number, &v.version);
    if (!v.error.empty()) return v;
    if (v.version < 300) return v;
    if (source.find("\\\n") != source.npos || source.find("\\\r") != source.npos) v.text = join_lines(source);
    const std::string_view text = v.text.empty() ? source : std::string_view(v.text);
    Lexer again(text);
    if (!again.next(hash) || hash.text != "#") return v;
    const size_t at = size_t(hash.text.data() - text.data());
    if (at == 0) return v;
    // The tokens move, not what follows them: a comment may end on a later line.
    size_t end = at;
    for (Token t = hash; end == at || !t.first;) {
        end = size_t(t.text.data() - text.data()) + t.text.size();
        if (!again.next(t)) break;
    }
    const std::string_view line = text.substr(at, end - at);
    TextEdits edits(text);
    edits.replace(line, std::string(size_t(std::count(line.begin(), line.end(), '\n')), '\n'));
    std::string moved = "#version " + std::to_string(v.version) + " es\n#line 1\n" + edits.apply();
    v.text = std::move(moved);
    v.added_lines = 2;
    return v;
}

}  // namespace terrazzo::shaders::glsl
