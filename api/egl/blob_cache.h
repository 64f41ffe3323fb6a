// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL_ANDROID_blob_cache: the program keeps what is dear to make.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <shared_mutex>

#include "shaders/cache/program_store.h"

namespace terrazzo::egl {

/// A display's two functions, from when it is made until close().
class BlobCache final : public shaders::ProgramStore {
  public:
    BlobCache(EGLSetBlobFuncANDROID set, EGLGetBlobFuncANDROID get) : set_(set), get_(get) {}
    [[nodiscard]] std::vector<uint8_t> get(const shaders::CacheKey& key) override;
    void put(const shaders::CacheKey& key, std::span<const uint8_t> entry) override;
    /// Waits for calls that are under way; there are none after it.
    void close();

  private:
    const EGLSetBlobFuncANDROID set_;
    const EGLGetBlobFuncANDROID get_;
    std::shared_mutex mutex_;  // shared while a function runs
    bool closed_ = false;
};

}  // namespace terrazzo::egl
