// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Writes VDM streams into pool memory, one for each render. A stream is a list of chunks, each of which links
// to the next one.
#pragma once

#include <cstring>

#include "drivers/agx/hw/records.h"
#include "drivers/common/memory/device.h"
#include "drivers/common/memory/pool.h"

namespace terrazzo::agx {

class VdmBuilder : public memory::PoolWriter {
  public:
    using PoolWriter::PoolWriter;

    // Functions that write throw std::bad_alloc. The stream can then only be dropped.

    /// A block of a fixed size.
    template <class T>
    void add(const T& block) {
        uint32_t words[T::kSize_dw];
        hw::pack(block, words);
        write(words, T::kSize_dw, T::kSize_dw);
    }
    /// A record, padded to a multiple of `align_dw`.
    template <class T>
    void add_record(const T& record, unsigned align_dw = 1) {
        uint32_t words[T::kMost_dw];
        const unsigned size_dw = hw::pack(record, words);
        write(words, size_dw, (size_dw + align_dw - 1) / align_dw * align_dw);
    }
    /// Whether the stream has a block.
    [[nodiscard]] bool is_open() const { return at_ != nullptr; }
    /// Ends the stream. Returns its address.
    [[nodiscard]] uint64_t finish();
    /// The stream that is open will not be used.
    void drop() { start_va_ = 0, at_ = end_ = nullptr, stream_B_ = 0; }

    /// Of the streams that ended since the last discard().
    [[nodiscard]] uint64_t emitted_B() const { return emitted_B_; }
    void discard() {
        drop();
        emitted_B_ = 0;
    }

  private:
    /// `with_padding_dw`: at least size_dw; the rest is zeros.
    void write(const uint32_t* words, unsigned size_dw, unsigned with_padding_dw) {
        if (!at_ || with_padding_dw > unsigned(end_ - at_)) [[unlikely]]
            open_chunk();
        std::memcpy(at_, words, size_dw * sizeof(uint32_t));
        std::memset(at_ + size_dw, 0, (with_padding_dw - size_dw) * sizeof(uint32_t));
        at_ += with_padding_dw;
        stream_B_ += with_padding_dw * sizeof(uint32_t);
    }
    void open_chunk();

    uint64_t start_va_ = 0, stream_B_ = 0, emitted_B_ = 0;
    // end_: before the room for a link and for what the VDM reads ahead.
    uint32_t *at_ = nullptr, *end_ = nullptr;
};

}  // namespace terrazzo::agx
