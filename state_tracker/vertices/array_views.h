// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Cached results of draws with vertex arrays: drawing with an array that was used recently costs a lookup.
#pragma once

#include "state_tracker/vertices/vertex_fetch.h"

namespace terrazzo::st {

/// A vertex array, prepared for the draws of a program.
struct ArrayView {
    /// Never 0, and never the same for two views, even if a view is stored where another one was.
    uint64_t serial = 0;
    VertexFetch fetch;
    pipe::Ref<pipe::VertexLayout> layout;  // created when it is first sent
    // The element array buffer.
    pipe::Ref<pipe::Resource> index_resource;
    uint64_t index_size_B = 0;
    bool index_mapped = false;
};

class ArrayViews {
  public:
    /// The view of ctx.vertex_array for the attributes that ctx.executable reads. Valid until the next call
    /// of a method. Null: out of memory.
    [[nodiscard]] ArrayView* get(Context& ctx, pipe::Uploader& uploader);
    /// Drops the views that hold the storage.
    void forget(const pipe::Resource& r);

  private:
    static constexpr unsigned kViews = 16;
    struct Key {
        uint64_t array_stamp = 0, attribs_stamp = 0;  // the latter is used if `reads_current`
        uint32_t attributes = 0;
        uint32_t views = 1;
        bool valid = false, reads_current = false;
    };
    [[nodiscard]] bool fill(Context& ctx, pipe::Uploader& uploader, unsigned at);
    void drop(unsigned at);

    std::array<Key, kViews> keys_{};
    std::array<ArrayView, kViews> views_;
    unsigned last_ = 0, next_ = 0;
    uint64_t last_serial_ = 0;
    uint64_t buffer_stamp_ = 0;  // the value of ShareGroup::buffer_stamp for which all views are valid
};

}  // namespace terrazzo::st
