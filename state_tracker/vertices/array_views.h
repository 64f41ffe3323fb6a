// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What draws found out about vertex arrays, kept: binding an array that was drawn with lately costs a lookup.
#pragma once

#include "state_tracker/vertices/vertex_fetch.h"

namespace terrazzo::st {

/// A vertex array as draws of a program see it.
struct ArrayView {
    /// Never 0 and never again another view's, also when the same place in memory is filled anew.
    uint64_t serial = 0;
    VertexFetch fetch;
    pipe::Ref<pipe::VertexLayout> layout;  // made when first emitted
    // The element array buffer.
    pipe::Ref<pipe::Resource> index_resource;
    uint64_t index_size_B = 0;
    bool index_mapped = false;
};

class ArrayViews {
  public:
    /// Of ctx.vertex_array and the attributes that ctx.executable reads; valid until the next call of
    /// anything here. Null: out of memory.
    [[nodiscard]] ArrayView* get(Context& ctx, pipe::Uploader& uploader);
    /// Drops the views that hold the storage.
    void forget(const pipe::Resource& r);

  private:
    static constexpr unsigned kViews = 16;
    struct Key {
        uint64_t array_stamp = 0, attribs_stamp = 0;  // the latter where `reads_current`
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
    uint64_t buffer_stamp_ = 0;  // ShareGroup::buffer_stamp that all views are of
};

}  // namespace terrazzo::st
