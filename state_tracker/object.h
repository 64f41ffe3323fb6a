// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GL object names. A name table maps names to objects. Gen* reserves a name without an object; the first Bind
// creates the object.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>
#include <vector>

#include "pipe/ref.h"

namespace terrazzo::st {

/// Base of all GL objects that outlive their name while bound or attached.
class Object : public pipe::RefCounted {
  public:
    explicit Object(uint32_t n) : name(n) {}
    const uint32_t name;
    std::string label;          // glObjectLabelKHR
    bool name_deleted = false;  // the name is deleted; the object lives on where it is attached
};

/// Names of one kind of object. Has no lock: ShareGroup::mutex guards shared tables.
template <class T>
class NameTable {
  public:
    /// Reserves an unused name, in constant time on average. May throw bad_alloc; the table is then
    /// unchanged.
    uint32_t reserve() {
        // The application may choose names itself, so a deleted name may be in use again.
        for (; !deleted_.empty(); deleted_.pop_back())
            if (map_.try_emplace(deleted_.back()).second) {
                const uint32_t n = deleted_.back();
                deleted_.pop_back();
                return n;
            }
        // This loop passes each name that the application chose only once.
        while (next_ == 0 || !map_.try_emplace(next_).second)
            ++next_;
        return next_++;
    }
    /// Assigns an object to a name. Reserves the name if the application chose it itself.
    void set(uint32_t name, pipe::Ref<T> object) { map_[name] = std::move(object); }
    /// Null: the name is unknown, or reserved without an object.
    [[nodiscard]] T* find(uint32_t name) const {
        auto it = map_.find(name);
        return it == map_.end() ? nullptr : it->second.get();
    }
    [[nodiscard]] bool reserved(uint32_t name) const { return map_.count(name) != 0; }
    /// Counts removals of names. A caller that saw another count looks its names up again. Needs no lock.
    [[nodiscard]] uint64_t removals() const { return removals_.load(std::memory_order_relaxed); }
    /// Removes the name. Returns the object that it had.
    pipe::Ref<T> remove(uint32_t name) {
        auto it = map_.find(name);
        if (it == map_.end()) return nullptr;
        removals_.fetch_add(1, std::memory_order_relaxed);
        pipe::Ref<T> r = std::move(it->second);
        map_.erase(it);
        if (name < next_ && deleted_.size() < kMaxDeleted) try {
                deleted_.push_back(name);
            } catch (const std::bad_alloc&) {
                // Without memory, the name is not reused soon.
            }
        return r;
    }
    template <class F>
    void for_each(F&& f) {
        for (auto& [n, o] : map_)
            if (o) f(*o);
    }

  private:
    /// How many deleted names are kept for reuse. Names beyond it are only reused after all numbers were
    /// used.
    static constexpr size_t kMaxDeleted = 65536;

    std::unordered_map<uint32_t, pipe::Ref<T>> map_;
    std::vector<uint32_t> deleted_;
    uint32_t next_ = 1;  // all names from here on are unreserved, except those that the application chose
    std::atomic<uint64_t> removals_{0};
};

/// Objects that a context looked up in a shared table recently. While no name is removed there, it need not
/// lock the table again. The cache holds the objects, so that a removal by another context does not free one
/// that is in use. Call update() after removing names and at the end of a frame.
template <class T>
class NameCache {
  public:
    /// Null: look the name up in the table.
    [[nodiscard]] T* find(const NameTable<T>& table, uint32_t name) {
        update(table);
        T* const object = objects_[name % kObjects].get();
        return object && object->name == name ? object : nullptr;
    }
    /// Remembers an object of the (locked) table.
    void put(const NameTable<T>& table, T& object) {
        update(table);
        objects_[object.name % kObjects] = pipe::Ref<T>(&object);
    }
    /// Empties the cache if names were removed since the last call of a method.
    void update(const NameTable<T>& table) {
        if (table.removals() != removals_) [[unlikely]]
            forget(table.removals());
    }

  private:
    __attribute__((noinline)) void forget(uint64_t removals) {
        objects_ = {};
        removals_ = removals;
    }
    static constexpr unsigned kObjects = 64;
    std::array<pipe::Ref<T>, kObjects> objects_;
    uint64_t removals_ = 0;
};

}  // namespace terrazzo::st
