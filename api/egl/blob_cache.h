// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL_ANDROID_blob_cache: the program stores data that is expensive to create.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <shared_mutex>

#include "shaders/cache/program_store.h"

namespace terrazzo::egl {

/// A display's two functions, from their registration until close().
class BlobCache final : public shaders::ProgramStore {
  public:
    BlobCache(EGLSetBlobFuncANDROID set, EGLGetBlobFuncANDROID get) : set_(set), get_(get) {}
    [[nodiscard]] std::vector<uint8_t> get(const shaders::CacheKey& key) override;
    void put(const shaders::CacheKey& key, std::span<const uint8_t> entry) override;
    /// Waits for running calls. No function is called afterwards.
    void close();

  private:
    const EGLSetBlobFuncANDROID set_;
    const EGLGetBlobFuncANDROID get_;
    std::shared_mutex mutex_;  // locked shared while a function runs
    bool closed_ = false;
};

}  // namespace terrazzo::egl
