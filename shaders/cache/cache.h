// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A content-addressed cache of results that are slow to compute (linked programs, machine code). In memory,
// the least recently used entries are dropped first; the disk cache is shared between processes. A cache
// never fails: what cannot be stored or read is a miss. If the folder cannot be used, that is reported once.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shaders/digest.h"

namespace terrazzo::winsys {
enum class Variable : uint8_t;
}

namespace terrazzo::shaders {

/// The digest of everything that determines the value. Two builds of the compiler never share keys.
struct CacheKey {
    DigestBytes bytes{};
    bool operator==(const CacheKey&) const = default;
    /// The boundaries between parts count: {"ab", "c"} and {"a", "bc"} differ.
    [[nodiscard]] static CacheKey of(std::span<const std::span<const uint8_t>> parts);
    [[nodiscard]] static CacheKey of(std::span<const std::string_view> parts);
    [[nodiscard]] static CacheKey of(std::initializer_list<std::string_view> parts) {
        return of(std::span(parts.begin(), parts.size()));
    }
    [[nodiscard]] std::string hex() const;
};

struct CacheOptions {
    size_t memory_limit_B = size_t(32) << 20;  // the sum of values; 0: no cache in memory
    uint64_t disk_limit_B = uint64_t(512) << 20;
    std::string folder;  // created when first needed; empty: memory only
    std::optional<winsys::Variable>
        folder_variable;  // names the folder; reported if the folder cannot be used
    // Use the program's stores instead of the folder, if it has set any (program_store.h).
    bool program_stores = false;
};

/// Folder: TERRAZZO_SHADER_CACHE, else $XDG_CACHE_HOME/terrazzo, else $HOME/.cache/terrazzo. `off`: no cache,
/// not in memory either. A program with elevated rights gets no folder (winsys/environment).
[[nodiscard]] CacheOptions cache_options_from_environment(size_t memory_limit_B = size_t(32) << 20);

class DiskCache;

/// Thread: any.
class ShaderCache {
  public:
    explicit ShaderCache(CacheOptions options);
    ~ShaderCache();
    ShaderCache(const ShaderCache&) = delete;
    ShaderCache& operator=(const ShaderCache&) = delete;

    [[nodiscard]] std::optional<std::vector<uint8_t>> get(const CacheKey& key);
    void put(const CacheKey& key, std::span<const uint8_t> value);

    struct Counts {
        // disk_hits: in the folder or the program's store.
        uint64_t memory_hits = 0, disk_hits = 0, misses = 0;
    };
    [[nodiscard]] Counts counts() const;

  private:
    struct KeyHash {
        size_t operator()(const CacheKey& k) const;
    };
    struct Entry {
        CacheKey key;
        std::vector<uint8_t> value;
    };
    [[nodiscard]] std::optional<std::vector<uint8_t>> get_stored(const CacheKey& key);
    void remember(const CacheKey& key, std::span<const uint8_t> value);

    const CacheOptions options_;
    std::unique_ptr<DiskCache> disk_;  // null: memory only
    mutable std::mutex mutex_;         // guards the members below
    std::list<Entry> entries_;         // most recently used first
    std::unordered_map<CacheKey, std::list<Entry>::iterator, KeyHash> index_;
    size_t size_B_ = 0;
    Counts counts_;
};

}  // namespace terrazzo::shaders
