// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex array objects (GLES 2.0 section 2.8, OES_vertex_array_object): where attributes come from.
#pragma once

#include <array>

#include "pipe/format.h"
#include "state_tracker/context.h"
#include "state_tracker/core/buffer.h"

namespace terrazzo::st {

struct VertexAttrib {
    GLint size = 4;
    GLenum type = GL_FLOAT;
    bool normalized = false, integer = false;
    GLsizei stride = 0;      // as given
    uint32_t stride_B = 16;  // as used: never 0
    uint32_t element_B = 16;
    uint32_t divisor = 0;
    pipe::Format format = pipe::Format::R32G32B32A32_FLOAT;
    const void* pointer = nullptr;  // an offset where `buffer` is set
    pipe::Ref<Buffer> buffer;       // null: a client array
};

class VertexArray final : public Object {
  public:
    explicit VertexArray(uint32_t n) : Object(n) {}
    std::array<VertexAttrib, pipe::kMaxVertexAttribs> attribs;
    uint32_t enabled = 0;  // bit per attribute
    pipe::Ref<Buffer> element_buffer;
    /// Another one after every change, never one that another array of the context has or had.
    uint64_t stamp = 0;
};

/// The current vertex array has changed.
void vertex_array_changed(Context& ctx);

/// Takes a deleted buffer out of the context's bindings, current vertex array and current transform feedback object.
void unbind_buffer(Context& ctx, const Buffer& b);
/// The part that vertex arrays do.
void unbind_array_buffer(Context& ctx, const Buffer& b);

}  // namespace terrazzo::st
