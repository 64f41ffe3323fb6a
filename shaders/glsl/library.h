// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glslang's process-wide half: a keyword table, and a table of built-in names for each GLSL version, made
// when a text of that version is first compiled. glslang does not expect that memory runs out meanwhile: it
// would keep half of a table, and its lock. Here such work is done by one thread alone, and undone where it
// fails.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <string_view>

namespace terrazzo::shaders::glsl {

/// Held around one compilation in glslang. Leave by an exception, and what this compilation made for the
/// process is forgotten; the next one makes it anew.
class LibraryUse {
  public:
    /// `source` is what glslang will read. Throws std::bad_alloc.
    explicit LibraryUse(std::string_view source);
    ~LibraryUse();
    LibraryUse(const LibraryUse&) = delete;
    LibraryUse& operator=(const LibraryUse&) = delete;

    [[nodiscard]] bool ok() const { return ok_; }
    /// glslang has read the text, as one of this version.
    void parsed(int version);

  private:
    void begin();

    bool alone_ = false, ok_ = true;
    const int version_, exceptions_;
};

/// The #version of a text, where that is its first line, and plain: 100 without one; 0: not to be told here.
[[nodiscard]] int plain_version(std::string_view source);

}  // namespace terrazzo::shaders::glsl
