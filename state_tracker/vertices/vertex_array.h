// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex array objects (GLES 2.0 section 2.8, OES_vertex_array_object): where attributes come from.
#pragma once

#include <array>

#include "pipe/format.h"
#include "state_tracker/buffers/buffer.h"
#include "state_tracker/context.h"

namespace terrazzo::st {

struct VertexAttrib {
    GLint size = 4;
    GLenum type = GL_FLOAT;
    bool normalized = false, integer = false;
    GLsizei stride = 0;             // as given with `pointer`
    const void* pointer = nullptr;  // as VertexAttribPointer was given it
    uint32_t element_B = 16;
    pipe::Format format = pipe::Format::R32G32B32A32_FLOAT;
    uint32_t relative_offset_B = 0;
    uint8_t binding = 0;  // where the elements come from
};

/// Where arrays lie (OpenGL ES 3.1). VertexAttribPointer sets the one of its attribute's number.
struct VertexBinding {
    pipe::Ref<Buffer> buffer;
    uintptr_t offset_B = 0;        // in `buffer`
    const void* client = nullptr;  // a client array's place; null where there is a buffer
    uint32_t stride_B = 16;
    uint32_t divisor = 0;
    [[nodiscard]] uintptr_t start() const { return client ? reinterpret_cast<uintptr_t>(client) : offset_B; }
};

class VertexArray final : public Object {
  public:
    explicit VertexArray(uint32_t n) : Object(n) {
        for (unsigned i = 0; i < attribs.size(); ++i)
            attribs[i].binding = uint8_t(i);
    }
    std::array<VertexAttrib, pipe::kMaxVertexAttribs> attribs;
    std::array<VertexBinding, pipe::kMaxVertexAttribs> bindings;
    [[nodiscard]] const VertexBinding& binding_of(const VertexAttrib& a) const { return bindings[a.binding]; }
    uint32_t enabled = 0;  // bit per attribute
    pipe::Ref<Buffer> element_buffer;
    /// Another one after every change, never one that another array of the context has or had.
    uint64_t stamp = 0;
};

/// Records GL_INVALID_VALUE where there is no such attribute.
[[nodiscard]] bool valid_attrib(Context& ctx, GLuint index, const char* command);
/// The current vertex array has changed.
void vertex_array_changed(Context& ctx);

/// Takes a deleted buffer out of the context's bindings, current vertex array and current transform feedback object.
void unbind_buffer(Context& ctx, const Buffer& b);
/// The part that vertex arrays do.
void unbind_array_buffer(Context& ctx, const Buffer& b);

}  // namespace terrazzo::st
