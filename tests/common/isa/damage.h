// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Damages correct lines, for tests of assemblers.
#pragma once
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace terrazzo::tests {

/// Makes one to four edits: inserts a piece, erases characters, truncates the line, or changes a character.
inline void damage(std::mt19937_64& random, std::span<const std::string_view> pieces, std::string* text) {
    const auto below = [&](size_t limit) { return size_t(random() % limit); };
    for (size_t edits = 1 + below(4); edits > 0; edits--) {
        const size_t at = below(text->size() + 1);
        switch (below(4)) {
            case 0:
                text->insert(at, pieces[below(pieces.size())]);
                break;
            case 1:
                text->erase(at, 1 + below(4));
                break;
            case 2:
                text->resize(at);
                break;
            default:
                if (at < text->size()) {
                    (*text)[at] = char(random());
                }
                break;
        }
    }
}

}  // namespace terrazzo::tests
