// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory that an image runs in. It is never writable and executable at once: private memory is written, then
// made executable. Where the host forbids that (for example SELinux' execmem), a memory file is written
// through one mapping and executed through another.
#pragma once

#include <cstddef>
#include <optional>

#include "drivers/soft/code/image.h"

namespace terrazzo::soft {

enum class CodeMapping : uint8_t { Any, Private, File };

class CodeMemory {
  public:
    /// Empty, with *error set: out of memory, an unknown symbol, or the host forbids executable memory.
    [[nodiscard]] static std::optional<CodeMemory> load(const CodeImage& image, std::string* error,
                                                        CodeMapping how = CodeMapping::Any);
    CodeMemory(CodeMemory&& other) noexcept
        : base_(other.base_), size_B_(other.size_B_), entry_(other.entry_) {
        other.base_ = nullptr;
    }
    CodeMemory& operator=(CodeMemory&&) = delete;
    ~CodeMemory();
    [[nodiscard]] void* entry() const { return entry_; }

  private:
    CodeMemory(void* base, size_t size_B, void* entry) : base_(base), size_B_(size_B), entry_(entry) {}
    void* base_;
    size_t size_B_;
    void* entry_;
};

}  // namespace terrazzo::soft
