// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/explain/report.h"

#include <algorithm>
#include <string_view>

#include "api/command/json_text.h"

namespace terrazzo::command {
namespace {

constexpr size_t kIndent = 4, kSubject = 24, kWidth = 110;  // columns

struct LevelRow {
    const char* name;  // in JSON
    char mark;         // on the page
};
constexpr LevelRow kLevels[] = {{"works", '+'}, {"unused", '-'}, {"wrong", '!'}};

/// The number of bytes of the character at the front, if it is a printable one in UTF-8; otherwise 0.
size_t character_size(std::string_view text) {
    const auto byte = [&](size_t i) { return i < text.size() ? uint8_t(text[i]) : 0u; };
    const unsigned first = byte(0);
    if (first < 0x80) return first >= 0x20 && first != 0x7f;
    const size_t size = first >= 0xf0 && first < 0xf5   ? 4
                        : first >= 0xe0 && first < 0xf0 ? 3
                        : first >= 0xc2 && first < 0xe0 ? 2
                                                        : 0;
    for (size_t i = 1; i < size; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    // Refuses overlong forms, surrogates, numbers above Unicode's, and C1's control characters.
    const unsigned second = byte(1);
    const bool bad = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90) ||
                     (first == 0xc2 && second < 0xa0);
    return bad ? 0 : size;
}

/// Appends a paragraph whose lines begin at that column. The cursor is there already.
void append_wrapped(std::string_view text, size_t column, std::string* out) {
    size_t at = column;
    bool first = true;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        if (!first && at + 1 + word.size() > kWidth) {
            out->append("\n").append(column, ' ');
            at = column;
        } else if (!first) {
            *out += ' ';
            ++at;
        }
        out->append(word);
        at += word.size();
        first = false;
    }
    *out += '\n';
}

void append_finding(const Finding& f, std::string* out) {
    constexpr size_t kColumn = kIndent + kSubject;
    out->append("  ").append(1, kLevels[unsigned(f.level)].mark).append(" ").append(f.subject);
    if (f.subject.size() < kSubject)
        out->append(kSubject - f.subject.size(), ' ');
    else
        out->append("\n").append(kColumn, ' ');
    append_wrapped(f.what, kColumn, out);
    const auto append_line = [&](std::string_view begin, std::string_view text) {
        if (text.empty()) return;
        out->append(kColumn, ' ').append(begin);
        append_wrapped(text, kColumn + begin.size(), out);
    };
    append_line("", f.file);
    append_line("-> ", f.remedy);
}

void append_member(const char* key, const std::string& text, std::string* out) {
    if (!text.empty()) out->append(", \"").append(key).append("\": ").append(json_quoted(text));
}

}  // namespace

std::string cleaned(std::string text) {
    std::string out;
    for (std::string_view rest = text; !rest.empty();) {
        const size_t size = character_size(rest);
        if (size)
            out.append(rest.substr(0, size));
        else
            out += rest[0] == '\n' || rest[0] == '\t' ? ' ' : '?';
        rest.remove_prefix(std::max<size_t>(size, 1));
    }
    while (out.ends_with(' '))
        out.pop_back();
    return out;
}

std::string page_of(const Report& report) {
    std::string out = "Terrazzo " TERRAZZO_VERSION "\n";
    for (const Section& s : report.sections) {
        out.append("\n").append(s.title).append("\n");
        for (const Finding& f : s.findings)
            append_finding(f, &out);
    }
    return out + "\n+ works   - not there, or not used   ! wrong   -> what to do\n";
}

std::string json_of(const Report& report) {
    std::string out = "{\n  \"version\": \"" TERRAZZO_VERSION "\",\n  \"works\": ";
    out.append(report.works ? "true" : "false").append(",\n  \"sections\": [");
    for (size_t i = 0; i < report.sections.size(); ++i) {
        const Section& s = report.sections[i];
        out.append(i ? "," : "").append("\n    {\"name\": ").append(json_quoted(s.name));
        out.append(", \"title\": ").append(json_quoted(s.title)).append(", \"findings\": [");
        for (size_t j = 0; j < s.findings.size(); ++j) {
            const Finding& f = s.findings[j];
            out.append(j ? "," : "").append("\n      {\"level\": \"").append(kLevels[unsigned(f.level)].name);
            out.append("\", \"subject\": ").append(json_quoted(f.subject));
            append_member("what", f.what, &out);
            append_member("file", f.file, &out);
            append_member("remedy", f.remedy, &out);
            out += "}";
        }
        out += s.findings.empty() ? "]}" : "\n    ]}";
    }
    return out + "\n  ]\n}\n";
}

}  // namespace terrazzo::command
