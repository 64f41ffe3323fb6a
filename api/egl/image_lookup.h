// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The storage of an EGLImage, for code outside EGL's own calls: GBM imports it.
#pragma once

#include <memory>

#include "pipe/screen.h"

namespace terrazzo::egl {

struct ImageStorage {
    std::shared_ptr<pipe::Screen> screen;
    pipe::Ref<pipe::Resource> resource;  // null: the handle is not an image of an initialized display
    pipe::Format format = pipe::Format::None;
    uint32_t level = 0, layer = 0;
};
/// Accepts any handle.
[[nodiscard]] ImageStorage find_image_storage(void* handle);

}  // namespace terrazzo::egl
