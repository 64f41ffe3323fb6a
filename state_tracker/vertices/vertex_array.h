// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex array objects (GLES 2.0 section 2.8, OES_vertex_array_object): the sources of attributes.
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
    GLsizei stride = 0;             // as passed with `pointer`
    const void* pointer = nullptr;  // as passed to VertexAttribPointer
    uint32_t element_B = 16;
    pipe::Format format = pipe::Format::R32G32B32A32_FLOAT;
    uint32_t relative_offset_B = 0;
    uint8_t binding = 0;  // index of the binding with the elements
};

/// The place of an array (OpenGL ES 3.1). VertexAttribPointer sets the binding with its attribute's number.
struct VertexBinding {
    pipe::Ref<Buffer> buffer;
    uintptr_t offset_B = 0;        // in `buffer`
    const void* client = nullptr;  // the address of a client array; null if there is a buffer
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
    /// Changes with every change of the array. No other array of the context ever has the same stamp.
    uint64_t stamp = 0;
};

/// Records GL_INVALID_VALUE if there is no such attribute.
[[nodiscard]] bool valid_attrib(Context& ctx, GLuint index, const char* command);
/// Call after a change of the current vertex array.
void vertex_array_changed(Context& ctx);

/// Removes a deleted buffer from the context's bindings, current vertex array and current transform feedback
/// object.
void unbind_buffer(Context& ctx, const Buffer& b);
/// Removes it from the current vertex array.
void unbind_array_buffer(Context& ctx, const Buffer& b);

}  // namespace terrazzo::st
