// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The dma-bufs that a Wayland server can show: from zwp_linux_dmabuf_v1's modifier events (version 3), or
// from zwp_linux_dmabuf_feedback_v1 (version 4), whose lists may change at any time.
#pragma once

#include <sys/types.h>
#include <wayland-client.h>

#include <cstdint>
#include <vector>

#include "linux-dmabuf-unstable-v1-client-protocol.h"

namespace terrazzo::winsys {

struct SharedFormat {
    uint32_t fourcc = 0;
    uint64_t modifier = 0;
};

/// Formats that the server prefers equally.
struct Tranche {
    dev_t target_device = 0;  // the device that will read such buffers; 0: unknown
    bool scanout = false;     // that device may be a display
    std::vector<SharedFormat> formats;
};

struct DmabufOffer {
    dev_t main_device = 0;          // the GPU that the server draws with; 0: unknown
    std::vector<Tranche> tranches;  // the best first

    /// The modifiers of a format, those of the best tranche first, each once. Throws std::bad_alloc.
    [[nodiscard]] std::vector<uint64_t> modifiers(uint32_t fourcc) const;
    /// The first tranche that has the modifier; the number of tranches if none has.
    [[nodiscard]] unsigned rank(uint32_t fourcc, uint64_t modifier) const;
};

/// Listens to a feedback object. Thread: the one that dispatches the object's queue.
class DmabufFeedback {
  public:
    DmabufFeedback() = default;
    ~DmabufFeedback() { destroy(); }
    DmabufFeedback(const DmabufFeedback&) = delete;
    DmabufFeedback& operator=(const DmabufFeedback&) = delete;

    /// Owns the object, which may be null (out of memory).
    void listen(zwp_linux_dmabuf_feedback_v1* object);
    [[nodiscard]] bool listens() const { return object_; }
    /// Ends listening; the offer is kept.
    void destroy();
    /// The connection is gone: its objects must not be used any more.
    void forget() { object_ = nullptr; }

    /// The last complete offer. Without tranches if there is none yet, or if the last one was invalid.
    [[nodiscard]] const DmabufOffer& offer() const { return offer_; }
    /// The number of complete offers so far.
    [[nodiscard]] unsigned count() const { return count_; }

  private:
    static const zwp_linux_dmabuf_feedback_v1_listener kListener;
    static DmabufFeedback& of(void* data) { return *static_cast<DmabufFeedback*>(data); }
    void on_done();
    void on_table(int fd, uint32_t size_B);
    void on_formats(const wl_array& indices);

    zwp_linux_dmabuf_feedback_v1* object_ = nullptr;
    std::vector<SharedFormat> table_;  // the formats that the server's indices refer to
    DmabufOffer pending_, offer_;
    Tranche tranche_;      // being received
    bool broken_ = false;  // this offer breaks the protocol's rules, or there is no memory for it
    unsigned count_ = 0;
};

}  // namespace terrazzo::winsys
