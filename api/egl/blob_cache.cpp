// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/egl/blob_cache.h"

#include "api/egl/entry.h"
#include "shaders/cache/entry.h"

namespace terrazzo::egl {

namespace {

constexpr size_t kFirstTry_B = size_t(16) << 10;  // large enough for most entries

}  // namespace

std::vector<uint8_t> BlobCache::get(const shaders::CacheKey& key) {
    const std::shared_lock lock(mutex_);
    if (closed_) return {};
    std::vector<uint8_t> entry(kFirstTry_B);
    // The function returns the size, and copies the value if it fits. The value may be replaced between two
    // calls.
    for (int tries = 0; tries < 3; ++tries) {
        const EGLsizeiANDROID size_B = get_(key.bytes.data(), EGLsizeiANDROID(key.bytes.size()), entry.data(),
                                            EGLsizeiANDROID(entry.size()));
        if (size_B <= 0 || uint64_t(size_B) > shaders::kMaxEntry_B) return {};
        const bool fits = size_t(size_B) <= entry.size();
        entry.resize(size_t(size_B));
        if (fits) return entry;
    }
    return {};
}

void BlobCache::put(const shaders::CacheKey& key, std::span<const uint8_t> entry) {
    const std::shared_lock lock(mutex_);
    if (!closed_)
        set_(key.bytes.data(), EGLsizeiANDROID(key.bytes.size()), entry.data(),
             EGLsizeiANDROID(entry.size()));
}

void BlobCache::close() {
    shaders::remove_program_store(*this);
    const std::lock_guard lock(mutex_);
    closed_ = true;
}

}  // namespace terrazzo::egl

extern "C" void EGLAPIENTRY eglSetBlobCacheFuncsANDROID(EGLDisplay dpy, EGLSetBlobFuncANDROID set,
                                                        EGLGetBlobFuncANDROID get) {
    using namespace terrazzo;
    using namespace terrazzo::egl;
    (void)guarded<bool>("eglSetBlobCacheFuncsANDROID", false, [&] {
        Call call("eglSetBlobCacheFuncsANDROID");
        if (!call.open(dpy)) return false;
        if (!set || !get) return call.fail(EGL_BAD_PARAMETER, "a function is null");
        std::shared_ptr<BlobCache>& slot = call.display().blob_cache;
        if (slot) return call.fail(EGL_BAD_PARAMETER, "the display has its functions already");
        auto fresh = std::make_shared<BlobCache>(set, get);
        shaders::add_program_store(fresh);
        slot = std::move(fresh);
        return call.done() == EGL_TRUE;
    });
}
