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
    /// A compute job stores to this range within a page.
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

/// A thread's view. Not thread-safe; cheap to create.
class Window {
  public:
    explicit Window(Space& space) : space_(&space), epoch_(space.epoch()) {}

    /// The host address of a range within one mapping that allows the access; null: see fault().
    uint8_t* at(uint64_t va, uint64_t size_B, Access access) {
        for (const Mapping& m : recent_)
            if (va >= m.begin && va < m.end && size_B <= m.end - va && m.allows(access))
                return m.host + (va - m.begin);
        return slow(va, size_B, access);
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
    /// An element of a shader's access: an aligned word is accessed as a whole, so that shader threads may
    /// race for it as on a GPU.
    [[nodiscard]] bool load(uint64_t va, uint32_t* out, uint64_t size_B) {
        if (size_B != 4 || va % 4) return read(va, out, size_B);
        uint8_t* const p = at(va, 4, Access::Read);
        if (!p || reinterpret_cast<uintptr_t>(p) % 4) return read(va, out, 4);
        *out = std::atomic_ref(*reinterpret_cast<uint32_t*>(p)).load(std::memory_order_relaxed);
        return true;
    }
    [[nodiscard]] bool store(uint64_t va, uint32_t value, uint64_t size_B) {
        if (size_B != 4 || va % 4) return write(va, &value, size_B);
        uint8_t* const p = at(va, 4, Access::Write);
        if (!p || reinterpret_cast<uintptr_t>(p) % 4) return write(va, &value, 4);
        std::atomic_ref(*reinterpret_cast<uint32_t*>(p)).store(value, std::memory_order_relaxed);
        return true;
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
