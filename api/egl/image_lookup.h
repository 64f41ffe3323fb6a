// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What lies behind an EGLImage, for others than EGL's own calls: GBM imports it.
#pragma once

#include <memory>

#include "pipe/screen.h"

namespace terrazzo::egl {

struct ImageStorage {
    std::shared_ptr<pipe::Screen> screen;
    pipe::Ref<pipe::Resource> resource;  // null: the handle is no image of an initialised display
    pipe::Format format = pipe::Format::None;
    uint32_t level = 0, layer = 0;
};
/// Any handle may be passed.
[[nodiscard]] ImageStorage find_image_storage(void* handle);

}  // namespace terrazzo::egl
