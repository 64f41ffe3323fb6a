// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "pipe/image_formats.h"

namespace terrazzo::pipe {

ir::ImageFormat image_format(Format f) {
    switch (f) {
        case Format::R32G32B32A32_FLOAT:
            return ir::ImageFormat::Rgba32f;
        case Format::R16G16B16A16_FLOAT:
            return ir::ImageFormat::Rgba16f;
        case Format::R32_FLOAT:
            return ir::ImageFormat::R32f;
        case Format::R8G8B8A8_UNORM:
            return ir::ImageFormat::Rgba8;
        case Format::R8G8B8A8_SNORM:
            return ir::ImageFormat::Rgba8Snorm;
        case Format::R32G32B32A32_SINT:
            return ir::ImageFormat::Rgba32i;
        case Format::R16G16B16A16_SINT:
            return ir::ImageFormat::Rgba16i;
        case Format::R8G8B8A8_SINT:
            return ir::ImageFormat::Rgba8i;
        case Format::R32_SINT:
            return ir::ImageFormat::R32i;
        case Format::R32G32B32A32_UINT:
            return ir::ImageFormat::Rgba32ui;
        case Format::R16G16B16A16_UINT:
            return ir::ImageFormat::Rgba16ui;
        case Format::R8G8B8A8_UINT:
            return ir::ImageFormat::Rgba8ui;
        case Format::R32_UINT:
            return ir::ImageFormat::R32ui;
        default:
            return ir::ImageFormat::None;
    }
}

}  // namespace terrazzo::pipe
