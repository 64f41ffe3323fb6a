// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// From a vertex array and a program's attributes to the pipe's vertex buffers and layout. Attributes that lie
// interleaved share one buffer binding, and one upload where they are client arrays. Attributes without an
// array share one binding of stride 0 with their current values.
#pragma once

#include <array>
#include <span>

#include "pipe/state.h"
#include "pipe/upload/upload.h"
#include "state_tracker/context.h"

namespace terrazzo::st {

struct VertexAttrib;
struct VertexBinding;

/// Of a draw; count is not 0.
struct Instances {
    uint32_t count = 1, first = 0;
};

class VertexFetch {
  public:
    /// Looks at ctx.vertex_array and the attributes that ctx.executable reads. Lock the share group. False:
    /// out of memory (for the current values).
    [[nodiscard]] bool build(Context& ctx, pipe::Uploader& uploader);
    [[nodiscard]] const pipe::VertexLayoutDesc& layout() const { return layout_; }
    /// Draws upload vertices: buffers() is to be asked anew each time.
    [[nodiscard]] bool has_client_arrays() const { return has_client_arrays_; }
    /// An enabled array lies in a mapped buffer: a draw is GL_INVALID_OPERATION.
    [[nodiscard]] bool mapped() const { return mapped_; }

    /// Vertex buffers of a draw without client arrays.
    [[nodiscard]] std::span<const pipe::VertexBuffer> buffers() const {
        return {buffers_.data(), group_count_};
    }
    /// Vertex buffers of a draw of vertices [first, first + count), uploaded and moved so that vertex `first`
    /// has index 0; arrays with a divisor are uploaded for `instances`, and moved so that the first of these has index
    /// 0: gl_InstanceID counts from 0 whatever that is (EXT_base_instance). Empty where memory ran out.
    /// The uploads lie in `hold`.
    using Uploads = std::array<pipe::Ref<pipe::Resource>, pipe::kMaxVertexAttribs>;
    [[nodiscard]] std::span<const pipe::VertexBuffer> upload(pipe::Uploader& uploader, uint32_t first,
                                                             uint32_t count, Instances instances,
                                                             Uploads* hold);
    [[nodiscard]] bool holds(const pipe::Resource& r) const;
    /// Holds nothing.
    void clear();

  private:
    enum class Kind : uint8_t { Resource, Client, Missing };
    struct Group {
        Kind kind = Kind::Missing;
        pipe::Ref<pipe::Resource> resource;
        uintptr_t start = 0, end = 0;  // offsets or addresses of element 0's bytes
        uint32_t stride_B = 0;
        uint32_t divisor = 0;
    };
    unsigned place(Kind kind, pipe::Resource* r, uintptr_t start, const VertexAttrib& a,
                   const VertexBinding& b);
    [[nodiscard]] bool add_current_values(Context& ctx, pipe::Uploader& uploader, uint32_t attributes);

    std::array<Group, pipe::kMaxVertexAttribs> groups_;
    std::array<pipe::VertexBuffer, pipe::kMaxVertexAttribs> buffers_;
    unsigned group_count_ = 0;
    pipe::VertexLayoutDesc layout_;
    bool has_client_arrays_ = false, mapped_ = false;
};

}  // namespace terrazzo::st
