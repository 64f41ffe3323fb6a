// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Converts a vertex array and a program's attributes to the pipe's vertex buffers and layout. Interleaved
// attributes share one buffer binding, and one upload if they are client arrays. Attributes without an array
// share one binding of stride 0 that has their current values.
#pragma once

#include <array>
#include <span>

#include "pipe/state.h"
#include "pipe/upload/upload.h"
#include "state_tracker/context.h"

namespace terrazzo::st {

struct VertexAttrib;
struct VertexBinding;

/// The instances of a draw; count is not 0.
struct Instances {
    uint32_t count = 1, first = 0;
};

class VertexFetch {
  public:
    /// Reads ctx.vertex_array and the attributes that ctx.executable uses. Lock the share group. False: out
    /// of memory (for the current values).
    [[nodiscard]] bool build(Context& ctx, pipe::Uploader& uploader);
    [[nodiscard]] const pipe::VertexLayoutDesc& layout() const { return layout_; }
    /// Whether draws upload vertices. Then each draw calls upload() instead of buffers().
    [[nodiscard]] bool has_client_arrays() const { return has_client_arrays_; }
    /// Whether an enabled array lies in a mapped buffer: a draw is GL_INVALID_OPERATION.
    [[nodiscard]] bool mapped() const { return mapped_; }

    /// Vertex buffers of a draw without client arrays.
    [[nodiscard]] std::span<const pipe::VertexBuffer> buffers() const {
        return {buffers_.data(), group_count_};
    }
    /// Vertex buffers of a draw of vertices [first, first + count), uploaded and moved so that vertex `first`
    /// has index 0. Arrays with a divisor are uploaded for `instances`, and moved so that the first instance
    /// has index 0: gl_InstanceID counts from 0 for every first instance (EXT_base_instance). `hold` gets
    /// references to the uploads. Empty: out of memory.
    using Uploads = std::array<pipe::Ref<pipe::Resource>, pipe::kMaxVertexAttribs>;
    [[nodiscard]] std::span<const pipe::VertexBuffer> upload(pipe::Uploader& uploader, uint32_t first,
                                                             uint32_t count, Instances instances,
                                                             Uploads* hold);
    [[nodiscard]] bool holds(const pipe::Resource& r) const;
    /// Releases all references.
    void clear();

  private:
    enum class Kind : uint8_t { Resource, Client, Missing };
    struct Group {
        Kind kind = Kind::Missing;
        pipe::Ref<pipe::Resource> resource;
        uintptr_t start = 0, end = 0;  // offsets or addresses of the bytes of element 0
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
