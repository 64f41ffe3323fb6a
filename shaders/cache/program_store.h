// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stores that the program gives, which take the folder's place (EGL_ANDROID_blob_cache). Keys are digests of all that determines
// a value, so it does not matter which display's store has an entry: all of the process are asked, and told.
#pragma once

#include "shaders/cache/cache.h"

namespace terrazzo::shaders {

/// Called from any thread, several at once. Keeps bytes by a key, or does not: a cache never fails.
class ProgramStore {
  public:
    virtual ~ProgramStore() = default;
    [[nodiscard]] virtual std::vector<uint8_t> get(const CacheKey& key) = 0;  // empty: none
    virtual void put(const CacheKey& key, std::span<const uint8_t> entry) = 0;
};

void add_program_store(std::shared_ptr<ProgramStore> store);
/// It may be called still, by who has begun to.
void remove_program_store(const ProgramStore& store);
[[nodiscard]] std::vector<std::shared_ptr<ProgramStore>> program_stores();

}  // namespace terrazzo::shaders
