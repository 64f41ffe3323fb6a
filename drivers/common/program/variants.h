// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a driver makes once for each key, when it is first needed: internal shaders, variants of a stage.
// Entries live as long as this object. A hash table whose lists only grow at the front: readers follow
// pointers that never change, so that to find an existing entry takes no lock. Thread: any.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

namespace terrazzo::programs {

template <class Key, class Made, size_t kBuckets = 1>
class Variants {
  public:
    Variants() = default;
    Variants(const Variants&) = delete;
    Variants& operator=(const Variants&) = delete;
    ~Variants() {
        for (std::atomic<Entry*>& bucket : buckets_)
            for (Entry* e = bucket.load(std::memory_order_relaxed); e;)
                delete std::exchange(e, e->next);
    }

    /// The key's entry. If there is none, it becomes what make() returns, a unique_ptr<Made>; while make()
    /// runs, other threads that need a new entry wait. Null: make() returned null, and the next call tries
    /// again.
    template <class F>
    [[nodiscard]] Made* find(const Key& key, F&& make, size_t hash = 0) {
        std::atomic<Entry*>& bucket = buckets_[hash % kBuckets];
        if (Entry* const e = look(bucket.load(std::memory_order_acquire), key)) [[likely]]
            return e->made.get();
        const std::lock_guard guard(mutex_);
        Entry* const first = bucket.load(std::memory_order_relaxed);
        if (Entry* const e = look(first, key)) return e->made.get();
        std::unique_ptr<Made> made = make();
        if (!made) return nullptr;
        auto* const entry = new Entry{key, std::move(made), first};
        bucket.store(entry, std::memory_order_release);
        return entry->made.get();
    }

  private:
    struct Entry {
        Key key;
        std::unique_ptr<Made> made;
        Entry* next;
    };
    static Entry* look(Entry* e, const Key& key) {
        while (e && !(e->key == key))
            e = e->next;
        return e;
    }

    std::mutex mutex_;  // guards additions
    std::array<std::atomic<Entry*>, kBuckets> buckets_{};
};

}  // namespace terrazzo::programs
