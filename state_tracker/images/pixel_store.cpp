// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/images/pixel_store.h"

namespace terrazzo::st {

bool client_rect(const PixelStore& store, unsigned pixel_B, uint32_t width, uint32_t height,
                 ClientRect* out) {
    ClientRect r;
    if (width == 0 || height == 0) {
        *out = r;
        return true;
    }
    const uint64_t align = uint64_t(store.alignment);
    const uint64_t row_px = store.row_length > 0 ? uint64_t(store.row_length) : width;
    // Alignment matters only where it is more than an element; row bytes are a multiple of those otherwise.
    r.stride_B = (row_px * pixel_B + align - 1) / align * align;
    uint64_t skip_B = 0, rows_B = 0;
    if (__builtin_mul_overflow(r.stride_B, uint64_t(store.skip_rows), &skip_B) ||
        __builtin_mul_overflow(r.stride_B, uint64_t(height - 1), &rows_B))
        return false;
    r.offset_B = skip_B + uint64_t(store.skip_pixels) * pixel_B;
    r.size_B = r.offset_B + rows_B + uint64_t(width) * pixel_B;
    if (r.offset_B < skip_B || r.size_B < rows_B || r.size_B > uint64_t(PTRDIFF_MAX)) return false;
    *out = r;
    return true;
}

void PixelStorei(Context& ctx, GLenum pname, GLint param) {
    PixelStore& pack = ctx.state.pack;
    PixelStore& unpack = ctx.state.unpack;
    GLint* value = nullptr;
    switch (pname) {
        case GL_PACK_ALIGNMENT:
        case GL_UNPACK_ALIGNMENT:
            if (param != 1 && param != 2 && param != 4 && param != 8)
                return ctx.error(GL_INVALID_VALUE, "glPixelStorei", "alignment %d is not 1, 2, 4 or 8",
                                 param);
            (pname == GL_PACK_ALIGNMENT ? pack : unpack).alignment = param;
            return;
        case GL_UNPACK_ROW_LENGTH_EXT:
            value = &unpack.row_length;
            break;
        case GL_UNPACK_SKIP_ROWS_EXT:
            value = &unpack.skip_rows;
            break;
        case GL_UNPACK_SKIP_PIXELS_EXT:
            value = &unpack.skip_pixels;
            break;
        case GL_PACK_ROW_LENGTH:
            value = &pack.row_length;
            break;
        case GL_PACK_SKIP_ROWS:
            value = &pack.skip_rows;
            break;
        case GL_PACK_SKIP_PIXELS:
            value = &pack.skip_pixels;
            break;
        default:
            break;
    }
    // Pack sub-rectangles came with OpenGL ES 3.0.
    if (!value || (value != &unpack.row_length && value != &unpack.skip_rows &&
                   value != &unpack.skip_pixels && ctx.config.version < 30))
        return ctx.error(GL_INVALID_ENUM, "glPixelStorei", "pname 0x%04x", pname);
    if (param < 0) return ctx.error(GL_INVALID_VALUE, "glPixelStorei", "%d is negative", param);
    *value = param;
}

}  // namespace terrazzo::st
