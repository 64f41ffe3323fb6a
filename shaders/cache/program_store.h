// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stores of the program, which replace the folder (EGL_ANDROID_blob_cache). A key determines its value, so it
// does not matter which display's store has an entry: all stores of the process are read and written.
#pragma once

#include "shaders/cache/cache.h"

namespace terrazzo::shaders {

/// Called from any thread, several at once. May drop entries: a cache never fails.
class ProgramStore {
  public:
    virtual ~ProgramStore() = default;
    [[nodiscard]] virtual std::vector<uint8_t> get(const CacheKey& key) = 0;  // empty: there is none
    virtual void put(const CacheKey& key, std::span<const uint8_t> entry) = 0;
};

void add_program_store(std::shared_ptr<ProgramStore> store);
/// Calls that have begun may still use the store.
void remove_program_store(const ProgramStore& store);
[[nodiscard]] std::vector<std::shared_ptr<ProgramStore>> program_stores();

}  // namespace terrazzo::shaders
