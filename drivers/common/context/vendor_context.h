// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A vendor's complete context: `Draws`, which derives from StateContext and records passes and draws, and a
// `Transfers` object, which records copies and blits. `Transfers` has, for these functions of ImageAccess:
//   Transfers(const ContextObjects<Types>&): it is a ContextPart
//   static constexpr uint64_t kLeastCopy_B        least_device_copy_B
//   bool copy(const ImageCopy&)                   copy_by_device
//   bool copy_bytes(const BufferCopy&)            copy_bytes_by_device
//   bool blit(const pipe::BlitInfo&)              blit_by_device
//   void record_plain_copy(from, to)              record_plain_copy
#pragma once

#include <memory>

#include "drivers/common/context/bound_state.h"
#include "drivers/common/images/access.h"
#include "winsys/trap.h"

namespace terrazzo::contexts {

/// Of a device that copies nothing itself: blits are draws (blit/draw_blit.h), and the CPU copies. No image
/// is compressed.
template <class Types>
class CpuTransfers : ContextPart<Types> {
  public:
    static constexpr uint64_t kLeastCopy_B = 0;
    using ContextPart<Types>::ContextPart;
    [[nodiscard]] bool copy(const images::ImageCopy&) { return false; }
    [[nodiscard]] bool copy_bytes(const images::BufferCopy&) { return false; }
    [[nodiscard]] bool blit(const pipe::BlitInfo&) { return false; }
    void record_plain_copy(images::StoredResource&, const images::Bo&) { winsys::unreachable(); }
};

template <class Draws, class Transfers>
class VendorContext final : public Draws {
  public:
    /// Throws std::bad_alloc.
    template <class Screen, class Queue>
    VendorContext(Screen& screen, const pipe::ContextDesc& desc, std::unique_ptr<Queue> queue)
        : Draws(screen, desc, std::move(queue)), transfers_(this->objects()) {}
    ~VendorContext() override { this->submit_last(); }

  private:
    [[nodiscard]] bool copy_by_device(const images::ImageCopy& copy) override {
        return transfers_.copy(copy);
    }
    [[nodiscard]] bool copy_bytes_by_device(const images::BufferCopy& copy) override {
        return transfers_.copy_bytes(copy);
    }
    [[nodiscard]] uint64_t least_device_copy_B() const override { return Transfers::kLeastCopy_B; }
    [[nodiscard]] bool blit_by_device(const pipe::BlitInfo& info) override { return transfers_.blit(info); }
    void record_plain_copy(images::StoredResource& from, const images::Bo& to) override {
        transfers_.record_plain_copy(from, to);
    }

    Transfers transfers_;
};

}  // namespace terrazzo::contexts
