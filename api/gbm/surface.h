// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A gbm_surface: EGL draws to it, and the program shows its buffers. eglSwapBuffers makes a buffer the front
// one; the program locks it, shows it, and releases it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "api/gbm/bo.h"

namespace terrazzo::gbm {

/// The largest number of buffers of a surface, as in Mesa. If the program holds all, EGL does not wait for
/// one.
inline constexpr unsigned kMaxBuffers = 4;

/// The buffers of a surface. The surface and EGL's window share the object; each may end first. Callable from
/// any thread.
class Buffers {
  public:
    enum class State : uint8_t { Free, Front, Locked };

    ~Buffers();
    /// Adds a buffer and takes ownership. False: there are kMaxBuffers already.
    [[nodiscard]] bool add(gbm_bo* bo);
    /// EGL does not need the buffer any more. A locked one stays until its release.
    void remove(gbm_bo* bo);
    /// A free buffer becomes the front buffer. The former one becomes free if it was never locked.
    void show(gbm_bo* bo);
    [[nodiscard]] bool busy(const gbm_bo* bo) const;
    [[nodiscard]] bool has_free() const;
    /// Null: there is no front buffer.
    [[nodiscard]] gbm_bo* lock_front();
    void release(const gbm_bo* bo);

  private:
    struct Entry {
        gbm_bo* bo;
        State state = State::Free;
        bool removed = false;
    };
    [[nodiscard]] Entry* find(const gbm_bo* bo);

    mutable std::mutex mutex_;
    std::vector<Entry> entries_;
};

struct Surface : gbm_surface {
    std::shared_ptr<Device> owner;
    std::vector<uint64_t> modifiers;  // the program's list; empty: it passed none
    std::shared_ptr<Buffers> buffers;
    std::weak_ptr<void> window;  // EGL's window, while there is one
};

/// Sets a gbm_device's functions for surfaces.
void fill_surface_functions(gbm_device_v0* functions);
/// Null: it is not a surface of ours (any pointer may be passed). Valid as long as the program keeps it.
[[nodiscard]] Surface* find_surface(void* native);

/// gbm_bo_destroy(), which calls the destructor of the user data first. For buffers that only we destroy.
void destroy_bo_and_data(gbm_bo* bo);

}  // namespace terrazzo::gbm
