// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The disk cache of ShaderCache: one file per entry, <folder>/<2 hex digits>/<62 hex digits>.
//
// A file contains an entry (entry.h). It is written under a temporary name and renamed, so that readers see
// all of it or nothing. Files that a crash or a bad disk has damaged fail the checksum: they are a miss and
// are deleted. The files' times are the order of use. There are no locks: each operation is safe while other
// processes work on the folder; folder.h says which files are trusted.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "shaders/cache/cache.h"

namespace terrazzo::shaders {

class Folder;

class DiskCache {
  public:
    /// `variable` names the folder. It is reported if the folder cannot be created or opened.
    DiskCache(std::string folder, uint64_t limit_B, std::optional<winsys::Variable> variable)
        : folder_(std::move(folder)), limit_B_(limit_B), variable_(variable) {}
    [[nodiscard]] std::optional<std::vector<uint8_t>> get(const CacheKey& key);
    void put(const CacheKey& key, std::span<const uint8_t> value);

  private:
    /// Opens the folder at the first use, and again if it is not the same any more. Null: it cannot be used.
    [[nodiscard]] std::shared_ptr<const Folder> folder(bool make);
    void account(const Folder& folder, const CacheKey& key, uint64_t written_B);

    const std::string folder_;
    const uint64_t limit_B_;
    const std::optional<winsys::Variable> variable_;
    std::mutex open_;  // guards opened_
    std::shared_ptr<const Folder> opened_;
    std::mutex scan_;       // one scan at a time
    bool scanned_ = false;  // guarded by scan_, as are the members below
    bool large_ = false;    // its subfolders are cleaned up one at a time
    uint64_t size_B_ = 0;   // size of a folder that is not large, as far as this process knows
};

}  // namespace terrazzo::shaders
