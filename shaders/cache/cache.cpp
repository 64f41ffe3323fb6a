// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Keys, options and the cache in memory.
#include "shaders/cache/cache.h"

#include <cstring>

#include "shaders/cache/build_id.h"
#include "shaders/cache/disk.h"
#include "shaders/cache/entry.h"
#include "shaders/cache/program_store.h"
#include "winsys/environment/environment.h"

namespace terrazzo::shaders {

CacheKey CacheKey::of(std::span<const std::span<const uint8_t>> parts) {
    Digest digest;
    const auto add = [&](std::span<const uint8_t> part) {
        const uint64_t size_B = part.size();
        digest.add({reinterpret_cast<const uint8_t*>(&size_B), sizeof size_B});
        digest.add(part);
    };
    const std::string& build = compiler_build_id();
    add({reinterpret_cast<const uint8_t*>(build.data()), build.size()});
    for (const auto& p : parts)
        add(p);
    return {digest.finish()};
}

CacheKey CacheKey::of(std::span<const std::string_view> parts) {
    std::vector<std::span<const uint8_t>> spans;
    for (std::string_view p : parts)
        spans.emplace_back(reinterpret_cast<const uint8_t*>(p.data()), p.size());
    return of(spans);
}

std::string CacheKey::hex() const {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string s(2 * bytes.size(), '0');
    for (size_t i = 0; i < bytes.size(); ++i) {
        s[2 * i] = kDigits[bytes[i] >> 4];
        s[2 * i + 1] = kDigits[bytes[i] & 15];
    }
    return s;
}

CacheOptions cache_options_from_environment(size_t memory_limit_B) {
    CacheOptions o;
    o.memory_limit_B = memory_limit_B;
    const auto text = [](winsys::Variable v) {
        const char* const value = winsys::environment(v);
        return std::string(value ? value : "");
    };
    const std::string own = text(winsys::Variable::ShaderCache);
    const std::string xdg = text(winsys::Variable::CacheHome);
    const std::string home = text(winsys::Variable::Home);
    o.program_stores = own != "off";
    if (own == "off")
        o.memory_limit_B = 0;
    else if (!own.empty())
        o.folder = own, o.folder_variable = winsys::Variable::ShaderCache;
    else if (!xdg.empty())
        o.folder = xdg + "/terrazzo", o.folder_variable = winsys::Variable::CacheHome;
    else if (!home.empty())
        o.folder = home + "/.cache/terrazzo", o.folder_variable = winsys::Variable::Home;
    return o;
}

size_t ShaderCache::KeyHash::operator()(const CacheKey& k) const {
    size_t h;
    std::memcpy(&h, k.bytes.data(), sizeof h);
    return h;
}

ShaderCache::ShaderCache(CacheOptions options) : options_(std::move(options)) {
    if (!options_.folder.empty())
        disk_ = std::make_unique<DiskCache>(options_.folder, options_.disk_limit_B, options_.folder_variable);
}

ShaderCache::~ShaderCache() = default;

void ShaderCache::remember(const CacheKey& key, std::span<const uint8_t> value) {
    if (value.size() > options_.memory_limit_B || !options_.memory_limit_B) return;
    std::list<Entry> fresh;
    fresh.push_back({key, {value.begin(), value.end()}});
    const std::lock_guard lock(mutex_);
    const auto [it, is_new] = index_.try_emplace(key, fresh.begin());
    if (!is_new) {
        size_B_ -= it->second->value.size();
        entries_.erase(it->second);
        it->second = fresh.begin();
    }
    size_B_ += value.size();
    entries_.splice(entries_.begin(), fresh);
    while (size_B_ > options_.memory_limit_B) {
        size_B_ -= entries_.back().value.size();
        index_.erase(entries_.back().key);
        entries_.pop_back();
    }
}

std::optional<std::vector<uint8_t>> ShaderCache::get_stored(const CacheKey& key) {
    const auto stores = options_.program_stores ? program_stores() : decltype(program_stores()){};
    if (stores.empty()) return disk_ ? disk_->get(key) : std::nullopt;
    for (const auto& s : stores)
        if (auto value = unpack_entry(key, s->get(key))) return value;
    return std::nullopt;
}

std::optional<std::vector<uint8_t>> ShaderCache::get(const CacheKey& key) {
    {
        const std::lock_guard lock(mutex_);
        if (const auto it = index_.find(key); it != index_.end()) {
            std::vector<uint8_t> value = it->second->value;
            entries_.splice(entries_.begin(), entries_, it->second);
            counts_.memory_hits++;
            return value;
        }
    }
    std::optional<std::vector<uint8_t>> value = get_stored(key);
    if (value) remember(key, *value);
    const std::lock_guard lock(mutex_);
    (value ? counts_.disk_hits : counts_.misses)++;
    return value;
}

void ShaderCache::put(const CacheKey& key, std::span<const uint8_t> value) {
    remember(key, value);
    const auto stores = options_.program_stores ? program_stores() : decltype(program_stores()){};
    if (stores.empty()) {
        if (disk_) disk_->put(key, value);
        return;
    }
    const std::vector<uint8_t> entry = pack_entry(key, value);
    for (const auto& s : stores)
        if (!entry.empty()) s->put(key, entry);
}

ShaderCache::Counts ShaderCache::counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
}

}  // namespace terrazzo::shaders
