// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glslang's process-wide state: a keyword table, and for each GLSL version a table of built-in names, created
// when a text of that version is first compiled, and completed when a text first names a function
// (overloads.h). If memory runs out during this, glslang keeps an incomplete
// table, and its lock stays locked. So only one thread at a time creates tables here, and a failure resets
// glslang.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <string_view>

namespace terrazzo::shaders::glsl {

/// What glslang gets for one shader.
struct ParserText {
    std::string_view preamble, text;
    unsigned stage;  // an EShLanguage
};

/// Held during a compilation in glslang. If an exception leaves it, the process-wide state that this
/// compilation created is dropped, and the next compilation creates it again.
class LibraryUse {
  public:
    /// Throws std::bad_alloc.
    explicit LibraryUse(const ParserText& text);
    ~LibraryUse();
    LibraryUse(const LibraryUse&) = delete;
    LibraryUse& operator=(const LibraryUse&) = delete;

    [[nodiscard]] bool ok() const { return ok_; }
    /// glslang has parsed the text as one of this version.
    void parsed(int version);

    /// The one of this thread, for code that glslang calls.
    [[nodiscard]] static const LibraryUse& current();
    [[nodiscard]] const ParserText& text() const { return text_; }
    /// Whether this compilation may change the process-wide tables.
    [[nodiscard]] bool alone() const { return alone_; }

  private:
    void begin();

    const ParserText text_;
    bool alone_ = false, ok_ = true;
    const int version_, exceptions_;
};

/// Whether a line continues on the next one, so that a word may be split.
[[nodiscard]] bool lines_continue(std::string_view text);

/// The #version of a text if it is its first line, in the usual form; 100 if there is none; 0: cannot be
/// determined here.
[[nodiscard]] int plain_version(std::string_view source);

}  // namespace terrazzo::shaders::glsl
