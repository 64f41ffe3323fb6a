// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The places of the pixels of a box in client memory or a pixel buffer (OpenGL ES 2.0 sections 3.6.1, 3.6.2
// and 4.3.1; EXT_unpack_subimage; ES 3.0 sections 3.7.1, 3.7.2 and 4.3.2), and access to them.
#pragma once

#include <optional>

#include "state_tracker/buffers/buffer.h"
#include "state_tracker/context.h"
#include "state_tracker/images/texture_storage.h"

namespace terrazzo::st {

struct ClientRect {
    uint64_t offset_B = 0;        // of the first pixel
    uint64_t stride_B = 0;        // from a row to the next
    uint64_t image_stride_B = 0;  // from a slice or layer to the next
    uint64_t size_B = 0;          // one past the last byte used; 0 for an empty box
};

/// False: the numbers do not fit into an address space. `images`: image height and skipped images apply
/// (TexImage3D and similar commands).
[[nodiscard]] bool client_rect(const PixelStore& store, unsigned pixel_B, const Extent& size, bool images,
                               ClientRect* out);

/// The size of a datum of a pixel type, of which offsets into a pixel buffer must be multiples.
[[nodiscard]] unsigned datum_B(GLenum type);

/// The memory of a command's texels: the application's, or, with `pointer` as offset, that of the bound pixel
/// buffer. The command may access each byte of [0, size_B).
class PixelMemory {
  public:
    enum class Direction : uint8_t { Unpack, Pack };
    /// False: the error is recorded. `datum_B`: 1 for compressed texels.
    [[nodiscard]] bool open(Context& ctx, const char* command, Direction direction, const void* pointer,
                            uint64_t size_B, unsigned datum_B);
    /// Null: there is no memory (a null pointer without a buffer, or an empty box in a buffer).
    [[nodiscard]] uint8_t* data() const { return data_; }

  private:
    uint8_t* data_ = nullptr;
    std::optional<BufferBytes> buffer_;
};

}  // namespace terrazzo::st
