// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The text before it is split into tokens: see version_line.h.
#include "shaders/glsl/version_line.h"

#include <cstdlib>

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

}  // namespace

VersionLine read_version(std::string_view source) {
    VersionLine v;
    Lexer lexer(source);
    Token hash, word, number;
    if (!lexer.next(hash) || hash.text != "#" || !lexer.next(word) || word.first || word.text != "version" ||
        !lexer.next(number) || number.first)
        return v;
    v.version = std::atoi(std::string(number.text.substr(0, 4)).c_str());
    if (v.version < 300) return v;
    if (source.find("\\\n") != source.npos || source.find("\\\r") != source.npos) v.text = join_lines(source);
    const std::string_view text = v.text.empty() ? source : std::string_view(v.text);
    Lexer again(text);
    if (!again.next(hash) || hash.text != "#") return v;
    const size_t at = size_t(hash.text.data() - text.data());
    if (at == 0) return v;
    const std::string_view line = text.substr(at, text.find_first_of("\r\n", at) - at);
    TextEdits edits(text);
    edits.remove(line);
    std::string moved = std::string(line) + "\n#line 1\n" + edits.apply();
    v.text = std::move(moved);
    v.added_lines = 2;
    return v;
}

}  // namespace terrazzo::shaders::glsl
