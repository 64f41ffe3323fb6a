// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A gbm_surface: what EGL draws to, and whose buffers the program shows. EGL makes a buffer the front one (eglSwapBuffers), the
// program locks it, shows it, and releases it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "api/gbm/bo.h"

namespace terrazzo::gbm {

/// So many buffers a surface has at most, as Mesa's: programs that hold more wait for none.
inline constexpr unsigned kMaxBuffers = 4;

/// The buffers of a surface. The surface and EGL's window share it; each may end first. Thread: any.
class Buffers {
  public:
    enum class State : uint8_t { Free, Front, Locked };

    ~Buffers();
    /// One more, which it owns from now on. False: there are kMaxBuffers.
    [[nodiscard]] bool add(gbm_bo* bo);
    /// EGL has done with it. One that the program has locked stays until it is released.
    void remove(gbm_bo* bo);
    /// A free one becomes the front buffer; one that was so, and was never locked, is free.
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
    std::vector<uint64_t> modifiers;  // those of the program; empty: it named none
    std::shared_ptr<Buffers> buffers;
    std::weak_ptr<void> window;  // while EGL has one for it
};

/// The functions of a gbm_device about surfaces.
void fill_surface_functions(gbm_device_v0* functions);
/// Null: it is no surface of ours (any pointer may be passed). It stays as long as the program keeps it.
[[nodiscard]] Surface* find_surface(void* native);

/// gbm_bo_destroy(): the program's user data goes first. For what nobody but we can destroy.
void destroy_bo_and_data(gbm_bo* bo);

}  // namespace terrazzo::gbm
