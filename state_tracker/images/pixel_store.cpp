// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/images/pixel_store.h"

namespace terrazzo::st {

bool client_rect(const PixelStore& store, unsigned pixel_B, const Extent& size, bool images,
                 ClientRect* out) {
    ClientRect r;
    if (size.empty()) {
        *out = r;
        return true;
    }
    const uint64_t align = uint64_t(store.alignment);
    const uint64_t row_px = store.row_length > 0 ? uint64_t(store.row_length) : size.width;
    const uint64_t rows = images && store.image_height > 0 ? uint64_t(store.image_height) : size.height;
    const uint64_t skip_images = images ? uint64_t(store.skip_images) : 0;
    // Rounding changes nothing if the alignment is at most an element: then the row is a multiple of it
    // already.
    r.stride_B = (row_px * pixel_B + align - 1) / align * align;
    uint64_t skip_B = 0, skip_images_B = 0, rows_B = 0, images_B = 0;
    if (__builtin_mul_overflow(r.stride_B, rows, &r.image_stride_B) ||
        __builtin_mul_overflow(r.stride_B, uint64_t(store.skip_rows), &skip_B) ||
        __builtin_mul_overflow(r.image_stride_B, skip_images, &skip_images_B) ||
        __builtin_mul_overflow(r.stride_B, uint64_t(size.height - 1), &rows_B) ||
        __builtin_mul_overflow(r.image_stride_B, uint64_t(size.depth - 1), &images_B))
        return false;
    // The products fit into 64 bits. A term or sum of 2^63 or more is refused.
    const uint64_t most = uint64_t(PTRDIFF_MAX);
    uint64_t sum = 0;
    for (uint64_t term : {skip_images_B, skip_B, uint64_t(store.skip_pixels) * pixel_B}) {
        if (term > most || (sum += term) > most) return false;
    }
    r.offset_B = sum;
    for (uint64_t term : {images_B, rows_B, uint64_t(size.width) * pixel_B}) {
        if (term > most || (sum += term) > most) return false;
    }
    r.size_B = sum;
    *out = r;
    return true;
}

unsigned datum_B(GLenum type) {
    switch (type) {
        case GL_UNSIGNED_BYTE:
        case GL_BYTE:
            return 1;
        case GL_UNSIGNED_INT:
        case GL_INT:
        case GL_FLOAT:
        case GL_UNSIGNED_INT_2_10_10_10_REV:
        case GL_UNSIGNED_INT_10F_11F_11F_REV:
        case GL_UNSIGNED_INT_5_9_9_9_REV:
        case GL_UNSIGNED_INT_24_8:
            return 4;
        case GL_FLOAT_32_UNSIGNED_INT_24_8_REV:
            return 8;
        default:
            return 2;  // shorts, halves, and words of 16 bits
    }
}

bool PixelMemory::open(Context& ctx, const char* command, Direction direction, const void* pointer,
                       uint64_t size_B, unsigned datum) {
    const bool unpack = direction == Direction::Unpack;
    Buffer* const b = (unpack ? ctx.pixel_unpack_buffer : ctx.pixel_pack_buffer).get();
    if (!b) {
        data_ = static_cast<uint8_t*>(const_cast<void*>(pointer));
        return true;
    }
    const char* const target = unpack ? "GL_PIXEL_UNPACK_BUFFER" : "GL_PIXEL_PACK_BUFFER";
    const uint64_t offset_B = uint64_t(reinterpret_cast<uintptr_t>(pointer));
    const std::lock_guard lock(ctx.share->mutex);
    if (b->locked()) {
        ctx.error(GL_INVALID_OPERATION, command, "buffer %u of %s is mapped", b->name, target);
        return false;
    }
    if (offset_B % datum) {
        ctx.error(GL_INVALID_OPERATION, command, "offset %llu into %s is no multiple of the type's %u bytes",
                  static_cast<unsigned long long>(offset_B), target, datum);
        return false;
    }
    if (size_B > b->size_B || offset_B > b->size_B - size_B) {
        ctx.error(GL_INVALID_OPERATION, command,
                  "%llu bytes from offset %llu on end outside buffer %u of %llu bytes",
                  static_cast<unsigned long long>(size_B), static_cast<unsigned long long>(offset_B), b->name,
                  static_cast<unsigned long long>(b->size_B));
        return false;
    }
    if (size_B == 0) return true;
    const auto access = unpack ? BufferBytes::Access::Read : BufferBytes::Access::Write;
    data_ = buffer_.emplace(ctx, *b, offset_B, size_B, access).data();
    if (!data_) ctx.out_of_memory(command);
    return data_;
}

void PixelStorei(Context& ctx, GLenum pname, GLint param) {
    PixelStore& pack = ctx.state.pack;
    PixelStore& unpack = ctx.state.unpack;
    GLint* value = nullptr;
    int version = 20;  // EXT_unpack_subimage has three of them; the others are in OpenGL ES 3.0
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
        case GL_UNPACK_IMAGE_HEIGHT:
            value = &unpack.image_height, version = 30;
            break;
        case GL_UNPACK_SKIP_IMAGES:
            value = &unpack.skip_images, version = 30;
            break;
        case GL_PACK_ROW_LENGTH:
            value = &pack.row_length, version = 30;
            break;
        case GL_PACK_SKIP_ROWS:
            value = &pack.skip_rows, version = 30;
            break;
        case GL_PACK_SKIP_PIXELS:
            value = &pack.skip_pixels, version = 30;
            break;
        default:
            break;
    }
    if (!value || ctx.config.version < version)
        return ctx.error(GL_INVALID_ENUM, "glPixelStorei", "pname 0x%04x", pname);
    if (param < 0) return ctx.error(GL_INVALID_VALUE, "glPixelStorei", "%d is negative", param);
    *value = param;
}

}  // namespace terrazzo::st
