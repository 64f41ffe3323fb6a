// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GL object names. A name table maps names to objects; a name may be reserved (Gen*) without an object (first Bind).
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
    std::string label;         // glObjectLabelKHR
    bool name_deleted = false;  // the name is gone; the object lives on where it is attached
};

/// Names of one kind of object. Not locked: shared tables are guarded by ShareGroup::mutex.
template <class T>
class NameTable {
  public:
    /// Reserves an unused name, in constant time on average. May throw bad_alloc; the table is then unchanged.
    uint32_t reserve() {
        // A name that was deleted may be in use again: the application may choose names itself.
        for (; !deleted_.empty(); deleted_.pop_back())
            if (map_.try_emplace(deleted_.back()).second) {
                const uint32_t n = deleted_.back();
                deleted_.pop_back();
                return n;
            }
        // Each name that the application chose is passed once.
        while (next_ == 0 || !map_.try_emplace(next_).second)
            ++next_;
        return next_++;
    }
    /// Gives a name its object (reserving the name where the application chose it itself).
    void set(uint32_t name, pipe::Ref<T> object) { map_[name] = std::move(object); }
    /// The object, or null for an unknown or only reserved name.
    [[nodiscard]] T* find(uint32_t name) const {
        auto it = map_.find(name);
        return it == map_.end() ? nullptr : it->second.get();
    }
    [[nodiscard]] bool reserved(uint32_t name) const { return map_.count(name) != 0; }
    /// Counts removals of names: whose number is another one looks names up anew. Needs no lock.
    [[nodiscard]] uint64_t removals() const { return removals_.load(std::memory_order_relaxed); }
    /// Forgets the name; gives back the object it had.
    pipe::Ref<T> remove(uint32_t name) {
        auto it = map_.find(name);
        if (it == map_.end())
            return nullptr;
        removals_.fetch_add(1, std::memory_order_relaxed);
        pipe::Ref<T> r = std::move(it->second);
        map_.erase(it);
        if (name < next_ && deleted_.size() < kMaxDeleted)
            try {
                deleted_.push_back(name);
            } catch (const std::bad_alloc&) {
                // It is not used again soon.
            }
        return r;
    }
    template <class F>
    void for_each(F&& f) {
        for (auto& [n, o] : map_)
            if (o)
                f(*o);
    }

  private:
    /// Deleted names that are remembered to be used again; more are used when all others were.
    static constexpr size_t kMaxDeleted = 65536;

    std::unordered_map<uint32_t, pipe::Ref<T>> map_;
    std::vector<uint32_t> deleted_;
    uint32_t next_ = 1;  // no name from here on was reserved, but for those that the application chose
    std::atomic<uint64_t> removals_{0};
};

/// Objects that a context found in a shared table lately: while no name is removed there, it need not lock the table again. Holds
/// them, so that another context's removal frees none under this one's hands; whoever removes names or ends a frame calls update().
template <class T>
class NameCache {
  public:
    /// Null: the table must be asked.
    [[nodiscard]] T* find(const NameTable<T>& table, uint32_t name) {
        update(table);
        T* const object = objects_[name % kObjects].get();
        return object && object->name == name ? object : nullptr;
    }
    /// An object that the (locked) table has.
    void put(const NameTable<T>& table, T& object) {
        update(table);
        objects_[object.name % kObjects] = pipe::Ref<T>(&object);
    }
    /// Empties it where names were removed since the last call of anything here.
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
