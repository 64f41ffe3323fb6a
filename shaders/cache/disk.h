// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The disk half of ShaderCache: one file an entry, <folder>/<2 hex digits>/<62 hex digits>.
//
// A file holds an entry (entry.h). It is written under a temporary name and renamed, so that readers see all of it or nothing;
// what a crash or a bad disk leaves behind fails the checksum, is a miss, and is deleted. The times of files serve as the order of use. No locks: each operation
// on the folder is safe beside any other process' operations; folder.h says whose files are believed.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "shaders/cache/cache.h"

namespace terrazzo::shaders {

class Folder;

class DiskCache {
  public:
    /// `variable` names the folder, and is reported where that cannot be created or opened.
    DiskCache(std::string folder, uint64_t limit_B, std::optional<winsys::Variable> variable)
        : folder_(std::move(folder)), limit_B_(limit_B), variable_(variable) {}
    [[nodiscard]] std::optional<std::vector<uint8_t>> get(const CacheKey& key);
    void put(const CacheKey& key, std::span<const uint8_t> value);

  private:
    /// The folder, opened at the first use, and again where it is not ours any more. Null: there is none.
    [[nodiscard]] std::shared_ptr<const Folder> folder(bool make);
    void account(const Folder& folder, const CacheKey& key, uint64_t written_B);

    const std::string folder_;
    const uint64_t limit_B_;
    const std::optional<winsys::Variable> variable_;
    std::mutex open_;  // guards what follows
    std::shared_ptr<const Folder> opened_;
    std::mutex scan_;       // one scan at a time
    bool scanned_ = false;  // guarded by scan_, like what follows
    bool large_ = false;    // so that it is looked through one subfolder at a time
    uint64_t size_B_ = 0;   // of a folder that is not large, as far as this process knows
};

}  // namespace terrazzo::shaders
