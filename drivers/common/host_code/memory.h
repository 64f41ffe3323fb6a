// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory for machine code of this process. It is never writable and executable at once: private memory is
// written, then made executable. Where the host forbids that (for example SELinux' execmem), a memory file is
// written through one mapping and executed through another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace terrazzo::host_code {

enum class CodeMapping : uint8_t { Any, Private, File };

class CodeMemory {
  public:
    /// Writes the code to `to`; it will run at `at`.
    using Writer = std::function<void(uint8_t* to, const uint8_t* at)>;
    /// `size_B` bytes, which `write` writes once. Empty: out of memory, the host forbids executable memory,
    /// or the size is 0.
    [[nodiscard]] static std::optional<CodeMemory> load(size_t size_B, const Writer& write,
                                                        CodeMapping how = CodeMapping::Any);
    CodeMemory(CodeMemory&& other) noexcept : base_(other.base_), size_B_(other.size_B_) {
        other.base_ = nullptr;
    }
    CodeMemory& operator=(CodeMemory&&) = delete;
    ~CodeMemory();
    [[nodiscard]] void* at(size_t offset_B) const { return static_cast<uint8_t*>(base_) + offset_B; }
    /// Of whole pages.
    [[nodiscard]] size_t size_B() const { return size_B_; }

  private:
    CodeMemory(void* base, size_t size_B) : base_(base), size_B_(size_B) {}
    void* base_;
    size_t size_B_;
};

}  // namespace terrazzo::host_code
