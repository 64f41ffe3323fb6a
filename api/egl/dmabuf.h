// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL_EXT_image_dma_buf_import and _modifiers: images in memory that other devices and processes share.
#pragma once

#include <string>
#include <vector>

#include "api/egl/display.h"
#include "pipe/fourcc.h"

namespace terrazzo::egl {

/// The attributes of eglCreateImage for a dma-buf. The caller keeps the descriptors.
struct DmabufAttributes {
    EGLAttrib width = 0, height = 0, fourcc = 0;
    struct Plane {
        EGLAttrib fd = -1, offset = 0, pitch = 0, modifier_lo = 0, modifier_hi = 0;
        unsigned given = 0;  // bits of plane_attribute
    } plane[4];
    EGLAttrib color_space = EGL_ITU_REC601_EXT, sample_range = EGL_YUV_NARROW_RANGE_EXT;
    EGLAttrib chroma_x = EGL_YUV_CHROMA_SITING_0_EXT, chroma_y = EGL_YUV_CHROMA_SITING_0_EXT;
};

/// EGL_SUCCESS, or the error, with the broken rule in `*why`; `*out` is unchanged then.
[[nodiscard]] EGLint parse_dmabuf(const EGLAttrib* list, DmabufAttributes* out, std::string* why);
/// Imports the image. EGL_SUCCESS, or the error, with the broken rule in `*why`.
[[nodiscard]] EGLint import_dmabuf(pipe::Screen& screen, const DmabufAttributes& a, pipe::Ref<st::Image>* out,
                                   std::string* why);

/// The image's drm_fourcc.h code and its planes. Null: there is no code for its format.
[[nodiscard]] const pipe::FourccRow* fourcc_row(const st::Image& image);
/// The codes that the screen imports, in the table's order.
[[nodiscard]] std::vector<uint32_t> dmabuf_formats(const pipe::Screen& screen);
struct DmabufModifier {
    uint64_t value;
    bool external_only;  // only for GL_TEXTURE_EXTERNAL_OES
};
/// The modifiers of a code. Empty: the screen does not import such images.
[[nodiscard]] std::vector<DmabufModifier> dmabuf_modifiers(const pipe::Screen& screen, uint32_t fourcc);

}  // namespace terrazzo::egl
