// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: wayland-protocols, linux-dmabuf-unstable-v1.xml, version 4. Listeners must not throw through
// libwayland.
#include "winsys/wayland/feedback.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace terrazzo::winsys {
namespace {

/// A row of the format table in the server's file.
struct TableRow {
    uint32_t fourcc;
    uint32_t unused;
    uint64_t modifier;
};
static_assert(sizeof(TableRow) == 16);

constexpr uint32_t kMaxRows = 1u << 16;  // indices have 16 bits

dev_t device_of(const wl_array& bytes) {
    dev_t d = 0;
    if (bytes.size == sizeof d) std::memcpy(&d, bytes.data, sizeof d);
    return d;
}

/// Reads the table with read(): if the file were mapped and shorter than announced, accesses would raise
/// SIGBUS.
bool read_table(int fd, uint32_t size_B, std::vector<SharedFormat>* out) {
    const size_t count = size_B / sizeof(TableRow);
    if (size_B % sizeof(TableRow) != 0 || count > kMaxRows) return false;
    std::vector<TableRow> rows(count);
    for (size_t done_B = 0; done_B < size_B;) {
        const ssize_t n =
            pread(fd, reinterpret_cast<char*>(rows.data()) + done_B, size_B - done_B, off_t(done_B));
        if (n <= 0) return false;
        done_B += size_t(n);
    }
    out->reserve(count);
    for (const TableRow& r : rows)
        out->push_back({r.fourcc, r.modifier});
    return true;
}

}  // namespace

std::vector<uint64_t> DmabufOffer::modifiers(uint32_t fourcc) const {
    std::vector<uint64_t> list;
    for (const Tranche& t : tranches)
        for (const SharedFormat& f : t.formats)
            if (f.fourcc == fourcc && std::find(list.begin(), list.end(), f.modifier) == list.end())
                list.push_back(f.modifier);
    return list;
}

unsigned DmabufOffer::rank(uint32_t fourcc, uint64_t modifier) const {
    const auto has_it = [&](const Tranche& t) {
        return std::any_of(t.formats.begin(), t.formats.end(), [&](const SharedFormat& f) {
            return f.fourcc == fourcc && f.modifier == modifier;
        });
    };
    return unsigned(std::find_if(tranches.begin(), tranches.end(), has_it) - tranches.begin());
}

const zwp_linux_dmabuf_feedback_v1_listener DmabufFeedback::kListener{
    [](void* data, zwp_linux_dmabuf_feedback_v1*) { of(data).on_done(); },
    [](void* data, zwp_linux_dmabuf_feedback_v1*, int32_t fd, uint32_t size_B) {
        of(data).on_table(fd, size_B);
    },
    [](void* data, zwp_linux_dmabuf_feedback_v1*, wl_array* device) {
        of(data).pending_.main_device = device_of(*device);
    },
    [](void* data, zwp_linux_dmabuf_feedback_v1*) {  // tranche_done
        DmabufFeedback& f = of(data);
        try {
            f.pending_.tranches.push_back(std::exchange(f.tranche_, {}));
        } catch (const std::bad_alloc&) {
            f.broken_ = true;
        }
    },
    [](void* data, zwp_linux_dmabuf_feedback_v1*, wl_array* device) {
        of(data).tranche_.target_device = device_of(*device);
    },
    [](void* data, zwp_linux_dmabuf_feedback_v1*, wl_array* indices) { of(data).on_formats(*indices); },
    [](void* data, zwp_linux_dmabuf_feedback_v1*, uint32_t flags) {
        of(data).tranche_.scanout = flags & ZWP_LINUX_DMABUF_FEEDBACK_V1_TRANCHE_FLAGS_SCANOUT;
    }};

void DmabufFeedback::destroy() {
    if (object_) zwp_linux_dmabuf_feedback_v1_destroy(std::exchange(object_, nullptr));
}

void DmabufFeedback::listen(zwp_linux_dmabuf_feedback_v1* object) {
    object_ = object;
    if (object_) zwp_linux_dmabuf_feedback_v1_add_listener(object_, &kListener, this);
}

void DmabufFeedback::on_done() {
    DmabufOffer next = std::exchange(pending_, {});
    if (std::exchange(broken_, false)) next.tranches.clear();
    tranche_ = {};
    offer_ = std::move(next);
    ++count_;
}

void DmabufFeedback::on_table(int fd, uint32_t size_B) {
    table_.clear();
    try {
        if (!read_table(fd, size_B, &table_)) broken_ = true;
    } catch (const std::bad_alloc&) {
        broken_ = true;
    }
    close(fd);
}

void DmabufFeedback::on_formats(const wl_array& indices) {
    const auto* const index = static_cast<const uint16_t*>(indices.data);
    try {
        for (size_t i = 0; i < indices.size / sizeof *index; ++i) {
            if (index[i] >= table_.size()) {
                broken_ = true;
                return;
            }
            tranche_.formats.push_back(table_[index[i]]);
        }
    } catch (const std::bad_alloc&) {
        broken_ = true;
    }
}

}  // namespace terrazzo::winsys
