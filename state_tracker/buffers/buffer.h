// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffer objects (OpenGL ES 3.0 section 2.10, OES_mapbuffer, EXT_map_buffer_range). The CPU writes most buffers: one
// that the device may still read gets new storage instead of a wait, so that no such command ends a render pass. The
// device writes buffers that are captured to or copied to (Buffer::device_writes): who looks at those waits for it.
#pragma once

#include <span>

#include "pipe/context.h"
#include "state_tracker/context.h"
#include "state_tracker/object.h"

namespace terrazzo::st {

/// The smallest and largest index of a range of an index buffer; computed for client arrays and remembered.
struct IndexRange {
    uint32_t min = 0, max = 0;
};

class Buffer final : public Object {
  public:
    explicit Buffer(uint32_t n) : Object(n) {}
    pipe::Ref<pipe::Resource> resource;  // null while size_B is 0
    uint64_t size_B = 0;
    GLenum usage = GL_STATIC_DRAW;
    bool immutable = false;        // made by BufferStorage
    bool external = false;         // in a memory object: it cannot move, and others write it
    GLbitfield storage_flags = 0;  // as BufferStorage was given them, or BufferData's
    bool shader_writes = false;    // draws and dispatches write `resource` whenever they like
    bool device_writes = false;    // work of the device wrote `resource`, or is going to: wait before looking

    // --- the mapping the application holds; pointer is null where there is none
    void* map_pointer = nullptr;
    uint64_t map_offset_B = 0, map_length_B = 0;
    GLbitfield map_access = 0;  // GL_MAP_*_BIT_EXT
    pipe::Mapping mapping;
    /// Mapped so that commands must not use it (EXT_buffer_storage: a persistent mapping is none of those).
    [[nodiscard]] bool locked() const { return map_pointer && !(map_access & GL_MAP_PERSISTENT_BIT_EXT); }
    /// The application, or others, may write at any time.
    [[nodiscard]] bool written_at_any_time() const {
        return external ||
               (map_pointer && (map_access & GL_MAP_PERSISTENT_BIT_EXT) && (map_access & GL_MAP_WRITE_BIT));
    }

    // --- index ranges, valid while range_stamp is `content_stamp`
    uint64_t content_stamp = 1;
    struct CachedRange {
        uint64_t stamp = 0, offset_B = 0;
        uint32_t count = 0;
        pipe::IndexType type = pipe::IndexType::None;
        bool restart = false;
        IndexRange range;
    };
    std::array<CachedRange, 8> ranges;
    unsigned next_range = 0;
};

/// Bytes of a buffer that a command reads or writes itself (pixel transfers): valid until its end. They must
/// lie in the buffer, and the buffer must not be locked.
class BufferBytes {
  public:
    enum class Access : uint8_t { Read, Write };
    BufferBytes(Context& ctx, Buffer& b, uint64_t offset_B, uint64_t size_B, Access access);
    ~BufferBytes();
    BufferBytes(const BufferBytes&) = delete;
    BufferBytes& operator=(const BufferBytes&) = delete;
    /// Null: out of memory.
    [[nodiscard]] uint8_t* data() const { return static_cast<uint8_t*>(mapping_.data); }

  private:
    Context& ctx_;
    const pipe::Ref<pipe::Resource> resource_;
    pipe::Mapping mapping_;
};

/// Work that is about to be handed to the device writes the storage. Lock the share group.
inline void written_by_device(Buffer& b) {
    b.device_writes = true;
    ++b.content_stamp;
}

/// An indexed target of this context (glBindBufferBase): its binding points. False: none.
struct IndexedTarget {
    std::span<IndexedBuffer> points;
    GLint align_B;      // of offsets
    uint64_t dirty;     // when a point changes
    const char* limit;  // the name of how many there are
};
[[nodiscard]] bool indexed_target(Context& ctx, GLenum target, IndexedTarget* out);
/// The bytes of a binding point that the pipe may use; none where nothing is bound. Lock the share group.
[[nodiscard]] pipe::BufferRange bound_range(const IndexedBuffer& at);

/// The buffer bound to `target`; null with GL_INVALID_ENUM (no such target) or GL_INVALID_OPERATION (none
/// bound) recorded.
[[nodiscard]] Buffer* bound_buffer(Context& ctx, GLenum target, const char* command);

}  // namespace terrazzo::st
