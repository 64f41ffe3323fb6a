// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A virtual GPU unit's view of GPU memory. A Window caches the mappings that it used last, so that most
// accesses are a comparison. The provider of the address space implements Space (over the virtual kernel's,
// or a test's array).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace terrazzo::window {

enum class Access : uint8_t { Read, Write, Execute };

/// Mapped GPU addresses [begin, end), at `host` in this process. Empty: end is 0.
struct Mapping {
    uint64_t begin = 0, end = 0;
    uint8_t* host = nullptr;
    bool writable = false, executable = false, readable = true;
    bool allows(Access a) const {
        return a == Access::Read ? readable : a == Access::Write ? writable : executable;
    }
};

class Space {
  public:
    virtual ~Space() = default;
    /// The mapping that contains `va`; empty if there is none.
    virtual Mapping find(uint64_t va) = 0;
    /// Changes when a mapping that was returned may have become invalid.
    virtual uint64_t epoch() const = 0;
    /// Why `va` has no readable mapping; "": it is not mapped.
    virtual std::string refusal(uint64_t /*va*/) { return {}; }
    /// A job reads the image of `size_B` bytes at `va`. Returns why it must not; null: it may. Thread: any.
    virtual const char* read_image(uint64_t, uint64_t) { return nullptr; }
    /// A shader of a compute or fragment job stores to this range within a page.
    virtual void stored(uint64_t /*va*/, uint64_t /*size_B*/) {}
    /// A core runs the code at `va` for the first time in a job. Thread: any.
    virtual void run_code(uint64_t) {}
};

/// Why an access was refused.
struct AccessFault {
    uint64_t va = 0;
    uint64_t size_B = 0;
    Access access = Access::Read;
    bool mapped = false;  // it is mapped, but does not allow this access
    std::string why;      // Space::refusal()
};
std::string to_string(const AccessFault& fault);

/// Divides a shader's access into units: words, a half or bytes, depending on its size and alignment. Calls
/// f(unit, its offset) for each. A unit is accessed as a whole, so that threads of shaders may race for it as
/// on a GPU.
template <class F>
inline void each_unit(const uint8_t* memory, uint64_t size_B, F&& f) {
    const auto units = [&](auto first) {
        using Unit = decltype(first);
        for (uint64_t at_B = 0; at_B < size_B; at_B += sizeof(Unit))
            f(*reinterpret_cast<Unit*>(const_cast<uint8_t*>(memory) + at_B), at_B);
    };
    const uint64_t alignment = reinterpret_cast<uintptr_t>(memory) | size_B;
    if (alignment % 4 == 0)
        units(uint32_t());
    else if (size_B == 2 && alignment % 2 == 0)
        units(uint16_t());
    else
        units(uint8_t());
}
inline void load_units(const uint8_t* memory, void* out, uint64_t size_B) {
    each_unit(memory, size_B, [out](auto& unit, uint64_t at_B) {
        const auto v = std::atomic_ref(unit).load(std::memory_order_relaxed);
        std::memcpy(static_cast<uint8_t*>(out) + at_B, &v, sizeof v);
    });
}
inline void store_units(uint8_t* memory, const void* data, uint64_t size_B) {
    each_unit(memory, size_B, [data](auto& unit, uint64_t at_B) {
        std::remove_reference_t<decltype(unit)> v;
        std::memcpy(&v, static_cast<const uint8_t*>(data) + at_B, sizeof v);
        std::atomic_ref(unit).store(v, std::memory_order_relaxed);
    });
}

/// A thread's view. Not thread-safe; cheap to create.
class Window {
  public:
    explicit Window(Space& space) : space_(&space), epoch_(space.epoch()) {}

    /// The host address of a range within one mapping that allows the access; null: see fault().
    uint8_t* at(uint64_t va, uint64_t size_B, Access access) {
        uint8_t* const p = known(va, size_B, access);
        return p ? p : slow(va, size_B, access);
    }
    /// Copies; ranges may cross mappings. False: nothing was copied (for a write, possibly the bytes before
    /// the fault).
    [[nodiscard]] bool read(uint64_t va, void* out, uint64_t size_B) {
        if (const uint8_t* p = at(va, size_B, Access::Read)) {
            std::memcpy(out, p, size_B);
            return true;
        }
        return copy_pieces(va, static_cast<uint8_t*>(out), size_B, Access::Read);
    }
    [[nodiscard]] bool write(uint64_t va, const void* data, uint64_t size_B) {
        if (uint8_t* p = at(va, size_B, Access::Write)) {
            std::memcpy(p, data, size_B);
            return true;
        }
        return copy_pieces(va, const_cast<uint8_t*>(static_cast<const uint8_t*>(data)), size_B,
                           Access::Write);
    }
    /// Like at(), but looks only at the mappings that were used last. Null: the memory may still be mapped.
    uint8_t* known(uint64_t va, uint64_t size_B, Access access) const {
        for (const Mapping& m : recent_)
            if (va >= m.begin && va < m.end && size_B <= m.end - va && m.allows(access))
                return m.host + (va - m.begin);
        return nullptr;
    }
    /// Accesses of a shader, by load_units() and store_units().
    [[nodiscard]] bool load(uint64_t va, uint32_t* out, uint64_t size_B) {
        const uint8_t* const p = at(va, size_B, Access::Read);
        if (!p) return read(va, out, size_B);
        load_units(p, out, size_B);
        return true;
    }
    [[nodiscard]] bool store(uint64_t va, const uint32_t* data, uint64_t size_B) {
        uint8_t* const p = at(va, size_B, Access::Write);
        if (!p) return write(va, data, size_B);
        store_units(p, data, size_B);
        return true;
    }
    [[nodiscard]] bool store(uint64_t va, uint32_t value, uint64_t size_B) {
        return store(va, &value, size_B);
    }
    const AccessFault& fault() const { return fault_; }
    /// Drops mappings that may be gone; called between jobs.
    void refresh();
    Space& space() const { return *space_; }

  private:
    uint8_t* slow(uint64_t va, uint64_t size_B, Access access);
    void refused(uint64_t va, uint64_t size_B, Access access, bool mapped);
    bool copy_pieces(uint64_t va, uint8_t* data, uint64_t size_B, Access access);

    Space* space_;
    uint64_t epoch_;
    std::array<Mapping, 4> recent_{};
    unsigned next_ = 0;
    AccessFault fault_;
};

}  // namespace terrazzo::window
