// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a Wayland server says about the dma-bufs that it can show: zwp_linux_dmabuf_v1's modifier events (version 3), or
// zwp_linux_dmabuf_feedback_v1 (version 4), whose lists may change at any time.
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

/// Formats that a server prefers equally.
struct Tranche {
    dev_t target_device = 0;  // that will read such buffers; 0: the server does not say
    bool scanout = false;     // it may be a display
    std::vector<SharedFormat> formats;
};

struct DmabufOffer {
    dev_t main_device = 0;          // the GPU that the server draws with; 0: it does not say
    std::vector<Tranche> tranches;  // the best first

    /// The modifiers of a format, those of the best tranche first, each once. Throws std::bad_alloc.
    [[nodiscard]] std::vector<uint64_t> modifiers(uint32_t fourcc) const;
    /// The first tranche that has it; the number of tranches: none has.
    [[nodiscard]] unsigned rank(uint32_t fourcc, uint64_t modifier) const;
};

/// Listens to a feedback object. Thread: the one that dispatches the object's queue.
class DmabufFeedback {
  public:
    DmabufFeedback() = default;
    ~DmabufFeedback() { destroy(); }
    DmabufFeedback(const DmabufFeedback&) = delete;
    DmabufFeedback& operator=(const DmabufFeedback&) = delete;

    /// Takes the object, which may be null (out of memory).
    void listen(zwp_linux_dmabuf_feedback_v1* object);
    [[nodiscard]] bool listens() const { return object_; }
    /// Ends listening; the offer stays.
    void destroy();
    /// The connection is gone: its memory must not be touched any more.
    void forget() { object_ = nullptr; }

    /// The last complete offer. Without one, or where the last one made no sense, it has no tranches.
    [[nodiscard]] const DmabufOffer& offer() const { return offer_; }
    /// How many complete offers there were.
    [[nodiscard]] unsigned count() const { return count_; }

  private:
    static const zwp_linux_dmabuf_feedback_v1_listener kListener;
    static DmabufFeedback& of(void* data) { return *static_cast<DmabufFeedback*>(data); }
    void on_done();
    void on_table(int fd, uint32_t size_B);
    void on_formats(const wl_array& indices);

    zwp_linux_dmabuf_feedback_v1* object_ = nullptr;
    std::vector<SharedFormat> table_;  // that indices of formats refer to
    DmabufOffer pending_, offer_;
    Tranche tranche_;      // the one that is being sent
    bool broken_ = false;  // this offer breaks the protocol's rules, or is too large for our memory
    unsigned count_ = 0;
};

}  // namespace terrazzo::winsys
