// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A view depends on the array's stamp, the program's attributes and number of views, the current values that
// it reads, and the storage of buffers. If any buffer of the share group got other storage (or was mapped),
// all views are dropped, and with them their references to storage that no buffer has any more.
#include "state_tracker/vertices/array_views.h"

#include "state_tracker/programs/program.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::st {

ArrayView* ArrayViews::get(Context& ctx, pipe::Uploader& uploader) {
    const uint64_t buffers = ctx.share->buffer_stamp.load(std::memory_order_relaxed);
    if (buffer_stamp_ != buffers) {
        for (unsigned i = 0; i < kViews; ++i)
            drop(i);
        buffer_stamp_ = buffers;
    }
    const uint64_t stamp = ctx.vertex_array->stamp;
    const uint32_t attributes = ctx.executable->attributes_used, views = ctx.executable->views;
    const auto of_array = [&](const Key& k) {
        return k.valid && k.array_stamp == stamp && k.attributes == attributes && k.views == views;
    };
    unsigned at = last_;
    if (!of_array(keys_[at])) {
        at = 0;
        while (at < kViews && !of_array(keys_[at]))
            ++at;
    }
    const bool found = at < kViews;
    if (!found) at = next_++ % kViews;
    last_ = at;
    const bool good = found && (!keys_[at].reads_current || keys_[at].attribs_stamp == ctx.attribs_stamp);
    return good || fill(ctx, uploader, at) ? &views_[at] : nullptr;
}

bool ArrayViews::fill(Context& ctx, pipe::Uploader& uploader, unsigned at) {
    drop(at);
    ArrayView& v = views_[at];
    const VertexArray& va = *ctx.vertex_array;
    std::lock_guard lock(ctx.share->mutex);
    const Buffer* const elements = va.element_buffer.get();
    v.index_resource = elements ? elements->resource : nullptr;
    v.index_size_B = elements ? elements->size_B : 0;
    v.index_mapped = elements && elements->locked();
    const uint32_t attributes = ctx.executable->attributes_used;
    if (!v.fetch.build(ctx, uploader)) return drop(at), false;
    v.serial = ++last_serial_;
    keys_[at] = {va.stamp,   ctx.attribs_stamp,
                 attributes, ctx.executable->views,
                 true,       (attributes & ~va.enabled) != 0};
    return true;
}

void ArrayViews::drop(unsigned at) {
    keys_[at] = {};
    ArrayView& v = views_[at];
    v.serial = 0;
    v.fetch.clear();
    v.layout = nullptr;
    v.index_resource = nullptr;
}

void ArrayViews::forget(const pipe::Resource& r) {
    for (unsigned i = 0; i < kViews; ++i)
        if (keys_[i].valid && (views_[i].index_resource.get() == &r || views_[i].fetch.holds(r))) drop(i);
}

}  // namespace terrazzo::st
