// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Replacements in a text, collected while it is read and applied together.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace terrazzo::shaders::glsl {

class TextEdits {
  public:
    explicit TextEdits(std::string_view source) : source_(source) {}

    /// `what` is a part of the source. If two edits overlap, the one that begins first is applied.
    void replace(std::string_view what, std::string with) {
        edits_.push_back({size_t(what.data() - source_.data()), what.size(), std::move(with)});
    }
    void remove(std::string_view what) { replace(what, ""); }
    /// Inserts before the character `at`, which is in the source or its end. Other edits there are not
    /// affected.
    void insert(const char* at, std::string text) { replace({at, 0}, std::move(text)); }

    /// The source with the edits applied.
    [[nodiscard]] std::string apply() {
        std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) {
            return a.at != b.at ? a.at < b.at : (a.length == 0) > (b.length == 0);
        });
        std::string text;
        size_t done = 0;
        for (const Edit& e : edits_) {
            if (e.at < done) continue;
            text.append(source_, done, e.at - done);
            text += e.with;
            done = e.at + e.length;
        }
        text.append(source_, done);
        return text;
    }

  private:
    struct Edit {
        size_t at, length;
        std::string with;
    };
    std::string_view source_;
    std::vector<Edit> edits_;
};

}  // namespace terrazzo::shaders::glsl
