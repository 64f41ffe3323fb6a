// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffer objects (OpenGL ES 3.0 section 2.10, OES_mapbuffer, EXT_map_buffer_range). The CPU writes most
// buffers. If the device may still read one, the buffer gets new storage instead of a wait, so that no such
// command ends a render pass. The device itself writes some buffers, by captures and copies
// (Buffer::device_writes): the CPU waits before it reads those.
#pragma once

#include <span>

#include "pipe/context.h"
#include "state_tracker/context.h"
#include "state_tracker/object.h"

namespace terrazzo::st {

/// The smallest and largest index of a range of an index buffer. Draws with client arrays need it, and cache
/// it.
struct IndexRange {
    uint32_t min = 0, max = 0;
};

class Buffer final : public Object {
  public:
    explicit Buffer(uint32_t n) : Object(n) {}
    pipe::Ref<pipe::Resource> resource;  // null while size_B is 0
    uint64_t size_B = 0;
    GLenum usage = GL_STATIC_DRAW;
    bool immutable = false;  // created by BufferStorage
    // in a memory object: the storage cannot move, and other processes write it
    bool external = false;
    GLbitfield storage_flags = 0;  // the flags that were passed to BufferStorage, or those of BufferData
    bool shader_writes = false;    // shaders of draws and dispatches may write `resource`
    // the device wrote `resource`, or is going to: the CPU waits before it reads
    bool device_writes = false;

    // --- the application's mapping; the pointer is null without one
    void* map_pointer = nullptr;
    uint64_t map_offset_B = 0, map_length_B = 0;
    GLbitfield map_access = 0;  // GL_MAP_*_BIT_EXT
    pipe::Mapping mapping;
    /// Whether a mapping forbids commands to use the buffer. Persistent mappings (EXT_buffer_storage) do not.
    [[nodiscard]] bool locked() const { return map_pointer && !(map_access & GL_MAP_PERSISTENT_BIT_EXT); }
    /// Whether the application or another process may write at any time.
    [[nodiscard]] bool written_at_any_time() const {
        return external ||
               (map_pointer && (map_access & GL_MAP_PERSISTENT_BIT_EXT) && (map_access & GL_MAP_WRITE_BIT));
    }

    // --- index ranges, each valid while its stamp is `content_stamp`
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

/// Bytes of a buffer that a command on the CPU reads or writes (pixel transfers): valid until the object is
/// destroyed. The range must lie in the buffer, and the buffer must not be locked.
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

/// Call before handing work to the device that writes the storage. Lock the share group.
inline void written_by_device(Buffer& b) {
    b.device_writes = true;
    ++b.content_stamp;
}

/// An indexed target of this context (glBindBufferBase): its binding points.
struct IndexedTarget {
    std::span<IndexedBuffer> points;
    GLint align_B;      // of offsets
    uint64_t dirty;     // bits to set when a point changes
    const char* limit;  // the name of the limit of the number of points
};
[[nodiscard]] bool indexed_target(Context& ctx, GLenum target, IndexedTarget* out);
/// The bytes of a binding point that exist; an empty range if nothing is bound. Lock the share group.
[[nodiscard]] pipe::BufferRange bound_range(const IndexedBuffer& at);

/// The buffer bound to `target`. Null: there is no such target (GL_INVALID_ENUM) or no buffer is bound
/// (GL_INVALID_OPERATION); the error is recorded.
[[nodiscard]] Buffer* bound_buffer(Context& ctx, GLenum target, const char* command);

}  // namespace terrazzo::st
