// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/cache/program_store.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>

#include "shaders/cache/entry.h"

using namespace terrazzo::shaders;

namespace {

class Shelf final : public ProgramStore {
  public:
    [[nodiscard]] std::vector<uint8_t> get(const CacheKey& key) override {
        ++gets;
        const auto it = entries.find(key.hex());
        return it == entries.end() ? std::vector<uint8_t>() : it->second;
    }
    void put(const CacheKey& key, std::span<const uint8_t> entry) override {
        entries[key.hex()] = {entry.begin(), entry.end()};
    }
    std::map<std::string, std::vector<uint8_t>> entries;
    unsigned gets = 0;
};

struct Added {
    std::shared_ptr<Shelf> shelf = std::make_shared<Shelf>();
    Added() { add_program_store(shelf); }
    ~Added() { remove_program_store(*shelf); }
    Shelf* operator->() const { return shelf.get(); }
};

const CacheKey kKey = CacheKey::of({"a", "program"});
const std::vector<uint8_t> kSmall{1, 2, 3}, kLarge(100000, 7);

ShaderCache store_only(const std::string& folder = "") {
    return ShaderCache({.memory_limit_B = 0, .folder = folder, .program_stores = true});
}

}  // namespace

TEST_CASE("program store: it replaces the folder") {
    const std::string folder = (std::filesystem::temp_directory_path() / "terrazzo-no-folder").string();
    std::filesystem::remove_all(folder);
    ShaderCache cache = store_only(folder);
    {
        const Added shelf;
        for (const auto& value : {kSmall, kLarge, std::vector<uint8_t>()}) {
            cache.put(kKey, value);
            CHECK(cache.get(kKey) == value);
        }
        cache.put(kKey, kLarge);
        CHECK(shelf->entries.at(kKey.hex()).size() < kLarge.size() / 10);
        CHECK(!std::filesystem::exists(folder));
    }
    CHECK(!cache.get(kKey));
    CHECK(cache.counts().disk_hits == 3);
}

TEST_CASE("program store: each gets new entries, and the first that has an entry returns it") {
    ShaderCache cache = store_only();
    const Added first, second;
    cache.put(kKey, kSmall);
    first->entries.clear();
    CHECK(cache.get(kKey) == kSmall);
    CHECK(second->gets == 1);
}

TEST_CASE("program store: an entry with any damaged byte is a miss") {
    ShaderCache cache = store_only();
    const Added shelf;
    cache.put(kKey, kSmall);
    std::vector<uint8_t>& entry = shelf->entries.at(kKey.hex());
    const std::vector<uint8_t> whole = entry;
    for (size_t i = 0; i < whole.size(); ++i) {
        entry[i] ^= 0x10;
        CHECK(!cache.get(kKey));
        entry = {whole.begin(), whole.begin() + ptrdiff_t(i)};
        CHECK(!cache.get(kKey));
        entry = whole;
    }
    CHECK(cache.get(kKey) == kSmall);
    shelf->entries[CacheKey::of({"another"}).hex()] = whole;
    CHECK(!cache.get(CacheKey::of({"another"})));
}

TEST_CASE("program store: a disabled cache asks none") {
    const Added shelf;
    ShaderCache cache({.memory_limit_B = 0});
    cache.put(kKey, kSmall);
    CHECK(!cache.get(kKey));
    CHECK(shelf->entries.empty());
    CHECK(shelf->gets == 0);
    CHECK(pack_entry(kKey, std::vector<uint8_t>(kMaxValue_B + 1)).empty());
}
